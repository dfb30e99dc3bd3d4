// RUN: glow-opt %s --check-planned-memory=limit=100 --split-input-file --verify-diagnostics

// The arena and the bindings are 64 + 16 + 16.
glowir.func @small attributes {arenaBytes = 64} declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = alloc float<4> at 0
  relu @out %a, @in %x
  relu @out %y, @in %a
  dealloc @out %a
}

// -----

// expected-error@+1 {{the model needs 160 bytes: 128 bytes for values between nodes, 0 bytes for constants, 32 bytes for inputs and outputs; the limit is 100 bytes}}
glowir.func @large attributes {arenaBytes = 128} declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = alloc float<4> at 0
  %b = alloc float<4> at 64
  relu @out %a, @in %x
  relu @out %b, @in %a
  relu @out %y, @in %b
  dealloc @out %a
  dealloc @out %b
}
