// RUN: glow-opt %s --simplify-graph | FileCheck %s

// The parts of a split in their order are the whole.
// CHECK-LABEL: glow.func @whole
// CHECK:       %[[X:.*]] = glow.read @x
// CHECK-NEXT:  glow.save %[[X]], @y
glow.placeholder @x input : tensor<2x4xf32>
glow.placeholder @y output : tensor<2x4xf32>
glow.placeholder @z output : tensor<2x3xf32>
glow.func @whole {
  %x = glow.read @x : tensor<2x4xf32>
  %0:2 = glow.split %x axis 1 sizes [1, 3] : (tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x3xf32>)
  %1 = glow.concat %0#0, %0#1 axis 1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  glow.save %1, @y : tensor<2x4xf32>
}

// In another order they are not.
// CHECK-LABEL: glow.func @swapped
// CHECK:       glow.split
// CHECK-NEXT:  glow.concat
glow.func @swapped {
  %x = glow.read @x : tensor<2x4xf32>
  %0:2 = glow.split %x axis 1 sizes [1, 3] : (tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x3xf32>)
  %1 = glow.concat %0#1, %0#0 axis 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  glow.save %1, @y : tensor<2x4xf32>
}

// A split at the joints of a concatenation: both go.
// CHECK-LABEL: glow.func @apart
// CHECK-NOT:   glow.concat
// CHECK:       glow.save %[[B:.*]], @z
glow.func @apart {
  %x = glow.read @x : tensor<2x4xf32>
  %a = glow.slice %x starts [0, 0] steps [1, 1] sizes [2, 1] : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = glow.slice %x starts [0, 1] steps [1, 1] sizes [2, 3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
  %r = glow.relu %b : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = glow.concat %a, %r axis 1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  %1:2 = glow.split %0 axis 1 sizes [1, 3] : (tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x3xf32>)
  glow.save %1#1, @z : tensor<2x3xf32>
}

// Slices with a gap between them stay two.
// CHECK-LABEL: glow.func @gap
// CHECK-COUNT-2: glow.slice
// CHECK:       glow.concat
glow.func @gap {
  %x = glow.read @x : tensor<2x4xf32>
  %a = glow.slice %x starts [0, 0] steps [1, 1] sizes [2, 1] : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %b = glow.slice %x starts [0, 2] steps [1, 1] sizes [2, 2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %0 = glow.concat %a, %b axis 1 : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  glow.save %0, @z : tensor<2x3xf32>
}
