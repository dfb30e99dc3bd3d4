// RUN: not %classgen %library -gen-kernels %s 2>&1 | FileCheck %s
// The caret stands where the text stops making sense.

include "glow/Glow.td"

def Bad : Pointwise<"bad", (ins $x), [{ x * (1 + x }]> {
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK: syntax.td:[[#@LINE-3]]:51: error: expected ')'
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
