// What only the interpreter runs, which alone says of a place in a tensor without
// elements whether it is reached, is told; nothing is written.
// RUN: rm -rf %t
// RUN: not glow compile %s --backend=cpu --emit=bundle -o %t 2>&1 | FileCheck %s
// CHECK: glow: error: only the interpreter runs 'rows' (gather_elements); without it, every node should have machine code
// RUN: not ls %t
glow.placeholder @x input : tensor<0x3xf64>
glow.placeholder @i input : tensor<2x3xi64>
glow.placeholder @y output : tensor<2x3xf64>
glow.func @main {
  %x = glow.read @x : tensor<0x3xf64>
  %i = glow.read @i : tensor<2x3xi64>
  %0 = glow.gather_elements %x, %i axis 0 : (tensor<0x3xf64>, tensor<2x3xi64>) -> tensor<2x3xf64> loc("rows")
  glow.save %0, @y : tensor<2x3xf64>
}
