// RUN: glow-opt %s --split-input-file --verify-diagnostics --check-graph
// What is expected and does not come is a failure.
// RUN: not glow-opt %s --split-input-file --verify-diagnostics 2>&1 | FileCheck %s
// CHECK: error: expected error "no storage of the module is named @z" was not produced

glow.placeholder @x input : tensor<2x3xf32>

// -----

glow.func @main {
  // expected-error@+1 {{no storage of the module is named @z}}
  %0 = glow.read @z : tensor<2x3xf32>
}
