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

// -----

// Parts of what the caller has are no bytes of the arena.
glowir.func @within_bindings attributes {arenaBytes = 0} declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<2 x 16>, mutable output
} program {
  %a = alloc float<1 x 16> within %x from 0
  %b = alloc float<1 x 16> within %y from 64
  %first = reshape @out %a, @in %x {dims = [1, 16]}
  %second = tanh @out %b, @in %a
  %join = concat @out %y, @in [%a, %b] {axis = 0}
  dealloc @out %a
  dealloc @out %b
}

// -----

glowir.func @in_both attributes {arenaBytes = 64} declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<16>, mutable output
} program {
  // expected-error@+1 {{of 'a' is at 0 in the arena, but lies within 'x', which is the caller's [part-in-its-place]}}
  %a = alloc float<16> within %x from 0 at 0
  %first = reshape @out %a, @in %x {dims = [16]}
  %second = tanh @out %y, @in %a
  dealloc @out %a
}

// -----

// The first row of an input is not what a reshape takes.
glowir.func @not_taken attributes {arenaBytes = 0} declare {
  %x = binding float<2 x 16>, mutable
  %z = binding float<16>, mutable
  %y = binding float<16>, mutable output
} program {
  // expected-error@+1 {{of 'a' lies within 'x' from 0 on, but that has a value when the program begins, which no instruction takes from there [part-is-joined]}}
  %a = alloc float<16> within %x from 0
  %first = tanh @out %a, @in %z
  %second = tanh @out %y, @in %a
  dealloc @out %a
}

// -----

glowir.func @never_put attributes {arenaBytes = 128} declare {
  %x = binding float<16>, mutable
  %y = binding float<16>, mutable output
} program {
  %c = alloc float<2 x 16> at 0
  // expected-error@+1 {{of 'a' lies within 'c' from 0 on, but no instruction puts it there [part-is-joined]}}
  %a = alloc float<16> within %c from 0 at 0
  %first = tanh @out %a, @in %x
  %second = tanh @out %y, @in %a
  dealloc @out %a
  dealloc @out %c
}

// -----

glowir.func @input_written attributes {arenaBytes = 0} declare {
  %p = binding float<4 x 4>, mutable
  %y = binding float<16>, mutable output
} program {
  // expected-error@+1 {{of 'a' is in use until 'second', but 'p', which has the same memory, is written before [part-stays-as-it-is]}}
  %a = alloc float<16> within %p from 0
  %first = reshape @out %a, @in %p {dims = [16]}
  %over = tanh @out %p, @in %p
  %second = tanh @out %y, @in %a
  dealloc @out %a
}

// -----

glowir.func @view_written attributes {arenaBytes = 0} declare {
  %p = binding float<4 x 4>, mutable
  %y = binding float<16>, mutable output
} program {
  // expected-error@+1 {{of 'a' is written after 'first' has made it a part of 'p' [part-stays-as-it-is]}}
  %a = alloc float<16> within %p from 0
  %first = reshape @out %a, @in %p {dims = [16]}
  %over = tanh @out %a, @in %a
  %second = tanh @out %y, @in %a
  dealloc @out %a
}

// -----

// %y has been written before %a is put there.
glowir.func @output_begun attributes {arenaBytes = 0} declare {
  %x = binding float<16>, mutable
  %y = binding float<4 x 4>, mutable output
} program {
  // expected-error@+1 {{of 'a' lies within 'y' from 0 on, but 'first', the first that uses it, does not put it there [part-is-joined]}}
  %a = alloc float<16> within %y from 0
  %first = reshape @out %y, @in %x {dims = [4, 4]}
  %second = tanh @out %a, @in %x
  %third = reshape @out %y, @in %a {dims = [4, 4]}
  dealloc @out %a
}
