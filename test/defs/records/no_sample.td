// RUN: not %classgen %library -gen-kernels %s 2>&1 | FileCheck %s
// A kernel that no sample runs is not tested.

include "glow/Glow.td"

def Bad : Pointwise<"bad", (ins $x), [{ x + 1 }]>;
// CHECK: no_sample.td:[[#@LINE-1]]:5: error: node 'Bad' has no sample
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
