// RUN: not %classgen %library -gen-lowerings %s 2>&1 | FileCheck %s
// A rule behind one without a condition is dead text.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let tier = 5;
  let samples = [Sample<"small", (ins "f32[2]")>];
}
def BadByProduct : Lowering<Bad, [{ out = in * 2; }]> {
  let condition = "n < 8";
}
def BadBySum : Lowering<Bad, [{ out = in + in; }]> {
  let before = [BadByProduct];
}
// CHECK: rule_never_matches.td:[[#@LINE-6]]:5: error: rule 'BadByProduct' can never match: 'BadBySum' goes before it and has no condition
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
