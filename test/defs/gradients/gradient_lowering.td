// RUN: not %classgen %library -gen-gradients %s 2>&1 | FileCheck %s
// The chain rule needs a gradient of every node that a lowering builds.

include "glow/Glow.td"

def Stuck : Node<"stuck", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let hand = "stuck";
  let reason = "a test";
  let gradient = [{ none("a test"); }];
  let samples = [Sample<"small", (ins "f32[2]")>];
}
def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let tier = 1;
  let lowering = [{ out = Neg(Stuck(in)); }];
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK: gradient_lowering.td:[[#@LINE-11]]:5: note: 'Stuck' is declared here
// CHECK: gradient_lowering.td:[[#@LINE-4]]:31: error: 'Bad' has no gradient by its lowering, since 'Stuck' cannot be differentiated; its record must give one
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
