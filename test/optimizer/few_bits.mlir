// RUN: glow-opt %s --simplify-graph="before-folding raising runs=glow.matmul_nbits" -split-input-file | FileCheck %s

// A backend without such products is given real numbers.
// RUN: glow-opt %s --simplify-graph="before-folding raising" -split-input-file | FileCheck %s --check-prefix=REALS
// REALS-NOT: glow.matmul_nbits

// A product with a constant matrix of blocks reads its codes: rows of columns, which
// count from 0, of several in a byte.
// CHECK-LABEL: glow.constant @w
// CHECK: glow.pack_codes {{.*}} bits 4 blockSize 16 lowest -8
// CHECK: glow.matmul_nbits {{.*}} bits 4 blockSize 16 : (tensor<2x40xf32>, tensor<5x3x8xui8>, tensor<5x3xf32>, tensor<5x3xui8>) -> tensor<2x5xf32>
// CHECK-NOT: glow.matmul{{ }}
glow.placeholder @x input : tensor<2x40xf32>
glow.placeholder @y output : tensor<2x5xf32>
glow.constant @w = dense<-3> : tensor<40x5xi4>
glow.constant @s = dense<0.5> : tensor<3x5xf32>
glow.constant @z = dense<1> : tensor<3x5xi4>
glow.func @main {
  %x = glow.read @x : tensor<2x40xf32>
  %w = glow.read @w : tensor<40x5xi4>
  %s = glow.read @s : tensor<3x5xf32>
  %z = glow.read @z : tensor<3x5xi4>
  %real = glow.dequantize_blocks %w, %s, %z axis 0 blockSize 16 : (tensor<40x5xi4>, tensor<3x5xf32>, tensor<3x5xi4>) -> tensor<40x5xf32>
  %y = glow.matmul %x, %real : (tensor<2x40xf32>, tensor<40x5xf32>) -> tensor<2x5xf32>
  glow.save %y, @y : tensor<2x5xf32>
}

// -----

// So does one whose columns have a scale each, the same for all of their blocks.
// CHECK-LABEL: glow.constant @w
// CHECK: glow.matmul_nbits {{.*}} bits 4 blockSize 128 : (tensor<2x3xf32>, tensor<2x1x64xui8>, tensor<2x1xf32>, tensor<2x1xui8>) -> tensor<2x2xf32>
glow.placeholder @x input : tensor<2x3xf32>
glow.placeholder @y output : tensor<2x2xf32>
glow.constant @w = dense<1> : tensor<3x2xi4>
glow.constant @s = dense<[0.5, 0.25]> : tensor<2xf32>
glow.constant @z = dense<0> : tensor<i4>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  %w = glow.read @w : tensor<3x2xi4>
  %s = glow.read @s : tensor<2xf32>
  %z = glow.read @z : tensor<i4>
  %real = glow.dequantize %w, %s, %z axis 1 : (tensor<3x2xi4>, tensor<2xf32>, tensor<i4>) -> tensor<3x2xf32>
  %y = glow.matmul %x, %real : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  glow.save %y, @y : tensor<2x2xf32>
}

// -----

// Not where a scale belongs to a row, blocks are along rows, or a run gives the matrix.
// CHECK-LABEL: glow.constant @w
// CHECK-NOT: glow.matmul_nbits
// CHECK: glow.matmul
// CHECK-NOT: glow.matmul_nbits
// CHECK: glow.matmul
// CHECK-NOT: glow.matmul_nbits
// CHECK: glow.matmul
// CHECK-NOT: glow.matmul_nbits
glow.placeholder @x input : tensor<2x32xf32>
glow.placeholder @w8 input : tensor<32x32xi8>
glow.placeholder @y output : tensor<2x32xf32>
glow.constant @w = dense<1> : tensor<32x32xi4>
glow.constant @s = dense<0.5> : tensor<32xf32>
glow.constant @z = dense<0> : tensor<i4>
glow.constant @rows = dense<0.5> : tensor<32x2xf32>
glow.constant @rowZeros = dense<0> : tensor<32x2xi4>
glow.constant @columns = dense<0.5> : tensor<2x32xf32>
glow.constant @columnZeros = dense<0> : tensor<2x32xi8>
glow.func @main {
  %x = glow.read @x : tensor<2x32xf32>
  %w = glow.read @w : tensor<32x32xi4>
  %s = glow.read @s : tensor<32xf32>
  %z = glow.read @z : tensor<i4>
  %first = glow.dequantize %w, %s, %z axis 0 : (tensor<32x32xi4>, tensor<32xf32>, tensor<i4>) -> tensor<32x32xf32>
  %a = glow.matmul %x, %first : (tensor<2x32xf32>, tensor<32x32xf32>) -> tensor<2x32xf32>
  %rows = glow.read @rows : tensor<32x2xf32>
  %rowZeros = glow.read @rowZeros : tensor<32x2xi4>
  %second = glow.dequantize_blocks %w, %rows, %rowZeros axis 1 blockSize 16 : (tensor<32x32xi4>, tensor<32x2xf32>, tensor<32x2xi4>) -> tensor<32x32xf32>
  %b = glow.matmul %a, %second : (tensor<2x32xf32>, tensor<32x32xf32>) -> tensor<2x32xf32>
  %w8 = glow.read @w8 : tensor<32x32xi8>
  %columns = glow.read @columns : tensor<2x32xf32>
  %columnZeros = glow.read @columnZeros : tensor<2x32xi8>
  %third = glow.dequantize_blocks %w8, %columns, %columnZeros axis 0 blockSize 16 : (tensor<32x32xi8>, tensor<2x32xf32>, tensor<2x32xi8>) -> tensor<32x32xf32>
  %y = glow.matmul %b, %third : (tensor<2x32xf32>, tensor<32x32xf32>) -> tensor<2x32xf32>
  glow.save %y, @y : tensor<2x32xf32>
}
