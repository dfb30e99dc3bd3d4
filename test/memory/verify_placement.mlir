// RUN: glow-opt %s --split-input-file --verify-diagnostics --verify-placement

// %b begins where %a ends, in time and in place.
glowir.func @right attributes {arenaBytes = 128} declare {
  %x = weight float<16>, mutable
  %y = weight float<16>, mutable output
} program {
  %a = alloc float<16> at 0
  %b = alloc float<16> at 64
  %c = alloc float<16> at 0
  %first = relu @out %a, @in %x
  %second = matmul @out %b, @in %a, @in %x
  %third = matmul @out %c, @in %b, @in %x
  %fourth = relu @out %y, @in %c
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
}

// -----

// A relu reads no element that it has written already.
glowir.func @in_place attributes {arenaBytes = 64} declare {
  %x = weight float<16>, mutable
  %y = weight float<16>, mutable output
} program {
  %a = alloc float<16> at 0
  %b = alloc float<16> at 0
  %first = relu @out %a, @in %x
  %second = relu @out %b, @in %a
  %third = relu @out %y, @in %b
  dealloc @out %a
  dealloc @out %b
}

// -----

// A matmul does.
glowir.func @overlap attributes {arenaBytes = 64} declare {
  %x = weight float<16>, mutable
  %y = weight float<16>, mutable output
} program {
  // expected-note@+1 {{'a' is here}}
  %a = alloc float<16> at 0
  // expected-error@+1 {{of 'b' has bytes 0 to 64, but 'a' has 0 to 64 until 'second' [no-overlap]}}
  %b = alloc float<16> at 0
  %first = relu @out %a, @in %x
  %second = matmul @out %b, @in %a, @in %x
  %third = relu @out %y, @in %b
  dealloc @out %a
  dealloc @out %b
}

// -----

// In place, but not at the same place.
glowir.func @shifted attributes {arenaBytes = 256} declare {
  %x = weight float<32>, mutable
  %y = weight float<32>, mutable output
} program {
  // expected-note@+1 {{'a' is here}}
  %a = alloc float<32> at 64
  // expected-error@+1 {{of 'b' has bytes 0 to 128, but 'a' has 64 to 192 until 'second' [no-overlap]}}
  %b = alloc float<32> at 0
  %first = relu @out %a, @in %x
  %second = relu @out %b, @in %a
  %third = relu @out %y, @in %b
  dealloc @out %a
  dealloc @out %b
}

// -----

glowir.func @nowhere attributes {arenaBytes = 64} declare {
  %x = weight float<16>, mutable
} program {
  // expected-error@+1 {{of 'a' has no place, but should have one in the arena [placed]}}
  %a = alloc float<16>
  %first = relu @out %a, @in %x
  dealloc @out %a
}

// -----

glowir.func @not_aligned attributes {arenaBytes = 128} declare {
  %x = weight float<4>, mutable
} program {
  // expected-error@+1 {{of 'a' is at 16, but should be at a multiple of 64 [aligned]}}
  %a = alloc float<4> at 16
  %first = relu @out %a, @in %x
  dealloc @out %a
}

// -----

glowir.func @outside attributes {arenaBytes = 100} declare {
  %x = weight float<16>, mutable
} program {
  // expected-error@+1 {{of 'a' ends at 128, but the arena has 100 bytes [inside-arena]}}
  %a = alloc float<16> at 64
  %first = relu @out %a, @in %x
  dealloc @out %a
}
