// RUN: glow-opt %s --split-input-file --verify-diagnostics --check-graph

glow.func @unknown_storage {
  // expected-error@+1 {{no storage of the module is named @x}}
  %x = glow.read @x : tensor<2xf32>
}

// -----

glow.placeholder @x input : tensor<2xf32>
glow.func @other_type {
  // expected-error@+1 {{is of type 'tensor<3xf32>', but @x is of 'tensor<2xf32>'}}
  %x = glow.read @x : tensor<3xf32>
}

// -----

glow.constant @c = dense<1.0> : tensor<2xf32>
glow.func @constant_is_not_written {
  %c = glow.read @c : tensor<2xf32>
  // expected-error@+1 {{writes the constant @c}}
  glow.save %c, @c : tensor<2xf32>
}

// -----

// expected-error@+1 {{role is 'both', but must be input or output or state or between}}
glow.placeholder @x both : tensor<2xf32>

// -----

// expected-error@+1 {{is not a tensor of static shape with a known element kind}}
"glow.placeholder"() <{sym_name = "x", role = "input", type = tensor<?xf32>}> : () -> ()
