// A node is exact where a step may follow before its values are factors of sums.
// RUN: glow-opt %s --mark-exact | FileCheck %s
// RUN: glow-opt %s --mark-exact | glow-opt --mark-exact | FileCheck %s
// RUN: glow-opt %s --mark-exact --generate-instrs | FileCheck %s --check-prefix=INSTRS

glow.placeholder @x input : tensor<1x16x8x8xf32>
glow.placeholder @f input : tensor<16x16x3x3xf32>
glow.placeholder @m input : tensor<8x8xf32>
glow.placeholder @whole output : tensor<1x16x8x8xf32>
glow.placeholder @real output : tensor<1x16x8x8xf32>
glow.placeholder @place output : tensor<8xi64>
glow.placeholder @chosen output : tensor<8x8xf32>
glow.placeholder @large output : tensor<1x16x16x16xf32>
glow.func @main {
  %x = glow.read @x : tensor<1x16x8x8xf32>
  %f = glow.read @f : tensor<16x16x3x3xf32>
  // CHECK: %before = glow.conv
  // CHECK-NOT: glow.exact
  // CHECK: %relu = glow.relu
  // CHECK-NOT: glow.exact
  %before = glow.conv %x, %f strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %relu = glow.relu %before : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  // CHECK: %after = glow.conv {{.*}} {glow.exact}
  // CHECK: %leaky = glow.leaky_relu {{.*}} {glow.exact}
  // CHECK: %whole = glow.floor
  // CHECK-NOT: glow.exact
  // INSTRS: conv @out %after{{.*}}glow.exact
  %after = glow.conv %relu, %f strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %leaky = glow.leaky_relu %after alpha 0.5 : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %whole = glow.floor %leaky : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  glow.save %whole, @whole : tensor<1x16x8x8xf32>
  // Behind the last sum nothing jumps: branches of elu meet.
  // CHECK: %last = glow.conv
  // CHECK-NOT: glow.exact
  // CHECK: %real = glow.elu
  // CHECK-NOT: glow.exact
  %last = glow.conv %whole, %f strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %real = glow.elu %last alpha 0.5 : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  glow.save %real, @real : tensor<1x16x8x8xf32>
  %m = glow.read @m : tensor<8x8xf32>
  // CHECK: %logits = glow.matmul {{.*}} {glow.exact}
  // CHECK: %softmax = glow.softmax {{.*}} {glow.exact}
  // CHECK: %place = glow.arg_max
  %logits = glow.matmul %m, %m : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %softmax = glow.softmax %logits axis 1 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %place = glow.arg_max %softmax axis 1 keepDims false selectLast false : (tensor<8x8xf32>) -> tensor<8xi64>
  glow.save %place, @place : tensor<8xi64>
  // A relu with a threshold jumps.
  // CHECK: %product = glow.matmul {{.*}} {glow.exact}
  // CHECK: %chosen = glow.thresholded_relu
  // CHECK-NOT: glow.exact
  %product = glow.matmul %m, %m : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %chosen = glow.thresholded_relu %product alpha 1.0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  glow.save %chosen, @chosen : tensor<8x8xf32>
  // Of floats a resize moves elements, or sums them: only integers are rounded.
  // CHECK: %small = glow.conv
  // CHECK-NOT: glow.exact
  // CHECK: %large = glow.resize
  %small = glow.conv %x, %f strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %large = glow.resize %small dims [1, 16, 16, 16] scales [1.0, 1.0, 2.0, 2.0] mode "nearest" coordinates "half_pixel" rounding "round_prefer_floor" cubicCoefficient -0.75 excludeOutside false : (tensor<1x16x8x8xf32>) -> tensor<1x16x16x16xf32>
  glow.save %large, @large : tensor<1x16x16x16xf32>
}
