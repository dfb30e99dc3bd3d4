// RUN: %build/test/GlowGraphFuzzer %s
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy; numpy.save('%t/in.npy', numpy.float32([1, 2, 3])); numpy.save('%t/one.npy', numpy.float32([1]))"
// RUN: glow run %s --input in=%t/in.npy --input one=%t/one.npy --compare=interpreter --output-dir %t
// RUN: %python -c "import numpy; [print(n, *numpy.load('%t/' + n + '.npy')) for n in ('linear', 'cubic', 'nearest', 'corners')]" | FileCheck %s
// A scale near 0 puts the one place that there is far behind the last element;
// where no step between corners is 1, the second place is nowhere, that is the
// first.
// CHECK: linear 3.0
// CHECK: cubic 3.0
// CHECK: nearest 3.0
// CHECK: corners 1.0 1.0
glow.placeholder @in input : tensor<3xf32>
glow.placeholder @one input : tensor<1xf32>
glow.placeholder @linear output : tensor<1xf32>
glow.placeholder @cubic output : tensor<1xf32>
glow.placeholder @nearest output : tensor<1xf32>
glow.placeholder @corners output : tensor<2xf32>
glow.func @main {
  %in = glow.read @in : tensor<3xf32>
  %one = glow.read @one : tensor<1xf32>
  %linear = glow.resize %in dims [1] scales [0.0] mode "linear" coordinates "half_pixel" rounding "floor" cubicCoefficient -0.75 excludeOutside false : (tensor<3xf32>) -> tensor<1xf32>
  %cubic = glow.resize %in dims [1] scales [1.0e-300] mode "cubic" coordinates "tf_half_pixel_for_nn" rounding "floor" cubicCoefficient -0.75 excludeOutside false : (tensor<3xf32>) -> tensor<1xf32>
  %nearest = glow.resize %in dims [1] scales [0.0] mode "nearest" coordinates "half_pixel" rounding "floor" cubicCoefficient -0.75 excludeOutside false : (tensor<3xf32>) -> tensor<1xf32>
  %corners = glow.resize %one dims [2] scales [1.0] mode "linear" coordinates "align_corners" rounding "floor" cubicCoefficient -0.75 excludeOutside false : (tensor<1xf32>) -> tensor<2xf32>
  glow.save %linear, @linear : tensor<1xf32>
  glow.save %cubic, @cubic : tensor<1xf32>
  glow.save %nearest, @nearest : tensor<1xf32>
  glow.save %corners, @corners : tensor<2xf32>
}
