// RUN: glow-opt %s --eliminate-dead-stores | FileCheck %s

// Nothing reads %b, then nothing reads %a, then nothing touches either.
// CHECK-LABEL: @unread_chain
// CHECK:       program {
// CHECK-NEXT:    %last = relu @out %y, @in %x
// CHECK-NEXT:  }
glowir.func @unread_chain declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = alloc float<4>
  %b = alloc float<4>
  %first = relu @out %a, @in %x
  %second = relu @out %b, @in %a
  %last = relu @out %y, @in %x
  dealloc @out %a
  dealloc @out %b
}

// The first value of the output is gone before it is read.
// CHECK-LABEL: @overwritten
// CHECK-NOT:     matmul
// CHECK:         %second = relu @out %y, @in %x
glowir.func @overwritten declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
} program {
  %first = matmul @out %y, @in %x, @in %x
  %second = relu @out %y, @in %x
}

// The caller reads every binding in the end, and %b reads the value of %a that
// is overwritten later.
// CHECK-LABEL: @awaited
// CHECK:         %first = relu @out %a, @in %x
// CHECK-NEXT:    %second = matmul @out %b, @in %a, @in %x
// CHECK-NEXT:    %third = relu @out %a, @in %x
// CHECK-NEXT:    %state = add @out %x, @in %a, @in %b
glowir.func @awaited declare {
  %x = binding float<4 x 4>, mutable
} program {
  %a = alloc float<4 x 4>
  %b = alloc float<4 x 4>
  %first = relu @out %a, @in %x
  %second = matmul @out %b, @in %a, @in %x
  %third = relu @out %a, @in %x
  %state = add @out %x, @in %a, @in %b
  dealloc @out %a
  dealloc @out %b
}
