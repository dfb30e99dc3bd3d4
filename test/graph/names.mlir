// RUN: glow-opt %s | FileCheck %s
// RUN: glow-opt %s | glow-opt | FileCheck %s
// RUN: glow-opt %s --emit-bytecode | glow-opt | FileCheck %s
// RUN: glow-opt %s --generate-instrs | FileCheck %s --check-prefix=INSTRS

// The name of a result is the name of its node, in all later text; a number is
// no name.
// CHECK:      %images = glow.read @x
// CHECK-NEXT: %conv1.relu = glow.relu %images
// CHECK-NEXT: %0 = glow.neg %conv1.relu
// CHECK-NEXT: %both:2 = glow.split %0
// CHECK-NEXT: %sum = glow.add %both#0, %both#1
// CHECK-NEXT: %sum_0 = glow.neg %sum
// CHECK-NEXT: %_a_b = glow.relu %sum_0
// CHECK-NEXT: glow.save %_a_b, @y
// INSTRS: %conv1.relu = alloc float<4>
// INSTRS: %conv1.relu_1 = relu @out %conv1.relu, @in %x
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
  %images = glow.read @x : tensor<4xf32>
  %conv1.relu = glow.relu %images : (tensor<4xf32>) -> tensor<4xf32>
  %7 = glow.neg %conv1.relu : (tensor<4xf32>) -> tensor<4xf32>
  %both:2 = glow.split %7 axis 0 sizes [2, 2] : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %sum = glow.add %both#0, %both#1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %less = glow.neg %sum : (tensor<2xf32>) -> tensor<2xf32> loc("sum")
  %more = glow.relu %less : (tensor<2xf32>) -> tensor<2xf32> loc("/a/b")
  glow.save %more, @y : tensor<2xf32>
}
