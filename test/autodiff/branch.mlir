// The gradient of a branch is a branch on the same condition.
// RUN: glow-opt %s --differentiate=of=y | FileCheck %s

// `c` and `x` are no weights. The value that the other function alone captures has zeros.
// CHECK-LABEL: glow.func @main
// CHECK: %[[SIDE:.*]] = glow.if %c then @square(%w, %x) else @scale(%v, %x)
// CHECK: %[[GIVEN:.*]] = glow.splat value 1.0
// CHECK: %[[BACK:.*]]:2 = glow.if %c then @square.gradient(%w, %x, %{{.*}}) else @scale.gradient(%x, %{{.*}}) : ({{.*}}) -> (tensor<3xf32>, tensor<3xf32>)
// CHECK: glow.save %[[BACK]]#0, @w.gradient
// CHECK: glow.save %[[BACK]]#1, @v.gradient

// The functions themselves stay. Nodes are computed again, as far as gradients need them.
// CHECK: glow.func @square takes
// CHECK: glow.func @scale takes
// CHECK: glow.func @square.gradient takes [@square.gradient.a, @square.gradient.b, @square.gradient.given] gives [@square.gradient.next, @square.gradient.next_0]
// CHECK-NOT: glow.tanh
// CHECK: glow.mul %square.gradient.a, %square.gradient.b
// CHECK: %[[ZEROS:.*]] = glow.splat value 0.0
// CHECK: glow.save %[[ZEROS]], @square.gradient.next_0
// CHECK: glow.func @scale.gradient takes [@scale.gradient.b, @scale.gradient.given] gives
// CHECK: %[[SLOPE:.*]] = glow.mul %scale.gradient.given, %scale.gradient.b
// CHECK: %[[NONE:.*]] = glow.splat value 0.0
// CHECK: glow.save %[[NONE]], @scale.gradient.next :
// CHECK: glow.save %[[SLOPE]], @scale.gradient.next_{{.*}} :

glow.placeholder @c input : tensor<i1>
glow.placeholder @x input : tensor<3xf32>
glow.placeholder @w input trainable : tensor<3xf32>
glow.placeholder @v input trainable : tensor<3xf32>
glow.placeholder @y output : tensor<3xf32>
glow.placeholder @square.a between : tensor<3xf32>
glow.placeholder @square.b between : tensor<3xf32>
glow.placeholder @square.y between : tensor<3xf32>
glow.placeholder @square.unused between : tensor<3xf32>
glow.placeholder @scale.a between : tensor<3xf32>
glow.placeholder @scale.b between : tensor<3xf32>
glow.placeholder @scale.y between : tensor<3xf32>
glow.placeholder @scale.unused between : tensor<3xf32>
glow.func @main {
  %c = glow.read @c : tensor<i1>
  %x = glow.read @x : tensor<3xf32>
  %w = glow.read @w : tensor<3xf32>
  %v = glow.read @v : tensor<3xf32>
  %y:2 = glow.if %c then @square(%w, %x) else @scale(%v, %x) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  glow.save %y#0, @y : tensor<3xf32>
}
glow.func @square takes [@square.a, @square.b] gives [@square.y, @square.unused] {
  %a = glow.read @square.a : tensor<3xf32>
  %b = glow.read @square.b : tensor<3xf32>
  %ab = glow.mul %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %y = glow.mul %ab, %ab : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %unused = glow.tanh %a : (tensor<3xf32>) -> tensor<3xf32>
  glow.save %y, @square.y : tensor<3xf32>
  glow.save %unused, @square.unused : tensor<3xf32>
}
glow.func @scale takes [@scale.a, @scale.b] gives [@scale.y, @scale.unused] {
  %a = glow.read @scale.a : tensor<3xf32>
  %b = glow.read @scale.b : tensor<3xf32>
  %y = glow.mul %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  glow.save %y, @scale.y : tensor<3xf32>
  glow.save %b, @scale.unused : tensor<3xf32>
}
