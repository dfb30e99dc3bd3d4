// RUN: glow-opt %s --split-input-file --check-graph --verify-diagnostics | FileCheck %s

// Reads and saves of storage that is there pass.
// CHECK: glow.save
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  glow.save %x, @y : tensor<2xf32>
}

// -----

// A read of what is not declared does not.
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
  // expected-error @+1 {{@x}}
  %x = glow.read @x : tensor<2xf32>
  glow.save %x, @y : tensor<2xf32>
}

// -----

// An output that nothing saves would be whatever is in memory.
// expected-error @+1 {{no function saves the output @y}}
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
}
