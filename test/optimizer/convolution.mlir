// RUN: glow-opt %s --simplify-graph --fold-constants --simplify-graph | FileCheck %s

// Zeros around an image, and a constant of each channel behind, go into the
// convolution.
// CHECK-LABEL: glow.func @merged
// CHECK:       %[[X:.*]] = glow.read @x
// CHECK-NOT:   glow.pad
// CHECK-NOT:   glow.mul
// CHECK:       glow.conv %[[X]], %{{.*}}, %{{.*}} strides [1, 1] pads [1, 0, 1, 0]
// CHECK-NOT:   glow.add
// CHECK:  glow.save
glow.placeholder @x input : tensor<1x1x2x2xf32>
glow.placeholder @y output : tensor<1x2x4x2xf32>
glow.constant @w = dense<2.0> : tensor<2x1x1x1xf32>
glow.constant @c = dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>
glow.constant @d = dense<[[1.0], [1.5], [2.0], [3.0]]> : tensor<4x1xf32>
glow.func @merged {
  %x = glow.read @x : tensor<1x1x2x2xf32>
  %w = glow.read @w : tensor<2x1x1x1xf32>
  %c = glow.read @c : tensor<2x1x1xf32>
  %p = glow.pad %x begins [0, 0, 1, 0] ends [0, 0, 1, 0] value 0.0 : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x2xf32>
  %0 = glow.conv %p, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 : (tensor<1x1x4x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %b = glow.broadcast %c dims [1, 2, 4, 2] axis -1 : (tensor<2x1x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = glow.mul %b, %0 : (tensor<1x2x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  %2 = glow.add %1, %b : (tensor<1x2x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  glow.save %2, @y : tensor<1x2x4x2xf32>
}

// Padding by ones is no padding by zeros; a constant of each row is not one of a channel.
// CHECK-LABEL: glow.func @apart
// CHECK:       glow.pad
// CHECK:       glow.conv
// CHECK:       glow.mul
glow.func @apart {
  %x = glow.read @x : tensor<1x1x2x2xf32>
  %w = glow.read @w : tensor<2x1x1x1xf32>
  %d = glow.read @d : tensor<4x1xf32>
  %p = glow.pad %x begins [0, 0, 1, 0] ends [0, 0, 1, 0] value 1.0 : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x2xf32>
  %0 = glow.conv %p, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 : (tensor<1x1x4x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %b = glow.broadcast %d dims [1, 2, 4, 2] axis -1 : (tensor<4x1xf32>) -> tensor<1x2x4x2xf32>
  %1 = glow.mul %0, %b : (tensor<1x2x4x2xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  glow.save %1, @y : tensor<1x2x4x2xf32>
}
