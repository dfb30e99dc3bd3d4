// RUN: glow-opt %s --simplify-graph --fold-constants --simplify-graph | FileCheck %s

// A batch normalisation behind a convolution becomes part of its filter; behind
// a convolution that something else reads, it stays.
// CHECK-LABEL: glow.func @merged
// CHECK-NOT:   glow.batch_norm
// CHECK:       %[[X:.*]] = glow.read @x
// CHECK-NOT:   glow.batch_norm
// CHECK:       glow.conv %[[X]], %{{.*}}, %{{.*}} strides [1, 1]
// CHECK-NEXT:  glow.save
// CHECK-LABEL: glow.func @read_twice
// CHECK:       glow.conv
// CHECK:       glow.batch_norm
glow.placeholder @x input : tensor<1x1x2x2xf32>
glow.placeholder @y output : tensor<1x2x2x2xf32>
glow.placeholder @z output : tensor<1x2x2x2xf32>
glow.constant @w = dense<2.0> : tensor<2x1x1x1xf32>
glow.constant @one = dense<[1.0, 3.0]> : tensor<2xf32>
glow.func @merged {
  %x = glow.read @x : tensor<1x1x2x2xf32>
  %w = glow.read @w : tensor<2x1x1x1xf32>
  %one = glow.read @one : tensor<2xf32>
  %0 = glow.conv %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = glow.batch_norm %0, %one, %one, %one, %one epsilon 1.0e-5 : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  glow.save %1, @y : tensor<1x2x2x2xf32>
}
glow.func @read_twice {
  %x = glow.read @x : tensor<1x1x2x2xf32>
  %w = glow.read @w : tensor<2x1x1x1xf32>
  %one = glow.read @one : tensor<2xf32>
  %0 = glow.conv %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = glow.batch_norm %0, %one, %one, %one, %one epsilon 1.0e-5 : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  glow.save %1, @y : tensor<1x2x2x2xf32>
  glow.save %0, @z : tensor<1x2x2x2xf32>
}
