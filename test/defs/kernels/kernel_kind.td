// RUN: not %classgen %library -gen-backend-kernels %s 2>&1 | FileCheck %s
// A kernel for a kind that the node does not have would never be called.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runsReference = 1;
  let kernels = [Kernel<Exp, "i32", "chipExp", Ulp<2>>];
}
// CHECK: kernel_kind.td:[[#@LINE-4]]:5: error: kernel 'chipExp' is for kind 'i32', which 'x' of 'Exp' cannot be
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
