// Blocks are made once and copied: one axis, axes that are not repeated within and
// around, single elements, nothing, and bytes.
// RUN: glow run %s --random=5 --compare=interpreter --threads=1 | FileCheck %s
// RUN: glow run %s --random=5 --compare=interpreter --threads=2 | FileCheck %s
// RUN: %if x86-64-v3 %{ glow run %s --random=5 --compare=interpreter --cpu=haswell | FileCheck %s %}
// CHECK: {{^}}PASSED
glow.placeholder @x input : tensor<2x3x4x5xf32>
glow.placeholder @one input : tensor<1xf32>
glow.placeholder @row input : tensor<300xi64>
glow.placeholder @bytes input : tensor<7x1x3xi8>
glow.placeholder @all output : tensor<14x18x16x10xf32>
glow.placeholder @inner output : tensor<2x3x8x5xf32>
glow.placeholder @outer output : tensor<6x3x4x5xf32>
glow.placeholder @middle output : tensor<2x9x4x10xf32>
glow.placeholder @none output : tensor<2x0x4x5xf32>
glow.placeholder @ones output : tensor<40000xf32>
glow.placeholder @rows output : tensor<30000xi64>
glow.placeholder @copies output : tensor<21x50x3xi8>
glow.func @main {
  %x = glow.read @x : tensor<2x3x4x5xf32>
  %one = glow.read @one : tensor<1xf32>
  %row = glow.read @row : tensor<300xi64>
  %bytes = glow.read @bytes : tensor<7x1x3xi8>
  %all = glow.tile %x repeats [7, 6, 4, 2] : (tensor<2x3x4x5xf32>) -> tensor<14x18x16x10xf32>
  %inner = glow.tile %x repeats [1, 1, 2, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x3x8x5xf32>
  %outer = glow.tile %x repeats [3, 1, 1, 1] : (tensor<2x3x4x5xf32>) -> tensor<6x3x4x5xf32>
  %middle = glow.tile %x repeats [1, 3, 1, 2] : (tensor<2x3x4x5xf32>) -> tensor<2x9x4x10xf32>
  %none = glow.tile %x repeats [1, 0, 1, 1] : (tensor<2x3x4x5xf32>) -> tensor<2x0x4x5xf32>
  %ones = glow.tile %one repeats [40000] : (tensor<1xf32>) -> tensor<40000xf32>
  %rows = glow.tile %row repeats [100] : (tensor<300xi64>) -> tensor<30000xi64>
  %copies = glow.tile %bytes repeats [3, 50, 1] : (tensor<7x1x3xi8>) -> tensor<21x50x3xi8>
  glow.save %all, @all : tensor<14x18x16x10xf32>
  glow.save %inner, @inner : tensor<2x3x8x5xf32>
  glow.save %outer, @outer : tensor<6x3x4x5xf32>
  glow.save %middle, @middle : tensor<2x9x4x10xf32>
  glow.save %none, @none : tensor<2x0x4x5xf32>
  glow.save %ones, @ones : tensor<40000xf32>
  glow.save %rows, @rows : tensor<30000xi64>
  glow.save %copies, @copies : tensor<21x50x3xi8>
}
