// RUN: not %classgen %library -gen-node-table %s 2>&1 | FileCheck %s
// A tolerance for a kind that the node does not have would never be read.

include "glow/Glow.td"

def Bad : Unary<"bad", [{ exp(x) }], Floats> {
  let tolerance = "f16: 1e-2, i32: 1e-5";
}
// CHECK: tolerance.td:[[#@LINE-2]]:31: error: tolerance for 'i32', which no operand or result of 'Bad' may be
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
