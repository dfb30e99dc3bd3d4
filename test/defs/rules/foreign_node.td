// RUN: not %classgen %library -gen-node-table %s 2>&1 | FileCheck %s

// The backend whose passes make a node must be declared by a record.
include "glow/Glow.td"

def Odd : Node<"odd", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let compute = "out[i] = in[i]";
// CHECK: foreign_node.td:[[#@LINE+1]]:17: error: 'Odd' is made by the passes of backend 'nowhere', which no record declares
  let backend = "nowhere";
  let samples = [Sample<"small", (ins "f32[2]")>];
}
