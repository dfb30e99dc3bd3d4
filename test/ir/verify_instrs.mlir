// RUN: glow-opt %s --split-input-file --verify-diagnostics

// The buffers and attributes of an instruction are what the signature of its node
// says of tensors and attributes; a kernel relies on it.

glowir.func @result_of_another_size declare {
  %x = binding float<2 x 3>, mutable
  %y = binding float<2 x 4>, mutable output
} program {
  // expected-error@+1 {{result 0 is of type 'tensor<2x4xf32>', but its operands give 'tensor<2x3xf32>'}}
  relu @out %y, @in %x
}

// -----

glowir.func @result_of_another_kind declare {
  %x = binding float<2 x 3>, mutable
  %y = binding i8<2 x 3>, mutable output
} program {
  // expected-error@+1 {{result 0 is of type 'tensor<2x3xi8>', but its operands give 'tensor<2x3xf32>'}}
  relu @out %y, @in %x
}

// -----

glowir.func @operands_disagree declare {
  %x = binding float<2 x 3>, mutable
  %w = binding float<4 x 5>, constant
  %y = binding float<2 x 5>, mutable output
} program {
  // expected-error@+1 {{operand 'rhs' dimension 0 is 4, but k is 3}}
  matmul @out %y, @in %x, @in %w
}

// -----

glowir.func @kind_that_the_node_has_not declare {
  %c = binding float<4>, mutable
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  // expected-error@+1 {{operand 'condition' has element kind f32, but must have bool}}
  select @out %y, @in %c, @in %x, @in %x
}

// -----

glowir.func @axis_that_is_none declare {
  %x = binding float<2 x 3>, mutable
  %y = binding float<2 x 6>, mutable output
} program {
  // expected-error@+1 {{operand 'ins' 0 has rank 2, so that axis 4294967296 is out of range}}
  concat @out %y, @in [%x, %x] {axis = 4294967296}
}

// -----

glowir.func @number_of_results declare {
  %x = binding float<2 x 6>, mutable
  %y = binding float<2 x 3>, mutable output
} program {
  // expected-error@+1 {{has 1 results, but its operands give 2}}
  split @out [%y], @in %x {axis = 1, sizes = [3, 3]}
}

// -----

glowir.func @kind_of_an_attribute declare {
  %x = binding float<4>, mutable
  %y = binding i32<4>, mutable output
} program {
  // expected-error@+1 {{attribute 'kind' failed to satisfy constraint: an element kind}}
  cast @out %y, @in %x {kind = i7}
}

// -----

// The node of a backend: the operands of its formula, and the formula itself.
glowir.func @repeated declare {
  %x = binding float<2 x 3>, mutable
  %b = binding float<3 x 1>, mutable
  %y = binding float<2 x 3>, mutable output
} program {
  // expected-error@+1 {{'add(x0, x1)' is no formula of 2 operands, of elementwise nodes that broadcast these to [2, 3] or of index notation that writes each element of f32 once [formula-holds]}}
  cpu_fused_loops @out %y, @in [%x, %b], @in [] {shape = [2, 3], formula = "add(x0, x1)", kind = f32}
}

// -----

glowir.func @formula_of_others declare {
  %x = binding float<2 x 3>, mutable
  %y = binding float<2 x 3>, mutable output
} program {
  // expected-error@+1 {{'add(x0, x1)' is no formula of 1 operands, of elementwise nodes that broadcast these to [2, 3]}}
  cpu_fused_loops @out %y, @in [%x], @in [] {shape = [2, 3], formula = "add(x0, x1)", kind = f32}
}

// -----

glowir.func @formula_of_a_node_that_is_none declare {
  %x = binding float<2 x 3>, mutable
  %y = binding float<2 x 3>, mutable output
} program {
  // expected-error@+1 {{[formula-holds]}}
  cpu_fused_loops @out %y, @in [%x], @in [] {shape = [2, 3], formula = "transpose(x0, 1)", kind = f32}
}

// -----

glowir.func @as_it_should_be declare {
  %x = binding float<2 x 3>, mutable
  %b = binding float<3>, mutable
  %y = binding float<2 x 3>, mutable output
} program {
  cpu_fused_loops @out %y, @in [%x, %b], @in [] {shape = [2, 3], formula = "greater(x0, 0); select(t0, x0, x1)", kind = f32}
}

// -----

glowir.func @scratch_of_another_size declare {
  %x = binding float<3 x 3>, mutable
  %m = binding double<2 x 3>, mutable
  %y = binding float<>, mutable output
} program {
  // expected-error@+1 {{scratch 'matrix' is of type 'tensor<2x3xf64>', but its operands ask for 'tensor<3x3xf64>'}}
  determinant @out %y, @in %x, @scratch %m
}

// -----

glowir.func @scratch_by_another_word declare {
  %x = binding float<3 x 3>, mutable
  %m = binding double<3 x 3>, mutable
  %y = binding float<>, mutable output
} program {
  // expected-error@+1 {{operand 'matrix' of 'determinant' is @scratch, found @out}}
  determinant @out %y, @in %x, @out %m
}
