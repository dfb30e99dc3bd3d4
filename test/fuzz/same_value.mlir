// A node that is lowered to its operand: the folded constant has memory of its own.
// RUN: %build/test/GlowGraphFuzzer %s
// RUN: glow run %s --backend=interpreter | FileCheck %s
// RUN: glow run %s --backend=cpu | FileCheck %s
// CHECK: {{^}}  0.5 0.5 0.5 0.5 0.5 0.5
glow.placeholder @y output : tensor<2x3xf16>
glow.func @main {
  %half = glow.splat value 5.000000e-01 dims [2, 3] kind f16 : () -> tensor<2x3xf16>
  %y:2 = glow.dropout %half ratio 5.000000e-01 layer 7 : (tensor<2x3xf16>) -> (tensor<2x3xf16>, tensor<2x3xi1>)
  glow.save %y#0, @y : tensor<2x3xf16>
}
