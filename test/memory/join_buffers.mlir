// RUN: glow-opt %s --join-buffers | FileCheck %s
// RUN: glow-opt %s --join-buffers --verify-order --place-buffers --verify-placement | FileCheck %s --check-prefix=PLACED

// Both parts are made where the whole has them, and the larger whole holds it.
// CHECK-LABEL: @both
// CHECK:         %all = alloc float<1 x 3 x 16>
// CHECK-NEXT:    %ab = alloc float<1 x 2 x 16> within %all from 0
// CHECK-NEXT:    %a = alloc float<1 x 1 x 16> within %ab from 0
// CHECK-NEXT:    relu @out %a, @in %x
// CHECK-NEXT:    %b = alloc float<1 x 1 x 16> within %ab from 64
// PLACED-LABEL: @both
// PLACED-SAME:    arenaBytes = 192
// PLACED:         %all = alloc float<1 x 3 x 16> at 0
// PLACED-NEXT:    %ab = alloc float<1 x 2 x 16> within %all from 0 at 0
// PLACED:         %b = alloc float<1 x 1 x 16> within %ab from 64 at 64
// PLACED:         %c = alloc float<1 x 1 x 16> within %all from 128 at 128
glowir.func @both declare {
  %x = binding float<1 x 1 x 16>, mutable
  %y = binding float<1 x 3 x 16>, mutable output
} program {
  %a = alloc float<1 x 1 x 16>
  %first = relu @out %a, @in %x
  %b = alloc float<1 x 1 x 16>
  %second = tanh @out %b, @in %a
  %ab = alloc float<1 x 2 x 16>
  %join = concat @out %ab, @in [%a, %b] {axis = 1}
  dealloc @out %b
  %c = alloc float<1 x 1 x 16>
  %third = add @out %c, @in %a, @in %x
  dealloc @out %a
  %all = alloc float<1 x 3 x 16>
  %last = concat @out %all, @in [%ab, %c] {axis = 1}
  dealloc @out %ab
  dealloc @out %c
  %end = relu @out %y, @in %all
  dealloc @out %all
}

// Rows of the parts alternate; a part of 12 bytes would leave the next one
// unaligned; bindings are elsewhere.
// CHECK-LABEL: @apart
// CHECK-NOT:     within
// CHECK:         %short = alloc float<1 x 3> within %odd from 0
// CHECK-NOT:     within
// CHECK:         dealloc
glowir.func @apart declare {
  %x = binding float<2 x 16>, mutable
  %s = binding float<1 x 3>, mutable
  %y = binding float<2 x 32>, mutable output
  %z = binding float<2 x 3>, mutable output
  %v = binding float<1 x 6>, mutable output
} program {
  %a = alloc float<2 x 16>
  %first = relu @out %a, @in %x
  %wide = alloc float<2 x 32>
  %sides = concat @out %wide, @in [%a, %x] {axis = 1}
  %out = relu @out %y, @in %wide
  %short = alloc float<1 x 3>
  %next = alloc float<1 x 3>
  %second = relu @out %short, @in %s
  %third = tanh @out %next, @in %s
  %odd = alloc float<2 x 3>
  %rows = concat @out %odd, @in [%short, %next] {axis = 0}
  %other = relu @out %z, @in %odd
  %direct = concat @out %v, @in [%short, %next] {axis = 1}
  dealloc @out %a
  dealloc @out %wide
  dealloc @out %short
  dealloc @out %next
  dealloc @out %odd
}

// %a is written again while the whole is in use, and the whole is written while
// %b is.
// CHECK-LABEL: @written_later
// CHECK-NOT:     within
// CHECK:         dealloc
glowir.func @written_later declare {
  %x = binding float<1 x 16>, mutable
  %y = binding float<2 x 16>, mutable output
  %z = binding float<1 x 16>, mutable output
} program {
  %a = alloc float<1 x 16>
  %b = alloc float<1 x 16>
  %first = relu @out %a, @in %x
  %second = relu @out %b, @in %x
  %c = alloc float<2 x 16>
  %join = concat @out %c, @in [%a, %b] {axis = 0}
  %over = tanh @out %a, @in %x
  %change = tanh @out %c, @in %c
  %last = relu @out %y, @in %c
  %sum = add @out %z, @in %a, @in %b
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
}

// Within the whole, %a would keep 64 KiB for as long as it waits.
// CHECK-LABEL: @waits
// CHECK:         %a = alloc float<1 x 16>{{$}}
// CHECK:         %b = alloc float<1023 x 16> within %c from 64
glowir.func @waits declare {
  %x = binding float<1 x 16>, mutable
  %big = binding float<1023 x 16>, mutable
  %y = binding float<1024 x 16>, mutable output
  %y1 = binding float<1023 x 16>, mutable output
} program {
  %a = alloc float<1 x 16>
  %first = relu @out %a, @in %x
  %s = alloc float<1023 x 16>
  %t = alloc float<1023 x 16>
  %second = tanh @out %s, @in %big
  %third = sin @out %t, @in %s
  %fourth = add @out %y1, @in %s, @in %t
  dealloc @out %s
  dealloc @out %t
  %b = alloc float<1023 x 16>
  %fifth = relu @out %b, @in %big
  %c = alloc float<1024 x 16>
  %join = concat @out %c, @in [%a, %b] {axis = 0}
  dealloc @out %a
  dealloc @out %b
  %last = relu @out %y, @in %c
  dealloc @out %c
}

// A value that outlives its reshape is made in the buffer of the reshape.
// PLACED-LABEL: @reshaped
// PLACED-SAME:    arenaBytes = 64
// PLACED:         %r = alloc float<16> at 0
// PLACED-NEXT:    %a = alloc float<1 x 16> within %r from 0 at 0
glowir.func @reshaped declare {
  %x = binding float<1 x 16>, mutable
  %y = binding float<16>, mutable output
  %z = binding float<1 x 16>, mutable output
} program {
  %a = alloc float<1 x 16>
  %first = relu @out %a, @in %x
  %r = alloc float<16>
  %flat = reshape @out %r, @in %a {dims = [16]}
  %second = tanh @out %y, @in %r
  %third = tanh @out %z, @in %a
  dealloc @out %r
  dealloc @out %a
}

// The parts of a split stay in its operand: those that are aligned, and that no
// later instruction writes.
// PLACED-LABEL: @split
// PLACED-SAME:    arenaBytes = 192
// PLACED:         %a = alloc float<1 x 16> within %s from 0 at 0
// PLACED:         %b = alloc float<1 x 32> within %s from 64 at 64
glowir.func @split declare {
  %x = binding float<1 x 48>, mutable
  %y = binding float<1 x 16>, mutable output
  %z = binding float<1 x 32>, mutable output
} program {
  %s = alloc float<1 x 48>
  %first = relu @out %s, @in %x
  %a = alloc float<1 x 16>
  %b = alloc float<1 x 32>
  %parts = split @out [%a, %b], @in %s {axis = 1, sizes = [16, 32]}
  dealloc @out %s
  %second = tanh @out %y, @in %a
  %third = tanh @out %z, @in %b
  dealloc @out %a
  dealloc @out %b
}

// CHECK-LABEL: @odd
// CHECK:         %a = alloc float<1 x 4> within %s from 0
// CHECK:         %b = alloc float<1 x 12>{{$}}
glowir.func @odd declare {
  %x = binding float<1 x 16>, mutable
  %y = binding float<1 x 4>, mutable output
  %z = binding float<1 x 12>, mutable output
} program {
  %s = alloc float<1 x 16>
  %first = relu @out %s, @in %x
  %a = alloc float<1 x 4>
  %b = alloc float<1 x 12>
  %parts = split @out [%a, %b], @in %s {axis = 1, sizes = [4, 12]}
  dealloc @out %s
  %second = tanh @out %y, @in %a
  %third = tanh @out %z, @in %b
  dealloc @out %a
  dealloc @out %b
}
