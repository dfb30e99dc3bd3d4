//===- Shape.td - instructions that only look at elements another way -----===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_INSTRS_SHAPE
#define GLOW_INSTRS_SHAPE

include "glow/nodes/Shape.td"

// In place there is nothing to do. The result has all bytes of the operand, so
// that one buffer may lie within the other.
def ReshapeInstr : Instr<"reshape", (ins Out:$out, In:$in), (ins Ints:$dims)> {
  let from = Reshape;
  let inPlace = ["in"];
  let joins = "in";
}

def BitCastInstr : Instr<"bit_cast", (ins Out:$out, In:$in), (ins Kind:$kind)> {
  let from = BitCast;
  let inPlace = ["in"];
  let joins = "in";
}

#endif // GLOW_INSTRS_SHAPE
