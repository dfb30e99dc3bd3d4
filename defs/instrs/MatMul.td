//===- MatMul.td - instructions that take a matrix apart -------------------===//

#ifndef GLOW_INSTRS_MATMUL
#define GLOW_INSTRS_MATMUL

include "glow/nodes/MatMul.td"

// One matrix after the other is copied, since elimination changes it.
def DeterminantInstr : Instr<"determinant", (ins Out:$out, In:$in, Scratch<"f64[n,n]">:$matrix)> {
  let from = Determinant;
}

// And what becomes of the unit matrix beside it.
def InverseInstr : Instr<"inverse", (ins Out:$out, In:$in, Scratch<"f64[n,n]">:$matrix, Scratch<"f64[n,n]">:$unit)> {
  let from = Inverse;
}

#endif // GLOW_INSTRS_MATMUL
