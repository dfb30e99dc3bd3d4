// RUN: glow-opt %s --unify-constants --simplify-graph | FileCheck %s
// RUN: glow-opt %s --unify-constants --cse --simplify-graph | FileCheck %s --check-prefix=ONCE

// Constants with equal types and bytes are one; equal bytes of another type, and
// other bytes, stay. The data of a constant that nothing reads goes.
// CHECK-DAG: glow.constant @first =
// CHECK-DAG: glow.constant @integers =
// CHECK-DAG: glow.constant @other =
// CHECK-NOT: glow.constant @second
// CHECK-LABEL: glow.func @main
// ONCE-LABEL: glow.func @main
// ONCE-COUNT-1: glow.abs
// ONCE-NOT: glow.abs
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.placeholder @z output : tensor<2xi32>
glow.constant @first = dense<[1.0, 2.0]> : tensor<2xf32>
glow.constant @second = dense<[1.0, 2.0]> : tensor<2xf32>
glow.constant @other = dense<[1.0, 3.0]> : tensor<2xf32>
glow.constant @integers = dense<[1065353216, 1073741824]> : tensor<2xi32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %a = glow.read @first : tensor<2xf32>
  %b = glow.read @second : tensor<2xf32>
  %c = glow.read @other : tensor<2xf32>
  %i = glow.read @integers : tensor<2xi32>
  %aa = glow.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  %bb = glow.abs %b : (tensor<2xf32>) -> tensor<2xf32>
  %s = glow.add %aa, %bb : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %t = glow.add %s, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %u = glow.add %t, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  glow.save %u, @y : tensor<2xf32>
  glow.save %i, @z : tensor<2xi32>
}
