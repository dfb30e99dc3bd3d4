// RUN: glow-opt %s --lower-for-backend=backend=cpu | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: glow-opt %s --lower-for-backend=backend=interpreter | FileCheck %s --check-prefixes=CHECK,PLAIN

// A node that one backend takes whole, and another takes apart; and one that both do.
// CHECK-LABEL: glow.func @main
// CPU:         glow.top_k
// CPU-NOT:     glow.arg_sort
// PLAIN-NOT:   glow.top_k
// PLAIN:       glow.arg_sort
// PLAIN:       glow.gather_elements
// CHECK-NOT:   glow.fully_connected
// CHECK:       glow.matmul
// CHECK:       glow.add
glow.placeholder @x input : tensor<2x9xf32>
glow.placeholder @y output : tensor<2x4xf32>
glow.constant @w = dense<1.0> : tensor<3x4xf32>
glow.constant @b = dense<1.0> : tensor<4xf32>
glow.func @main {
  %x = glow.read @x : tensor<2x9xf32>
  %w = glow.read @w : tensor<3x4xf32>
  %b = glow.read @b : tensor<4xf32>
  %0, %1 = glow.top_k %x axis 1 k 3 largest true : (tensor<2x9xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  %2 = glow.fully_connected %0, %w, %b : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  glow.save %2, @y : tensor<2x4xf32>
}
