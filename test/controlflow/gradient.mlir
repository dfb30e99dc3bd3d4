// Loops and branches that have no gradient: each message has the path to the weight.
// RUN: split-file %s %t
// RUN: not glow-opt %t/endless.mlir --differentiate=of=y 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not glow-opt %t/inside.mlir --differentiate=of=y 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not glow-opt %t/cut.mlir --differentiate=of=y 2>&1 | FileCheck %s --check-prefix=CUT

// COUNT: error: 'y' cannot be differentiated: 1 node has no gradient
// COUNT: note: 'glow.loop' has no count, and should have one: its gradient reads values of all trips, whose number nothing bounds; path: y <- s <- y <- w

// A node of a function, with the way into the loop and the branch, and on to the weight.
// INSIDE: error: 'y' cannot be differentiated: 2 nodes have no gradient
// INSIDE: note: 'glow.scatter_elements' of reduction 'max' has no gradient; it must be none or add; path: y <- s <- y <- next <- chosen <- most <- twice <- w
// INSIDE: note: 'glow.scatter_elements' of reduction 'min' has no gradient; it must be none or add; path: y <- s <- y <- next <- chosen <- least <- twice <- w

// Floats that a node rounds lead nowhere, also through a function.
// CUT: error: output 'y' depends on no trainable weight by nodes that can be differentiated

//--- endless.mlir
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

//--- inside.mlir
glow.placeholder @w input trainable : tensor<4xf32>
glow.placeholder @c input : tensor<i1>
glow.placeholder @y output : tensor<f32>
glow.constant @i = dense<[0, 1]> : tensor<2xi64>
glow.constant @u = dense<1.0> : tensor<2xf32>
glow.placeholder @step.trip between : tensor<i64>
glow.placeholder @step.h between : tensor<4xf32>
glow.placeholder @step.c between : tensor<i1>
glow.placeholder @step.next between : tensor<4xf32>
glow.placeholder @f.x between : tensor<4xf32>
glow.placeholder @f.y between : tensor<4xf32>
glow.placeholder @g.x between : tensor<4xf32>
glow.placeholder @g.y between : tensor<4xf32>
glow.func @main {
  %x = glow.read @w : tensor<4xf32>
  %c = glow.read @c : tensor<i1>
  %twice = glow.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y:2 = glow.loop @step carries(%twice) slices() captures(%c) count [3] : (tensor<4xf32>, tensor<i1>) -> (tensor<4xf32>, tensor<i64>)
  %s = glow.reduce_sum %y#0 axes [0] keepDims false : (tensor<4xf32>) -> tensor<f32>
  glow.save %s, @y : tensor<f32>
}
glow.func @step takes [@step.trip, @step.h, @step.c] gives [@step.next] {
  %h = glow.read @step.h : tensor<4xf32>
  %c = glow.read @step.c : tensor<i1>
  %chosen = glow.if %c then @f(%h) else @g(%h) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %next = glow.tanh %chosen : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %next, @step.next : tensor<4xf32>
}
glow.func @f takes [@f.x] gives [@f.y] {
  %x = glow.read @f.x : tensor<4xf32>
  %i = glow.read @i : tensor<2xi64>
  %u = glow.read @u : tensor<2xf32>
  %most = glow.scatter_elements %x, %i, %u axis 0 reduction "max" : (tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<4xf32>
  glow.save %most, @f.y : tensor<4xf32>
}
glow.func @g takes [@g.x] gives [@g.y] {
  %x = glow.read @g.x : tensor<4xf32>
  %i = glow.read @i : tensor<2xi64>
  %u = glow.read @u : tensor<2xf32>
  %least = glow.scatter_elements %x, %i, %u axis 0 reduction "min" : (tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<4xf32>
  glow.save %least, @g.y : tensor<4xf32>
}

//--- cut.mlir
glow.placeholder @w input trainable : tensor<4xf32>
glow.placeholder @y output : tensor<f32>
glow.placeholder @step.trip between : tensor<i64>
glow.placeholder @step.h between : tensor<f32>
glow.placeholder @step.w between : tensor<4xf32>
glow.placeholder @step.next between : tensor<f32>
glow.func @main {
  %w = glow.read @w : tensor<4xf32>
  %zero = glow.splat value 0.0 dims [] kind f32 : () -> tensor<f32>
  %y:2 = glow.loop @step carries(%zero) slices() captures(%w) count [3] : (tensor<f32>, tensor<4xf32>) -> (tensor<f32>, tensor<i64>)
  glow.save %y#0, @y : tensor<f32>
}
glow.func @step takes [@step.trip, @step.h, @step.w] gives [@step.next] {
  %h = glow.read @step.h : tensor<f32>
  %w = glow.read @step.w : tensor<4xf32>
  %floor = glow.floor %w : (tensor<4xf32>) -> tensor<4xf32>
  %sum = glow.reduce_sum %floor axes [0] keepDims false : (tensor<4xf32>) -> tensor<f32>
  %next = glow.add %h, %sum : (tensor<f32>, tensor<f32>) -> tensor<f32>
  glow.save %next, @step.next : tensor<f32>
}
