// RUN: glow-opt %s --make-trainable --round-factors --differentiate=of=loss | FileCheck %s
// RUN: glow-opt %s --make-trainable --differentiate="of=loss scale=8" | FileCheck %s --check-prefix=SCALE
// RUN: not glow-opt %s --make-trainable --differentiate="of=loss scale=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not glow-opt %s --make-trainable --differentiate="of=loss scale=inf" 2>&1 | FileCheck %s --check-prefix=INF

// Products of both passes have factors of bf16, and a value is converted once. Weights and their
// gradients stay f32.
// CHECK: glow.placeholder @w input trainable : tensor<3x3xf32>
// CHECK: glow.placeholder @w.gradient output {{.*}} : tensor<3x3xf32>
// CHECK: [[X:%.*]] = glow.cast %x kind bf16
// CHECK: [[W:%.*]] = glow.cast %w kind bf16
// CHECK: [[A:%.*]] = glow.matmul [[X]], [[W]] : (tensor<4x3xbf16>, tensor<3x3xbf16>) -> tensor<4x3xbf16>
// CHECK: [[AF:%.*]] = glow.cast [[A]] kind f32
// CHECK: glow.tanh [[AF]] : (tensor<4x3xf32>)
// CHECK-NOT: glow.cast %w
// CHECK: glow.matmul {{.*}}, [[W]] : (tensor<4x3xbf16>, tensor<3x3xbf16>) -> tensor<4x3xbf16>
// CHECK: glow.reduce_sum {{.*}} : (tensor<4x3xf32>) -> tensor<f32>
// CHECK-COUNT-3: glow.matmul {{.*}}xbf16>
// CHECK-NOT: glow.matmul
// CHECK: glow.save {{.*}}, @w.gradient : tensor<3x3xf32>

// SCALE: glow.splat value 8.000000e+00
// SCALE: [[SHARE:%.*]] = glow.splat value 1.250000e-01
// SCALE: [[GRADIENT:%.*]] = glow.mul {{.*}}, [[SHARE]]
// SCALE: glow.save [[GRADIENT]], @w.gradient

// ZERO: error: the scale of the loss is 0.000000e+00, and should be a positive number
// INF: error: the scale of the loss is {{.*}}, and should be a positive number

glow.placeholder @x input : tensor<4x3xf32>
glow.placeholder @loss output : tensor<f32>
glow.constant @w = dense<0.5> : tensor<3x3xf32>
glow.func @main {
  %x = glow.read @x : tensor<4x3xf32>
  %w = glow.read @w : tensor<3x3xf32>
  %a = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
  %b = glow.tanh %a : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %c = glow.matmul %b, %w : (tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
  %loss = glow.reduce_sum %c axes [0, 1] keepDims false : (tensor<4x3xf32>) -> tensor<f32>
  glow.save %loss, @loss : tensor<f32>
}
