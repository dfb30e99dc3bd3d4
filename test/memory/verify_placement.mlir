// RUN: glow-opt %s --split-input-file --verify-diagnostics --verify-placement

// %b begins where %a ends, in time and in place.
glowir.func @right attributes {arenaBytes = 128} declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
} program {
  %a = alloc float<4 x 4> at 0
  %b = alloc float<4 x 4> at 64
  %c = alloc float<4 x 4> at 0
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
  %x = binding float<16>, mutable
  %y = binding float<16>, mutable output
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
  %x = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
} program {
  // expected-note@+1 {{'a' is here}}
  %a = alloc float<4 x 4> at 0
  // expected-error@+1 {{of 'b' has bytes 0 to 64, but 'a' has 0 to 64 until 'second' [no-overlap]}}
  %b = alloc float<4 x 4> at 0
  %first = relu @out %a, @in %x
  %second = matmul @out %b, @in %a, @in %x
  %third = relu @out %y, @in %b
  dealloc @out %a
  dealloc @out %b
}

// -----

// In place, but not at the same place.
glowir.func @shifted attributes {arenaBytes = 256} declare {
  %x = binding float<32>, mutable
  %y = binding float<32>, mutable output
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
  %x = binding float<16>, mutable
} program {
  // expected-error@+1 {{of 'a' has no place, but should have one in the arena [placed]}}
  %a = alloc float<16>
  %first = relu @out %a, @in %x
  dealloc @out %a
}

// -----

glowir.func @not_aligned attributes {arenaBytes = 128} declare {
  %x = binding float<4>, mutable
} program {
  // expected-error@+1 {{of 'a' is at 16, but should be at a multiple of 64 [aligned]}}
  %a = alloc float<4> at 16
  %first = relu @out %a, @in %x
  dealloc @out %a
}

// -----

glowir.func @outside attributes {arenaBytes = 100} declare {
  %x = binding float<16>, mutable
} program {
  // expected-error@+1 {{of 'a' ends at 128, but the arena has 100 bytes [inside-arena]}}
  %a = alloc float<16> at 64
  %first = relu @out %a, @in %x
  dealloc @out %a
}

// -----

glowir.func @part_elsewhere attributes {arenaBytes = 192} declare {
  %x = binding float<1 x 16>, mutable
  %y = binding float<2 x 16>, mutable output
  %z = binding float<1 x 16>, mutable output
} program {
  %c = alloc float<2 x 16> at 64
  %b = alloc float<1 x 16> within %c from 64 at 128
  // expected-error@+1 {{of 'a' is at 0, but lies within 'c' from 64 on [part-in-its-place]}}
  %a = alloc float<1 x 16> within %c from 0 at 0
  %first = relu @out %a, @in %x
  %second = tanh @out %b, @in %x
  %join = concat @out %c, @in [%a, %b] {axis = 0}
  %last = relu @out %y, @in %c
  %sum = relu @out %z, @in %a
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
}

// -----

glowir.func @not_joined attributes {arenaBytes = 192} declare {
  %x = binding float<1 x 16>, mutable
  %y = binding float<2 x 16>, mutable output
  %z = binding float<1 x 16>, mutable output
} program {
  %c = alloc float<2 x 16> at 64
  %b = alloc float<1 x 16> within %c from 64 at 128
  // expected-error@+1 {{of 'a' lies within 'c' from 0 on, but 'join', the first that uses it, does not put it there [part-is-joined]}}
  %a = alloc float<1 x 16> within %c from 0 at 64
  %first = relu @out %a, @in %x
  %second = tanh @out %b, @in %x
  %join = concat @out %c, @in [%x, %b] {axis = 0}
  %last = relu @out %y, @in %c
  %sum = relu @out %z, @in %a
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
}

// -----

glowir.func @part_written attributes {arenaBytes = 192} declare {
  %x = binding float<1 x 16>, mutable
  %y = binding float<2 x 16>, mutable output
  %z = binding float<1 x 16>, mutable output
} program {
  %c = alloc float<2 x 16> at 64
  %b = alloc float<1 x 16> within %c from 64 at 128
  // expected-error@+1 {{of 'a' is written after 'join' has made it a part of 'c' [part-stays-as-it-is]}}
  %a = alloc float<1 x 16> within %c from 0 at 64
  %first = relu @out %a, @in %x
  %second = tanh @out %b, @in %x
  %join = concat @out %c, @in [%a, %b] {axis = 0}
  %over = tanh @out %a, @in %x
  %last = relu @out %y, @in %c
  %sum = relu @out %z, @in %a
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
}

// -----

glowir.func @whole_written attributes {arenaBytes = 192} declare {
  %x = binding float<1 x 16>, mutable
  %y = binding float<2 x 16>, mutable output
  %z = binding float<1 x 16>, mutable output
} program {
  %c = alloc float<2 x 16> at 64
  %b = alloc float<1 x 16> within %c from 64 at 128
  // expected-error@+1 {{of 'a' is in use until 'sum', but 'c', which has the same memory, is written before [part-stays-as-it-is]}}
  %a = alloc float<1 x 16> within %c from 0 at 64
  %first = relu @out %a, @in %x
  %second = tanh @out %b, @in %x
  %join = concat @out %c, @in [%a, %b] {axis = 0}
  %over = tanh @out %c, @in %c
  %last = relu @out %y, @in %c
  %sum = relu @out %z, @in %a
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
}
