// RUN: not %classgen %library -gen-shape-defs %s 2>&1 | FileCheck %s
// A node that nothing can run and no rule takes further is refused at once.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let samples = [Sample<"small", (ins "f32[2]")>];
}
// CHECK: no_meaning.td:[[#@LINE-3]]:5: error: node 'Bad' has neither a formula, index notation, a kernel by hand, instructions nor a lowering
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
