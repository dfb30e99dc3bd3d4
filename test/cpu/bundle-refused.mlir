// All nodes that only the interpreter runs are told at once; nothing is written.
// RUN: rm -rf %t
// RUN: not glow compile %s --backend=cpu --emit=bundle -o %t 2>&1 | FileCheck %s
// CHECK: glow: error: only the interpreter runs 'places' (gather_nd); without it, every node should have machine code
// RUN: not ls %t
glow.placeholder @x input : tensor<8x8xf64>
glow.placeholder @i input : tensor<3x2xi64>
glow.placeholder @y output : tensor<3xf64>
glow.func @main {
  %x = glow.read @x : tensor<8x8xf64>
  %i = glow.read @i : tensor<3x2xi64>
  %0 = glow.gather_nd %x, %i batch 0 : (tensor<8x8xf64>, tensor<3x2xi64>) -> tensor<3xf64> loc("places")
  glow.save %0, @y : tensor<3xf64>
}
