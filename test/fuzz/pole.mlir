// RUN: %build/test/GlowGraphFuzzer %s
// All of a channel is its bias, so that its variance is 0 and its norm is 0 / 0,
// or is not 0 quite and its norm is a number: both are right.
glow.placeholder @x input {range = array<f64: -2.0, 2.0>} : tensor<3x6x3x3xf32>
glow.placeholder @zero input {range = array<f64: 0.0, 0.0>} : tensor<6xf32>
glow.placeholder @bias input {range = array<f64: -2.0, 2.0>} : tensor<6xf32>
glow.placeholder @y output : tensor<3x6x3x3xf32>
glow.func @main {
  %x = glow.read @x : tensor<3x6x3x3xf32>
  %zero = glow.read @zero : tensor<6xf32>
  %bias = glow.read @bias : tensor<6xf32>
  %flat = glow.group_norm %x, %zero, %bias groups 2 epsilon 1.0e-05 : (tensor<3x6x3x3xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<3x6x3x3xf32>
  %norm = glow.instance_norm %flat, %bias, %bias epsilon 0.0 : (tensor<3x6x3x3xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<3x6x3x3xf32>
  glow.save %norm, @y : tensor<3x6x3x3xf32>
}
