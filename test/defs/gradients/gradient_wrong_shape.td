// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// A gradient has the shape of its operand; names that differ are sizes that may.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[n,k]":$lhs, "T[k,m]":$rhs), (outs "T[n,m]":$out)> {
  let compute = "out[n,m] += lhs[n,k] * rhs[k,m]";
  let gradient = [{ d.lhs = Neg(d.out + d.out); d.rhs = derived; }];
  let samples = [Sample<"small", (ins "f32[2,2]", "f32[2,2]")>];
}
// CHECK: gradient_wrong_shape.td:[[#@LINE-3]]:29: error: the gradient of 'lhs' has sizes [n, m], but must have [n, k]
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
