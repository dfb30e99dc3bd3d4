// Nothing is read from a tensor without elements. A sum that reads no element of
// it is the empty sum; any other ends the run, in machine code as without.
// RUN: rm -rf %t && split-file %s %t
// RUN: glow run %t/unmet.mlir --backend=cpu --random --compare=interpreter | FileCheck %s
// CHECK: PASSED
// RUN: glow compile %t/unmet.mlir --backend=cpu --emit=bundle -o %t/unmet
// RUN: not glow run %t/met.mlir --backend=cpu --random 2>&1 | FileCheck %s --check-prefix=MET
// RUN: not glow run %t/met.mlir --backend=interpreter --random 2>&1 | FileCheck %s --check-prefix=MET
// MET: glow: error: node 'first': an index {{.*}}is out of range
// RUN: glow compile %t/met.mlir --backend=cpu --emit=so -o %t/met.so
// RUN: not glow run %t/met.so --random 2>&1 | FileCheck %s --check-prefix=MET

//--- unmet.mlir
glow.placeholder @x input : tensor<0x4xf32>
glow.placeholder @v input : tensor<0x3x4xf32>
glow.placeholder @places input : tensor<3x0xi64>
glow.placeholder @weights input : tensor<3x0xf32>
glow.placeholder @y output : tensor<3x4xf32>
glow.placeholder @z output : tensor<3x3x4xf32>
glow.func @main {
  %x = glow.read @x : tensor<0x4xf32>
  %v = glow.read @v : tensor<0x3x4xf32>
  %p = glow.read @places : tensor<3x0xi64>
  %w = glow.read @weights : tensor<3x0xf32>
  %0 = glow.resample %x, %p, %w axis 0 : (tensor<0x4xf32>, tensor<3x0xi64>, tensor<3x0xf32>) -> tensor<3x4xf32> loc("first")
  %1 = glow.cos %0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = glow.resample %v, %p, %w axis 0 : (tensor<0x3x4xf32>, tensor<3x0xi64>, tensor<3x0xf32>) -> tensor<3x3x4xf32> loc("second")
  glow.save %1, @y : tensor<3x4xf32>
  glow.save %2, @z : tensor<3x3x4xf32>
}

//--- met.mlir
glow.placeholder @x input : tensor<0x4xf32>
glow.placeholder @places input : tensor<3x2xi64>
glow.placeholder @weights input : tensor<3x2xf32>
glow.placeholder @y output : tensor<3x4xf32>
glow.func @main {
  %x = glow.read @x : tensor<0x4xf32>
  %p = glow.read @places : tensor<3x2xi64>
  %w = glow.read @weights : tensor<3x2xf32>
  %0 = glow.resample %x, %p, %w axis 0 : (tensor<0x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> tensor<3x4xf32> loc("first")
  glow.save %0, @y : tensor<3x4xf32>
}
