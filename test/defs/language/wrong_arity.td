// RUN: not %classgen %library -gen-kernels %s 2>&1 | FileCheck %s
// A function takes as many arguments as its record says.

include "glow/Glow.td"

def Bad : Pointwise<"bad", (ins $x), [{ max(x) }]> {
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK: wrong_arity.td:[[#@LINE-3]]:41: error: 'max' takes 2 arguments, not 1
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
