// RUN: glow-opt %s --split-input-file --verify-diagnostics

// Found and expected values, in the words of the record.

func.func @inner_sizes(%a: tensor<2x3xf32>, %b: tensor<5x4xf32>) {
  // expected-error@+1 {{operand 'rhs' dimension 0 is 5, but k is 3}}
  %0 = glow.matmul %a, %b : (tensor<2x3xf32>, tensor<5x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @element_kinds(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{operand 'rhs' has element kind i32, but T is f32}}
  %0 = glow.add %a, %b : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @kind_of_the_record(%a: tensor<2xi32>) {
  // expected-error@+1 {{operand 'x' has element kind i32, but must have one of f32, f16, bf16, f64}}
  %0 = glow.exp %a : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @result(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@+1 {{result 0 is of type 'tensor<2x5xf32>', but its operands give 'tensor<2x4xf32>'}}
  %0 = glow.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @axis_far_away(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{shape [2, 3] does not broadcast to [4, 2, 3] at axis 9223372036854775807 [broadcasts]}}
  %0 = glow.broadcast %a dims [4, 2, 3] axis 9223372036854775807 : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  return
}

// -----

func.func @nearest_right_one(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = glow.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
