// RUN: %build/test/GlowGraphFuzzer %s
// The squares are larger than the largest number of the kind.
glow.placeholder @x input {range = array<f64: -1000.0, 1000.0>} : tensor<2x7xf16>
glow.placeholder @layer output : tensor<2x7xf16>
glow.placeholder @rms output : tensor<2x7xf16>
glow.func @main {
  %x = glow.read @x : tensor<2x7xf16>
  %layer = glow.layer_norm %x axis 1 epsilon 1.0e-05 : (tensor<2x7xf16>) -> tensor<2x7xf16>
  %rms = glow.rms_norm %x axis 1 epsilon 1.0e-05 : (tensor<2x7xf16>) -> tensor<2x7xf16>
  glow.save %layer, @layer : tensor<2x7xf16>
  glow.save %rms, @rms : tensor<2x7xf16>
}
