// RUN: not %classgen %library -gen-legality %s 2>&1 | FileCheck %s
// Buffers lie at multiples of a power of two.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let alignment = 48;
}
// CHECK: alignment.td:[[#@LINE-3]]:5: error: alignment 48 should be a power of two
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
