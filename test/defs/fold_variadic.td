// RUN: not %classgen -gen-folds %s 2>&1 | FileCheck %s
// A variadic operand is matched whole; one of its tensors cannot stand for all.

include "glow/Glow.td"

def Bad : Fold<[{ Concat(Relu(x), axis: a) => x }], (ins "f32[2]":$x), "a = 0">;
// CHECK: fold_variadic.td:[[#@LINE-1]]:26: error: a variadic operand is matched by a new name or by a list
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
