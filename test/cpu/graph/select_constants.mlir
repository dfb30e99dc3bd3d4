// A choice between two constants is of the kind of its result.
// RUN: glow run %s --backend=cpu --compare=interpreter --random=3 | FileCheck %s
// CHECK: PASSED
module {
  glow.placeholder @x input : tensor<f32>
  glow.placeholder @y output : tensor<f32>
  glow.func @main {
    %0 = glow.read @x : tensor<f32>
    %z = glow.splat value 0.0 dims [] kind f32 : () -> tensor<f32>
    %a = glow.splat value 0.25 dims [] kind f32 : () -> tensor<f32>
    %b = glow.splat value 1.0 dims [] kind f32 : () -> tensor<f32>
    %1 = glow.greater %0, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = glow.select %1, %a, %b : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    glow.save %2, @y : tensor<f32>
  }
}
