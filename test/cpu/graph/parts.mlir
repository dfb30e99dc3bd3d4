// A concatenation of images in blocks copies nothing: the kernels that make the
// operands write into its result.
// RUN: glow compile %s --backend=cpu --emit=plan | FileCheck %s
// RUN: glow run %s --random=5 --compare=interpreter --threads=2 | FileCheck %s --check-prefix=PASSED
// RUN: glow run %s --random=5 --backend=interpreter --compare=cpu | FileCheck %s --check-prefix=PASSED
// RUN: sed 's/<1x/<2x/g' %s > %t.mlir
// RUN: glow compile %t.mlir --backend=cpu --emit=plan | FileCheck %s --check-prefix=TWO
// RUN: glow run %t.mlir --random=5 --compare=interpreter --threads=2 | FileCheck %s --check-prefix=PASSED
// RUN: glow compile %s --backend=interpreter --emit=plan | FileCheck %s --check-prefix=PLAIN
// RUN: %if x86-64-v3 %{ glow run %s --random=5 --compare=interpreter --cpu=haswell | FileCheck %s --check-prefix=PASSED %}

// CHECK:     %[[ALL:.*]] = alloc float<3 x 1 x 8 x 8 x 16> at
// CHECK-DAG: alloc float<1 x 1 x 8 x 8 x 16> within %{{.*}} from 0 at
// CHECK-DAG: alloc float<1 x 1 x 8 x 8 x 16> within %{{.*}} from 4096 at
// CHECK-DAG: alloc float<2 x 1 x 8 x 8 x 16> within %[[ALL]] from 0 at
// CHECK-DAG: alloc float<1 x 1 x 8 x 8 x 16> within %[[ALL]] from 8192 at
// TWO:       %[[ALL:.*]] = alloc float<3 x 2 x 8 x 8 x 16> at
// TWO-DAG:   alloc float<1 x 2 x 8 x 8 x 16> within %{{.*}} from 0 at
// TWO-DAG:   alloc float<1 x 2 x 8 x 8 x 16> within %{{.*}} from 8192 at
// TWO-DAG:   alloc float<2 x 2 x 8 x 8 x 16> within %[[ALL]] from 0 at
// TWO-DAG:   alloc float<1 x 2 x 8 x 8 x 16> within %[[ALL]] from 16384 at
// PLAIN:     %[[ALL:.*]] = alloc float<1 x 48 x 8 x 8> at
// PLAIN-DAG: alloc float<1 x 16 x 8 x 8> within %[[ALL]] from 8192 at
// PASSED: {{^}}PASSED

glow.placeholder @x input : tensor<1x16x8x8xf32>
glow.placeholder @y output : tensor<1x48x8x8xf32>
glow.constant @w1 = dense<0.1> : tensor<16x16x3x3xf32>
glow.constant @w2 = dense<-0.05> : tensor<16x16x3x3xf32>
glow.constant @w3 = dense<0.02> : tensor<16x32x1x1xf32>

glow.func @main {
  %x = glow.read @x : tensor<1x16x8x8xf32>
  %w1 = glow.read @w1 : tensor<16x16x3x3xf32>
  %w2 = glow.read @w2 : tensor<16x16x3x3xf32>
  %w3 = glow.read @w3 : tensor<16x32x1x1xf32>
  %a = glow.conv %x, %w1 strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %b = glow.conv %a, %w2 strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] group 1 : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %ab = glow.concat %a, %b axis 1 : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x32x8x8xf32>
  %c = glow.conv %ab, %w3 strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] group 1 : (tensor<1x32x8x8xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x8x8xf32>
  %abc = glow.concat %ab, %c axis 1 : (tensor<1x32x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x48x8x8xf32>
  %t = glow.tanh %abc : (tensor<1x48x8x8xf32>) -> tensor<1x48x8x8xf32>
  glow.save %t, @y : tensor<1x48x8x8xf32>
}
