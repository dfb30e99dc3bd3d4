// RUN: not %classgen %library -gen-legality %s 2>&1 | FileCheck %s
// F32 is MLIR's type, not a set of kinds.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runs = [Legal<[Add], (kinds F32:$T)>];
  let kernels = [Kernel<Add, "f32", "add">];
}
// CHECK: wrong_kinds.td:[[#@LINE-3]]:15: error: 'F32' is no set of element kinds; one is Floats, another Kinds<["f32"]>
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
