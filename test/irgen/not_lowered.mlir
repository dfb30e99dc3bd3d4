// RUN: glow-opt %s --generate-instrs -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: not glow run %t.mlir --random --backend=interpreter 2>&1 | FileCheck %s --check-prefix=NONE

// A node that is made of others has an instruction, too, for a backend that takes it
// whole; for others lowering should have gone before.
// CHECK: = lp_norm @out %{{.*}}, @in %x
// NONE: error: node 'lp_norm': the interpreter has no kernel for instruction 'lp_norm'
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %0 = glow.lp_norm %x axis 0 p 2 : (tensor<2xf32>) -> tensor<2xf32>
  glow.save %0, @y : tensor<2xf32>
}
