// RUN: glow-opt %s --cpu-fuse | FileCheck %s

// A row that ends in what makes 0 of all that is less has many zeros, also where
// its elements were moved since.

glow.placeholder @x input : tensor<1x2x4x4xf32>
glow.placeholder @row input : tensor<1x8xf32>
glow.placeholder @two input : tensor<2x8xf32>
glow.placeholder @y output : tensor<1x6xf32>
glow.placeholder @z output : tensor<2x6xf32>
glow.constant @w = dense<0.1> : tensor<8x6xf32>
glow.constant @v = dense<0.2> : tensor<6x6xf32>

// CHECK-LABEL: glow.func @pooled
// CHECK: glow.cpu_matmul {{.*}} sparse true
glow.func @pooled {
  %x = glow.read @x : tensor<1x2x4x4xf32>
  %w = glow.read @w : tensor<8x6xf32>
  %0 = glow.relu %x : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = glow.max_pool %0 window [2, 2] strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %2 = glow.reshape %1 dims [1, 8] : (tensor<1x2x2x2xf32>) -> tensor<1x8xf32>
  %3 = glow.matmul %2, %w : (tensor<1x8xf32>, tensor<8x6xf32>) -> tensor<1x6xf32>
  glow.save %3, @y : tensor<1x6xf32>
}

// CHECK-LABEL: glow.func @clipped_product
// CHECK: glow.cpu_matmul {{.*}} sparse false
// CHECK: glow.cpu_matmul {{.*}} sparse true
glow.func @clipped_product {
  %x = glow.read @row : tensor<1x8xf32>
  %w = glow.read @w : tensor<8x6xf32>
  %0 = glow.matmul %x, %w : (tensor<1x8xf32>, tensor<8x6xf32>) -> tensor<1x6xf32>
  %1 = glow.clip %0 low 0.0 high 6.0 : (tensor<1x6xf32>) -> tensor<1x6xf32>
  %v = glow.read @v : tensor<6x6xf32>
  %2 = glow.matmul %1, %v : (tensor<1x6xf32>, tensor<6x6xf32>) -> tensor<1x6xf32>
  glow.save %2, @y : tensor<1x6xf32>
}

// A function that keeps negatives, or zeroes large numbers only, is not marked.
// CHECK-LABEL: glow.func @shifted
// CHECK: glow.cpu_matmul {{.*}} sparse false
glow.func @shifted {
  %x = glow.read @row : tensor<1x8xf32>
  %w = glow.read @w : tensor<8x6xf32>
  %0 = glow.hard_sigmoid %x alpha 0.2 beta 0.5 : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %1 = glow.matmul %0, %w : (tensor<1x8xf32>, tensor<8x6xf32>) -> tensor<1x6xf32>
  glow.save %1, @y : tensor<1x6xf32>
}

// Two rows seldom have their zeros in the same places.
// CHECK-LABEL: glow.func @rows
// CHECK: glow.cpu_matmul {{.*}} sparse false
glow.func @rows {
  %x = glow.read @two : tensor<2x8xf32>
  %w = glow.read @w : tensor<8x6xf32>
  %0 = glow.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = glow.matmul %0, %w : (tensor<2x8xf32>, tensor<8x6xf32>) -> tensor<2x6xf32>
  glow.save %1, @z : tensor<2x6xf32>
}
