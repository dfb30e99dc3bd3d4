// RUN: not %classgen %library -gen-backend-kernels %s 2>&1 | FileCheck %s
// Of two kernels for the same node and kind, one would never be called.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runs = [Legal<[Add]>];
  let kernels = [Kernel<Add, "f32", "chipAdd">, Kernel<Add, "f32", "other">];
}
// CHECK: kernel_twice.td:[[#@LINE-4]]:5: error: kernel 'other' is the second one for 'Add' and kind 'f32'
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
