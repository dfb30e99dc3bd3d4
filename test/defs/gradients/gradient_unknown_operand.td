// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// A gradient of something that the node does not take.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$left, "T[*s]":$right), (outs "T[*s]":$out)> {
  let compute = "out[*i] = left[*i] + right[*i]";
  let gradient = [{ d.left = d.out; d.rigth = d.out; }];
  let samples = [Sample<"small", (ins "f32[2]", "f32[2]")>];
}
// CHECK: gradient_unknown_operand.td:[[#@LINE-3]]:37: error: 'Bad' has no operand 'rigth'; did you mean 'd.right'?
// CHECK: {{^ +\^}}
