// RUN: not %classgen %library -gen-rewrites %s 2>&1 | FileCheck %s
// Limits are those of operands of the sample.

include "glow/Glow.td"

def Bad : Rewrite<[{ -(-x) * y => x * y }], (ins "f32[2]":$x, "f32[2]":$y)> {
  let holds = (upTo "sqrt(largest)":$x, "largest / 2.0":$z);
}
// CHECK: rewrite_holds.td:[[#@LINE-2]]:57: error: 'holds' of rewrite 'Bad' limits 'z', which is no operand of its sample
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
