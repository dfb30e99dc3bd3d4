// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// `derived` asks for index notation.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let hand = "bad";
  let reason = "a test";
  let gradient = [{ d.in = derived; }];
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK: gradient_derived_from_nothing.td:[[#@LINE-3]]:28: error: a gradient is 'derived' from index notation, which 'Bad' has not
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
