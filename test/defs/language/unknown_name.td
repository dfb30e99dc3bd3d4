// RUN: not %classgen %library -gen-shape-defs %s 2>&1 | FileCheck %s
// A misspelt dimension would otherwise become a size that is never checked.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[rows,columns]":$in), (outs "T[rows,colums]":$out)> {
  let hand = "bad";
  let reason = "a test";
  let gradient = [{ none("a test"); }];
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK: unknown_name.td:[[#@LINE-6]]:66: error: unknown name 'colums'; did you mean 'columns'?
// CHECK: {{^ +\^}}
