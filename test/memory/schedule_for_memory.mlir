// RUN: glow-opt %s --schedule-for-memory | FileCheck %s

// Each product is 16 times its factors: one branch should be done with before
// the other begins.
// CHECK-LABEL: @two_branches
// CHECK:         %a = alloc
// CHECK-NEXT:    %wide1 = matmul @out %a, @in %tall, @in %flat
// CHECK-NEXT:    %c = alloc
// CHECK-NEXT:    %narrow1 = matmul @out %c, @in %a, @in %tall
// CHECK-NEXT:    dealloc @out %a
// CHECK-NEXT:    %b = alloc
// CHECK-NEXT:    %wide2 = matmul @out %b, @in %tall, @in %flat
// CHECK-NEXT:    %d = alloc
// CHECK-NEXT:    %narrow2 = matmul @out %d, @in %b, @in %tall
// CHECK-NEXT:    dealloc @out %b
// CHECK-NEXT:    %sum = add @out %y, @in %c, @in %d
glowir.func @two_branches declare {
  %tall = binding float<64 x 4>, mutable
  %flat = binding float<4 x 64>, mutable
  %y = binding float<64 x 4>, mutable output
} program {
  %a = alloc float<64 x 64>
  %wide1 = matmul @out %a, @in %tall, @in %flat
  %b = alloc float<64 x 64>
  %wide2 = matmul @out %b, @in %tall, @in %flat
  %c = alloc float<64 x 4>
  %narrow1 = matmul @out %c, @in %a, @in %tall
  dealloc @out %a
  %d = alloc float<64 x 4>
  %narrow2 = matmul @out %d, @in %b, @in %tall
  dealloc @out %b
  %sum = add @out %y, @in %c, @in %d
  dealloc @out %d
  dealloc @out %c
}

// With %narrow first, %a and %b would not be in use at once; but %old reads the
// state that %narrow writes.
// CHECK-LABEL: @write_after_read
// CHECK:         %old = matmul @out %a, @in %state, @in %flat
// CHECK:         %narrow = matmul @out %state, @in %b, @in %x
// CHECK:         %last = matmul @out %y, @in %a, @in %state
glowir.func @write_after_read declare {
  %state = binding float<64 x 4>, mutable
  %x = binding float<64 x 4>, mutable
  %flat = binding float<4 x 64>, mutable
  %y = binding float<64 x 4>, mutable output
} program {
  %a = alloc float<64 x 64>
  %b = alloc float<64 x 64>
  %old = matmul @out %a, @in %state, @in %flat
  %wide = matmul @out %b, @in %x, @in %flat
  %narrow = matmul @out %state, @in %b, @in %x
  %last = matmul @out %y, @in %a, @in %state
  dealloc @out %a
  dealloc @out %b
}

// No order is better than this one, which stays to the last dealloc.
// CHECK-LABEL: @as_it_is
// CHECK:       program {
// CHECK-NEXT:    %b = alloc
// CHECK-NEXT:    %a = alloc
// CHECK-NEXT:    %first = relu @out %a, @in %x
// CHECK-NEXT:    %second = relu @out %b, @in %a
// CHECK-NEXT:    %third = relu @out %y, @in %b
// CHECK-NEXT:    dealloc @out %a
// CHECK-NEXT:    dealloc @out %b
glowir.func @as_it_is declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %b = alloc float<4>
  %a = alloc float<4>
  %first = relu @out %a, @in %x
  %second = relu @out %b, @in %a
  %third = relu @out %y, @in %b
  dealloc @out %a
  dealloc @out %b
}
