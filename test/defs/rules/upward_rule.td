// RUN: not %classgen %library -gen-lowerings %s 2>&1 | FileCheck %s
// A rule that does not lead downwards would let lowering run for ever.

include "glow/Glow.td"

def Upper : Node<"upper", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let tier = 5;
  let lowering = [{ out = in + in; }];
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let tier = 5;
  let lowering = [{ out = Upper(in); }];
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK: upward_rule.td:{{.*}}: note: the tier of 'Upper' is set here
// CHECK: upward_rule.td:[[#@LINE-4]]:27: error: rule 'BadByRecord' rewrites 'Bad' (tier 5) into 'Upper' (tier 5), which is not lower
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
