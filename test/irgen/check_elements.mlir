// RUN: glow-opt %s --check-elements --split-input-file --verify-diagnostics

// Instructions compute with elements as they are stored: a scale means nothing
// to them.
glowir.func @stored declare {
  %x = binding i8<4>, mutable
  %y = binding i8<4>, mutable output
} program {
  relu @out %y, @in %x
}

// -----

glowir.func @scaled declare {
  %x = binding i8<S:5.000000e-01 O:1, 4>, mutable
  %y = binding i8<S:5.000000e-01 O:1, 4>, mutable output
} program {
  // expected-error@+1 {{'relu' has quantised elements, and no kernel reads a scale}}
  relu @out %y, @in %x
}
