// RUN: glow-opt %s --split-input-file --verify-diagnostics

glowir.func @misspelt_kind declare {
  // expected-error@+1 {{'flaot' is no element kind, did you mean 'float'}}
  %x = binding flaot<2 x 3>, constant
} program {
}

// -----

glowir.func @scaled_float declare {
  // expected-error@+1 {{'float' has a scale, but only i8 to u32 are quantised}}
  %x = binding float<S:0.1 O:3, 4>, constant
} program {
}

// -----

glowir.func @unknown_size declare {
  // expected-error@+1 {{expected static shape}}
  %x = binding float<? x 3>, constant
} program {
}

// -----

glowir.func @too_large declare {
  // expected-error@+1 {{a buffer of 'tensor<4294967296x4294967296xf32>' has more than 2^63 bytes}}
  %x = binding float<4294967296 x 4294967296>, constant
} program {
}

// -----

glowir.func @other_type declare {
  // expected-error@+1 {{invalid kind of type specified}}
  %x = binding !quant.uniform<i8:f32, 0.1>, constant
} program {
}

// -----

glowir.func @elements_are_numbers declare {
  // expected-error@+1 {{elements of a buffer are 'index', but should be numbers}}
  %x = binding !glowir.buf<4xindex>, constant
} program {
}
