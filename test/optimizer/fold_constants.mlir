// RUN: glow-opt %s --fold-constants --simplify-graph | FileCheck %s

// What is known is computed once, when the model is compiled; what depends on
// an input stays.
// CHECK-LABEL: glow.func @main
// CHECK:       %[[X:.*]] = glow.read @x
// CHECK:       %[[SUM:.*]] = glow.read @folded
// CHECK:       glow.mul %[[X]], %[[SUM]]
// CHECK-NOT:   glow.add
// CHECK:       glow.constant @folded = dense_resource<folded>
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.constant @a = dense<[1.0, 2.0]> : tensor<2xf32>
glow.constant @b = dense<[3.0, 4.0]> : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %a = glow.read @a : tensor<2xf32>
  %b = glow.read @b : tensor<2xf32>
  %sum = glow.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = glow.mul %x, %sum : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  glow.save %y, @y : tensor<2xf32>
}
