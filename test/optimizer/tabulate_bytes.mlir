// RUN: glow-opt %s --tabulate-bytes --simplify-graph -split-input-file | FileCheck %s

// However many nodes read the byte, and however often: a scale of 1 and a zero point of
// 0 define x * relu(x) of a byte.
// CHECK-LABEL: glow.placeholder @x input : tensor<2x3xi8>
// CHECK: %[[X:.*]] = glow.read @x
// CHECK: %[[T:.*]] = glow.read @[[TABLE:table.*]] : tensor<256xi8>
// CHECK: %[[Y:.*]] = glow.int_lookup_table %[[X]], %[[T]]
// CHECK-NOT: glow.mul
// CHECK: glow.save %[[Y]], @y
// CHECK: glow.constant @[[TABLE]] = dense_resource
glow.placeholder @x input : tensor<2x3xi8>
glow.placeholder @y output : tensor<2x3xi8>
glow.constant @one = dense<1.0> : tensor<f32>
glow.constant @zero = dense<0> : tensor<i8>
glow.func @main {
  %x = glow.read @x : tensor<2x3xi8>
  %one = glow.read @one : tensor<f32>
  %zero = glow.read @zero : tensor<i8>
  %a = glow.dequantize %x, %one, %zero axis -1 : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %b = glow.dequantize %x, %one, %zero axis -1 : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %relu = glow.relu %b : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %q = glow.quantize %relu, %one, %zero axis -1 : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  %c = glow.dequantize %q, %one, %zero axis -1 : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %product = glow.mul %a, %c : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = glow.quantize %product, %one, %zero axis -1 : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  glow.save %y, @y : tensor<2x3xi8>
}

// -----

// Of two bytes there is no table, nor of a byte with a number for each channel; another
// scale alone is rounded where sums are.
// CHECK-LABEL: glow.placeholder @p input
// CHECK-NOT: glow.int_lookup_table
glow.placeholder @p input : tensor<2x3xui8>
glow.placeholder @q input : tensor<2x3xui8>
glow.placeholder @y output : tensor<2x3xui8>
glow.placeholder @z output : tensor<2x3xui8>
glow.placeholder @w output : tensor<2x3xui8>
glow.constant @scale = dense<0.5> : tensor<f32>
glow.constant @other = dense<0.75> : tensor<f32>
glow.constant @slopes = dense<[[0.5, 0.25, 0.75]]> : tensor<1x3xf32>
glow.constant @zero = dense<3> : tensor<ui8>
glow.func @main {
  %p = glow.read @p : tensor<2x3xui8>
  %q = glow.read @q : tensor<2x3xui8>
  %scale = glow.read @scale : tensor<f32>
  %other = glow.read @other : tensor<f32>
  %slopes = glow.read @slopes : tensor<1x3xf32>
  %zero = glow.read @zero : tensor<ui8>
  %a = glow.dequantize %p, %scale, %zero axis -1 : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %b = glow.dequantize %q, %scale, %zero axis -1 : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %sum = glow.add %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = glow.quantize %sum, %scale, %zero axis -1 : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  %each = glow.broadcast %slopes dims [2, 3] axis -1 : (tensor<1x3xf32>) -> tensor<2x3xf32>
  %scaled = glow.mul %a, %each : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %z = glow.quantize %scaled, %scale, %zero axis -1 : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  %w = glow.quantize %a, %other, %zero axis -1 : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  glow.save %y, @y : tensor<2x3xui8>
  glow.save %z, @z : tensor<2x3xui8>
  glow.save %w, @w : tensor<2x3xui8>
}
