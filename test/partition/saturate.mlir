// RUN: glow-opt %s --partition-graph="devices=a:interpreter,b:interpreter,c:interpreter,d:interpreter mode=saturate" | FileCheck %s
// RUN: glow-opt %s --partition-graph="devices=a:interpreter:memory=600k,b:interpreter:memory=600k,c:interpreter:memory=600k,d:interpreter:memory=600k mode=saturate" | FileCheck %s --check-prefix=LITTLE

// A copy for each device goes nowhere, and is for any of them.
// CHECK:     glow.func @main attributes {glow.backend = "interpreter"} {
// CHECK-NOT: glow.func

// Each of two devices holds a copy of three weights of 256 KiB each.
// LITTLE:     glow.func @main.0 attributes {glow.backend = "interpreter"} {
// LITTLE:     glow.func @main.1 attributes {glow.backend = "interpreter"} {
// LITTLE-NOT: glow.func

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
