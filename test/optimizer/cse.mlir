// RUN: glow-opt %s --cse | FileCheck %s

// Equal nodes are one; with another attribute they are two, and what nothing
// reads goes.
// CHECK-LABEL: glow.func @main
// CHECK-COUNT-1: glow.leaky_relu {{.*}} alpha 1.000000e-01
// CHECK:       glow.leaky_relu {{.*}} alpha 2.000000e-01
// CHECK-NOT:   glow.leaky_relu
// CHECK-NOT:   glow.exp
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %a = glow.leaky_relu %x alpha 0.1 : (tensor<2xf32>) -> tensor<2xf32>
  %b = glow.leaky_relu %x alpha 0.1 : (tensor<2xf32>) -> tensor<2xf32>
  %c = glow.leaky_relu %x alpha 0.2 : (tensor<2xf32>) -> tensor<2xf32>
  %dead = glow.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  %d = glow.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %e = glow.add %d, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  glow.save %e, @y : tensor<2xf32>
}
