// RUN: %build/test/GlowGraphFuzzer %s
// Filters without channels, and without taps: no code is emitted for them.
glow.placeholder @x input {range = array<f64: -2.0, 2.0>} : tensor<1x16x4x4xf32>
glow.constant @none = dense<0.0> : tensor<0x16x0x0xf32>
glow.constant @taps = dense<0.0> : tensor<16x16x0x3xf32>
glow.placeholder @y0 output : tensor<1x0x7x7xf32>
glow.placeholder @y1 output : tensor<1x16x7x4xf32>
glow.func @main {
  %x = glow.read @x : tensor<1x16x4x4xf32>
  %none = glow.read @none : tensor<0x16x0x0xf32>
  %taps = glow.read @taps : tensor<16x16x0x3xf32>
  %y0 = glow.conv %x, %none strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x16x4x4xf32>, tensor<0x16x0x0xf32>) -> tensor<1x0x7x7xf32>
  %y1 = glow.conv %x, %taps strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x16x4x4xf32>, tensor<16x16x0x3xf32>) -> tensor<1x16x7x4xf32>
  glow.save %y0, @y0 : tensor<1x0x7x7xf32>
  glow.save %y1, @y1 : tensor<1x16x7x4xf32>
}
