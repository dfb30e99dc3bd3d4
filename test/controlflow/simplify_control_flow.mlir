// Branches and loops with less work.
// RUN: glow-opt %s --split-input-file --simplify-control-flow | FileCheck %s

// A node on captured values leaves the loop, and a carried value that no trip changes is
// captured.
// CHECK-LABEL: glow.func @moves_out
// CHECK: %[[EXP:.*]] = glow.exp %w
// CHECK: glow.loop @step trips %n carries(%x) slices() captures({{.*}}%[[EXP]]
glow.placeholder @n input : tensor<i64>
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @w input : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @h between : tensor<4xf32>
glow.placeholder @fixed between : tensor<4xf32>
glow.placeholder @next between : tensor<4xf32>
glow.placeholder @same between : tensor<4xf32>
glow.func @moves_out {
  %n = glow.read @n : tensor<i64>
  %x = glow.read @x : tensor<4xf32>
  %w = glow.read @w : tensor<4xf32>
  %y:3 = glow.loop @step trips %n carries(%x, %w) slices() captures() : (tensor<i64>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i64>)
  glow.save %y#0, @y : tensor<4xf32>
}
// CHECK: glow.func @step
// CHECK-NOT: glow.exp
// CHECK: glow.mul
glow.func @step takes [@trip, @h, @fixed] gives [@next, @same] {
  %h = glow.read @h : tensor<4xf32>
  %w = glow.read @fixed : tensor<4xf32>
  %e = glow.exp %w : (tensor<4xf32>) -> tensor<4xf32>
  %m = glow.mul %h, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  glow.save %m, @next : tensor<4xf32>
  glow.save %w, @same : tensor<4xf32>
}

// -----

// A node that one branch alone needs is computed there, a known condition chooses a branch.
// CHECK-LABEL: glow.func @branches
// CHECK-NOT: glow.exp
// CHECK: glow.if %c then @f(%x) else @g(%x)
// CHECK: glow.neg
// CHECK-NOT: glow.if
// CHECK: glow.func @f
// CHECK: glow.exp
// CHECK: glow.func @g
glow.placeholder @c input : tensor<i1>
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.placeholder @z output : tensor<4xf32>
glow.constant @no = dense<false> : tensor<i1>
glow.placeholder @a between : tensor<4xf32>
glow.placeholder @b between : tensor<4xf32>
glow.placeholder @d between : tensor<4xf32>
glow.func @branches {
  %c = glow.read @c : tensor<i1>
  %no = glow.read @no : tensor<i1>
  %x = glow.read @x : tensor<4xf32>
  %e = glow.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %y = glow.if %c then @f(%e) else @g(%x) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = glow.if %no then @g(%x) else @h(%x) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  glow.save %y, @y : tensor<4xf32>
  glow.save %z, @z : tensor<4xf32>
}
glow.func @f takes [@a] gives [@d] {
  %a = glow.read @a : tensor<4xf32>
  %s = glow.relu %a : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %s, @d : tensor<4xf32>
}
glow.func @g takes [@b] gives [@d] {
  %b = glow.read @b : tensor<4xf32>
  glow.save %b, @d : tensor<4xf32>
}
glow.func @h takes [@b] gives [@d] {
  %b = glow.read @b : tensor<4xf32>
  %s = glow.neg %b : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %s, @d : tensor<4xf32>
}

// -----

// Few trips are done one after the other; nothing calls the function then.
// CHECK-LABEL: glow.func @unrolls
// CHECK-NOT: glow.loop
// CHECK-COUNT-2: glow.add
// CHECK: glow.concat
// CHECK-NOT: @step
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @xs input : tensor<2x4xf32>
glow.placeholder @ys output : tensor<2x4xf32>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @h between : tensor<4xf32>
glow.placeholder @row between : tensor<4xf32>
glow.placeholder @next between : tensor<4xf32>
glow.placeholder @out between : tensor<4xf32>
glow.func @unrolls {
  %x = glow.read @x : tensor<4xf32>
  %xs = glow.read @xs : tensor<2x4xf32>
  %y:3 = glow.loop @step carries(%x) slices(%xs) captures() count [2] : (tensor<4xf32>, tensor<2x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>, tensor<i64>)
  glow.save %y#1, @ys : tensor<2x4xf32>
}
glow.func @step takes [@trip, @h, @row] gives [@next, @out] {
  %h = glow.read @h : tensor<4xf32>
  %row = glow.read @row : tensor<4xf32>
  %s = glow.add %h, %row : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  glow.save %s, @next : tensor<4xf32>
  glow.save %s, @out : tensor<4xf32>
}

// -----

// A product of each slice by a matrix is one product of all slices.
// CHECK-LABEL: glow.func @products
// CHECK: %[[ROWS:.*]] = glow.reshape %xs dims [40, 4]
// CHECK: %[[ALL:.*]] = glow.matmul %[[ROWS]], %w
// CHECK: %[[STACK:.*]] = glow.reshape %[[ALL]] dims [20, 2, 3]
// CHECK: glow.loop @step carries(%h) slices(%xs, %[[STACK]]) captures({{.*}}) count [20] backwards [1, 1]
// CHECK: glow.func @step
// CHECK-NOT: glow.matmul
glow.placeholder @h input : tensor<2x3xf32>
glow.placeholder @w input : tensor<4x3xf32>
glow.placeholder @xs input : tensor<20x2x4xf32>
glow.placeholder @y output : tensor<2x3xf32>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @state between : tensor<2x3xf32>
glow.placeholder @row between : tensor<2x4xf32>
glow.placeholder @matrix between : tensor<4x3xf32>
glow.placeholder @next between : tensor<2x3xf32>
glow.func @products {
  %h = glow.read @h : tensor<2x3xf32>
  %w = glow.read @w : tensor<4x3xf32>
  %xs = glow.read @xs : tensor<20x2x4xf32>
  %y:2 = glow.loop @step carries(%h) slices(%xs) captures(%w) count [20] backwards [1] : (tensor<2x3xf32>, tensor<20x2x4xf32>, tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<i64>)
  glow.save %y#0, @y : tensor<2x3xf32>
}
glow.func @step takes [@trip, @state, @row, @matrix] gives [@next] {
  %h = glow.read @state : tensor<2x3xf32>
  %row = glow.read @row : tensor<2x4xf32>
  %w = glow.read @matrix : tensor<4x3xf32>
  %p = glow.matmul %row, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = glow.add %h, %p : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = glow.tanh %s : (tensor<2x3xf32>) -> tensor<2x3xf32>
  glow.save %t, @next : tensor<2x3xf32>
}
