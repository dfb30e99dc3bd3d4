// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// From a kernel in C++ nothing can be derived.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let hand = "bad";
  let reason = "a test";
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK: gradient_by_hand.td:[[#@LINE-5]]:5: error: 'Bad' has no derived gradient: its kernel is written by hand; its record must give `gradient`, or none("why")
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
