// RUN: glow-opt %s --eliminate-copies | FileCheck %s

// A reader of a copy's target may read the copy's source.
// CHECK-LABEL: @readers_take_source
// CHECK-NOT:     alloc
// CHECK-NOT:     copy
// CHECK:         relu @out %y, @in %x
glowir.func @readers_take_source declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = alloc float<4>
  %copied = copy @out %a, @in %x
  %act = relu @out %y, @in %a
  dealloc @out %a
}

// The writer of the source may write the output at once; the other reader of
// the source reads the output instead.
// CHECK-LABEL: @writers_take_output
// CHECK:         %a = alloc
// CHECK-NOT:     alloc
// CHECK:         matmul @out %y, @in %x, @in %x
// CHECK-NOT:     copy
// CHECK:         relu @out %a, @in %y
// CHECK-NEXT:    add @out %z, @in %a, @in %y
// CHECK-NEXT:    dealloc @out %a
// CHECK-NOT:     dealloc
glowir.func @writers_take_output declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
  %z = binding float<4 x 4>, mutable output
} program {
  %a = alloc float<4 x 4>
  %b = alloc float<4 x 4>
  %product = matmul @out %b, @in %x, @in %x
  %saved = copy @out %y, @in %b
  %act = relu @out %a, @in %b
  %sum = add @out %z, @in %a, @in %b
  dealloc @out %a
  dealloc @out %b
}

// A copy that goes on to change is the buffer itself, if that ends.
// CHECK-LABEL: @source_ends
// CHECK:         %a = alloc
// CHECK-NEXT:    relu @out %a, @in %x
// CHECK-NEXT:    add @out %a, @in %a, @in %x
// CHECK-NEXT:    relu @out %y, @in %a
// CHECK-NEXT:    dealloc @out %a
// CHECK-NOT:     dealloc
glowir.func @source_ends declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = alloc float<4>
  %b = alloc float<4>
  %first = relu @out %a, @in %x
  %copied = copy @out %b, @in %a
  dealloc @out %a
  %second = add @out %b, @in %b, @in %x
  %last = relu @out %y, @in %b
  dealloc @out %b
}

// A chain of copies leaves none.
// CHECK-LABEL: @chain
// CHECK:         relu @out %y, @in %x
// CHECK-NOT:     copy
// CHECK-NOT:     dealloc
// CHECK:       }
glowir.func @chain declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = alloc float<4>
  %b = alloc float<4>
  %c = alloc float<4>
  %first = copy @out %a, @in %x
  %act = relu @out %b, @in %a
  %second = copy @out %c, @in %b
  %third = copy @out %y, @in %c
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
}

// The source changes while the copy is in use: both are needed.
// CHECK-LABEL: @source_changes
// CHECK:         copy @out %a, @in %state
// CHECK-NEXT:    relu @out %state, @in %x
// CHECK-NEXT:    relu @out %y, @in %a
glowir.func @source_changes declare {
  %x = binding float<4>, mutable
  %state = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = alloc float<4>
  %old = copy @out %a, @in %state
  %new = relu @out %state, @in %x
  %act = relu @out %y, @in %a
  dealloc @out %a
}

// To write the state early would take its old value from the last reader.
// CHECK-LABEL: @target_is_still_read
// CHECK:         matmul @out %a, @in %x, @in %state
// CHECK-NEXT:    relu @out %y, @in %state
// CHECK-NEXT:    copy @out %state, @in %a
glowir.func @target_is_still_read declare {
  %x = binding float<4 x 4>, mutable
  %state = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
} program {
  %a = alloc float<4 x 4>
  %product = matmul @out %a, @in %x, @in %state
  %act = relu @out %y, @in %state
  %new = copy @out %state, @in %a
  dealloc @out %a
}

// From binding to binding only a copy leads.
// CHECK-LABEL: @needed
// CHECK:         copy @out %y, @in %x
glowir.func @needed declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %saved = copy @out %y, @in %x
}
