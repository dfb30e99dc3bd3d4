// RUN: glow-opt %s --simplify-graph="before-folding raising runs=glow.conv_integer" --simplify-graph -split-input-file | FileCheck %s

// A backend without products of integers moves real numbers.
// RUN: glow-opt %s --simplify-graph="before-folding raising" -split-input-file | FileCheck %s --check-prefix=REALS
// REALS-NOT: {{(slice|gather|split).*}}ui8

// The parts of bytes, rows of a table of bytes that is constant.
// CHECK-LABEL: glow.constant @table
// CHECK: %[[PARTS:.*]]:2 = glow.split {{.*}} -> (tensor<1x4xui8>, tensor<3x4xui8>)
// CHECK-DAG: glow.dequantize %[[PARTS]]#0
// CHECK-DAG: glow.dequantize %[[PARTS]]#1
// CHECK-DAG: %[[ROWS:.*]] = glow.gather {{.*}} -> tensor<2x4xui8>
// CHECK-DAG: glow.dequantize %[[ROWS]]
glow.constant @table = dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xui8>
glow.placeholder @x input : tensor<4x4xui8>
glow.placeholder @i input : tensor<2xi64>
glow.placeholder @a output : tensor<1x4xf32>
glow.placeholder @b output : tensor<3x4xf32>
glow.placeholder @c output : tensor<2x4xf32>
glow.constant @scale = dense<0.5> : tensor<f32>
glow.constant @zero = dense<3> : tensor<ui8>
glow.func @main {
  %x = glow.read @x : tensor<4x4xui8>
  %i = glow.read @i : tensor<2xi64>
  %table = glow.read @table : tensor<3x4xui8>
  %scale = glow.read @scale : tensor<f32>
  %zero = glow.read @zero : tensor<ui8>
  %real = glow.dequantize %x, %scale, %zero axis -1 : (tensor<4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x4xf32>
  %a, %b = glow.split %real axis 0 sizes [1, 3] : (tensor<4x4xf32>) -> (tensor<1x4xf32>, tensor<3x4xf32>)
  %rows = glow.dequantize %table, %scale, %zero axis -1 : (tensor<3x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<3x4xf32>
  %c = glow.gather %rows, %i axis 0 : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  glow.save %a, @a : tensor<1x4xf32>
  glow.save %b, @b : tensor<3x4xf32>
  glow.save %c, @c : tensor<2x4xf32>
}

// -----

// A concatenation is quantised part by part: one has the result's scale.
// CHECK-LABEL: glow.placeholder @p input
// CHECK: %[[P:.*]] = glow.read @p
// CHECK: %[[Q:.*]] = glow.quantize {{.*}} -> tensor<1x4xui8>
// CHECK: glow.concat %[[P]], %[[Q]] axis 0
glow.placeholder @p input : tensor<2x4xui8>
glow.placeholder @q input : tensor<1x4xui8>
glow.placeholder @y output : tensor<3x4xui8>
glow.constant @scale = dense<0.5> : tensor<f32>
glow.constant @other = dense<0.75> : tensor<f32>
glow.constant @zero = dense<3> : tensor<ui8>
glow.func @main {
  %p = glow.read @p : tensor<2x4xui8>
  %q = glow.read @q : tensor<1x4xui8>
  %scale = glow.read @scale : tensor<f32>
  %other = glow.read @other : tensor<f32>
  %zero = glow.read @zero : tensor<ui8>
  %a = glow.dequantize %p, %scale, %zero axis -1 : (tensor<2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x4xf32>
  %b = glow.dequantize %q, %other, %zero axis -1 : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %both = glow.concat %a, %b axis 0 : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  %y = glow.quantize %both, %scale, %zero axis -1 : (tensor<3x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<3x4xui8>
  glow.save %y, @y : tensor<3x4xui8>
}

// -----

// Scales that differ by channel do not move, nor do parts of different scales.
// CHECK-LABEL: glow.constant @scales
// CHECK: glow.slice {{.*}} -> tensor<1x3xf32>
// CHECK: glow.concat {{.*}} -> tensor<5x3xf32>
glow.constant @scales = dense<[0.5, 0.25, 0.75]> : tensor<3xf32>
glow.placeholder @x input : tensor<4x3xui8>
glow.placeholder @y output : tensor<5x3xf32>
glow.constant @zeros = dense<3> : tensor<3xui8>
glow.func @main {
  %x = glow.read @x : tensor<4x3xui8>
  %scales = glow.read @scales : tensor<3xf32>
  %zeros = glow.read @zeros : tensor<3xui8>
  %real = glow.dequantize %x, %scales, %zeros axis 1 : (tensor<4x3xui8>, tensor<3xf32>, tensor<3xui8>) -> tensor<4x3xf32>
  %row = glow.slice %real starts [1, 0] steps [1, 1] sizes [1, 3] : (tensor<4x3xf32>) -> tensor<1x3xf32>
  %y = glow.concat %real, %row axis 0 : (tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<5x3xf32>
  glow.save %y, @y : tensor<5x3xf32>
}
