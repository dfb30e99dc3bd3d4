// A model that only returns its input; the copy is longer than a piece.
// RUN: rm -rf %t && mkdir -p %t
// RUN: glow run %s --backend=cpu --random --compare=interpreter --atol=0 --rtol=0 | FileCheck %s
// CHECK: PASSED
// RUN: glow compile %s --backend=cpu --emit=bundle --name=pass -o %t
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/pass.h
// HEADER: #define PASS_CONSTANT_MEM_SIZE 64
// HEADER: #define PASS_MUTABLE_MEM_SIZE 200064
// HEADER: x.1 ?/: f32[25003], 100012 bytes
// HEADER-NEXT: #define PASS_x_1___ 0
// HEADER: #define PASS_x_1____2 100032
glow.placeholder @"x.1 */" input : tensor<25003xf32>
glow.placeholder @"x-1 */" output : tensor<25003xf32>
glow.func @main {
  %x = glow.read @"x.1 */" : tensor<25003xf32>
  glow.save %x, @"x-1 */" : tensor<25003xf32>
}
