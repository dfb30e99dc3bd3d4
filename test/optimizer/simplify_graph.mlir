// RUN: glow-opt %s --simplify-graph | FileCheck %s

// A reshape to the same shape goes; one to another shape stays.
// CHECK-LABEL: glow.func @main
// CHECK:       %[[X:.*]] = glow.read @x
// CHECK-NEXT:  %[[Y:.*]] = glow.reshape %[[X]] dims [2, 1]
// CHECK-NEXT:  glow.save %[[Y]], @y
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2x1xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %same = glow.reshape %x dims [2] : (tensor<2xf32>) -> tensor<2xf32>
  %y = glow.reshape %same dims [2, 1] : (tensor<2xf32>) -> tensor<2x1xf32>
  glow.save %y, @y : tensor<2x1xf32>
}
