// RUN: not %classgen -gen-step-emitters -emitters-of=chip %s 2>&1 | FileCheck %s
// A function that no instruction asks for would never be called.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runs = [Legal<[Add]>];
  let emitters = [CodeEmitter<"emitCopy", [Add], ["copy"]>, CodeEmitter<"emitSum", [], ["ad"]>];
}
// CHECK-NOT: 'copy'
// CHECK: emitter_of_nothing.td:[[#@LINE-3]]:{{[0-9]+}}: error: there is no instruction 'ad'
