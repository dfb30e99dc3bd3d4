// RUN: glow-opt %s --split-input-file --predicate-rows | FileCheck %s

// CHECK-LABEL: @main
// CHECK:         %[[COUNT:.*]] = glow.cast %{{.*}} kind i64
// CHECK:         %[[PLACES:.*]] = glow.marked_places %p, %[[COUNT]] length "[predicate.0], predicate.0 = 0..8"
// CHECK:         %[[ROWS:.*]] = glow.gather %x, %[[PLACES]] axis 0
// CHECK:         %[[PRODUCT:.*]] = glow.matmul %[[ROWS]], %w : {{.*}} -> tensor<8x64xf32, #glow.lengths<"[predicate.0, 64], predicate.0 = 0..8">>
// CHECK:         %[[OTHER:.*]] = glow.tanh %[[PRODUCT]]
// CHECK:         %[[INDICES:.*]] = glow.reshape %[[PLACES]]
// CHECK:         glow.scatter_nd %h, %[[INDICES]], %[[OTHER]] reduction "none"
// CHECK-NOT:     glow.select
glow.placeholder @x input : tensor<8x96xf32>
glow.placeholder @h input : tensor<8x64xf32>
glow.placeholder @p input : tensor<8xi1>
glow.placeholder @y output : tensor<8x64xf32>
glow.constant @w = dense<0.5> : tensor<96x64xf32>
glow.func @main {
  %x = glow.read @x : tensor<8x96xf32>
  %h = glow.read @h : tensor<8x64xf32>
  %p = glow.read @p : tensor<8xi1>
  %w = glow.read @w : tensor<96x64xf32>
  %product = glow.matmul %x, %w : (tensor<8x96xf32>, tensor<96x64xf32>) -> tensor<8x64xf32>
  %changed = glow.tanh %product : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %whole = glow.broadcast %p dims [8, 64] axis 0 : (tensor<8xi1>) -> tensor<8x64xi1>
  %y = glow.select %whole, %changed, %h : (tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  glow.save %y, @y : tensor<8x64xf32>
}

// -----

// The product is an output, too; a softmax along the rows needs all of them; a
// product of few weights costs less than to move its rows.
// CHECK-LABEL: @needed
// CHECK-NOT:     glow.marked_places
// CHECK-COUNT-3: glow.select
glow.placeholder @x input : tensor<8x96xf32>
glow.placeholder @h input : tensor<8x64xf32>
glow.placeholder @g input : tensor<8x8xf32>
glow.placeholder @p input : tensor<8x1xi1>
glow.placeholder @product output : tensor<8x64xf32>
glow.placeholder @y output : tensor<8x64xf32>
glow.placeholder @z output : tensor<8x64xf32>
glow.placeholder @u output : tensor<8x8xf32>
glow.constant @w = dense<0.5> : tensor<96x64xf32>
glow.constant @v = dense<0.25> : tensor<8x8xf32>
glow.func @needed {
  %x = glow.read @x : tensor<8x96xf32>
  %h = glow.read @h : tensor<8x64xf32>
  %g = glow.read @g : tensor<8x8xf32>
  %p = glow.read @p : tensor<8x1xi1>
  %w = glow.read @w : tensor<96x64xf32>
  %v = glow.read @v : tensor<8x8xf32>
  %whole = glow.broadcast %p dims [8, 64] axis -1 : (tensor<8x1xi1>) -> tensor<8x64xi1>
  %product = glow.matmul %x, %w : (tensor<8x96xf32>, tensor<96x64xf32>) -> tensor<8x64xf32>
  %y = glow.select %whole, %product, %h : (tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %other = glow.matmul %x, %w : (tensor<8x96xf32>, tensor<96x64xf32>) -> tensor<8x64xf32>
  %columns = glow.softmax %other axis 0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %z = glow.select %whole, %columns, %h : (tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %few = glow.broadcast %p dims [8, 8] axis -1 : (tensor<8x1xi1>) -> tensor<8x8xi1>
  %small = glow.matmul %g, %v : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %u = glow.select %few, %small, %g : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  glow.save %product, @product : tensor<8x64xf32>
  glow.save %y, @y : tensor<8x64xf32>
  glow.save %z, @z : tensor<8x64xf32>
  glow.save %u, @u : tensor<8x8xf32>
}

// -----

// Rows of padding are no rows of the operand, and a batch may have no rows.
// CHECK-LABEL: @padded
// CHECK-NOT:     glow.marked_places
// CHECK-COUNT-2: glow.select
glow.placeholder @x input : tensor<6x96xf32>
glow.placeholder @h input : tensor<8x64xf32>
glow.placeholder @p input : tensor<8x1xi1>
glow.placeholder @x0 input : tensor<0x96xf32>
glow.placeholder @h0 input : tensor<0x64xf32>
glow.placeholder @p0 input : tensor<0x1xi1>
glow.placeholder @y output : tensor<8x64xf32>
glow.placeholder @y0 output : tensor<0x64xf32>
glow.constant @w = dense<0.5> : tensor<96x64xf32>
glow.func @padded {
  %x = glow.read @x : tensor<6x96xf32>
  %h = glow.read @h : tensor<8x64xf32>
  %p = glow.read @p : tensor<8x1xi1>
  %w = glow.read @w : tensor<96x64xf32>
  %product = glow.matmul %x, %w : (tensor<6x96xf32>, tensor<96x64xf32>) -> tensor<6x64xf32>
  %padded = glow.pad %product begins [0, 0] ends [2, 0] value 0.0 : (tensor<6x64xf32>) -> tensor<8x64xf32>
  %whole = glow.broadcast %p dims [8, 64] axis -1 : (tensor<8x1xi1>) -> tensor<8x64xi1>
  %y = glow.select %whole, %padded, %h : (tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %x0 = glow.read @x0 : tensor<0x96xf32>
  %h0 = glow.read @h0 : tensor<0x64xf32>
  %p0 = glow.read @p0 : tensor<0x1xi1>
  %none = glow.matmul %x0, %w : (tensor<0x96xf32>, tensor<96x64xf32>) -> tensor<0x64xf32>
  %empty = glow.broadcast %p0 dims [0, 64] axis -1 : (tensor<0x1xi1>) -> tensor<0x64xi1>
  %y0 = glow.select %empty, %none, %h0 : (tensor<0x64xi1>, tensor<0x64xf32>, tensor<0x64xf32>) -> tensor<0x64xf32>
  glow.save %y, @y : tensor<8x64xf32>
  glow.save %y0, @y0 : tensor<0x64xf32>
}
