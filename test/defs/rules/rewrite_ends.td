// RUN: not %classgen %library -gen-rewrites %s 2>&1 | FileCheck %s
// What goes to the ends of a kind's range is an operand of the sample.

include "glow/Glow.td"

def Bad : Rewrite<[{ -(-x) * y => x * y }], (ins "f32[2]":$x, "f32[2]":$y)> {
  let ends = (powers 1:$x, -1:$z);
}
// CHECK: rewrite_ends.td:[[#@LINE-2]]:31: error: 'ends' of rewrite 'Bad' scales 'z', which is no operand of its sample
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
