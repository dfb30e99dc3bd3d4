// RUN: not %classgen %library -gen-shape-defs %s 2>&1 | FileCheck %s
// Every requirement has a sample that breaks it.

include "glow/Glow.td"

def Bad : Pointwise<"bad", (ins $x), [{ x }]> {
  let requires = [Require<"not-empty", "prod(s) > 0", "no elements in {s}">];
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK: untested_requirement.td:[[#@LINE-4]]:5: error: requirement 'not-empty' of 'Bad' has no negative test: a Refused<"not-empty", ...> among the samples
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
