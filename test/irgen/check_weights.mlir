// RUN: glow-opt %s --check-weights --split-input-file --verify-diagnostics

// What binds a program goes by the storage of the module.

glow.placeholder @x input : tensor<2xf32>
glow.placeholder @h between : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glowir.func @right declare {
  %x = weight float<2>, mutable
  %a = weight float<2>, mutable output, "h"
  %y = weight float<2>, mutable output
} program {
  relu @out %a, @in %x
  relu @out %y, @in %a
}
glowir.func @reads_what_is_between declare {
  %h = weight float<2>, mutable
  %y = weight float<2>, mutable output
} program {
  relu @out %y, @in %h
}

// -----

glowir.func @nowhere declare {
  // expected-error@+1 {{weight 'x' stands for 'x', which is no storage of the module [weight-is-storage]}}
  %x = weight float<2>, mutable
} program {
}

// -----

glow.placeholder @x input : tensor<2xf32>
glowir.func @larger declare {
  // expected-error@+1 {{weight 'x' is of type tensor<3xf32>, but 'x' is of tensor<2xf32>}}
  %x = weight float<3>, mutable
} program {
}

// -----

glow.placeholder @x input : tensor<2xf32>
glowir.func @input_as_result declare {
  // expected-error@+1 {{weight 'x' has no value before the program writes it, but 'x' is input}}
  %x = weight float<2>, mutable output
} program {
}

// -----

glow.placeholder @y output : tensor<2xf32>
glowir.func @output_as_input declare {
  // expected-error@+1 {{weight 'y' has a value when the program begins, but 'y' is output}}
  %y = weight float<2>, mutable
} program {
}

// -----

glow.constant @w = dense<0.0> : tensor<2xf32>
glowir.func @constant_is_mutable declare {
  // expected-error@+1 {{weight 'w' is mutable, but 'w' is constant}}
  %w = weight float<2>, mutable
} program {
}

// -----

glow.placeholder @x input : tensor<2xf32>
glowir.func @twice declare {
  %x = weight float<2>, mutable
  // expected-error@+1 {{weight 'a' stands for 'x', as another weight does}}
  %a = weight float<2>, mutable, "x"
} program {
}
