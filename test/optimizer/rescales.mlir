// RUN: glow-opt %s --simplify-graph="before-folding raising runs=glow.conv_integer" --simplify-graph -split-input-file | FileCheck %s

// Integers of one scale stay such through what chooses among them, as the scale is
// positive, and the mean of a window is a product with 1.
// CHECK-LABEL: glow.placeholder @p input
// CHECK-DAG: %[[X:.*]] = glow.read @x
// CHECK-DAG: %[[P:.*]] = glow.read @p
// CHECK:     %[[MAX:.*]] = glow.max %[[X]], %[[P]] : (tensor<1x2x4x4xui8>
// CHECK:     glow.max %[[MAX]], %{{.*}} : (tensor<1x2x4x4xui8>
// CHECK:     %[[SUMS:.*]] = glow.conv_integer
// CHECK:     %[[MEAN:.*]] = glow.requantize %[[SUMS]]
// CHECK:     glow.save %[[MEAN]]
// CHECK-NOT: glow.avg_pool
glow.placeholder @p input : tensor<1x2x4x4xui8>
glow.placeholder @x input : tensor<1x2x4x4xui8>
glow.placeholder @y output : tensor<1x2x2x2xui8>
glow.constant @s = dense<0.5> : tensor<f32>
glow.constant @z = dense<3> : tensor<ui8>
glow.func @main {
  %x = glow.read @x : tensor<1x2x4x4xui8>
  %p = glow.read @p : tensor<1x2x4x4xui8>
  %s = glow.read @s : tensor<f32>
  %z = glow.read @z : tensor<ui8>
  %a = glow.dequantize %x, %s, %z axis -1 : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %b = glow.dequantize %p, %s, %z axis -1 : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %largest = glow.max %a, %b : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %relu = glow.relu %largest : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %mean = glow.avg_pool %relu window [2, 2] strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %y = glow.quantize %mean, %s, %z axis -1 : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2x2xui8>
  glow.save %y, @y : tensor<1x2x2x2xui8>
}

// -----

// Of two scales the smaller number is found among integers of the scale of the result,
// which one of them has.
// CHECK-LABEL: glow.placeholder @p input
// CHECK-DAG: %[[X:.*]] = glow.read @x
// CHECK-DAG: %[[P:.*]] = glow.quantize {{.*}} -> tensor<4xui8>
// CHECK:     %[[Y:.*]] = glow.min %[[X]], %[[P]] : (tensor<4xui8>
// CHECK:     glow.save %[[Y]]
glow.placeholder @p input : tensor<4xui8>
glow.placeholder @x input : tensor<4xui8>
glow.placeholder @y output : tensor<4xui8>
glow.constant @s = dense<0.5> : tensor<f32>
glow.constant @t = dense<0.25> : tensor<f32>
glow.constant @z = dense<3> : tensor<ui8>
glow.func @main {
  %x = glow.read @x : tensor<4xui8>
  %p = glow.read @p : tensor<4xui8>
  %s = glow.read @s : tensor<f32>
  %t = glow.read @t : tensor<f32>
  %z = glow.read @z : tensor<ui8>
  %a = glow.dequantize %x, %s, %z axis -1 : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %b = glow.dequantize %p, %t, %z axis -1 : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %min = glow.min %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = glow.quantize %min, %s, %z axis -1 : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  glow.save %y, @y : tensor<4xui8>
}

// -----

// Operands that stay real are compared as real numbers.
// CHECK-LABEL: glow.placeholder @p input
// CHECK: glow.max {{.*}} : (tensor<4xf32>
glow.placeholder @p input : tensor<4xui8>
glow.placeholder @x input : tensor<4xui8>
glow.placeholder @y output : tensor<4xf32>
glow.constant @s = dense<0.5> : tensor<f32>
glow.constant @t = dense<0.25> : tensor<f32>
glow.constant @z = dense<3> : tensor<ui8>
glow.func @main {
  %x = glow.read @x : tensor<4xui8>
  %p = glow.read @p : tensor<4xui8>
  %s = glow.read @s : tensor<f32>
  %t = glow.read @t : tensor<f32>
  %z = glow.read @z : tensor<ui8>
  %a = glow.dequantize %x, %s, %z axis -1 : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %b = glow.dequantize %p, %t, %z axis -1 : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %y = glow.max %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  glow.save %y, @y : tensor<4xf32>
}
