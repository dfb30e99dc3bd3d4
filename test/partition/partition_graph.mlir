// RUN: glow-opt %s --partition-graph=devices=2 --check-partition | FileCheck %s
// RUN: glow-opt %s --partition-graph --check-partition | FileCheck %s --check-prefix=ONE
// RUN: glow-opt %s --partition-graph=devices=9 --check-partition | FileCheck %s --check-prefix=MANY
// RUN: not glow-opt %s --partition-graph=devices=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: glow-opt %s --partition-graph=devices=2 --generate-instrs | FileCheck %s --check-prefix=INSTRS
// RUN: glow-opt %s --partition-graph=devices=2 -o %t.mlir
// RUN: not glow run %t.mlir --backend=interpreter --random 2>&1 | FileCheck %s --check-prefix=PARTS

// Each half needs as much. What the second half reads goes to it once; storage
// that it reads is saved behind that.
// CHECK-DAG:   glow.placeholder @main_1 between : tensor<4xf32>
// CHECK-DAG:   glow.placeholder @main_0 between : tensor<4xf32>
// CHECK:       glow.func @main.0 attributes {glow.device = 0 : i64} {
// CHECK-DAG:     %[[X:.*]] = glow.read @x
// CHECK-DAG:     %[[A:.*]] = glow.read @a
// CHECK-DAG:     %[[B:.*]] = glow.read @b
// CHECK:         %[[ADD:.*]] = glow.add %[[X]], %[[A]]
// CHECK:         %[[MUL:.*]] = glow.mul %[[ADD]], %[[B]]
// CHECK:         glow.save %[[ADD]], @first
// CHECK-DAG:     glow.save %[[MUL]], @main_0
// CHECK-DAG:     glow.save %[[ADD]], @main_1
// CHECK:       }
// CHECK-NEXT:  glow.func @main.1 attributes {glow.device = 1 : i64} {
// CHECK-DAG:     %[[S:.*]] = glow.read @s
// CHECK-DAG:     %[[P:.*]] = glow.read @main_0
// CHECK-DAG:     %[[Q:.*]] = glow.read @main_1
// CHECK:         %[[Z:.*]] = glow.sub %[[P]], %[[S]]
// CHECK:         %[[Y:.*]] = glow.add %[[Z]], %[[Q]]
// CHECK:         glow.save %[[Y]], @y
// CHECK:         glow.save %[[Q]], @s
// CHECK-NEXT:  }
// CHECK-NOT:   glow.func

// ONE-NOT: between
// ONE:     glow.func @main {
// ONE-NOT: glow.func

// No more parts than nodes.
// MANY-COUNT-4: glow.func
// MANY-NOT:     glow.func

// NONE: error: the number of devices is 0, but it must be at least 1

// INSTRS:      glowir.func @main.0 attributes {glow.device = 0 : i64} declare {
// INSTRS-DAG:    %main_0 = binding float<4>, mutable output
// INSTRS:      glowir.func @main.1 attributes {glow.device = 1 : i64} declare {
// INSTRS-DAG:    %main_0 = binding float<4>, mutable{{$}}

// PARTS: has several functions, @main.0 and @main.1 first; a run takes a module with one

glow.placeholder @x input : tensor<4xf32>
glow.placeholder @s state : tensor<4xf32>
glow.placeholder @first output : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.constant @a = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
glow.constant @b = dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
glow.func @main {
  %x = glow.read @x : tensor<4xf32>
  %s = glow.read @s : tensor<4xf32>
  %a = glow.read @a : tensor<4xf32>
  %b = glow.read @b : tensor<4xf32>
  %sum = glow.add %x, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %product = glow.mul %sum, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = glow.sub %product, %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = glow.add %z, %sum : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  glow.save %sum, @first : tensor<4xf32>
  glow.save %y, @y : tensor<4xf32>
  glow.save %sum, @s : tensor<4xf32>
}
