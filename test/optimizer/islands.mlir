// RUN: glow-opt %s --simplify-graph="before-folding raising runs=glow.conv_integer" -split-input-file | FileCheck %s

// A backend without products of integers is given real numbers.
// RUN: glow-opt %s --simplify-graph="before-folding raising" -split-input-file | FileCheck %s --check-prefix=REALS
// REALS-NOT: glow.conv_integer
// REALS: glow.conv
// REALS-NOT: glow.conv_integer

// A layer between a dequantize and a quantize is one of integers.
// CHECK-LABEL: glow.constant @filter
// CHECK: %[[SUMS:.*]] = glow.conv_integer
// CHECK-NOT: glow.quantize
// CHECK: glow.requantize %[[SUMS]]
// CHECK-SAME: axis 1
glow.placeholder @x input : tensor<1x4x5x5xui8>
glow.placeholder @y output : tensor<1x6x5x5xui8>
glow.constant @filter = dense<1> : tensor<6x4x3x3xi8>
glow.constant @scales = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
glow.constant @zeros = dense<0> : tensor<6xi8>
glow.constant @bias = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
glow.constant @scale = dense<0.5> : tensor<f32>
glow.constant @zero = dense<0> : tensor<ui8>
glow.func @main {
  %x = glow.read @x : tensor<1x4x5x5xui8>
  %scale = glow.read @scale : tensor<f32>
  %zero = glow.read @zero : tensor<ui8>
  %filter = glow.read @filter : tensor<6x4x3x3xi8>
  %scales = glow.read @scales : tensor<6xf32>
  %zeros = glow.read @zeros : tensor<6xi8>
  %bias = glow.read @bias : tensor<6xf32>
  %real = glow.dequantize %x, %scale, %zero axis -1 : (tensor<1x4x5x5xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4x5x5xf32>
  %weights = glow.dequantize %filter, %scales, %zeros axis 0 : (tensor<6x4x3x3xi8>, tensor<6xf32>, tensor<6xi8>) -> tensor<6x4x3x3xf32>
  %conv = glow.conv %real, %weights, %bias strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<1x6x5x5xf32>
  %relu = glow.relu %conv : (tensor<1x6x5x5xf32>) -> tensor<1x6x5x5xf32>
  %y = glow.quantize %relu, %scale, %zero axis -1 : (tensor<1x6x5x5xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x6x5x5xui8>
  glow.save %y, @y : tensor<1x6x5x5xui8>
}

// -----

// Where zero is not the least integer, relu stays.
// CHECK-LABEL: glow.constant @middle
// CHECK: glow.relu
// CHECK: glow.quantize
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<4xui8>
glow.constant @scale = dense<0.5> : tensor<f32>
glow.constant @middle = dense<3> : tensor<ui8>
glow.func @main {
  %x = glow.read @x : tensor<4xf32>
  %scale = glow.read @scale : tensor<f32>
  %middle = glow.read @middle : tensor<ui8>
  %relu = glow.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %y = glow.quantize %relu, %scale, %middle axis -1 : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  glow.save %y, @y : tensor<4xui8>
}

// -----

// Nodes that only move or choose elements do so on integers; a mean is an exact
// sum.
// CHECK-LABEL: glow.placeholder @x input : tensor<2x36xui8>
// CHECK: glow.reshape {{.*}} -> tensor<1x2x6x6xui8>
// CHECK: glow.max_pool {{.*}} -> tensor<1x2x3x3xui8>
// CHECK: glow.reduce_sum {{.*}} -> tensor<1x2x1x1xi32>
// CHECK: glow.dequantize
glow.placeholder @x input : tensor<2x36xui8>
glow.placeholder @y output : tensor<1x2x1x1xf32>
glow.constant @scale = dense<0.5> : tensor<f32>
glow.constant @zero = dense<3> : tensor<ui8>
glow.func @main {
  %x = glow.read @x : tensor<2x36xui8>
  %scale = glow.read @scale : tensor<f32>
  %zero = glow.read @zero : tensor<ui8>
  %real = glow.dequantize %x, %scale, %zero axis -1 : (tensor<2x36xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x36xf32>
  %image = glow.reshape %real dims [1, 2, 6, 6] : (tensor<2x36xf32>) -> tensor<1x2x6x6xf32>
  %pool = glow.max_pool %image window [2, 2] strides [2, 2] pads [0, 0, 0, 0] dilations [1, 1] : (tensor<1x2x6x6xf32>) -> tensor<1x2x3x3xf32>
  %mean = glow.reduce_mean %pool axes [2, 3] keepDims true : (tensor<1x2x3x3xf32>) -> tensor<1x2x1x1xf32>
  glow.save %mean, @y : tensor<1x2x1x1xf32>
}
