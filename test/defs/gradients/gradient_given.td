// RUN: %classgen %library -gen-gradients %s -o %t
// RUN: FileCheck %s < %t
// A gradient builds nodes; a derived one of a lowering goes back through it.

include "glow/Glow.td"

def Half : Node<"half", (ins "T[*s]":$in, "T[*s]?":$offset, "T[*s]":$fixed), (outs "T[*s]":$out)> {
  let compute = "out[*i] = in[*i] * 0.5";
  let gradient = [{ d.in = d.out * 0.5; d.offset = d.out; d.fixed = none("it is not read"); }];
  let samples = [Sample<"small", (ins "f32[2]", "", "f32[2]")>];
}
// CHECK-LABEL: buildHalfGradient(
// CHECK:       createMul(builder, location, d_out_,
// CHECK:       made.set(node.getODSOperandIndexAndLength(0), d_in_
// CHECK:       if (offset_) {
// CHECK:       made.set(node.getODSOperandIndexAndLength(1), d_offset_
// CHECK:       made.leaveOut(node.getODSOperandIndexAndLength(2));

def Quarter : Node<"quarter", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let tier = 1;
  let lowering = [{ out = Half(Half(in, none, in), none, in); }];
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK-LABEL: buildQuarterGradient(
// CHECK:       ::glow::Tape tape(builder);
// CHECK:       createHalf(
// CHECK:       return tape.rewind(op, results, given, made);

// Relu chooses, so that infinity times 0 does not arise.
def Ramp : Pointwise<"ramp", (ins $x), [{ max(x, 0) * 3 }]> {
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK-LABEL: buildRampGradient(
// CHECK:       createGreaterEqual(builder, location, x_,
// CHECK:       createSelect(

// CHECK:       {"glow.half", "given", "", build
// CHECK:       {"glow.quarter", "lowering", "", build
// CHECK:       {"glow.ramp", "formula", "", build
