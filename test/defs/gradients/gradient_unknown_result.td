// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// The gradient of a result is called by the result's name.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$sum)> {
  let compute = "sum[*i] = in[*i] + in[*i]";
  let gradient = [{ d.in = d.sun + d.sun; }];
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK: gradient_unknown_result.td:[[#@LINE-3]]:28: error: 'Bad' has no result 'sun'; did you mean 'd.sum'?
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
