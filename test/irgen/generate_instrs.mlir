// RUN: glow-opt %s --generate-instrs | FileCheck %s

// Each node is one instruction on a buffer of its own; storage becomes bindings.
// CHECK-LABEL: glowir.func @main declare {
// CHECK-NEXT:    %x = binding float<2>, mutable
// CHECK-NEXT:    %y = binding float<2>, mutable output
// CHECK-NEXT:  } program {
// CHECK:         %[[A:.*]] = alloc float<2>
// CHECK-NEXT:    relu @out %[[A]], @in %x
// CHECK-NEXT:    copy @out %y, @in %[[A]]
// CHECK-NEXT:    dealloc @out %[[A]]
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %0 = glow.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  glow.save %0, @y : tensor<2xf32>
}
