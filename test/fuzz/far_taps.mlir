// RUN: %build/test/GlowGraphFuzzer %s
// No machine has memory for the rows of these images with their pads, nor for all
// that lies between two taps or two windows.
glow.placeholder @x input {range = array<f64: -2.0, 2.0>} : tensor<5x1x3xf32>
glow.placeholder @one input {range = array<f64: -2.0, 2.0>} : tensor<3x1x3xf32>
glow.placeholder @two input {range = array<f64: -2.0, 2.0>} : tensor<3x1x2xf32>
glow.placeholder @stride output : tensor<5x3x1xf32>
glow.placeholder @dilation output : tensor<5x3x3xf32>
glow.placeholder @pad output : tensor<5x3x2xf32>
glow.placeholder @few output : tensor<5x3x3xf32>
glow.func @main {
  %x = glow.read @x : tensor<5x1x3xf32>
  %one = glow.read @one : tensor<3x1x3xf32>
  %two = glow.read @two : tensor<3x1x2xf32>
  %stride = glow.conv %x, %one strides [9223372036854775807] pads [0, 0] dilations [1] group 1 : (tensor<5x1x3xf32>, tensor<3x1x3xf32>) -> tensor<5x3x1xf32>
  %dilation = glow.conv %x, %two strides [1] pads [1099511627776, 0] dilations [1099511627776] group 1 : (tensor<5x1x3xf32>, tensor<3x1x2xf32>) -> tensor<5x3x3xf32>
  %pad = glow.conv %x, %one strides [1099511627776] pads [0, 1099511627776] dilations [1] group 1 : (tensor<5x1x3xf32>, tensor<3x1x3xf32>) -> tensor<5x3x2xf32>
  %few = glow.conv %x, %two strides [40] pads [40, 41] dilations [3] group 1 : (tensor<5x1x3xf32>, tensor<3x1x2xf32>) -> tensor<5x3x3xf32>
  glow.save %stride, @stride : tensor<5x3x1xf32>
  glow.save %dilation, @dilation : tensor<5x3x3xf32>
  glow.save %pad, @pad : tensor<5x3x2xf32>
  glow.save %few, @few : tensor<5x3x3xf32>
}
