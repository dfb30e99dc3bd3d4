// RUN: %classgen %library -gen-reference %s -o %t
// RUN: FileCheck %s < %t
// A derivative comes from the formula and the records of its functions.

include "glow/Glow.td"

def Bell : Pointwise<"bell", (ins $x), [{ exp(-(x * x)) }]> {
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
def Cube : Pointwise<"cube", (ins $x), [{ x * x * x }]> {
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK-LABEL: ### `glow.bell`
// CHECK:       d/dx = exp(-(x * x)) * -(x + x)
// CHECK-LABEL: ### `glow.cube`
// CHECK:       d/dx = (x + x) * x + x * x
