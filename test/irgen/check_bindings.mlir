// RUN: glow-opt %s --check-bindings --split-input-file --verify-diagnostics

// The bindings of a program must agree with the storage of the module.

glow.placeholder @x input : tensor<2xf32>
glow.placeholder @h between : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glowir.func @right declare {
  %x = binding float<2>, mutable
  %a = binding float<2>, mutable output, "h"
  %y = binding float<2>, mutable output
} program {
  relu @out %a, @in %x
  relu @out %y, @in %a
}
glowir.func @reads_what_is_between declare {
  %h = binding float<2>, mutable
  %y = binding float<2>, mutable output
} program {
  relu @out %y, @in %h
}

// -----

glowir.func @nowhere declare {
  // expected-error@+1 {{binding 'x' stands for 'x', which is no storage of the module [binding-is-storage]}}
  %x = binding float<2>, mutable
} program {
}

// -----

glow.placeholder @x input : tensor<2xf32>
glowir.func @larger declare {
  // expected-error@+1 {{binding 'x' is of type tensor<3xf32>, but 'x' is of tensor<2xf32>}}
  %x = binding float<3>, mutable
} program {
}

// -----

glow.placeholder @x input : tensor<2xf32>
glowir.func @input_as_result declare {
  // expected-error@+1 {{binding 'x' has no value before the program writes it, but 'x' is input}}
  %x = binding float<2>, mutable output
} program {
}

// -----

glow.placeholder @y output : tensor<2xf32>
glowir.func @output_as_input declare {
  // expected-error@+1 {{binding 'y' has a value when the program begins, but 'y' is output}}
  %y = binding float<2>, mutable
} program {
}

// -----

glow.constant @w = dense<0.0> : tensor<2xf32>
glowir.func @constant_is_mutable declare {
  // expected-error@+1 {{binding 'w' is mutable, but 'w' is constant}}
  %w = binding float<2>, mutable
} program {
}

// -----

glow.placeholder @x input : tensor<2xf32>
glowir.func @twice declare {
  %x = binding float<2>, mutable
  // expected-error@+1 {{binding 'a' stands for 'x', as another binding does}}
  %a = binding float<2>, mutable, "x"
} program {
}
