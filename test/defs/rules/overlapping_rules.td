// RUN: not %classgen %library -gen-lowerings %s 2>&1 | FileCheck %s
// Which of two rules applies must not depend on the order of files.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let tier = 5;
  let samples = [Sample<"small", (ins "f32[2]")>];
}
def BadBySum : Lowering<Bad, [{ out = in + in; }]> {
  let condition = "n > 2";
}
def BadByProduct : Lowering<Bad, [{ out = in * 2; }]> {
  let condition = "n < 8";
}
// CHECK: note: the other rule is here
// CHECK: overlapping_rules.td:[[#@LINE-7]]:5: error: rules 'BadByProduct' and 'BadBySum' may both match 'Bad': let one say `before` the other
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
