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

// A transpose of a constant is done when the model is compiled: where three take the
// place of one of a value, something is gained, and nothing by going back.
// CHECK-LABEL: glow.func @constants
// CHECK:       %[[X:.*]] = glow.read @x
// CHECK:       glow.select %{{.*}}, %[[X]], %{{.*}} -> tensor<1x2x3x4xf32>
// CHECK:       %[[SUM:.*]] = glow.add {{.*}} -> tensor<1x2x3x4xf32>
// CHECK-NEXT:  glow.save %[[SUM]]
glow.constant @mask = dense<[[[[false, true], [true, false], [false, true], [true, false]], [[true, false], [false, true], [true, false], [false, true]], [[false, true], [true, false], [false, true], [true, false]]]]> : tensor<1x3x4x2xi1>
glow.constant @first = dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]], [[8.0, 9.0], [10.0, 11.0], [12.0, 13.0], [14.0, 15.0]], [[16.0, 17.0], [18.0, 19.0], [20.0, 21.0], [22.0, 23.0]]]]> : tensor<1x3x4x2xf32>
glow.constant @second = dense<[[[[100.0, 101.0], [102.0, 103.0], [104.0, 105.0], [106.0, 107.0]], [[108.0, 109.0], [110.0, 111.0], [112.0, 113.0], [114.0, 115.0]], [[116.0, 117.0], [118.0, 119.0], [120.0, 121.0], [122.0, 123.0]]]]> : tensor<1x3x4x2xf32>
glow.func @constants {
  %x = glow.read @x : tensor<1x2x3x4xf32>
  %mask = glow.read @mask : tensor<1x3x4x2xi1>
  %first = glow.read @first : tensor<1x3x4x2xf32>
  %second = glow.read @second : tensor<1x3x4x2xf32>
  %0 = glow.transpose %x permutation [0, 2, 3, 1] : (tensor<1x2x3x4xf32>) -> tensor<1x3x4x2xf32>
  %1 = glow.select %mask, %0, %first : (tensor<1x3x4x2xi1>, tensor<1x3x4x2xf32>, tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  %2 = glow.add %1, %second : (tensor<1x3x4x2xf32>, tensor<1x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  %3 = glow.transpose %2 permutation [0, 3, 1, 2] : (tensor<1x3x4x2xf32>) -> tensor<1x2x3x4xf32>
  glow.save %3, @y : tensor<1x2x3x4xf32>
}
