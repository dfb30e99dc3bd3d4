// RUN: not %classgen %library -gen-pattern-samples %s 2>&1 | FileCheck %s
// A DRR pattern that no sample runs is not tested for equality.

include "glow/Glow.td"

def Bad : Pat<(Neg (Neg $x)), (replaceWithValue $x)>;
// CHECK: pattern_without_sample.td:[[#@LINE-1]]:5: error: pattern 'Bad' has no PatternSample
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
