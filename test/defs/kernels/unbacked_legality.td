// RUN: not %classgen %library -gen-legality %s 2>&1 | FileCheck %s
// Legality that nothing backs would fail when a model runs.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runs = [Legal<[Add]>];
}
// CHECK: unbacked_legality.td:[[#@LINE-2]]:15: error: backend 'chip' claims to run 'Add', but has no kernel for it
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
