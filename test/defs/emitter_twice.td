// RUN: not %classgen -gen-step-emitters -emitters-of=chip %s 2>&1 | FileCheck %s
// Of two emitters for the same instruction, one would never be called.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runs = [Legal<[Add]>];
  let kernels = [Kernel<Add, "f32", "chipAdd">];
  let emitters = [CodeEmitter<"emitSum", [Add]>, CodeEmitter<"emitOther", [], ["add"]>];
}
// CHECK: emitter_twice.td:[[#@LINE-2]]:{{[0-9]+}}: error: two emitters are for 'add'
