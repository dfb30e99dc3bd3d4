// RUN: glow-opt %s --raise-slices | FileCheck %s

glow.placeholder @x input : tensor<4x6xf32>
glow.placeholder @z input : tensor<4x6xf32>
glow.placeholder @y output : tensor<2x3xf32>
glow.placeholder @most output : tensor<3x6xf32>
glow.placeholder @all output : tensor<4x6xf32>
glow.constant @b = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
glow.constant @w = dense<0.5> : tensor<6x6xf32>

// A chain of pointwise nodes computes the elements of the slice alone; a
// repeated operand stays repeated, and is sliced before.
// CHECK-LABEL: glow.func @chain
// CHECK:       %[[X:.*]] = glow.read @x
// CHECK-NOT:   tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK:       glow.slice %[[X]] starts [1, 5] steps [2, -2] sizes [2, 3]
// CHECK:       glow.splat value 3.0{{.*}} dims [2, 3]
// CHECK:       %[[M:.*]] = glow.mul {{.*}} -> tensor<2x3xf32>
// CHECK:       %[[B:.*]] = glow.slice %{{.*}} starts [0, 5] steps [1, -2] sizes [1, 3] : (tensor<1x6xf32>)
// CHECK:       %[[R:.*]] = glow.broadcast %[[B]] dims [2, 3]
// CHECK:       %[[S:.*]] = glow.add %[[M]], %[[R]]
// CHECK:       %[[T:.*]] = glow.tanh %[[S]] : (tensor<2x3xf32>)
// CHECK-NEXT:  glow.save %[[T]], @y
glow.func @chain {
  %x = glow.read @x : tensor<4x6xf32>
  %b = glow.read @b : tensor<6xf32>
  %c = glow.splat value 3.0 dims [4, 6] kind f32 : () -> tensor<4x6xf32>
  %0 = glow.mul %x, %c : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = glow.broadcast %b dims [4, 6] axis -1 : (tensor<6xf32>) -> tensor<4x6xf32>
  %2 = glow.add %0, %1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = glow.tanh %2 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = glow.slice %3 starts [1, 5] steps [2, -2] sizes [2, 3] : (tensor<4x6xf32>) -> tensor<2x3xf32>
  glow.save %4, @y : tensor<2x3xf32>
}

// Two slices of three quarters copy more than is not computed.
// CHECK-LABEL: glow.func @most_of_it
// CHECK:       glow.add {{.*}} -> tensor<4x6xf32>
// CHECK-NEXT:  glow.slice
glow.func @most_of_it {
  %x = glow.read @x : tensor<4x6xf32>
  %z = glow.read @z : tensor<4x6xf32>
  %0 = glow.add %x, %z : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = glow.slice %0 starts [1, 0] steps [1, 1] sizes [3, 6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
  glow.save %1, @most : tensor<3x6xf32>
}

// Something else reads all of it, and the other end is as large.
// CHECK-LABEL: glow.func @needed
// CHECK:       glow.tanh %{{.*}} : (tensor<4x6xf32>)
// CHECK:       glow.relu %{{.*}} : (tensor<4x6xf32>)
glow.func @needed {
  %x = glow.read @x : tensor<4x6xf32>
  %0 = glow.tanh %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  glow.save %0, @all : tensor<4x6xf32>
  %1 = glow.slice %0 starts [0, 0] steps [1, 1] sizes [2, 3] : (tensor<4x6xf32>) -> tensor<2x3xf32>
  glow.save %1, @y : tensor<2x3xf32>
  %2 = glow.relu %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = glow.slice %2 starts [3, 0] steps [-1, 1] sizes [4, 6] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  glow.save %3, @all : tensor<4x6xf32>
}

// A layer has its activation in its loops, and keeps it.
// CHECK-LABEL: glow.func @layer
// CHECK:       glow.matmul
// CHECK-NEXT:  glow.tanh %{{.*}} : (tensor<4x6xf32>)
// CHECK-NEXT:  glow.slice
// CHECK-LABEL: glow.func @cut_layer
glow.func @layer {
  %x = glow.read @x : tensor<4x6xf32>
  %w = glow.read @w : tensor<6x6xf32>
  %0 = glow.matmul %x, %w : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %1 = glow.tanh %0 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = glow.slice %1 starts [1, 0] steps [1, 1] sizes [3, 6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
  glow.save %2, @most : tensor<3x6xf32>
}

// A node that is cheaper in part is cut as well.
// CHECK:       glow.matmul {{.*}} -> tensor<2x3xf32>
// CHECK-NEXT:  glow.tanh %{{.*}} : (tensor<2x3xf32>)
glow.func @cut_layer {
  %x = glow.read @x : tensor<4x6xf32>
  %w = glow.read @w : tensor<6x6xf32>
  %0 = glow.matmul %x, %w : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %1 = glow.tanh %0 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = glow.slice %1 starts [1, 0] steps [1, 1] sizes [2, 3] : (tensor<4x6xf32>) -> tensor<2x3xf32>
  glow.save %2, @y : tensor<2x3xf32>
}

// Rows that layers have as those of one matrix, evenly spaced.
// CHECK-LABEL: glow.func @rows
// CHECK:       glow.slice %{{.*}} starts [1, 0] steps [2, 1] sizes [2, 6] : (tensor<4x6xf32>)
// CHECK-NEXT:  glow.reshape %{{.*}} dims [2, 1, 6]
// CHECK-NEXT:  glow.tanh
glow.placeholder @ones output : tensor<2x1x6xf32>
glow.func @rows {
  %x = glow.read @x : tensor<4x6xf32>
  %0 = glow.reshape %x dims [2, 2, 6] : (tensor<4x6xf32>) -> tensor<2x2x6xf32>
  %1 = glow.tanh %0 : (tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
  %2 = glow.slice %1 starts [0, 1, 0] steps [1, 1, 1] sizes [2, 1, 6] : (tensor<2x2x6xf32>) -> tensor<2x1x6xf32>
  glow.save %2, @ones : tensor<2x1x6xf32>
}

// Two of three rows of each image are not.
// CHECK-LABEL: glow.func @uneven_rows
// CHECK:       glow.reshape %{{.*}} dims [2, 3, 4]
// CHECK-NEXT:  glow.slice
// CHECK-NEXT:  glow.tanh
glow.placeholder @six_rows input : tensor<6x4xf32>
glow.placeholder @four_rows output : tensor<2x2x4xf32>
glow.func @uneven_rows {
  %x = glow.read @six_rows : tensor<6x4xf32>
  %0 = glow.reshape %x dims [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %1 = glow.tanh %0 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %2 = glow.slice %1 starts [0, 1, 0] steps [1, 1, 1] sizes [2, 2, 4] : (tensor<2x3x4xf32>) -> tensor<2x2x4xf32>
  glow.save %2, @four_rows : tensor<2x2x4xf32>
}

// The first row of each image, before rows are normalized and made one matrix.
// CHECK-LABEL: glow.func @normalized
// CHECK:       %[[S:.*]] = glow.slice %{{.*}} starts [0, 0, 0] steps [1, 1, 1] sizes [2, 1, 4] : (tensor<2x3x4xf32>)
// CHECK-NEXT:  %[[N:.*]] = glow.layer_norm %[[S]]
// CHECK-NEXT:  %[[R:.*]] = glow.reshape %[[N]] dims [2, 4]
// CHECK-NEXT:  glow.softmax %[[R]]
glow.placeholder @images input : tensor<2x3x4xf32>
glow.placeholder @firsts output : tensor<2x4xf32>
glow.func @normalized {
  %x = glow.read @images : tensor<2x3x4xf32>
  %0 = glow.layer_norm %x, none, none axis 2 epsilon 1.0e-5 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = glow.reshape %0 dims [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %2 = glow.softmax %1 axis 1 : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %3 = glow.slice %2 starts [0, 0] steps [3, 1] sizes [2, 4] : (tensor<6x4xf32>) -> tensor<2x4xf32>
  glow.save %3, @firsts : tensor<2x4xf32>
}
