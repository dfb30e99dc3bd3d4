// RUN: glow-opt %s --split-input-file --verify-diagnostics --expand-quantized | FileCheck %s
// RUN: glow-opt %s --split-input-file --verify-diagnostics --expand-quantized | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: !quant

// Operands with scales of their own become what they stand for, and so does the
// result; inputs, outputs and constants are of the elements' own kind.
!x = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i8<-127:127>:f32:1, {0.25, 0.125:3}>
!y = !quant.uniform<i8:f32, 0.1:-5>
// CHECK-LABEL: @x input : tensor<2x3xi8>
// CHECK:       @y output : tensor<2x2xi8>
// CHECK:       @w = dense_resource<w> : tensor<3x2xi8>
// CHECK:       %[[X:.*]] = glow.read @x : tensor<2x3xi8>
// CHECK:       %[[SX:.*]] = glow.splat value 5.000000e-01 dims [] kind f32
// CHECK:       %[[ZX:.*]] = glow.splat value 1.000000e+00 dims [] kind i8
// CHECK:       %[[RX:.*]] = glow.dequantize %[[X]], %[[SX]], %[[ZX]] axis -1
// CHECK:       %[[SW:.*]] = glow.real_literal values [2.500000e-01, 1.250000e-01] dims [2] kind f32
// CHECK:       %[[ZW:.*]] = glow.literal values [0, 3] dims [2] kind i8
// CHECK:       %[[RW:.*]] = glow.dequantize %{{.*}}, %[[SW]], %[[ZW]] axis 1
// CHECK:       %[[RY:.*]] = glow.matmul %[[RX]], %[[RW]] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
// CHECK:       %[[Y:.*]] = glow.quantize %[[RY]], {{.*}} -> tensor<2x2xi8>
// CHECK:       glow.save %[[Y]], @y : tensor<2x2xi8>
glow.placeholder @x input : tensor<2x3x!x>
glow.placeholder @y output : tensor<2x2x!y>
glow.constant @w = dense_resource<w> : tensor<3x2x!w>
glow.func @main {
  %x = glow.read @x : tensor<2x3x!x>
  %w = glow.read @w : tensor<3x2x!w>
  %y = glow.matmul %x, %w : (tensor<2x3x!x>, tensor<3x2x!w>) -> tensor<2x2x!y>
  glow.save %y, @y : tensor<2x2x!y>
}

// -----

// Bounds of the storage bound the integers; the next node reads the new scale.
!a = !quant.uniform<u8:f32, 0.5:128>
!b = !quant.uniform<u8<1:255>:f32, 0.25>
// CHECK-LABEL: @bounded
// CHECK:       glow.read @x : tensor<4xui8>
// CHECK:       %[[Q:.*]] = glow.quantize
// CHECK:       %[[LOW:.*]] = glow.splat value 1.000000e+00
// CHECK:       %[[M:.*]] = glow.max %[[Q]], %[[LOW]]
// CHECK:       %[[HIGH:.*]] = glow.splat value 2.550000e+02
// CHECK:       %[[N:.*]] = glow.min %[[M]], %[[HIGH]] : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
// CHECK:       %[[S:.*]] = glow.splat value 2.500000e-01
// CHECK:       %[[R:.*]] = glow.dequantize %[[N]], %[[S]]
// CHECK:       glow.abs %[[R]]
glow.placeholder @x input : tensor<4x!a>
glow.placeholder @y output : tensor<4x!b>
glow.func @bounded {
  %x = glow.read @x : tensor<4x!a>
  %a = glow.add %x, %x : (tensor<4x!a>, tensor<4x!a>) -> tensor<4x!b>
  %y = glow.abs %a : (tensor<4x!b>) -> tensor<4x!b>
  glow.save %y, @y : tensor<4x!b>
}

// -----

// Nodes of quantization are given their scale, and name the type of what they
// make.
!q = !quant.uniform<i8:f32, 0.5:1>
// CHECK-LABEL: @bridges
// CHECK:       %[[Q:.*]] = glow.quantize {{.*}} -> tensor<4xi8>
// CHECK-NEXT:  %[[R:.*]] = glow.dequantize %[[Q]], {{.*}} -> tensor<4xf32>
// CHECK-NEXT:  glow.save %[[R]]
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.func @bridges {
  %x = glow.read @x : tensor<4xf32>
  %s = glow.splat value 0.5 dims [] kind f32 : () -> tensor<f32>
  %z = glow.splat value 1.0 dims [] kind i8 : () -> tensor<i8>
  %q = glow.quantize %x, %s, %z axis -1 : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4x!q>
  %y = glow.dequantize %q, %s, %z axis -1 : (tensor<4x!q>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  glow.save %y, @y : tensor<4xf32>
}

// -----

// Without quantised elements there is nothing to do.
// CHECK-LABEL: @unchanged
// CHECK-NEXT:    glow.read @x : tensor<4xi8>
// CHECK-NEXT:    glow.max
// CHECK-NEXT:    glow.save
glow.placeholder @x input : tensor<4xi8>
glow.placeholder @y output : tensor<4xi8>
glow.func @unchanged {
  %x = glow.read @x : tensor<4xi8>
  %y = glow.max %x, %x : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  glow.save %y, @y : tensor<4xi8>
}
