// RUN: not %classgen %library -gen-rewrites %s 2>&1 | FileCheck %s
// A variadic operand is matched whole; a single tensor cannot stand for all.

include "glow/Glow.td"

def Bad : Rewrite<[{ Concat(Relu(x), axis: a) => x }], (ins "f32[2]":$x), "a = 0">;
// CHECK: rewrite_variadic.td:[[#@LINE-1]]:29: error: a variadic operand is matched by a new name or by a list
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
