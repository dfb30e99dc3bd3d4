// RUN: not %classgen %library -gen-backend-kernels %s 2>&1 | FileCheck %s
// A kernel of a node that the backend does not run is dead.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runs = [Legal<[Add]>];
  let kernels = [Kernel<Add, "f32", "chipAdd">, Kernel<Exp, "f32", "chipExp">];
}
// CHECK: kernel_never_called.td:[[#@LINE-4]]:5: error: kernel 'chipExp' is never called: no Legal record of backend 'chip' lets 'Exp' run
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
