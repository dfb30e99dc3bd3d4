// A fused node without elements runs, whatever its formula is.
// RUN: glow run %s --backend=cpu --random --compare=interpreter | FileCheck %s
// CHECK: PASSED
module {
  glow.placeholder @a input : tensor<0x6xi1>
  glow.placeholder @b input : tensor<0x6xi1>
  glow.placeholder @x input : tensor<0x6xf32>
  glow.placeholder @y input : tensor<0x6xf32>
  glow.placeholder @out output : tensor<0x6xf32>
  glow.func @main {
    %a = glow.read @a : tensor<0x6xi1>
    %b = glow.read @b : tensor<0x6xi1>
    %both = glow.and %a, %b : (tensor<0x6xi1>, tensor<0x6xi1>) -> tensor<0x6xi1>
    %x = glow.read @x : tensor<0x6xf32>
    %y = glow.read @y : tensor<0x6xf32>
    %0 = glow.select %both, %x, %y : (tensor<0x6xi1>, tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xf32>
    glow.save %0, @out : tensor<0x6xf32>
  }
}
