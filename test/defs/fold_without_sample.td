// RUN: not %classgen -gen-folds %s 2>&1 | FileCheck %s
// A fold that no sample runs is not tested for equality.

include "glow/Glow.td"

def Bad : Fold<[{ x * 0 + y => y }], (ins "f32[2]":$y)>;
// CHECK: fold_without_sample.td:[[#@LINE-1]]:19: error: the sample of fold 'Bad' does not say what 'x' is
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
