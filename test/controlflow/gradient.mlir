// A loop has no gradient yet; the message has the path to the weight.
// RUN: not glow-opt %s --differentiate=of=y 2>&1 | FileCheck %s
// CHECK: error: 'y' cannot be differentiated: 1 node has no gradient
// CHECK: note: 'glow.loop' cannot be differentiated: {{.*}}path: y <- s <- y <- w

glow.placeholder @w state trainable : tensor<4xf32>
glow.placeholder @n input : tensor<i64>
glow.placeholder @y output : tensor<f32>
glow.placeholder @step.trip between : tensor<i64>
glow.placeholder @step.h between : tensor<4xf32>
glow.placeholder @step.next between : tensor<4xf32>
glow.func @main {
  %x = glow.read @w : tensor<4xf32>
  %n = glow.read @n : tensor<i64>
  %y:2 = glow.loop @step trips %n carries(%x) slices() captures() : (tensor<i64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i64>)
  %s = glow.reduce_sum %y#0 axes [0] keepDims false : (tensor<4xf32>) -> tensor<f32>
  glow.save %s, @y : tensor<f32>
}
glow.func @step takes [@step.trip, @step.h] gives [@step.next] {
  %h = glow.read @step.h : tensor<4xf32>
  %next = glow.tanh %h : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %next, @step.next : tensor<4xf32>
}
