// RUN: glow-opt %s --show-values | FileCheck %s

glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>

// Each result of a node is an output too, by the name that it has in a profile.
// CHECK:     glow.func @main
// CHECK:     %[[T:.*]] = glow.tanh
// CHECK:     glow.save %[[T]], @t
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %t = glow.tanh %x : (tensor<2xf32>) -> tensor<2xf32>
  %y = glow.relu %t : (tensor<2xf32>) -> tensor<2xf32>
  glow.save %y, @y : tensor<2xf32>
}
