// RUN: not %classgen %library -gen-legality %s 2>&1 | FileCheck %s

// A backend that is given one instruction after the other is given no nodes.
include "glow/Glow.td"

def Both : Backend<"both"> {
  let stepwise = 1;
// CHECK: takes_nodes.td:[[#@LINE+1]]:7: error: backend 'both' runs stepwise, one instruction after the other, and so takes no nodes
  let takesNodes = 1;
}
