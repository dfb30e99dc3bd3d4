// RUN: glow-opt %s --split-input-file --verify-diagnostics | FileCheck %s
// A formula is parsed once, with its node: an error has its position.

// CHECK-LABEL: glow.func @reads
// CHECK: glow.cpu_fused_loops {{.*}}formula "add(x0, x1); relu(t0)"
glow.placeholder @x input : tensor<2x3xf32>
glow.func @reads {
  %x = glow.read @x : tensor<2x3xf32>
  %y = "glow.cpu_fused_loops"(%x, %x) {shape = array<i64: 2, 3>, formula = #glow.formula<"add(x0, x1); relu(t0)">, kind = f32, operandSegmentSizes = array<i32: 2, 0>}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

// Lists, texts and operands that are absent are arguments of index notation.
// CHECK-LABEL: glow.func @lists
// CHECK: glow.cpu_fused_loops {{.*}}formula "pad(x0, [1, 0], [0, 2], 0.5); relu(t0)"
glow.placeholder @x input : tensor<2x3xf32>
glow.func @lists {
  %x = glow.read @x : tensor<2x3xf32>
  %y = "glow.cpu_fused_loops"(%x) {shape = array<i64: 3, 5>, formula = #glow.formula<"pad(x0, [1, 0], [0, 2], 0.5); relu(t0)">, kind = f32, operandSegmentSizes = array<i32: 1, 0>}
      : (tensor<2x3xf32>) -> tensor<3x5xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.func @is_no_list {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{formula 'pad(x0, [1, y], [0, 2], 0.5)', character 14: 'y' is no number}}
  %y = glow.cpu_fused_loops [%x] shape [3, 5] formula "pad(x0, [1, y], [0, 2], 0.5)" kind f32 : (tensor<2x3xf32>) -> tensor<3x5xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.func @text_is_open {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{formula 'pad(x0, 'edge)', character 10: expected a quote}}
  %y = glow.cpu_fused_loops [%x] shape [3, 5] formula "pad(x0, 'edge)" kind f32 : (tensor<2x3xf32>) -> tensor<3x5xf32>
}

// -----

// A list is missing.
glow.placeholder @x input : tensor<2x3xf32>
glow.func @takes_others {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{[formula-holds]}}
  %y = glow.cpu_fused_loops [%x] shape [3, 5] formula "pad(x0, [1, 0], 0.5)" kind f32 : (tensor<2x3xf32>) -> tensor<3x5xf32>
}

// -----

// A text stands for a number.
glow.placeholder @x input : tensor<2x3xf32>
glow.func @takes_another_form {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{[formula-holds]}}
  %y = glow.cpu_fused_loops [%x] shape [3, 5] formula "pad(x0, [1, 0], [0, 2], 'edge')" kind f32 : (tensor<2x3xf32>) -> tensor<3x5xf32>
}

// -----

// The result of a call is read in another place.
glow.placeholder @x input : tensor<3x3xf32>
glow.func @reads_elsewhere {
  %x = glow.read @x : tensor<3x3xf32>
  // expected-error@+1 {{'relu(x0); transpose(t0, [1, 0])' is no formula of 1 operands, of elementwise nodes that broadcast these to [3, 3] or of index notation that writes each element of f32 once [formula-holds]}}
  %y = glow.cpu_fused_loops [%x] shape [3, 3] formula "relu(x0); transpose(t0, [1, 0])" kind f32 : (tensor<3x3xf32>) -> tensor<3x3xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.func @is_open {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{formula 'add(x0, x1', character 11: expected ')'}}
  %y = "glow.cpu_fused_loops"(%x, %x) {shape = array<i64: 2, 3>, formula = #glow.formula<"add(x0, x1">, kind = f32, operandSegmentSizes = array<i32: 2, 0>}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.func @is_a_text {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{attribute 'formula' failed to satisfy constraint: a formula}}
  %y = "glow.cpu_fused_loops"(%x, %x) {shape = array<i64: 2, 3>, formula = "add(x0, x1)", kind = f32, operandSegmentSizes = array<i32: 2, 0>}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

glowir.func @result_that_is_not_there declare {
  %x = binding float<2 x 3>, mutable
  %y = binding float<2 x 3>, mutable output
} program {
  // expected-error@+1 {{formula 'add(x0, t0)', character 11: 't0' is no argument}}
  cpu_fused_loops @out %y, @in [%x], @in [] {shape = [2, 3], formula = "add(x0, t0)", kind = f32}
}
