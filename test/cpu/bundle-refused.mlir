// All nodes that only the interpreter runs are told at once; nothing is written.
// RUN: rm -rf %t
// RUN: not glow compile %s --backend=cpu --emit=bundle -o %t 2>&1 | FileCheck %s
// CHECK: glow: error: only the interpreter runs 'power' (exp), 'curve' (tanh); without it, every node should have machine code
// RUN: not ls %t
glow.placeholder @x input : tensor<8x8xf64>
glow.placeholder @y output : tensor<8x8xf64>
glow.func @main {
  %x = glow.read @x : tensor<8x8xf64>
  %0 = glow.exp %x : (tensor<8x8xf64>) -> tensor<8x8xf64> loc("power")
  %1 = glow.tanh %0 : (tensor<8x8xf64>) -> tensor<8x8xf64> loc("curve")
  glow.save %1, @y : tensor<8x8xf64>
}
