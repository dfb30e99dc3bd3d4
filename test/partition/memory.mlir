// RUN: glow-opt %s --partition-graph=devices=left:interpreter:memory=600k,right:interpreter:memory=300k | FileCheck %s
// RUN: not glow-opt %s --partition-graph=devices=left:interpreter:memory=300k,right:interpreter:memory=300k 2>&1 | FileCheck %s --check-prefix=LITTLE

// One device holds two of the three weights, of 256 KiB each.
// CHECK:     glow.device = "[[ONE:left|right]]"
// CHECK:     glow.func
// CHECK-NOT: glow.func

// LITTLE: error: no partition was found that fits: the model needs about 770.0 KiB, 2.0 KiB of it for values wherever it runs, and the devices have 600.0 KiB
// LITTLE: note: device 'left' has 300.0 KiB, and would need
// LITTLE: note: device 'right' has 300.0 KiB, and would need

glow.placeholder @x input : tensor<1x256xf32>
glow.placeholder @y output : tensor<1x256xf32>
glow.constant @a = dense<1.0> : tensor<256x256xf32>
glow.constant @b = dense<2.0> : tensor<256x256xf32>
glow.constant @c = dense<3.0> : tensor<256x256xf32>
glow.func @main {
  %x = glow.read @x : tensor<1x256xf32>
  %a = glow.read @a : tensor<256x256xf32>
  %b = glow.read @b : tensor<256x256xf32>
  %c = glow.read @c : tensor<256x256xf32>
  %p = glow.matmul %x, %a : (tensor<1x256xf32>, tensor<256x256xf32>) -> tensor<1x256xf32>
  %q = glow.matmul %p, %b : (tensor<1x256xf32>, tensor<256x256xf32>) -> tensor<1x256xf32>
  %r = glow.matmul %q, %c : (tensor<1x256xf32>, tensor<256x256xf32>) -> tensor<1x256xf32>
  glow.save %r, @y : tensor<1x256xf32>
}
