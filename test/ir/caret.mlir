// RUN: not glow-opt %s 2>&1 | FileCheck %s

// A mistake is one message with one caret, at the operand and not at the line.
// CHECK:      caret.mlir:[[#@LINE+7]]:24: error: operand 'lhs' of 'matmul' is @in, found @out
// CHECK-NEXT:   %a = matmul @out %y, @out %x, @in %x
// CHECK-NEXT: {{^ *\^$}}
// CHECK-NOT:  error:
glowir.func @wrong_qualifier declare {
  %x = binding float<4>, mutable
} program { %y = alloc float<4>
  %a = matmul @out %y, @out %x, @in %x
}
