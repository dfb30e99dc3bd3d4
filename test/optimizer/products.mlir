// RUN: glow-opt %s --simplify-graph | FileCheck %s

glow.placeholder @x input : tensor<4x6xf32>
glow.placeholder @z input : tensor<4x6xf32>
glow.placeholder @given input : tensor<6x2xf32>
glow.placeholder @y output : tensor<4x5xf32>
glow.placeholder @few output : tensor<2x2xf32>
glow.placeholder @most output : tensor<3x3xf32>
glow.placeholder @sum output : tensor<4x3xf32>
glow.constant @w = dense<0.5> : tensor<6x3xf32>
glow.constant @u = dense<0.25> : tensor<6x3xf32>
glow.constant @v = dense<0.75> : tensor<6x2xf32>
glow.constant @b = dense<1.0> : tensor<3xf32>
glow.constant @c = dense<2.0> : tensor<1x2xf32>

// Side by side, with their biases.
// CHECK-LABEL: glow.func @biased
// CHECK:       %[[W:.*]] = glow.concat %{{.*}}, %{{.*}} axis 1 : (tensor<6x3xf32>, tensor<6x2xf32>) -> tensor<6x5xf32>
// CHECK:       %[[P:.*]] = glow.matmul %{{.*}}, %[[W]]
// CHECK-NOT:   glow.matmul
// CHECK:       %[[B:.*]] = glow.concat {{.*}} axis 0 : (tensor<3xf32>, tensor<2xf32>) -> tensor<5xf32>
// CHECK:       %[[R:.*]] = glow.broadcast %[[B]]
// CHECK:       glow.add %[[P]], %[[R]]
glow.func @biased {
  %x = glow.read @x : tensor<4x6xf32>
  %w = glow.read @w : tensor<6x3xf32>
  %v = glow.read @v : tensor<6x2xf32>
  %b = glow.read @b : tensor<3xf32>
  %c = glow.read @c : tensor<1x2xf32>
  %0 = glow.matmul %x, %w : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %1 = glow.broadcast %b dims [4, 3] axis -1 : (tensor<3xf32>) -> tensor<4x3xf32>
  %2 = glow.add %0, %1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = glow.matmul %x, %v : (tensor<4x6xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
  %4 = glow.broadcast %c dims [4, 2] axis -1 : (tensor<1x2xf32>) -> tensor<4x2xf32>
  %5 = glow.add %4, %3 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %6 = glow.concat %2, %5 axis 1 : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x5xf32>
  glow.save %6, @y : tensor<4x5xf32>
}

// Of two tensors, with one bias, and with a matrix that a run brings, they stay.
// CHECK-LABEL: glow.func @apart
// CHECK-COUNT-6: glow.matmul
glow.func @apart {
  %x = glow.read @x : tensor<4x6xf32>
  %z = glow.read @z : tensor<4x6xf32>
  %w = glow.read @w : tensor<6x3xf32>
  %v = glow.read @v : tensor<6x2xf32>
  %b = glow.read @b : tensor<3xf32>
  %given = glow.read @given : tensor<6x2xf32>
  %0 = glow.matmul %x, %w : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %1 = glow.matmul %z, %v : (tensor<4x6xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
  %2 = glow.concat %0, %1 axis 1 : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x5xf32>
  glow.save %2, @y : tensor<4x5xf32>
  %3 = glow.matmul %x, %w : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %4 = glow.broadcast %b dims [4, 3] axis -1 : (tensor<3xf32>) -> tensor<4x3xf32>
  %5 = glow.add %3, %4 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %6 = glow.matmul %x, %v : (tensor<4x6xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
  %7 = glow.concat %5, %6 axis 1 : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x5xf32>
  glow.save %7, @y : tensor<4x5xf32>
  %8 = glow.matmul %z, %w : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %9 = glow.matmul %z, %given : (tensor<4x6xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
  %10 = glow.concat %8, %9 axis 1 : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x5xf32>
  glow.save %10, @y : tensor<4x5xf32>
}

// A sum of products of one tensor.
// CHECK-LABEL: glow.func @added
// CHECK:       glow.add {{.*}} : (tensor<6x3xf32>, tensor<6x3xf32>)
// CHECK-COUNT-1: glow.matmul
// CHECK-NOT:   glow.matmul
// CHECK-LABEL: glow.func @half
glow.func @added {
  %x = glow.read @x : tensor<4x6xf32>
  %w = glow.read @w : tensor<6x3xf32>
  %u = glow.read @u : tensor<6x3xf32>
  %0 = glow.matmul %x, %w : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %1 = glow.matmul %x, %u : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %2 = glow.add %0, %1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  glow.save %2, @sum : tensor<4x3xf32>
}

// Of half of the rows, and some columns, the product of slices; of more rows, the
// columns would not pay for the copy.
// CHECK-DAG:   %[[W:.*]] = glow.slice %{{.*}} starts [0, 2] steps [1, -1] sizes [6, 2] : (tensor<6x3xf32>)
// CHECK-DAG:   %[[X:.*]] = glow.slice %{{.*}} starts [1, 0] steps [2, 1] sizes [2, 6] : (tensor<4x6xf32>)
// CHECK:       %[[P:.*]] = glow.matmul %[[X]], %[[W]]
// CHECK-NEXT:  glow.save %[[P]], @few
// CHECK:       glow.matmul {{.*}} -> tensor<4x3xf32>
// CHECK-NEXT:  glow.slice
glow.func @half {
  %x = glow.read @x : tensor<4x6xf32>
  %w = glow.read @w : tensor<6x3xf32>
  %0 = glow.matmul %x, %w : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %1 = glow.slice %0 starts [1, 2] steps [2, -1] sizes [2, 2] : (tensor<4x3xf32>) -> tensor<2x2xf32>
  glow.save %1, @few : tensor<2x2xf32>
  %2 = glow.matmul %x, %w : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
  %3 = glow.slice %2 starts [1, 0] steps [1, 1] sizes [3, 3] : (tensor<4x3xf32>) -> tensor<3x3xf32>
  glow.save %3, @most : tensor<3x3xf32>
}
