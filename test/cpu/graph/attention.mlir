// RUN: glow-opt %s --lower-for-backend=backend=cpu --cpu-fuse --split-input-file | FileCheck %s

// The kernel takes attention whole: shared heads, and scores that are capped,
// biased, and masked. Absent operands are not read.
// CHECK-LABEL: glow.func @whole
// CHECK-NOT:   glow.softmax
// CHECK:       %[[BIAS:.*]] = glow.reshape {{.*}} -> tensor<1x1x3x5xf32>
// CHECK:       %[[SEEN:.*]] = glow.cast {{.*}} -> tensor<1x1x3x5xf32>
// CHECK:       glow.cpu_attention %{{.*}}, %{{.*}}, %{{.*}}, %[[BIAS]], %[[SEEN]] heads 4 depth 2 width 3 first [0, 0, 0] scoreFormula "mul(x0, 0.5); div(t0, 2); tanh(t1); mul(2, t2); add(t3, x1); greater(x2, 0); select(t5, t4, -10)"
glow.placeholder @q input : tensor<1x4x3x2xf32>
glow.placeholder @k input : tensor<1x2x5x2xf32>
glow.placeholder @v input : tensor<1x2x5x3xf32>
glow.placeholder @bias input : tensor<3x5xf32>
glow.placeholder @seen input : tensor<1x1x3x5xi1>
glow.placeholder @y output : tensor<1x4x3x3xf32>
glow.func @whole {
  %q = glow.read @q : tensor<1x4x3x2xf32>
  %k = glow.read @k : tensor<1x2x5x2xf32>
  %v = glow.read @v : tensor<1x2x5x3xf32>
  %bias = glow.read @bias : tensor<3x5xf32>
  %seen = glow.read @seen : tensor<1x1x3x5xi1>
  %y = glow.attention %q, %k, %v, %bias, none, %seen scale 0.5 softcap 2.0 unseen -10.0 blank false : (tensor<1x4x3x2xf32>, tensor<1x2x5x2xf32>, tensor<1x2x5x3xf32>, tensor<3x5xf32>, tensor<1x1x3x5xi1>) -> tensor<1x4x3x3xf32>
  glow.save %y, @y : tensor<1x4x3x3xf32>
}

// -----

// It has no sinks.
// CHECK-LABEL: glow.func @with_a_sink
// CHECK-NOT:   glow.cpu_attention
// CHECK:       glow.softmax
glow.placeholder @q input : tensor<1x2x3x2xf32>
glow.placeholder @k input : tensor<1x2x5x2xf32>
glow.placeholder @v input : tensor<1x2x5x3xf32>
glow.placeholder @sink input : tensor<1x2x1x1xf32>
glow.placeholder @y output : tensor<1x2x3x3xf32>
glow.func @with_a_sink {
  %q = glow.read @q : tensor<1x2x3x2xf32>
  %k = glow.read @k : tensor<1x2x5x2xf32>
  %v = glow.read @v : tensor<1x2x5x3xf32>
  %sink = glow.read @sink : tensor<1x2x1x1xf32>
  %y = glow.attention %q, %k, %v, none, none, none, %sink scale 0.5 softcap 0.0 unseen -10.0 blank false : (tensor<1x2x3x2xf32>, tensor<1x2x5x2xf32>, tensor<1x2x5x3xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  glow.save %y, @y : tensor<1x2x3x3xf32>
}

// -----

// Scores to which something is added behind what hides them, as no Attention has it; and
// keys and values are read where they were computed, as one tensor.
// CHECK-LABEL: glow.func @any_formula
// CHECK:       %[[KV:.*]] = glow.read @kv
// CHECK-NOT:   glow.split
// CHECK:       glow.cpu_attention %{{.*}}, %[[KV]], %[[KV]], {{.*}} heads 2 depth 4 width 4 first [0, 0, 8] scoreFormula "greater({{x[0-9]}}, 0); select(t0, {{.*}}); add(t1, {{x[0-9]}})"
glow.placeholder @q input : tensor<1x3x8xf32>
glow.placeholder @kv input : tensor<1x5x16xf32>
glow.placeholder @seen input : tensor<1x2x3x5xi1>
glow.placeholder @m input : tensor<1x2x3x5xf32>
glow.placeholder @y output : tensor<1x2x3x4xf32>
glow.func @any_formula {
  %q = glow.read @q : tensor<1x3x8xf32>
  %kv = glow.read @kv : tensor<1x5x16xf32>
  %seen = glow.read @seen : tensor<1x2x3x5xi1>
  %m = glow.read @m : tensor<1x2x3x5xf32>
  %k, %v = glow.split %kv axis 2 sizes [8, 8] : (tensor<1x5x16xf32>) -> (tensor<1x5x8xf32>, tensor<1x5x8xf32>)
  %0 = glow.reshape %q dims [1, 3, 2, 4] : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
  %1 = glow.transpose %0 permutation [0, 2, 1, 3] : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
  %2 = glow.reshape %k dims [1, 5, 2, 4] : (tensor<1x5x8xf32>) -> tensor<1x5x2x4xf32>
  %3 = glow.transpose %2 permutation [0, 2, 3, 1] : (tensor<1x5x2x4xf32>) -> tensor<1x2x4x5xf32>
  %4 = glow.reshape %v dims [1, 5, 2, 4] : (tensor<1x5x8xf32>) -> tensor<1x5x2x4xf32>
  %5 = glow.transpose %4 permutation [0, 2, 1, 3] : (tensor<1x5x2x4xf32>) -> tensor<1x2x5x4xf32>
  %6 = glow.matmul %1, %3 : (tensor<1x2x3x4xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x3x5xf32>
  %7 = glow.splat value -9.0 dims [1, 2, 3, 5] kind f32 : () -> tensor<1x2x3x5xf32>
  %8 = glow.select %seen, %6, %7 : (tensor<1x2x3x5xi1>, tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %9 = glow.add %8, %m : (tensor<1x2x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %10 = glow.softmax %9 axis 3 : (tensor<1x2x3x5xf32>) -> tensor<1x2x3x5xf32>
  %11 = glow.matmul %10, %5 : (tensor<1x2x3x5xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x3x4xf32>
  glow.save %11, @y : tensor<1x2x3x4xf32>
}
