// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// An index does not change by a little.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[d]":$in, "i64[k]":$places), (outs "T[k]":$out)> {
  let compute = "out[i] = in[places[i]]";
  let gradient = [{ d.in = derived; d.places = none("no use"); }];
  let samples = [Sample<"small", (ins "f32[2]", "i64[3] in 0..1")>];
}
// CHECK: gradient_of_integer.td:[[#@LINE-3]]:37: error: operand 'places' of 'Bad' is never of a float kind and has no gradient
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
