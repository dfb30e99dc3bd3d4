// RUN: not glow-opt %s --generate-instrs 2>&1 | FileCheck %s

// An operation that is no node has no instruction.
// CHECK: error: no instruction is made of 'builtin.unrealized_conversion_cast'
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %0 = builtin.unrealized_conversion_cast %x : tensor<2xf32> to tensor<2xf32>
  glow.save %0, @y : tensor<2xf32>
}
