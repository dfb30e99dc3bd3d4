// RUN: glow-opt %s --fold-constants | FileCheck %s

// Of equal elements that are all the largest, each takes its share of the
// gradient: 1 at [2, 2, 1] gives [0.5, 0.5, 0].
// CHECK: d_in: "0x040000000000003F0000003F00000000"
glow.constant @in = dense<[2.0, 2.0, 1.0]> : tensor<3xf32>
glow.constant @out = dense<2.0> : tensor<1xf32>
glow.constant @d_out = dense<1.0> : tensor<1xf32>
glow.placeholder @y output : tensor<3xf32>
glow.func @main {
  %in = glow.read @in : tensor<3xf32>
  %out = glow.read @out : tensor<1xf32>
  %d_out = glow.read @d_out : tensor<1xf32>
  %d_in = glow.reduce_max_in_gradient %in, %out, %d_out axes [0] keepDims true : (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3xf32>
  glow.save %d_in, @y : tensor<3xf32>
}
