// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// An operand that is forgotten would silently be a constant. Indices are not
// forgotten: they have no gradient.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$in, "T[]":$factor, "i64[*s]":$index), (outs "T[*s]":$out)> {
  let compute = "out[*i] = in[*i] * factor[]";
  let gradient = [{ d.in = d.out; }];
  let samples = [Sample<"small", (ins "f32[2]", "f32[]", "i64[2] in 0..1")>];
}
// CHECK: gradient_missing_operand.td:[[#@LINE-5]]:5: error: the gradient of 'Bad' says nothing of operand 'factor': it assigns to d.factor, or none("why") to it
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
