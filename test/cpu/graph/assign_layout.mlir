// RUN: glow-opt %s --cpu-assign-layout | FileCheck %s

glow.placeholder @x input : tensor<1x3x8x8xf32>
glow.placeholder @y output : tensor<1x32x3x3xf32>
glow.placeholder @z output : tensor<1x3x8x8xf32>
glow.placeholder @u output : tensor<1x32x14x14xf32>
glow.placeholder @v output : tensor<1x32x1x1xf32>
glow.constant @w1 = dense<0.1> : tensor<32x3x3x3xf32>
glow.constant @w2 = dense<0.2> : tensor<32x32x3x3xf32>

// Few channels are blocks of one; between two convolutions nothing goes back to
// a plain image, and what stands between runs on blocks.
// CHECK-LABEL: glow.func @between
// CHECK: glow.reshape {{.*}} -> tensor<3x1x8x8x1xf32>
// CHECK: glow.cpu_conv {{.*}} -> tensor<2x1x8x8x16xf32>
// CHECK-NOT: glow.cpu_unpack
// CHECK: glow.relu {{.*}} tensor<2x1x8x8x16xf32>
// CHECK: glow.max_pool {{.*}} window [2, 2, 1] {{.*}} -> tensor<2x1x4x4x16xf32>
// CHECK: glow.cpu_conv {{.*}} -> tensor<2x1x3x3x16xf32>
// CHECK: glow.cpu_unpack {{.*}} channels 32
glow.func @between {
  %x = glow.read @x : tensor<1x3x8x8xf32>
  %w1 = glow.read @w1 : tensor<32x3x3x3xf32>
  %w2 = glow.read @w2 : tensor<32x32x3x3xf32>
  %0 = glow.conv %x, %w1 strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x3x8x8xf32>, tensor<32x3x3x3xf32>) -> tensor<1x32x8x8xf32>
  %1 = glow.relu %0 : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %2 = glow.max_pool %1 window [2, 2] strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x32x8x8xf32>) -> tensor<1x32x4x4xf32>
  %3 = glow.conv %2, %w2 strides [1, 1] pads [1, 0, 0, 1] dilations [1, 1] group 1 : (tensor<1x32x4x4xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x3x3xf32>
  glow.save %3, @y : tensor<1x32x3x3xf32>
}

// Without a convolution there is nothing to put into blocks.
// CHECK-LABEL: glow.func @plain
// CHECK-NOT: cpu_
// CHECK: glow.relu {{.*}} tensor<1x3x8x8xf32>
glow.func @plain {
  %x = glow.read @x : tensor<1x3x8x8xf32>
  %0 = glow.relu %x : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  glow.save %0, @z : tensor<1x3x8x8xf32>
}


// A normalisation that stands before a convolution runs on blocks too.
// CHECK-LABEL: glow.func @normalised
// CHECK: glow.cpu_conv
// CHECK-NOT: glow.cpu_unpack
// CHECK: glow.mul {{.*}} tensor<2x1x8x8x16xf32>
// CHECK: glow.add {{.*}} tensor<2x1x8x8x16xf32>
// CHECK: glow.relu {{.*}} tensor<2x1x8x8x16xf32>
// CHECK: glow.cpu_conv
glow.constant @c = dense<0.5> : tensor<32xf32>
glow.func @normalised {
  %x = glow.read @x : tensor<1x3x8x8xf32>
  %w1 = glow.read @w1 : tensor<32x3x3x3xf32>
  %w2 = glow.read @w2 : tensor<32x32x3x3xf32>
  %c = glow.read @c : tensor<32xf32>
  %0 = glow.conv %x, %w1 strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x3x8x8xf32>, tensor<32x3x3x3xf32>) -> tensor<1x32x8x8xf32>
  %1 = glow.relu %0 : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %2 = glow.batch_norm %1, %c, %c, %c, %c epsilon 1.0e-05 : (tensor<1x32x8x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %3 = glow.relu %2 : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %4 = glow.conv %3, %w2 strides [1, 1] pads [1, 0, 0, 1] dilations [2, 2] group 1 : (tensor<1x32x8x8xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x5x5xf32>
  %5 = glow.reduce_mean %4 axes [2, 3] keepDims true : (tensor<1x32x5x5xf32>) -> tensor<1x32x1x1xf32>
  glow.save %5, @v : tensor<1x32x1x1xf32>
}

// An image grows in blocks too.
// CHECK-LABEL: glow.func @grown
// CHECK: glow.cpu_conv
// CHECK-NOT: glow.cpu_unpack
// CHECK: glow.resize {{.*}} -> tensor<2x1x16x16x16xf32>
// CHECK: glow.cpu_conv {{.*}} -> tensor<2x1x14x14x16xf32>
glow.func @grown {
  %x = glow.read @x : tensor<1x3x8x8xf32>
  %w1 = glow.read @w1 : tensor<32x3x3x3xf32>
  %w2 = glow.read @w2 : tensor<32x32x3x3xf32>
  %0 = glow.conv %x, %w1 strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x3x8x8xf32>, tensor<32x3x3x3xf32>) -> tensor<1x32x8x8xf32>
  %1 = glow.resize %0 dims [1, 32, 16, 16] scales [1.0, 1.0, 2.0, 2.0] mode "nearest" coordinates "asymmetric" rounding "floor" cubicCoefficient -0.75 excludeOutside false : (tensor<1x32x8x8xf32>) -> tensor<1x32x16x16xf32>
  %2 = glow.conv %1, %w2 strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 : (tensor<1x32x16x16xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x14x14xf32>
  glow.save %2, @u : tensor<1x32x14x14xf32>
}

// The images of a batch stand behind the blocks, pixels of one value too.
// CHECK-LABEL: glow.func @batch
// CHECK: glow.transpose {{.*}} permutation [1, 0, 2, 3] {{.*}} -> tensor<3x2x8x8xf32>
// CHECK: glow.cpu_conv {{.*}} -> tensor<2x2x8x8x16xf32>
// CHECK: glow.reshape {{.*}} -> tensor<1x2x8x8x1xf32>
// CHECK: glow.mul {{.*}} tensor<2x2x8x8x16xf32>
// CHECK: glow.concat {{.*}} axis 0 {{.*}} -> tensor<4x2x8x8x16xf32>
// CHECK: glow.concat {{.*}} axis 1 {{.*}} -> tensor<4x4x8x8x16xf32>
// CHECK: glow.reduce_mean
// CHECK: glow.cpu_unpack {{.*}} -> tensor<4x64x1x1xf32>
glow.placeholder @images input : tensor<2x3x8x8xf32>
glow.placeholder @mask input : tensor<2x1x8x8xf32>
glow.placeholder @mean output : tensor<4x64x1x1xf32>
glow.func @batch {
  %x = glow.read @images : tensor<2x3x8x8xf32>
  %m = glow.read @mask : tensor<2x1x8x8xf32>
  %w1 = glow.read @w1 : tensor<32x3x3x3xf32>
  %0 = glow.conv %x, %w1 strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<2x3x8x8xf32>, tensor<32x3x3x3xf32>) -> tensor<2x32x8x8xf32>
  %1 = glow.broadcast %m dims [2, 32, 8, 8] axis -1 : (tensor<2x1x8x8xf32>) -> tensor<2x32x8x8xf32>
  %2 = glow.mul %0, %1 : (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
  %3 = glow.concat %2, %0 axis 1 : (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x64x8x8xf32>
  %4 = glow.concat %3, %3 axis 0 : (tensor<2x64x8x8xf32>, tensor<2x64x8x8xf32>) -> tensor<4x64x8x8xf32>
  %5 = glow.reduce_mean %4 axes [2, 3] keepDims true : (tensor<4x64x8x8xf32>) -> tensor<4x64x1x1xf32>
  glow.save %5, @mean : tensor<4x64x1x1xf32>
}
