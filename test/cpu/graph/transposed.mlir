// RUN: glow-opt %s --cpu-fuse | FileCheck %s

glow.placeholder @x input : tensor<4x8xf32>
glow.placeholder @w input : tensor<6x8xf32>
glow.placeholder @y output : tensor<4x6xf32>
glow.placeholder @z output : tensor<8x6xf32>
glow.placeholder @q input : tensor<1x3x10x32xf32>
glow.placeholder @k input : tensor<1x12x3x32xf32>
glow.placeholder @scores output : tensor<1x3x10x12xf32>

// A product with its epilogue reads the matrix as it was.
// CHECK-LABEL: glow.func @layer
// CHECK-NOT: glow.transpose
// CHECK: %[[W:.*]] = glow.read @w
// CHECK: glow.cpu_matmul_transposed %{{.*}}, %[[W]] epilogue "relu(x0)"
// CHECK-NOT: glow.transpose
glow.func @layer {
  %x = glow.read @x : tensor<4x8xf32>
  %w = glow.read @w : tensor<6x8xf32>
  %0 = glow.transpose %w permutation [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %1 = glow.matmul %x, %0 : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %2 = glow.relu %1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  glow.save %2, @y : tensor<4x6xf32>
}

// The last axis stays where it is, so that elements move in whole rows.
// CHECK-LABEL: glow.func @heads
// CHECK: %[[K:.*]] = glow.transpose {{.*}} permutation [0, 2, 1, 3]
// CHECK: glow.cpu_matmul_transposed %{{.*}}, %[[K]] epilogue ""
glow.func @heads {
  %q = glow.read @q : tensor<1x3x10x32xf32>
  %k = glow.read @k : tensor<1x12x3x32xf32>
  %0 = glow.transpose %k permutation [0, 2, 3, 1] : (tensor<1x12x3x32xf32>) -> tensor<1x3x32x12xf32>
  %1 = glow.matmul %q, %0 : (tensor<1x3x10x32xf32>, tensor<1x3x32x12xf32>) -> tensor<1x3x10x12xf32>
  glow.save %1, @scores : tensor<1x3x10x12xf32>
}

// Another node needs the transposed matrix as well.
// CHECK-LABEL: glow.func @shared
// CHECK: glow.transpose
// CHECK: glow.cpu_matmul %
glow.func @shared {
  %x = glow.read @x : tensor<4x8xf32>
  %w = glow.read @w : tensor<6x8xf32>
  %0 = glow.transpose %w permutation [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %1 = glow.matmul %x, %0 : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  glow.save %1, @y : tensor<4x6xf32>
  glow.save %0, @z : tensor<8x6xf32>
}

glow.placeholder @a input : tensor<1x4x8xf32>
glow.placeholder @b input : tensor<1x6x8xf32>
glow.placeholder @c output : tensor<1x4x6xf32>

// A batch of one product is a product.
// CHECK-LABEL: glow.func @one
// CHECK-NOT: glow.transpose
// CHECK: glow.cpu_matmul_transposed {{.*}} : (tensor<4x8xf32>, tensor<6x8xf32>)
// CHECK-NOT: glow.transpose
glow.func @one {
  %a = glow.read @a : tensor<1x4x8xf32>
  %b = glow.read @b : tensor<1x6x8xf32>
  %0 = glow.transpose %b permutation [0, 2, 1] : (tensor<1x6x8xf32>) -> tensor<1x8x6xf32>
  %1 = glow.matmul %a, %0 : (tensor<1x4x8xf32>, tensor<1x8x6xf32>) -> tensor<1x4x6xf32>
  glow.save %1, @c : tensor<1x4x6xf32>
}
