// RUN: glow-opt %s --lower-for-backend=backend=interpreter | FileCheck %s
// RUN: not glow-opt %s --lower-for-backend=backend=none 2>&1 | FileCheck %s --check-prefix=NONE

// Nodes that the backend runs stay as they are; other nodes become nodes that
// it runs, level by level.
// CHECK-LABEL: glow.func @main
// CHECK:       glow.relu
// CHECK-NOT:   glow.instance_norm
// CHECK-NOT:   glow.layer_norm
// CHECK:       glow.reduce_mean
// CHECK:       glow.sqrt
// CHECK:       glow.save
// NONE: error: no backend is named 'none'
glow.placeholder @x input : tensor<1x2x3x3xf32>
glow.placeholder @y output : tensor<1x2x3x3xf32>
glow.constant @s = dense<[1.0, 2.0]> : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<1x2x3x3xf32>
  %s = glow.read @s : tensor<2xf32>
  %0 = glow.relu %x : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %1 = glow.instance_norm %0, %s, %s epsilon 1.0e-5 : (tensor<1x2x3x3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3x3xf32>
  glow.save %1, @y : tensor<1x2x3x3xf32>
}
