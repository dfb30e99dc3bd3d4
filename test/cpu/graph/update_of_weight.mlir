// RUN: glow-opt %s --add-loss=loss=squared-error --make-trainable --differentiate --add-optimizer > %t.mlir
// RUN: glow compile %t.mlir --backend=cpu --emit=plan | FileCheck %s

// A step of gradient descent needs no loop of its own: the product that makes the gradient takes
// it from the weight, and writes the next value where a session has it.
// CHECK: cpu_matmul @out %w.next, {{.*}}, @in [{{.*}}, %w] {epilogue = "mul(x0, x1); sub(x2, t0)"

glow.placeholder @x input : tensor<8x3xf32>
glow.placeholder @y output : tensor<8x2xf32>
glow.constant @w = dense<0.5> : tensor<3x2xf32>
glow.func @main {
  %x = glow.read @x : tensor<8x3xf32>
  %w = glow.read @w : tensor<3x2xf32>
  %y = glow.matmul %x, %w : (tensor<8x3xf32>, tensor<3x2xf32>) -> tensor<8x2xf32>
  glow.save %y, @y : tensor<8x2xf32>
}
