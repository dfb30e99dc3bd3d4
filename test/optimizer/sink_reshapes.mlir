// RUN: glow-opt %s --sink-reshapes | FileCheck %s

// A reshape goes behind pointwise nodes, next to the one it can merge with.
// CHECK-LABEL: glow.func @sunk
// CHECK:       %[[X:.*]] = glow.read @x
// CHECK:       glow.relu %[[X]]
// CHECK:       glow.mul %{{.*}}, %{{.*}} : (tensor<2x3xf32>
// CHECK-NEXT:  glow.reshape %{{.*}} dims [6]
// CHECK-NEXT:  glow.reshape %{{.*}} dims [3, 2]
// CHECK-LABEL: glow.func @read_twice
glow.placeholder @x input : tensor<2x3xf32>
glow.placeholder @y output : tensor<3x2xf32>
glow.placeholder @z output : tensor<6xf32>
glow.func @sunk {
  %x = glow.read @x : tensor<2x3xf32>
  %0 = glow.reshape %x dims [6] : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = glow.relu %0 : (tensor<6xf32>) -> tensor<6xf32>
  %c = glow.splat value 3.0 dims [6] kind f32 : () -> tensor<6xf32>
  %2 = glow.mul %1, %c : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %3 = glow.reshape %2 dims [3, 2] : (tensor<6xf32>) -> tensor<3x2xf32>
  glow.save %3, @y : tensor<3x2xf32>
}

// A reshape with another reader would stay beside the new one.
// CHECK:       glow.reshape
// CHECK-NEXT:  glow.relu %{{.*}} : (tensor<6xf32>)
glow.func @read_twice {
  %x = glow.read @x : tensor<2x3xf32>
  %0 = glow.reshape %x dims [6] : (tensor<2x3xf32>) -> tensor<6xf32>
  %1 = glow.relu %0 : (tensor<6xf32>) -> tensor<6xf32>
  %2 = glow.reshape %0 dims [3, 2] : (tensor<6xf32>) -> tensor<3x2xf32>
  glow.save %1, @z : tensor<6xf32>
  glow.save %2, @y : tensor<3x2xf32>
}
