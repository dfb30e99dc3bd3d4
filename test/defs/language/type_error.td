// RUN: not %classgen %library -gen-lowerings %s 2>&1 | FileCheck %s
// An attribute gets a value of its own type.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let tier = 5;
  let lowering = [{ out = Reshape(in, 3); }];
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK: type_error.td:[[#@LINE-3]]:39: error: 'dims' of 'Reshape' is of type int, but must be ints
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
