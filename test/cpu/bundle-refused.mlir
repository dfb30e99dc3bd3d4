// All nodes that only the interpreter runs are told at once; nothing is written.
// RUN: rm -rf %t
// RUN: not glow compile %s --backend=cpu --emit=bundle -o %t 2>&1 | FileCheck %s
// CHECK: glow: error: only the interpreter runs 'rows' (gather_elements); without it, every node should have machine code
// RUN: not ls %t
glow.placeholder @x input : tensor<8x0xf64>
glow.placeholder @i input : tensor<3x0xi64>
glow.placeholder @y output : tensor<3x0xf64>
glow.func @main {
  %x = glow.read @x : tensor<8x0xf64>
  %i = glow.read @i : tensor<3x0xi64>
  %0 = glow.gather_elements %x, %i axis 0 : (tensor<8x0xf64>, tensor<3x0xi64>) -> tensor<3x0xf64> loc("rows")
  glow.save %0, @y : tensor<3x0xf64>
}
