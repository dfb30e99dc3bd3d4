// RUN: not %classgen %library -gen-rewrites %s 2>&1 | FileCheck %s
// A rewrite that no sample runs is not tested for equality.

include "glow/Glow.td"

def Bad : Rewrite<[{ x * 0 + y => y }], (ins "f32[2]":$y)>;
// CHECK: rewrite_without_sample.td:[[#@LINE-1]]:22: error: the sample of rewrite 'Bad' does not say what 'x' is
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
