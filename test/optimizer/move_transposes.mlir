// RUN: glow-opt %s --move-transposes --simplify-graph | FileCheck %s

// Transposes before and behind a chain of nodes cancel; the axis of a softmax
// and the repeated bias follow.
// CHECK-LABEL: glow.func @cancel
// CHECK-NOT:   glow.transpose
// CHECK:       glow.softmax %{{.*}} axis 1
// CHECK-NOT:   glow.transpose
// CHECK-LABEL: glow.func @smaller
glow.placeholder @x input : tensor<1x2x3x4xf32>
glow.placeholder @y output : tensor<1x2x3x4xf32>
glow.placeholder @s output : tensor<1x1x1x2xf32>
glow.placeholder @t output : tensor<1x3x4x2xf32>
glow.func @cancel {
  %x = glow.read @x : tensor<1x2x3x4xf32>
  %0 = glow.transpose %x permutation [0, 2, 3, 1] : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %1 = glow.relu %0 : (tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  %b = glow.real_literal values [1.0, 2.0] dims [2] kind f32 : () -> tensor<2xf32>
  %2 = glow.broadcast %b dims [1, 3, 4, 2] axis -1 : (tensor<2xf32>) -> tensor<1x3x4x2xf32>
  %3 = glow.add %1, %2 : (tensor<1x3x4x2xf32>, tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  %4 = glow.softmax %3 axis 3 : (tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  %5 = glow.transpose %4 permutation [0, 3, 1, 2] : (tensor<1x3x4x2xf32>) -> tensor<1x2x3x4xf32>
  glow.save %5, @y : tensor<1x2x3x4xf32>
}

// A sum is smaller than what it sums: it is transposed in its place, here by no
// more than a view.
// CHECK:       glow.reduce_sum %{{.*}} axes [2, 3]
// CHECK-NEXT:  glow.reshape %{{.*}} dims [1, 1, 1, 2]
// CHECK-LABEL: glow.func @no_gain
glow.func @smaller {
  %x = glow.read @x : tensor<1x2x3x4xf32>
  %0 = glow.transpose %x permutation [0, 2, 3, 1] : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %1 = glow.reduce_sum %0 axes [1, 2] keepDims true : (tensor<1x3x4x2xf32>) -> tensor<1x1x1x2xf32>
  glow.save %1, @s : tensor<1x1x1x2xf32>
}

// Behind the node, the transpose would move as many elements: it stays.
// CHECK:       glow.transpose
// CHECK-NEXT:  glow.relu
// CHECK-NEXT:  glow.save
glow.func @no_gain {
  %x = glow.read @x : tensor<1x2x3x4xf32>
  %0 = glow.transpose %x permutation [0, 2, 3, 1] : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %1 = glow.relu %0 : (tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  glow.save %1, @t : tensor<1x3x4x2xf32>
}

// Two branches in the same order meet, and what they make is cut apart: one
// transpose behind each part would be more than the two there are, unless the
// parts are transposed back.
// CHECK-LABEL: glow.func @branches
// CHECK-NOT:   glow.transpose
// CHECK:       glow.concat {{.*}} axis 1
// CHECK:       glow.slice {{.*}} starts [0, 1, 0, 0] steps [1, 1, 1, 1] sizes [1, 2, 3, 4]
// CHECK-NEXT:  glow.save
glow.func @branches {
  %x = glow.read @x : tensor<1x2x3x4xf32>
  %0 = glow.transpose %x permutation [0, 2, 3, 1] : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %n = glow.neg %x : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %1 = glow.transpose %n permutation [0, 2, 3, 1] : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %2 = glow.concat %0, %1 axis 3 : (tensor<1x3x4x2xf32>, tensor<1x3x4x2xf32>) -> tensor<1x3x4x4xf32>
  %3 = glow.slice %2 starts [0, 0, 0, 1] steps [1, 1, 1, 1] sizes [1, 3, 4, 2] : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x2xf32>
  %4 = glow.transpose %3 permutation [0, 3, 1, 2] : (tensor<1x3x4x2xf32>) -> tensor<1x2x3x4xf32>
  glow.save %4, @y : tensor<1x2x3x4xf32>
}
