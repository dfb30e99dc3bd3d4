// RUN: glow-opt %s --quantize-graph=activation-bits=0 | FileCheck %s

glow.placeholder @x input : tensor<2x2xf32>
glow.placeholder @y output : tensor<2x2xf32>
glow.constant @w = dense<[[127.0, 63.5], [-10.0, -1.0]]> : tensor<2x2xf32>

// Weights become integers, with a scale for each column; activations stay floats.
// CHECK-DAG: glow.constant @w_scale = dense<[1.000000e+00, 5.000000e-01]>
// CHECK-DAG: glow.constant @w_quantized = dense<{{\[\[}}127, 127], [-10, -2]]> : tensor<2x2xi8>
// CHECK:     %[[W:.*]] = glow.dequantize {{.*}} axis 1
// CHECK:     glow.matmul %{{.*}}, %[[W]]
glow.func @main {
  %x = glow.read @x : tensor<2x2xf32>
  %w = glow.read @w : tensor<2x2xf32>
  %y = glow.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  glow.save %y, @y : tensor<2x2xf32>
}
