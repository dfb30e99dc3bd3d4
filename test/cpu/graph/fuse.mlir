// RUN: glow-opt %s --cpu-fuse | FileCheck %s

glow.placeholder @x input : tensor<4x8xf32>
glow.placeholder @n input : tensor<4x8xi64>
glow.placeholder @y output : tensor<4x8xf32>
glow.placeholder @z output : tensor<4x8xi64>
glow.constant @w = dense<0.1> : tensor<8x8xf32>
glow.constant @b = dense<0.2> : tensor<8xf32>

// A product takes in what follows it: a bias that is repeated, a residual, and a
// choice whose condition is made on the way.
// CHECK-LABEL: glow.func @product
// CHECK: %[[B:.*]] = glow.reshape {{.*}} -> tensor<1x8xf32>
// CHECK: glow.cpu_matmul {{.*}} epilogue "add(x0, x1); greater(t0, 0); select(t1, t0, x2)"
// CHECK-NEXT: glow.save
glow.func @product {
  %x = glow.read @x : tensor<4x8xf32>
  %w = glow.read @w : tensor<8x8xf32>
  %b = glow.read @b : tensor<8xf32>
  %0 = glow.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = glow.broadcast %b dims [4, 8] axis -1 : (tensor<8xf32>) -> tensor<4x8xf32>
  %2 = glow.add %0, %1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = glow.splat value 0.0 dims [4, 8] kind f32 : () -> tensor<4x8xf32>
  %4 = glow.greater %2, %3 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %5 = glow.select %4, %2, %x : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  glow.save %5, @y : tensor<4x8xf32>
}

// Only f32 is fused.
// CHECK-LABEL: glow.func @integers
// CHECK-NOT: cpu_
// CHECK: glow.add {{.*}} tensor<4x8xi64>
glow.func @integers {
  %n = glow.read @n : tensor<4x8xi64>
  %0 = glow.add %n, %n : (tensor<4x8xi64>, tensor<4x8xi64>) -> tensor<4x8xi64>
  glow.save %0, @z : tensor<4x8xi64>
}

glow.placeholder @image input : tensor<1x1x9x6x16xf32>
glow.placeholder @pooled output : tensor<1x1x4x3x16xf32>
glow.placeholder @overlap output : tensor<1x1x8x5x16xf32>
glow.constant @filter = dense<0.1> : tensor<16x16x3x3xf32>

// Windows side by side: the convolution gives the largest pixels, after what
// follows it.
// CHECK-LABEL: glow.func @pool
// CHECK: glow.cpu_conv {{.*}} epilogue "relu(x0)" pool [2, 2]
// CHECK-NOT: max_pool
glow.func @pool {
  %x = glow.read @image : tensor<1x1x9x6x16xf32>
  %w = glow.read @filter : tensor<16x16x3x3xf32>
  %0 = glow.cpu_conv %x, %w strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 epilogue "" pool [1, 1] : (tensor<1x1x9x6x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x1x9x6x16xf32>
  %1 = glow.relu %0 : (tensor<1x1x9x6x16xf32>) -> tensor<1x1x9x6x16xf32>
  %2 = glow.max_pool %1 window [2, 2, 1] strides [2, 2, 1] pads [0, 0, 0, 0, 0, 0] dilations [1, 1, 1] : (tensor<1x1x9x6x16xf32>) -> tensor<1x1x4x3x16xf32>
  glow.save %2, @pooled : tensor<1x1x4x3x16xf32>
}

// Nodes behind a pool are not part of the epilogue before it.
// CHECK-LABEL: glow.func @after
// CHECK: glow.cpu_conv {{.*}} epilogue "" pool [2, 2]
// CHECK: glow.cpu_fused_loops {{.*}} formula "relu(x0)"
glow.func @after {
  %x = glow.read @image : tensor<1x1x9x6x16xf32>
  %w = glow.read @filter : tensor<16x16x3x3xf32>
  %0 = glow.cpu_conv %x, %w strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 epilogue "" pool [1, 1] : (tensor<1x1x9x6x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x1x9x6x16xf32>
  %1 = glow.max_pool %0 window [2, 2, 1] strides [2, 2, 1] pads [0, 0, 0, 0, 0, 0] dilations [1, 1, 1] : (tensor<1x1x9x6x16xf32>) -> tensor<1x1x4x3x16xf32>
  %2 = glow.relu %1 : (tensor<1x1x4x3x16xf32>) -> tensor<1x1x4x3x16xf32>
  glow.save %2, @pooled : tensor<1x1x4x3x16xf32>
}

// A pixel in two windows, and an operand of the size of the image, stay apart.
// CHECK-LABEL: glow.func @overlapping
// CHECK: glow.cpu_conv {{.*}} pool [1, 1]
// CHECK: glow.max_pool
glow.func @overlapping {
  %x = glow.read @image : tensor<1x1x9x6x16xf32>
  %w = glow.read @filter : tensor<16x16x3x3xf32>
  %0 = glow.cpu_conv %x, %w strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 epilogue "" pool [1, 1] : (tensor<1x1x9x6x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x1x9x6x16xf32>
  %1 = glow.max_pool %0 window [2, 2, 1] strides [1, 1, 1] pads [0, 0, 0, 0, 0, 0] dilations [1, 1, 1] : (tensor<1x1x9x6x16xf32>) -> tensor<1x1x8x5x16xf32>
  glow.save %1, @overlap : tensor<1x1x8x5x16xf32>
}
// CHECK-LABEL: glow.func @residual
// CHECK: glow.cpu_conv {{.*}} pool [1, 1]
// CHECK: glow.max_pool
glow.func @residual {
  %x = glow.read @image : tensor<1x1x9x6x16xf32>
  %w = glow.read @filter : tensor<16x16x3x3xf32>
  %0 = glow.cpu_conv %x, %w strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 epilogue "" pool [1, 1] : (tensor<1x1x9x6x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x1x9x6x16xf32>
  %1 = glow.add %0, %x : (tensor<1x1x9x6x16xf32>, tensor<1x1x9x6x16xf32>) -> tensor<1x1x9x6x16xf32>
  %2 = glow.max_pool %1 window [2, 2, 1] strides [2, 2, 1] pads [0, 0, 0, 0, 0, 0] dilations [1, 1, 1] : (tensor<1x1x9x6x16xf32>) -> tensor<1x1x4x3x16xf32>
  glow.save %2, @pooled : tensor<1x1x4x3x16xf32>
}

glow.placeholder @block input : tensor<2x1x60x56x16xf32>
glow.placeholder @expanded output : tensor<9x1x60x56x16xf32>
glow.placeholder @projected output : tensor<2x1x60x56x16xf32>
glow.constant @expand = dense<0.1> : tensor<144x32x1x1xf32>
glow.constant @taps = dense<0.1> : tensor<144x1x3x3xf32>
glow.constant @project = dense<0.1> : tensor<32x144x1x1xf32>

// A block of MobileNetV2 whose expanded image takes 1.9 MB, with its epilogues.
// CHECK-LABEL: glow.func @bottleneck
// CHECK-NOT: cpu_conv
// CHECK: glow.cpu_bottleneck {{.*}} strides [1, 1] pads [1, 1, 1, 1] expandEpilogue "relu(x0)" depthwiseEpilogue "tanh(x0)" epilogue "add(x0, x1)"
// CHECK-NOT: cpu_conv
glow.func @bottleneck {
  %x = glow.read @block : tensor<2x1x60x56x16xf32>
  %e = glow.read @expand : tensor<144x32x1x1xf32>
  %t = glow.read @taps : tensor<144x1x3x3xf32>
  %p = glow.read @project : tensor<32x144x1x1xf32>
  %0 = glow.cpu_conv %x, %e strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 epilogue "relu(x0)" pool [1, 1] : (tensor<2x1x60x56x16xf32>, tensor<144x32x1x1xf32>) -> tensor<9x1x60x56x16xf32>
  %1 = glow.cpu_conv %0, %t strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 144 epilogue "" pool [1, 1] : (tensor<9x1x60x56x16xf32>, tensor<144x1x3x3xf32>) -> tensor<9x1x60x56x16xf32>
  %2 = glow.tanh %1 : (tensor<9x1x60x56x16xf32>) -> tensor<9x1x60x56x16xf32>
  %3 = glow.cpu_conv %2, %p strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 epilogue "" pool [1, 1] : (tensor<9x1x60x56x16xf32>, tensor<32x144x1x1xf32>) -> tensor<2x1x60x56x16xf32>
  %4 = glow.add %3, %x : (tensor<2x1x60x56x16xf32>, tensor<2x1x60x56x16xf32>) -> tensor<2x1x60x56x16xf32>
  glow.save %4, @projected : tensor<2x1x60x56x16xf32>
}

// Another node reads the expanded value.
// CHECK-LABEL: glow.func @read_expanded
// CHECK-NOT: cpu_bottleneck
glow.func @read_expanded {
  %x = glow.read @block : tensor<2x1x60x56x16xf32>
  %e = glow.read @expand : tensor<144x32x1x1xf32>
  %t = glow.read @taps : tensor<144x1x3x3xf32>
  %p = glow.read @project : tensor<32x144x1x1xf32>
  %0 = glow.cpu_conv %x, %e strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 epilogue "relu(x0)" pool [1, 1] : (tensor<2x1x60x56x16xf32>, tensor<144x32x1x1xf32>) -> tensor<9x1x60x56x16xf32>
  %1 = glow.cpu_conv %0, %t strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 144 epilogue "" pool [1, 1] : (tensor<9x1x60x56x16xf32>, tensor<144x1x3x3xf32>) -> tensor<9x1x60x56x16xf32>
  %2 = glow.tanh %1 : (tensor<9x1x60x56x16xf32>) -> tensor<9x1x60x56x16xf32>
  %3 = glow.cpu_conv %2, %p strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 epilogue "" pool [1, 1] : (tensor<9x1x60x56x16xf32>, tensor<32x144x1x1xf32>) -> tensor<2x1x60x56x16xf32>
  %4 = glow.add %3, %x : (tensor<2x1x60x56x16xf32>, tensor<2x1x60x56x16xf32>) -> tensor<2x1x60x56x16xf32>
  glow.save %4, @projected : tensor<2x1x60x56x16xf32>
  glow.save %0, @expanded : tensor<9x1x60x56x16xf32>
}
