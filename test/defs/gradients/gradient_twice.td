// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// The second assignment would win, and the first be lost.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let compute = "out[*i] = in[*i] + in[*i]";
  let gradient = [{ d.in = d.out; d.in = d.out + d.out; }];
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK: gradient_twice.td:[[#@LINE-3]]:35: error: 'd.in' is assigned a second time
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
