// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// An operand without a gradient comes with the reason.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let compute = "out[*i] = in[*i] + in[*i]";
  let gradient = [{ d.in = none; }];
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK: gradient_none_without_reason.td:[[#@LINE-3]]:28: error: 'none' says why: none("the reason")
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
