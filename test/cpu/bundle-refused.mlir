// Whether a place in a tensor without elements is reached the interpreter alone
// knows. All nodes that only it runs are told at once; nothing is written.
// RUN: rm -rf %t
// RUN: not glow compile %s --backend=cpu --emit=bundle -o %t 2>&1 | FileCheck %s
// CHECK: glow: error: only the interpreter runs 'first' (resample), 'second' (resample); without it, every node should have machine code
// RUN: not ls %t
glow.placeholder @x input : tensor<0x4xf32>
glow.placeholder @v input : tensor<0x3x4xf32>
glow.placeholder @places input : tensor<3x0xi64>
glow.placeholder @weights input : tensor<3x0xf32>
glow.placeholder @y output : tensor<3x4xf32>
glow.placeholder @z output : tensor<3x3x4xf32>
glow.func @main {
  %x = glow.read @x : tensor<0x4xf32>
  %v = glow.read @v : tensor<0x3x4xf32>
  %p = glow.read @places : tensor<3x0xi64>
  %w = glow.read @weights : tensor<3x0xf32>
  %0 = glow.resample %x, %p, %w axis 0 : (tensor<0x4xf32>, tensor<3x0xi64>, tensor<3x0xf32>) -> tensor<3x4xf32> loc("first")
  %1 = glow.cos %0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = glow.resample %v, %p, %w axis 0 : (tensor<0x3x4xf32>, tensor<3x0xi64>, tensor<3x0xf32>) -> tensor<3x3x4xf32> loc("second")
  glow.save %1, @y : tensor<3x4xf32>
  glow.save %2, @z : tensor<3x3x4xf32>
}
