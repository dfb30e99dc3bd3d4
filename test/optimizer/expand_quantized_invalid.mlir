// RUN: glow-opt %s --split-input-file --verify-diagnostics --expand-quantized

// Indices are integers, and stand for nothing else.
!q = !quant.uniform<i32:f32, 0.5>
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @i input : tensor<2x!q>
glow.func @indices {
  %x = glow.read @x : tensor<4xf32>
  %i = glow.read @i : tensor<2x!q>
  // expected-error@+2 {{operand 'indices' has element kind f32, but must have one of i32, i64}}
  // expected-note@+1 {{its quantised elements stand for real numbers, with which it should compute}}
  %y = glow.gather %x, %i axis 0 : (tensor<4xf32>, tensor<2x!q>) -> tensor<2xf32>
}

// -----

// A kind of the result for which there is no Quantize.
!q = !quant.uniform<i32:f32, 0.5>
glow.placeholder @x input : tensor<4x!q>
glow.func @wide {
  %x = glow.read @x : tensor<4x!q>
  // expected-error@+1 {{operand 'zero' has element kind i32, but must have one of i2, u2, i4, u4, i8, u8, i16, u16}}
  %y = glow.neg %x : (tensor<4x!q>) -> tensor<4x!q>
}

// -----

!q = !quant.any<i8:f32>
glow.placeholder @x input : tensor<4x!q>
glow.func @unknown_scale {
  %x = glow.read @x : tensor<4x!q>
  // expected-error@+1 {{elements of type '!quant.any<i8:f32>' say no scale for all of a tensor or for each index of an axis}}
  %y = glow.neg %x : (tensor<4x!q>) -> tensor<4x!q>
}

// -----

// A zero that no element can be, of all or of one channel.
!q = !quant.uniform<i8:f32, 0.5:200>
glow.placeholder @x input : tensor<4x!q>
glow.func @zero_beyond {
  %x = glow.read @x : tensor<4x!q>
  // expected-error@+1 {{elements of type '!quant.uniform<i8:f32, 5.000000e-01:200>' have the zero point 200, it should be one of the integers from -128 to 127}}
  %y = glow.neg %x : (tensor<4x!q>) -> tensor<4x!q>
}

// -----

!q = !quant.uniform<i8:f32:0, {0.5:3, 0.25:-129}>
glow.placeholder @x input : tensor<2x!q>
glow.func @zero_of_a_channel {
  %x = glow.read @x : tensor<2x!q>
  // expected-error@+1 {{have the zero point -129, it should be one of the integers from -128 to 127}}
  %y = glow.neg %x : (tensor<2x!q>) -> tensor<2x!q>
}
