// RUN: not %classgen %library -gen-kernels %s 2>&1 | FileCheck %s
// A formula names only functions that have a derivative and a kernel.

include "glow/Glow.td"

def Bad : Pointwise<"bad", (ins $x), [{ x * sigmod(x) }]> {
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK: unknown_function.td:[[#@LINE-3]]:45: error: unknown function 'sigmod'
// CHECK: {{^ +\^}}
