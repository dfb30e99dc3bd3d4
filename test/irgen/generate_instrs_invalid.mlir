// RUN: not glow-opt %s --generate-instrs 2>&1 | FileCheck %s

// A node that is made of others has no instruction; lowering should have gone
// before.
// CHECK: error: no instruction is made of 'glow.lp_norm'
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %0 = glow.lp_norm %x axis 0 p 2 : (tensor<2xf32>) -> tensor<2xf32>
  glow.save %0, @y : tensor<2xf32>
}
