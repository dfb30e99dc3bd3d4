// RUN: glow-opt %s --split-input-file --verify-diagnostics

glowir.func @misspelt_instruction declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  // expected-error@+1 {{no instruction is named 'rellu', did you mean 'relu'}}
  %a = rellu @out %y, @in %x
}

// -----

glowir.func @no_such_instruction declare {
  %y = binding float<4>, mutable output
} program {
  // expected-error@+1 {{no instruction is named 'xyzzyplugh'}}
  %a = xyzzyplugh @out %y
}

// -----

glowir.func @wrong_qualifier declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
} program {
  // expected-error@+1 {{operand 'lhs' of 'matmul' is @in, found @out}}
  %a = matmul @out %y, @out %x, @in %x
}

// -----

glowir.func @too_few_operands declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<4 x 4>, mutable output
} program {
  // expected-error@+1 {{'matmul' takes 3 operands, found 2: @in 'rhs' is missing}}
  %a = matmul @out %y, @in %x
}

// -----

glowir.func @result_forgotten declare {
  %x = binding float<4 x 4>, mutable
} program {
  // expected-error@+1 {{'matmul' takes 3 operands, found 2: @out 'out' is missing}}
  %a = matmul @in %x, @in %x
}

// -----

glowir.func @too_many_operands declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  // expected-error@+1 {{'relu' takes 2 operands, found 3: the last is 'x'}}
  %a = relu @out %y, @in %x, @in %x
}

// -----

glowir.func @list_for_one declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  // expected-error@+1 {{operand 'x' of 'relu' is one buffer, found a list}}
  %a = relu @out %y, @in [%x]
}

// -----

glowir.func @none_for_one declare {
  %y = binding float<4>, mutable output
} program {
  // expected-error@+1 {{operand 'x' of 'relu' is one buffer, found none}}
  %a = relu @out %y, @in none
}

// -----

glowir.func @one_for_list declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  // expected-error@+1 {{operand 'ins' of 'concat' is a list, such as [%a, %b], found one buffer}}
  %a = concat @out %y, @in %x {axis = 0}
}

// -----

glowir.func @undeclared declare {
  %input = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  // expected-error@+1 {{no buffer is named '%inputs', did you mean '%input'}}
  %a = relu @out %y, @in %inputs
}

// -----

glowir.func @instruction_for_buffer declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %a = relu @out %y, @in %x
  // expected-error@+1 {{'%a' is an instruction, but should be a buffer}}
  %b = relu @out %y, @in %a
}

// -----

glowir.func @defined_twice declare {
  // expected-note@+1 {{it is defined here}}
  %x = binding float<4>, mutable
} program {
  // expected-error@+1 {{'%x' is defined already}}
  %x = alloc float<4>
}

// -----

glowir.func @used_after_dealloc declare {
  %x = binding float<4>, mutable
} program {
  %a = alloc float<4>
  // expected-note@+1 {{its dealloc is here}}
  dealloc @out %a
  // expected-error@+1 {{'%a' is used after its dealloc}}
  %relu = relu @out %a, @in %x
}

// -----

glowir.func @weight_kind declare {
  // expected-error@+1 {{a binding is 'const', but should be constant or mutable}}
  %x = binding float<4>, const
} program {
}

// -----

glowir.func @unnamed_alloc declare {
} program {
  // expected-error@+1 {{alloc has no name; it should be '%name = alloc ...'}}
  alloc float<4>
}

// -----

glowir.func @misspelt_attribute declare {
  %x = binding float<4>, mutable
  %y = binding float<8>, mutable output
} program {
  // expected-error@+1 {{'concat' has no attribute 'axes', did you mean 'axis'}}
  %a = concat @out %y, @in [%x, %x] {axes = 0}
}

// -----

glowir.func @missing_attribute declare {
  %x = binding float<4>, mutable
  %y = binding float<8>, mutable output
} program {
  // expected-error@+1 {{'concat' needs the attribute 'axis', an integer}}
  %a = concat @out %y, @in [%x, %x]
}

// -----

glowir.func @mistyped_attribute declare {
  %x = binding float<4>, mutable
  %y = binding float<8>, mutable output
} program {
  // expected-error@+1 {{attribute 'axis' of 'concat' is [0, 1], but should be an integer}}
  %a = concat @out %y, @in [%x, %x] {axis = [0, 1]}
}

// -----

glowir.func @repeated_attribute declare {
  %x = binding float<4>, mutable
  %y = binding float<8>, mutable output
} program {
  // expected-error@+1 {{attribute 'axis' of 'concat' is given twice}}
  %a = concat @out %y, @in [%x, %x] {axis = 0, axis = 0}
}
