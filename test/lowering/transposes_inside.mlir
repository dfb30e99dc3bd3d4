// RUN: glow-opt %s --stop-after=lower --backend=cpu | FileCheck %s

// Heads are brought forward for the rotation, and attention brings them back: once it is
// taken apart, neither is left, but around what is computed.
// CHECK-LABEL: glow.func @main
// CHECK-NOT:   glow.transpose
// CHECK:       glow.cpu_attention
// CHECK-NOT:   glow.transpose
glow.placeholder @q input : tensor<1x16x8x64xf32>
glow.placeholder @k input : tensor<1x16x8x64xf32>
glow.placeholder @v input : tensor<1x16x8x64xf32>
glow.placeholder @c input : tensor<1x1x16x32xf32>
glow.placeholder @y output : tensor<1x16x8x64xf32>
glow.func @main {
  %q = glow.read @q : tensor<1x16x8x64xf32>
  %k = glow.read @k : tensor<1x16x8x64xf32>
  %v = glow.read @v : tensor<1x16x8x64xf32>
  %c = glow.read @c : tensor<1x1x16x32xf32>
  %0 = glow.transpose %q permutation [0, 2, 1, 3] : (tensor<1x16x8x64xf32>) -> tensor<1x8x16x64xf32>
  %1 = glow.transpose %k permutation [0, 2, 1, 3] : (tensor<1x16x8x64xf32>) -> tensor<1x8x16x64xf32>
  %2 = glow.transpose %v permutation [0, 2, 1, 3] : (tensor<1x16x8x64xf32>) -> tensor<1x8x16x64xf32>
  %3 = glow.rotary_embedding %1, %c, %c axis 3 sideBySide false : (tensor<1x8x16x64xf32>, tensor<1x1x16x32xf32>, tensor<1x1x16x32xf32>) -> tensor<1x8x16x64xf32>
  %4 = glow.attention %0, %3, %2 scale 0.125 softcap 0.0 unseen -1.0e30 blank false : (tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>, tensor<1x8x16x64xf32>) -> tensor<1x8x16x64xf32>
  %5 = glow.transpose %4 permutation [0, 2, 1, 3] : (tensor<1x8x16x64xf32>) -> tensor<1x16x8x64xf32>
  glow.save %5, @y : tensor<1x16x8x64xf32>
}
