//===- MatMul.td - instructions that take a matrix apart -------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_INSTRS_MATMUL
#define GLOW_INSTRS_MATMUL

include "glow/nodes/MatMul.td"

// Matrices are copied one after the other, since elimination changes them.
def DeterminantInstr : Instr<"determinant", (ins Out:$out, In:$in, Scratch<"f64[n,n]">:$matrix)> {
  let from = Determinant;
}

// `unit` begins as the unit matrix and becomes the inverse.
def InverseInstr : Instr<"inverse",
                         (ins Out:$out, In:$in, Scratch<"f64[n,n]">:$matrix,
                          Scratch<"f64[n,n]">:$unit)> {
  let from = Inverse;
}

#endif // GLOW_INSTRS_MATMUL
