// RUN: glow-opt %s --split-input-file --verify-diagnostics | FileCheck %s
// A formula is parsed once, with its node: what is wrong is told with its place.

// CHECK-LABEL: glow.func @reads
// CHECK: glow.cpu_fused_elementwise {{.*}}formula "add(x0, x1); relu(t0)"
glow.placeholder @x input : tensor<2x3xf32>
glow.func @reads {
  %x = glow.read @x : tensor<2x3xf32>
  %y = "glow.cpu_fused_elementwise"(%x, %x) {shape = array<i64: 2, 3>, formula = #glow.formula<"add(x0, x1); relu(t0)">}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.func @is_open {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{formula 'add(x0, x1', character 11: expected ')'}}
  %y = "glow.cpu_fused_elementwise"(%x, %x) {shape = array<i64: 2, 3>, formula = #glow.formula<"add(x0, x1">}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.func @is_a_text {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{attribute 'formula' failed to satisfy constraint: a formula}}
  %y = "glow.cpu_fused_elementwise"(%x, %x) {shape = array<i64: 2, 3>, formula = "add(x0, x1)"}
      : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

glowir.func @result_that_is_not_there declare {
  %x = binding float<2 x 3>, mutable
  %y = binding float<2 x 3>, mutable output
} program {
  // expected-error@+1 {{formula 'add(x0, t0)', character 11: 't0' is no argument}}
  cpu_fused_elementwise @out %y, @in [%x] {shape = [2, 3], formula = "add(x0, t0)"}
}
