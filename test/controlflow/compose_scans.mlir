// Loops of index notation become nodes.
// RUN: glow-opt %s --split-input-file --compose-scans | FileCheck %s

// The next value is written over the carried one, which later statements read.
// CHECK-LABEL: glow.func @decays
// CHECK-NOT: glow.loop
// CHECK: glow.scan "loops in f32 { tensor h0: f32[4, 3] tensor y0: f32[8, 4] tensor start0
// CHECK-SAME: for i0, i1 in 4, 3 { h0[i0, i1] = start0[i0, i1] }
// CHECK-SAME: scan t < 8 from 0 {
// CHECK-SAME: h0[i0, i1] = exp(c0[i0, i1]) * h0[i0, i1] + x0[t, i0, i1]
// CHECK-SAME: y0[7 - t, i0] += h0[i0, r0] over r0 < 3
// CHECK-NOT: glow.func @decay_step
glow.placeholder @h0 input : tensor<4x3xf32>
glow.placeholder @xs input : tensor<8x4x3xf32>
glow.placeholder @rate input : tensor<4x3xf32>
glow.placeholder @last output : tensor<4x3xf32>
glow.placeholder @sums output : tensor<8x4xf32>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @h between : tensor<4x3xf32>
glow.placeholder @x between : tensor<4x3xf32>
glow.placeholder @r between : tensor<4x3xf32>
glow.placeholder @next between : tensor<4x3xf32>
glow.placeholder @sum between : tensor<4xf32>
glow.func @decays {
  %h0 = glow.read @h0 : tensor<4x3xf32>
  %xs = glow.read @xs : tensor<8x4x3xf32>
  %rate = glow.read @rate : tensor<4x3xf32>
  %y:3 = glow.loop @decay_step carries(%h0) slices(%xs) captures(%rate) count [8] backwards [0, 1] : (tensor<4x3xf32>, tensor<8x4x3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<8x4xf32>, tensor<i64>)
  glow.save %y#0, @last : tensor<4x3xf32>
  glow.save %y#1, @sums : tensor<8x4xf32>
}
glow.func @decay_step takes [@trip, @h, @x, @r] gives [@next, @sum] {
  %h = glow.read @h : tensor<4x3xf32>
  %x = glow.read @x : tensor<4x3xf32>
  %r = glow.read @r : tensor<4x3xf32>
  %e = glow.exp %r : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %kept = glow.mul %e, %h : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %next = glow.add %kept, %x : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %sum = glow.reduce_sum %next axes [1] keepDims false : (tensor<4x3xf32>) -> tensor<4xf32>
  glow.save %next, @next : tensor<4x3xf32>
  glow.save %sum, @sum : tensor<4xf32>
}

// -----

// A value that replaces another one has memory between, and so has a sum of the old ones. The
// number of trips is a constant.
// CHECK-LABEL: glow.func @exchanges
// CHECK: glow.scan "loops in f32 { tensor h0: f32[4] tensor h1: f32[4] tensor m2: f32[4] tensor m3: f32[4]
// CHECK-SAME: m2[i0] = h0[i0] + h1[i0]
// CHECK-SAME: m3[i0] = h1[i0]
// CHECK-SAME: h0[i0] = m3[i0]
// CHECK-SAME: h1[i0] = m2[i0]
// CHECK: glow.literal values [3]
glow.placeholder @a0 input : tensor<4xf32>
glow.placeholder @b0 input : tensor<4xf32>
glow.placeholder @ya output : tensor<4xf32>
glow.placeholder @yb output : tensor<4xf32>
glow.placeholder @n output : tensor<i64>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @a between : tensor<4xf32>
glow.placeholder @b between : tensor<4xf32>
glow.placeholder @next_a between : tensor<4xf32>
glow.placeholder @next_b between : tensor<4xf32>
glow.func @exchanges {
  %a = glow.read @a0 : tensor<4xf32>
  %b = glow.read @b0 : tensor<4xf32>
  %y:3 = glow.loop @exchange carries(%a, %b) slices() captures() count [3] : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i64>)
  glow.save %y#0, @ya : tensor<4xf32>
  glow.save %y#1, @yb : tensor<4xf32>
  glow.save %y#2, @n : tensor<i64>
}
glow.func @exchange takes [@trip, @a, @b] gives [@next_a, @next_b] {
  %a = glow.read @a : tensor<4xf32>
  %b = glow.read @b : tensor<4xf32>
  %sum = glow.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  glow.save %b, @next_a : tensor<4xf32>
  glow.save %sum, @next_b : tensor<4xf32>
}

// -----

// A loop whose trips a run decides stays, and so does one with a large product.
// CHECK-LABEL: glow.func @stays
// CHECK: glow.loop @products
// CHECK: glow.loop @some
// CHECK-NOT: glow.scan
glow.placeholder @x input : tensor<1x64xf32>
glow.placeholder @w input : tensor<64x64xf32>
glow.placeholder @t input : tensor<i64>
glow.placeholder @y output : tensor<1x64xf32>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @h between : tensor<1x64xf32>
glow.placeholder @v between : tensor<64x64xf32>
glow.placeholder @next between : tensor<1x64xf32>
glow.func @stays {
  %x = glow.read @x : tensor<1x64xf32>
  %w = glow.read @w : tensor<64x64xf32>
  %t = glow.read @t : tensor<i64>
  %p:2 = glow.loop @products carries(%x) slices() captures(%w) count [9] : (tensor<1x64xf32>, tensor<64x64xf32>) -> (tensor<1x64xf32>, tensor<i64>)
  %y:2 = glow.loop @some trips %t carries(%p#0) slices() captures() : (tensor<i64>, tensor<1x64xf32>) -> (tensor<1x64xf32>, tensor<i64>)
  glow.save %y#0, @y : tensor<1x64xf32>
}
glow.func @products takes [@trip, @h, @v] gives [@next] {
  %h = glow.read @h : tensor<1x64xf32>
  %v = glow.read @v : tensor<64x64xf32>
  %next = glow.matmul %h, %v : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
  glow.save %next, @next : tensor<1x64xf32>
}
glow.func @some takes [@trip, @h] gives [@next] {
  %h = glow.read @h : tensor<1x64xf32>
  %next = glow.tanh %h : (tensor<1x64xf32>) -> tensor<1x64xf32>
  glow.save %next, @next : tensor<1x64xf32>
}

// -----

// Text of a scan: a mistake has its place, and buffers have the types of tensors.
// CHECK-LABEL: glow.func @text
// CHECK: glow.scan "loops in f32 { tensor y: f32[4] tensor x: f32[4] for i in 4 { y[i] = floor(x[i]) } }"(%x) jumps
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.func @text {
  %x = glow.read @x : tensor<4xf32>
  %y = glow.scan "loops in f32 { tensor y: f32[4] tensor x: f32[4] for i in 4 { y[i] = floor(x[i]) } }"(%x) jumps : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %y, @y : tensor<4xf32>
}
