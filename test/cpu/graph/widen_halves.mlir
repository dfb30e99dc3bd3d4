// RUN: glow-opt %s --cpu-widen-halves | FileCheck %s

glow.placeholder @x input : tensor<4x8xf16>
glow.placeholder @n input : tensor<4x8xi64>
glow.placeholder @y output : tensor<4x8xf16>
glow.placeholder @z output : tensor<4x8xf32>
glow.placeholder @m output : tensor<4x8xi64>
glow.constant @w = dense<0.1> : tensor<8x8xf16>

// Each input is converted once, what is between two nodes not at all, and only
// results that leave are rounded.
// CHECK-LABEL: glow.func @chain
// CHECK: %[[X:.*]] = glow.read @x
// CHECK-NEXT: glow.cast %[[X]] kind f32
// CHECK: %[[W:.*]] = glow.read @w
// CHECK-NEXT: glow.cast %[[W]] kind f32
// CHECK-NOT: glow.cast
// CHECK: glow.matmul %{{.*}}, %{{.*}} : {{.*}} -> tensor<4x8xf32>
// CHECK-NOT: glow.cast
// CHECK: %[[SUM:.*]] = glow.add {{.*}} -> tensor<4x8xf32>
// CHECK: %[[OUT:.*]] = glow.cast %[[SUM]] kind f16
// CHECK: glow.save %[[OUT]], @y
// CHECK: glow.save %[[SUM]], @z
glow.func @chain {
  %x = glow.read @x : tensor<4x8xf16>
  %w = glow.read @w : tensor<8x8xf16>
  %0 = glow.matmul %x, %w : (tensor<4x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16>
  %1 = glow.add %0, %x : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %2 = glow.cast %1 kind f32 : (tensor<4x8xf16>) -> tensor<4x8xf32>
  glow.save %1, @y : tensor<4x8xf16>
  glow.save %2, @z : tensor<4x8xf32>
}

// Other kinds stay as they are.
// CHECK-LABEL: glow.func @integers
// CHECK-NOT: glow.cast
// CHECK: glow.add {{.*}} -> tensor<4x8xi64>
glow.func @integers {
  %n = glow.read @n : tensor<4x8xi64>
  %0 = glow.add %n, %n : (tensor<4x8xi64>, tensor<4x8xi64>) -> tensor<4x8xi64>
  glow.save %0, @m : tensor<4x8xi64>
}

// A value that a step may follow is rounded before the next node reads it.
// CHECK-LABEL: glow.func @step
// CHECK: %[[PRODUCT:.*]] = glow.mul {{.*}} -> tensor<4x8xf32>
// CHECK: %[[HALF:.*]] = glow.cast %[[PRODUCT]] kind f16
// CHECK: %[[ROUNDED:.*]] = glow.cast %[[HALF]] kind f32
// CHECK: glow.floor %[[ROUNDED]]
glow.func @step {
  %x = glow.read @x : tensor<4x8xf16>
  %0 = glow.mul %x, %x : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %1 = glow.floor %0 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  glow.save %1, @y : tensor<4x8xf16>
}

// A product of bf16 is marked, and rounds a factor itself; another node reads what a
// conversion rounded.
// CHECK-LABEL: glow.func @brain
// CHECK-DAG: %[[R:.*]] = glow.read @r
// CHECK-DAG: %[[V:.*]] = glow.read @v
// CHECK-DAG: %[[WIDE:.*]] = glow.cast %[[V]] kind f32
// CHECK-DAG: %[[HALF:.*]] = glow.cast %[[R]] kind bf16
// CHECK: %[[ROUNDED:.*]] = glow.cast %[[HALF]] kind f32
// CHECK: %[[PRODUCT:.*]] = glow.matmul %[[R]], %[[WIDE]] {glow.bf16_factors} : {{.*}} -> tensor<4x8xf32>
// CHECK: glow.add %[[PRODUCT]], %[[ROUNDED]]
glow.placeholder @r input : tensor<4x8xf32>
glow.placeholder @q output : tensor<4x8xf32>
glow.constant @v = dense<0.125> : tensor<8x8xbf16>
glow.func @brain {
  %r = glow.read @r : tensor<4x8xf32>
  %v = glow.read @v : tensor<8x8xbf16>
  %0 = glow.cast %r kind bf16 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %1 = glow.matmul %0, %v : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xbf16>
  %2 = glow.add %1, %0 : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %3 = glow.cast %2 kind f32 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  glow.save %3, @q : tensor<4x8xf32>
}
