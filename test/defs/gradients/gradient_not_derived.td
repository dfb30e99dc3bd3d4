// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// Index notation whose reads cannot be turned into writes says so.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[n,k]":$in), (outs "T[n]":$out)> {
  let compute = "out[n] *= in[n,k]";
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK: gradient_not_derived.td:[[#@LINE-3]]:18: error: 'Bad' has no derived gradient: '*=' has no derived gradient; its record must give `gradient`, or none("why")
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
