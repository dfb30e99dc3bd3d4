// Constants that functions read become weights, which each call captures.
// RUN: glow-opt %s --make-trainable | FileCheck %s
// RUN: glow-opt %s --make-trainable=of=other 2>&1 | FileCheck %s --check-prefix=OTHER

// `inner` is called twice by `step`, which is called by `main`. The rounded constant, and the
// statistics of a normalization, stay.
// CHECK-DAG: glow.placeholder @w input trainable : tensor<3xf32>
// CHECK-DAG: glow.placeholder @v input trainable : tensor<3xf32>
// CHECK-DAG: glow.constant @rounded
// CHECK-DAG: glow.constant @mean
// CHECK-LABEL: glow.func @main
// CHECK-DAG: %[[W:.*]] = glow.read @w
// CHECK-DAG: %[[V:.*]] = glow.read @v
// CHECK: glow.loop @step carries(%x) slices() captures(%[[W]], %[[V]]) count [2]
// CHECK: glow.func @step takes [@step.trip, @step.h, @step.w, @step.v]
// CHECK-DAG: %[[WS:.*]] = glow.read @step.w
// CHECK-DAG: %[[VS:.*]] = glow.read @step.v
// CHECK-NOT: glow.read @w
// CHECK: glow.if %c then @inner(%h, %[[WS]]) else @inner(%h, %[[WS]])
// CHECK: glow.batch_norm %i, %[[VS]], %rounded
// CHECK: glow.func @inner takes [@inner.x, @inner.w]
// CHECK: %[[WI:.*]] = glow.read @inner.w
// CHECK: glow.broadcast %[[WI]]

// OTHER-DAG: glow.constant @w
// OTHER-DAG: glow.constant @v
// OTHER-DAG: glow.placeholder @far input trainable

glow.placeholder @x input : tensor<2x3xf32>
glow.placeholder @y output : tensor<2x3xf32>
glow.placeholder @other output : tensor<3xf32>
glow.constant @w = dense<0.5> : tensor<3xf32>
glow.constant @v = dense<1.5> : tensor<3xf32>
glow.constant @rounded = dense<0.25> : tensor<3xf32>
glow.constant @far = dense<0.75> : tensor<3xf32>
glow.constant @mean = dense<0.0> : tensor<3xf32>
glow.constant @variance = dense<1.0> : tensor<3xf32>
glow.placeholder @step.trip between : tensor<i64>
glow.placeholder @step.h between : tensor<2x3xf32>
glow.placeholder @step.next between : tensor<2x3xf32>
glow.placeholder @inner.x between : tensor<2x3xf32>
glow.placeholder @inner.y between : tensor<2x3xf32>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  %y:2 = glow.loop @step carries(%x) slices() captures() count [2] : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<i64>)
  glow.save %y#0, @y : tensor<2x3xf32>
  %r = glow.read @far : tensor<3xf32>
  glow.save %r, @other : tensor<3xf32>
}
glow.func @step takes [@step.trip, @step.h] gives [@step.next] {
  %trip = glow.read @step.trip : tensor<i64>
  %h = glow.read @step.h : tensor<2x3xf32>
  %v = glow.read @v : tensor<3xf32>
  %r = glow.read @rounded : tensor<3xf32>
  %mean = glow.read @mean : tensor<3xf32>
  %variance = glow.read @variance : tensor<3xf32>
  %c = glow.less %trip, %trip : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %i = glow.if %c then @inner(%h) else @inner(%h) : (tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %whole = glow.cast %r kind i64 : (tensor<3xf32>) -> tensor<3xi64>
  %rounded = glow.cast %whole kind f32 : (tensor<3xi64>) -> tensor<3xf32>
  %next = glow.batch_norm %i, %v, %rounded, %mean, %variance epsilon 1.0e-5 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  glow.save %next, @step.next : tensor<2x3xf32>
}
glow.func @inner takes [@inner.x] gives [@inner.y] {
  %x = glow.read @inner.x : tensor<2x3xf32>
  %w = glow.read @w : tensor<3xf32>
  %all = glow.broadcast %w dims [2, 3] axis -1 : (tensor<3xf32>) -> tensor<2x3xf32>
  %y = glow.mul %x, %all : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  glow.save %y, @inner.y : tensor<2x3xf32>
}
