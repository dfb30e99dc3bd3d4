// RUN: glow-opt %s --generate-instrs | FileCheck %s
// RUN: glow-opt %s --generate-instrs | glow-opt | FileCheck %s
// RUN: glow-opt %s --stop-after=plan --backend=interpreter | FileCheck %s --check-prefix=PLAN
// RUN: glow compile %s --emit=plan --backend=cpu -o - | FileCheck %s --check-prefix=PLAN

// The scratch of a kernel is a buffer like others, live during its instruction;
// the plan has it in the arena.
// CHECK:         %[[OUT:.*]] = alloc float<4 x 5 x 5>
// CHECK-NEXT:    %[[MATRIX:.*]] = alloc double<5 x 5>
// CHECK-NEXT:    %[[UNIT:.*]] = alloc double<5 x 5>
// CHECK-NEXT:    inverse @out %[[OUT]], @in %x, @scratch %[[MATRIX]], @scratch %[[UNIT]]
// CHECK:         dealloc @out %[[MATRIX]]
// PLAN:          arenaBytes = 512
// PLAN:          inverse @out %y, @in %x, @scratch %{{.*}}, @scratch
glow.placeholder @x input : tensor<4x5x5xf32>
glow.placeholder @y output : tensor<4x5x5xf32>
glow.func @main {
  %x = glow.read @x : tensor<4x5x5xf32>
  %0 = glow.inverse %x : (tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
  glow.save %0, @y : tensor<4x5x5xf32>
}
