// RUN: glow-opt %s --split-input-file --verify-diagnostics

// Errors that the text's parser cannot see, or that other forms let through.

glowir.func @constant_is_written declare {
  %x = binding float<4>, mutable
  %w = binding float<4>, constant
} program {
  // expected-error@+1 {{writes 'w', which is constant}}
  %a = relu @out %w, @in %x
}

// -----

glowir.func @weight_is_freed declare {
  %x = binding float<4>, mutable
} program {
  // expected-error@+1 {{frees 'x', which is a binding}}
  dealloc @out %x
}

// -----

glowir.func @sizes_differ declare {
} program {
  %a = alloc float<4>
  // expected-error@+1 {{of 20 bytes reuses 'a' of 16 bytes; both should be as large and in the same memory}}
  %b = alloc float<5> reuse %a
}

// -----

glowir.func @sizes_agree declare {
} program {
  %a = alloc float<4>
  %b = alloc i32<2 x 2> reuse %a
}

// -----

glowir.func @below_the_arena declare {
} program {
  // expected-error@+1 {{is at -64, but should be at 0 or more}}
  %a = alloc float<4> at -64
}

// -----

glowir.func @copy_of_another_type declare {
  %x = binding float<4>, mutable
  %y = binding float<2>, mutable output
} program {
  // expected-error@+1 {{operand 'dest' has sizes [2], but s is [4]}}
  %a = copy @out %y, @in %x
}

// -----

glowir.func @copy_of_another_kind declare {
  %x = binding float<4>, mutable
  %y = binding i32<4>, mutable output
} program {
  // expected-error@+1 {{the source is of f32, the destination of i32 [kinds-agree]}}
  %a = copy @out %y, @in %x
}

// -----

// expected-error@+1 {{has 1 bindings, but names 0 storages and 1 kinds}}
"glowir.func"() <{sym_name = "no_storage", storage = [], kinds = ["constant"]}> ({
^bb0(%x: !glowir.buf<4xf32>):
}) : () -> ()

// -----

// expected-error@+1 {{has a binding of kind "const", but should have constant, mutable or output ones}}
"glowir.func"() <{sym_name = "kind", storage = [@x], kinds = ["const"]}> ({
^bb0(%x: !glowir.buf<4xf32>):
}) : () -> ()

// -----

// expected-error@+1 {{has a binding of type 'tensor<4xf32>', but should have buffers}}
"glowir.func"() <{sym_name = "type", storage = [@x], kinds = ["constant"]}> ({
^bb0(%x: tensor<4xf32>):
}) : () -> ()

// -----

"glowir.func"() <{sym_name = "no_instruction", storage = [], kinds = []}> ({
  // expected-error@+1 {{is no instruction, but stands in 'no_instruction'}}
  %0 = "builtin.unrealized_conversion_cast"() : () -> i32
}) : () -> ()

// -----

glowir.func @part_too_long declare {
} program {
  %c = alloc float<8>
  // expected-error@+1 {{of 16 bytes lies within 'c' of 32 bytes from 20 on; it should end there, and be in the same memory}}
  %a = alloc float<4> within %c from 20
}

// -----

glowir.func @part_elsewhere declare {
} program {
  %c = alloc float<8, local>
  // expected-error@+1 {{of 16 bytes lies within 'c' of 32 bytes from 0 on; it should end there, and be in the same memory}}
  %a = alloc float<4> within %c from 0
}

// -----

glowir.func @part_before declare {
} program {
  %c = alloc float<8>
  // expected-error@+1 {{lies within 'c' of 32 bytes from -16 on}}
  %a = alloc float<4> within %c from -16
}

// -----

glowir.func @part_of_weight declare {
  %x = binding float<4>, constant
} program {
  // expected-error@+1 {{lies within 'x', which is constant}}
  %a = alloc float<4> within %x from 0
}

// -----

glowir.func @part_without_place declare {
} program {
  %c = alloc float<8>
  // expected-error@+1 {{lies within 'c', but does not say from which byte}}
  %a = alloc float<4> within %c
}

// -----

glowir.func @place_without_whole declare {
} program {
  // expected-error@+1 {{begins at a byte of no other buffer; it should say within which}}
  %a = alloc float<4> from 16
}

// -----

glowir.func @part_and_reuse declare {
} program {
  %c = alloc float<4>
  // expected-error@+1 {{reuses a buffer and lies within one; it should do one of both}}
  %a = alloc float<4> reuse %c within %c from 0
}
