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
// CHECK: glow.cpu_matmul {{.*}} formula "add(x0, x1); greater(t0, 0); select(t1, t0, x2)"
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

// Only f32 has chains.
// CHECK-LABEL: glow.func @integers
// CHECK-NOT: cpu_
// CHECK: glow.add {{.*}} tensor<4x8xi64>
glow.func @integers {
  %n = glow.read @n : tensor<4x8xi64>
  %0 = glow.add %n, %n : (tensor<4x8xi64>, tensor<4x8xi64>) -> tensor<4x8xi64>
  glow.save %0, @z : tensor<4x8xi64>
}
