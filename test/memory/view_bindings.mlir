// RUN: glow-opt %s --view-bindings --verify-order | FileCheck %s
// RUN: glow-opt %s --view-bindings --share-buffers --join-buffers --place-buffers --verify-placement | FileCheck %s --check-prefix=PLACED
// RUN: glow-opt %s --schedule-for-memory --view-bindings --schedule-for-memory --shrink-lifetimes --place-buffers --verify-placement

// A reshape of the input or to the output takes no memory, and nothing is
// written over the input.
// CHECK-LABEL: @both_ends
// CHECK:         %flat = alloc float<16> within %x from 0
// CHECK-NEXT:    %in = reshape @out %flat, @in %x
// CHECK-NEXT:    %a = alloc float<16>{{$}}
// CHECK:         %b = alloc float<16> within %y from 0
// CHECK:         reshape @out %y, @in %b
// PLACED-LABEL: @both_ends
// PLACED-SAME:    arenaBytes = 64
// PLACED:         %flat = alloc float<16> within %x from 0{{$}}
// PLACED:         %a = alloc float<16> at 0
// PLACED:         %b = alloc float<16> within %y from 0{{$}}
glowir.func @both_ends declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<2 x 8>, mutable output
} program {
  %flat = alloc float<16>
  %in = reshape @out %flat, @in %x {dims = [16]}
  %a = alloc float<16>
  %first = relu @out %a, @in %flat
  dealloc @out %flat
  %b = alloc float<16>
  %second = tanh @out %b, @in %a
  dealloc @out %a
  %out = reshape @out %y, @in %b {dims = [2, 8]}
  dealloc @out %b
}

// Chains of reshapes at both ends, another shape of the input, bits as another
// kind, and an output that is read later, also in a third shape.
// CHECK-LABEL: @chains
// CHECK-DAG:     %one = alloc float<16> within %x from 0
// CHECK-DAG:     %two = alloc float<2 x 8> within %one from 0
// CHECK-DAG:     %bits = alloc i32<4 x 4> within %x from 0
// CHECK-DAG:     %mid = alloc float<16> within %y from 0
// CHECK-DAG:     %start = alloc float<2 x 8> within %mid from 0
// CHECK-DAG:     %again = alloc float<8 x 2> within %start from 0
// PLACED-LABEL: @chains
// PLACED-SAME:    arenaBytes = 0
glowir.func @chains declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
  %z = binding float<8 x 2>, mutable output
  %w = binding i32<4 x 4>, mutable output
} program {
  %one = alloc float<16>
  %two = alloc float<2 x 8>
  %bits = alloc i32<4 x 4>
  %start = alloc float<2 x 8>
  %mid = alloc float<16>
  %again = alloc float<8 x 2>
  %in = reshape @out %one, @in %x {dims = [16]}
  %in2 = reshape @out %two, @in %one {dims = [2, 8]}
  %as = bit_cast @out %bits, @in %x {kind = i32}
  %third = neg @out %w, @in %bits
  %first = relu @out %start, @in %two
  %out = reshape @out %mid, @in %start {dims = [16]}
  %out2 = reshape @out %y, @in %mid {dims = [4, 4]}
  %later = reshape @out %again, @in %start {dims = [8, 2]}
  %second = tanh @out %z, @in %again
  dealloc @out %one
  dealloc @out %two
  dealloc @out %bits
  dealloc @out %start
  dealloc @out %mid
  dealloc @out %again
}

// An input that is an output in another shape is in two places, and so is what
// two outputs are made of: the last is made first.
// CHECK-LABEL: @two_places
// CHECK:         %flat = alloc float<16> within %z from 0
// CHECK-NOT:     within
// CHECK:         dealloc
glowir.func @two_places declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<16>, mutable output
  %z = binding float<4 x 4>, mutable output
  %w = binding float<2 x 8>, mutable output
} program {
  %copy = reshape @out %y, @in %x {dims = [16]}
  %flat = alloc float<16>
  %first = relu @out %flat, @in %y
  %out = reshape @out %w, @in %flat {dims = [2, 8]}
  %out2 = reshape @out %z, @in %flat {dims = [4, 4]}
  dealloc @out %flat
}

// A buffer that is written while its other shape is live has its own memory: a
// parameter that ends with another value, a view or a source that changes, an
// output that is written again. So have views of constants, and the next value
// of a parameter, which must not change before the end.
// CHECK-LABEL: @written
// CHECK-NOT:     within
// CHECK:         dealloc
// CHECK-LABEL: @end
glowir.func @written declare {
  %p = binding float<4 x 4>, mutable
  %x = binding float<4 x 4>, mutable
  %q = binding float<4 x 4>, mutable
  %c = binding float<4 x 4>, constant
  %y = binding float<4 x 4>, mutable output
  %z = binding float<4 x 4>, mutable output
  %s = binding float<16>, mutable output
  %t = binding float<16>, mutable output
  %u = binding float<16>, mutable output
  %v = binding float<16>, mutable output
} program {
  %old = alloc float<16>
  %changes = alloc float<16>
  %source = alloc float<16>
  %twice = alloc float<16>
  %known = alloc float<16>
  %next = alloc float<16>
  %1 = reshape @out %old, @in %p {dims = [16]}
  %2 = tanh @out %p, @in %x
  %3 = tanh @out %s, @in %old
  %4 = reshape @out %changes, @in %x {dims = [16]}
  %5 = relu @out %changes, @in %changes
  %6 = tanh @out %t, @in %changes
  %7 = tanh @out %source, @in %t
  %8 = reshape @out %y, @in %source {dims = [4, 4]}
  %9 = relu @out %source, @in %source
  %10 = tanh @out %u, @in %source
  %11 = tanh @out %twice, @in %t
  %12 = reshape @out %z, @in %twice {dims = [4, 4]}
  %13 = relu @out %z, @in %z
  %14 = tanh @out %v, @in %twice
  %15 = reshape @out %known, @in %c {dims = [16]}
  %16 = tanh @out %next, @in %known
  %17 = reshape @out %q, @in %next {dims = [4, 4]}
  dealloc @out %old
  dealloc @out %changes
  dealloc @out %source
  dealloc @out %twice
  dealloc @out %known
  dealloc @out %next
}
glowir.func @end declare {
} program {
}

// Rows of an input, the parts of a split, and an element, which is aligned as
// such; columns are no piece, and neither are rows in the other order.
// CHECK-LABEL: @parts
// CHECK-DAG:     %rows = alloc float<2 x 16> within %x from 64
// CHECK-DAG:     %second = alloc float<1 x 16> within %rows from 64
// CHECK-DAG:     %row = alloc float<16> within %second from 0
// CHECK-DAG:     %one = alloc float<1 x 1> within %x from 132
// CHECK-DAG:     %left = alloc float<1 x 16> within %x from 0
// CHECK-DAG:     %right = alloc float<3 x 16> within %x from 64
// CHECK-DAG:     %columns = alloc float<4 x 2>{{$}}
// CHECK-DAG:     %turned = alloc float<2 x 16>{{$}}
// PLACED-LABEL: @parts
glowir.func @parts declare {
  %x = binding float<4 x 16>, mutable
  %y = binding float<16>, mutable output
  %z = binding float<1 x 1>, mutable output
  %u = binding float<1 x 16>, mutable output
  %v = binding float<3 x 16>, mutable output
  %w = binding float<4 x 2>, mutable output
  %t = binding float<2 x 16>, mutable output
} program {
  %rows = alloc float<2 x 16>
  %row = alloc float<16>
  %one = alloc float<1 x 1>
  %left = alloc float<1 x 16>
  %right = alloc float<3 x 16>
  %columns = alloc float<4 x 2>
  %turned = alloc float<2 x 16>
  %second = alloc float<1 x 16>
  %1 = slice @out %rows, @in %x {starts = [1, 0], steps = [1, 1], sizes = [2, 16]}
  %2 = slice @out %second, @in %rows {starts = [1, 0], steps = [1, 1], sizes = [1, 16]}
  %3 = reshape @out %row, @in %second {dims = [16]}
  %4 = tanh @out %y, @in %row
  %5 = slice @out %one, @in %x {starts = [2, 1], steps = [1, 1], sizes = [1, 1]}
  %6 = tanh @out %z, @in %one
  %7 = split @out [%left, %right], @in %x {axis = 0, sizes = [1, 3]}
  %8 = tanh @out %u, @in %left
  %9 = tanh @out %v, @in %right
  %10 = slice @out %columns, @in %x {starts = [0, 1], steps = [1, 1], sizes = [4, 2]}
  %11 = tanh @out %w, @in %columns
  %12 = slice @out %turned, @in %x {starts = [2, 0], steps = [-1, 1], sizes = [2, 16]}
  %13 = tanh @out %t, @in %turned
  dealloc @out %rows
  dealloc @out %row
  dealloc @out %one
  dealloc @out %left
  dealloc @out %right
  dealloc @out %columns
  dealloc @out %turned
  dealloc @out %second
}
