// RUN: glow-opt %s --share-buffers | FileCheck %s

// Each is the last to read its input, and may write over it.
// CHECK-LABEL: @chain
// CHECK:         %a = alloc float<4 x 4>
// CHECK-NOT:     alloc
// CHECK:         matmul @out %a, @in %x, @in %x
// CHECK-NEXT:    relu @out %a, @in %a
// CHECK-NEXT:    add @out %a, @in %x, @in %a
// CHECK-NEXT:    matmul @out %y, @in %a, @in %x
// CHECK-NEXT:    dealloc @out %a
// CHECK-NOT:     dealloc
glowir.func @chain declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
} program {
  %a = alloc float<4 x 4>
  %b = alloc float<4 x 4>
  %c = alloc float<4 x 4>
  %product = matmul @out %a, @in %x, @in %x
  %act = relu @out %b, @in %a
  dealloc @out %a
  %sum = add @out %c, @in %x, @in %b
  dealloc @out %b
  %last = matmul @out %y, @in %c, @in %x
  dealloc @out %c
}

// Of another shape it stays a buffer, which may have the same memory.
// CHECK-LABEL: @other_shape
// CHECK:         %a = alloc float<4 x 4>
// CHECK-NEXT:    relu @out %a, @in %x
// CHECK-NEXT:    %b = alloc float<16> reuse %a
// CHECK-NEXT:    reshape @out %b, @in %a {dims = [16]}
// CHECK-NEXT:    dealloc @out %a
// CHECK-NEXT:    relu @out %y, @in %b
// CHECK-NEXT:    dealloc @out %b
glowir.func @other_shape declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<16>, mutable output
} program {
  %b = alloc float<16>
  %a = alloc float<4 x 4>
  %act = relu @out %a, @in %x
  %flat = reshape @out %b, @in %a {dims = [16]}
  %last = relu @out %y, @in %b
  dealloc @out %b
  dealloc @out %a
}

// %a is read again; a matmul needs its factors to the end; a binding is no one's
// to write over.
// CHECK-LABEL: @none_to_share
// CHECK:         relu @out %b, @in %a
// CHECK-NEXT:    matmul @out %c, @in %a, @in %b
// CHECK-NEXT:    relu @out %d, @in %x
// CHECK-NEXT:    matmul @out %y, @in %c, @in %d
glowir.func @none_to_share declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
} program {
  %a = alloc float<4 x 4>
  %b = alloc float<4 x 4>
  %c = alloc float<4 x 4>
  %d = alloc float<4 x 4>
  %first = matmul @out %a, @in %x, @in %x
  %second = relu @out %b, @in %a
  %third = matmul @out %c, @in %a, @in %b
  %fourth = relu @out %d, @in %x
  %fifth = matmul @out %y, @in %c, @in %d
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
  dealloc @out %d
}

// Memory that is a part of another's is not written over, nor is the whole.
// CHECK-LABEL: @part
// CHECK:         tanh @out %t, @in %a
// CHECK:         relu @out %d, @in %c
glowir.func @part declare {
  %x = binding float<1 x 16>, mutable
  %y = binding float<2 x 16>, mutable output
  %z = binding float<1 x 16>, mutable output
} program {
  %c = alloc float<2 x 16>
  %a = alloc float<1 x 16> within %c from 0
  %t = alloc float<1 x 16>
  %d = alloc float<2 x 16>
  %first = relu @out %a, @in %x
  %join = concat @out %c, @in [%a, %x] {axis = 0}
  %third = tanh @out %t, @in %a
  %second = relu @out %d, @in %c
  %fourth = add @out %z, @in %t, @in %x
  %last = tanh @out %y, @in %d
  dealloc @out %a
  dealloc @out %t
  dealloc @out %c
  dealloc @out %d
}
