// RUN: not %classgen -gen-irgen %s 2>&1 | FileCheck %s
// An instruction made of a node has the node's operands, by name.

include "glow/Glow.td"

def BadInstr : Instr<"bad", (ins Out:$out, In:$left, In:$rhs)> {
  let from = Add;
}
// CHECK: unknown_operand.td:[[#@LINE-3]]:5: error: operand 'left' of 'BadInstr' names no operand or result of 'Add'
// CHECK-NEXT: {{^.+}}
// CHECK-NEXT: {{^ *\^}}
