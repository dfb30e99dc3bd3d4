// RUN: not %classgen %library -gen-node-table %s 2>&1 | FileCheck %s
// Field `permuted` may name attributes of the node alone.

include "glow/Glow.td"

def Bad : Pointwise<"bad", (ins $x), [{ x + x }]> {
  let permuted = [{ axis = q[0]; result = p; }];
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK: permuted.td:[[#@LINE-3]]:21: error: 'Bad' has no attribute 'axis'
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
