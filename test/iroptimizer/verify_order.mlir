// RUN: glow-opt %s --split-input-file --verify-diagnostics --verify-order

glowir.func @in_order declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = alloc float<4>
  %act = relu @out %a, @in %x
  %twice = add @out %a, @in %a, @in %a
  %last = relu @out %y, @in %a
  dealloc @out %a
}

// -----

glowir.func @read_before_write declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = alloc float<4>
  // expected-error@+1 {{reads 'a', which no instruction before it writes [read-follows-write]}}
  %sum = add @out %y, @in %x, @in %a
  dealloc @out %a
}

// -----

glowir.func @output_is_read_first declare {
  %y = binding float<4>, mutable output
} program {
  // expected-error@+1 {{reads 'y', which no instruction before it writes [read-follows-write]}}
  %act = relu @out %y, @in %y
}

// -----

glowir.func @output_not_written declare {
  %x = binding float<4>, mutable
  // expected-error@+1 {{no instruction writes the output 'y' [output-is-written]}}
  %y = binding float<4>, mutable output
} program {
}

// -----

glowir.func @no_dealloc declare {
} program {
  // expected-error@+1 {{of 'a' has no dealloc, but should have one [dealloc-once]}}
  %a = alloc float<4>
}

// -----

// The text refuses these two; other forms of the program do not.
"glowir.func"() <{sym_name = "second_dealloc", storage = [], kinds = []}> ({
  %a = "glowir.alloc"() : () -> !glowir.buf<4xf32> loc("a")
  // expected-note@+1 {{its dealloc is here}}
  "glowir.dealloc"(%a) : (!glowir.buf<4xf32>) -> ()
  // expected-error@+1 {{frees 'a' a second time [dealloc-once]}}
  "glowir.dealloc"(%a) : (!glowir.buf<4xf32>) -> ()
}) : () -> ()

// -----

"glowir.func"() <{sym_name = "use_after_dealloc", storage = [@x],
                  kinds = ["mutable"]}> ({
^bb0(%x: !glowir.buf<4xf32>):
  %a = "glowir.alloc"() : () -> !glowir.buf<4xf32> loc("a")
  // expected-note@+1 {{its dealloc is here}}
  "glowir.dealloc"(%a) : (!glowir.buf<4xf32>) -> ()
  // expected-error@+1 {{uses 'a' after its dealloc [no-use-after-dealloc]}}
  "glowir.relu"(%a, %x) : (!glowir.buf<4xf32>, !glowir.buf<4xf32>) -> ()
}) : () -> ()

// -----

glowir.func @product_over_its_factor declare {
  %x = binding float<4 x 4>, mutable
} program {
  %a = alloc float<4 x 4>
  %first = matmul @out %a, @in %x, @in %x
  // expected-error@+1 {{has 'a' for two operands, one of which it writes; they should be different buffers [result-stands-alone]}}
  %second = matmul @out %a, @in %a, @in %x
  dealloc @out %a
}
