// RUN: not %classgen -gen-folds %s 2>&1 | FileCheck %s
// A fold that could not be matched is refused, not dropped.

include "glow/Glow.td"

def Bad : Fold<[{ Concat(x, axis: 0) => x }], (ins "f32[2]":$x)>;
// CHECK: fold_variadic.td:[[#@LINE-1]]:19: error: 'Concat' has a variadic operand, which no fold matches
