// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// The derivative of a formula is built of nodes that compute one function each.

include "glow/Glow.td"

def : ScalarFunction<"lgamma", 1, ["digamma(a)"]>;
def : ScalarFunction<"digamma", 1, ["0"]>;
def Bad : Pointwise<"bad", (ins $x), [{ lgamma(x) }]> {
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK: gradient_no_node.td:[[#@LINE-5]]:37: error: no node computes 'digamma' alone, so the derived gradient has none to build; the record must give one
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
