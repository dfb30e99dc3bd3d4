// Functions of f64 without vector code are C library calls, in bundles and in C.
// RUN: rm -rf %t
// RUN: glow compile %s --backend=cpu --emit=bundle -o %t
// RUN: llvm-nm --undefined-only --format=just-symbols %t/doubles.o | sort | FileCheck %s
// CHECK-NOT:  {{.}}
// CHECK:      _GLOBAL_OFFSET_TABLE_
// CHECK-NEXT: erf
// CHECK-NEXT: exp
// CHECK-NEXT: pow
// CHECK-NOT:  {{.}}
// RUN: glow compile %s --backend=cpu --emit=c -o %t
// RUN: %clang -std=c99 -pedantic-errors -w -fsyntax-only -I %t %t/doubles.c
// RUN: glow run %s --backend=cpu --compare=interpreter --atol=0 --rtol=0 --random | FileCheck %s --check-prefix=SAME
// SAME: PASSED
glow.placeholder @x input : tensor<8x5xf64>
glow.placeholder @y output : tensor<8x5xf64>
glow.func @main {
  %x = glow.read @x : tensor<8x5xf64>
  %0 = glow.exp %x : (tensor<8x5xf64>) -> tensor<8x5xf64>
  %1 = glow.erf %0 : (tensor<8x5xf64>) -> tensor<8x5xf64>
  %2 = glow.pow %0, %1 : (tensor<8x5xf64>, tensor<8x5xf64>) -> tensor<8x5xf64>
  glow.save %2, @y : tensor<8x5xf64>
}
