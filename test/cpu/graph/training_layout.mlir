// RUN: glow-opt %s --cpu-assign-layout | FileCheck %s

// The gradients of a layer with weights that change run on blocks of channels: of the relu, whose
// comparison moves with it, of the pool, of the bias, and of the filter.
glow.placeholder @x input : tensor<2x3x8x8xf32>
glow.placeholder @w input trainable : tensor<32x3x3x3xf32>
glow.placeholder @b input trainable : tensor<32xf32>
glow.placeholder @y output : tensor<2x32x4x4xf32>
glow.placeholder @dw output : tensor<32x3x3x3xf32>
glow.placeholder @db output : tensor<32xf32>

// CHECK-LABEL: glow.func @step
// CHECK: %[[CONV:.*]] = glow.cpu_conv {{.*}} -> tensor<2x2x8x8x16xf32>
// CHECK-NOT: glow.cpu_unpack
// CHECK: %[[SUM:.*]] = glow.add %[[CONV]], {{.*}} -> tensor<2x2x8x8x16xf32>
// CHECK-NOT: glow.cpu_unpack
// CHECK: glow.max_pool {{.*}} window [2, 2, 1]
// CHECK: glow.cpu_max_pool_gradient {{.*}} window [2, 2] strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] {{.*}} -> tensor<2x2x8x8x16xf32>
// CHECK: %[[IS:.*]] = glow.greater %[[SUM]], {{.*}} -> tensor<2x2x8x8x16xi1>
// CHECK: %[[SLOPE:.*]] = glow.select %[[IS]], {{.*}} -> tensor<2x2x8x8x16xf32>
// CHECK-DAG: glow.reduce_sum %[[SLOPE]] axes [1, 2, 3] {{.*}} -> tensor<2x16xf32>
// CHECK-DAG: glow.cpu_conv_filter_gradient {{.*}}, %[[SLOPE]] channels 32 channelsIn 3 window [3, 3] {{.*}} -> tensor<32x3x3x3xf32>
glow.func @step {
  %x = glow.read @x : tensor<2x3x8x8xf32>
  %w = glow.read @w : tensor<32x3x3x3xf32>
  %b = glow.read @b : tensor<32xf32>
  %0 = glow.conv %x, %w, %b strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<2x3x8x8xf32>, tensor<32x3x3x3xf32>, tensor<32xf32>) -> tensor<2x32x8x8xf32>
  %1 = glow.relu %0 : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
  %2 = glow.max_pool %1 window [2, 2] strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<2x32x8x8xf32>) -> tensor<2x32x4x4xf32>
  %3 = glow.max_pool_in_gradient %1, %2, %2 window [2, 2] strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<2x32x8x8xf32>, tensor<2x32x4x4xf32>, tensor<2x32x4x4xf32>) -> tensor<2x32x8x8xf32>
  %4 = glow.splat value 0.0 dims [2, 32, 8, 8] kind f32 : () -> tensor<2x32x8x8xf32>
  %5 = glow.greater %0, %4 : (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xi1>
  %6 = glow.select %5, %3, %4 : (tensor<2x32x8x8xi1>, tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
  %7 = glow.reduce_sum %6 axes [0, 2, 3] keepDims false : (tensor<2x32x8x8xf32>) -> tensor<32xf32>
  %8 = glow.conv_filter_gradient %x, %w, %6 strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<2x3x8x8xf32>, tensor<32x3x3x3xf32>, tensor<2x32x8x8xf32>) -> tensor<32x3x3x3xf32>
  glow.save %2, @y : tensor<2x32x4x4xf32>
  glow.save %8, @dw : tensor<32x3x3x3xf32>
  glow.save %7, @db : tensor<32xf32>
}
