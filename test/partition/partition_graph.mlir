// RUN: glow-opt %s --partition-graph="devices=left:interpreter,right:interpreter mode=pipeline" --check-partition | FileCheck %s
// RUN: glow-opt %s --partition-graph=devices=left:interpreter,right:interpreter | FileCheck %s --check-prefix=ONE
// RUN: glow-opt %s --partition-graph="devices=left:interpreter,right:interpreter assign=last=right,sum=left" | FileCheck %s --check-prefix=PIN
// RUN: glow-opt %s --partition-graph="devices=left:interpreter,right:interpreter mode=pipeline" --generate-instrs | FileCheck %s --check-prefix=INSTRS

// Each has two of the four nodes. A value that the second part reads is sent
// once; storage that the second part reads is saved after that.
// CHECK-DAG:   glow.placeholder @main_1 between : tensor<1048576xf32>
// CHECK-DAG:   glow.placeholder @main_0 between : tensor<1048576xf32>
// CHECK:       glow.func @main.0 attributes {glow.backend = "interpreter", glow.device = "[[FIRST:left|right]]"} {
// CHECK-DAG:     %[[X:.*]] = glow.read @x
// CHECK-DAG:     %[[A:.*]] = glow.read @a
// CHECK-DAG:     %[[B:.*]] = glow.read @b
// CHECK:         %[[ADD:.*]] = glow.add %[[X]], %[[A]]
// CHECK:         %[[MUL:.*]] = glow.mul %[[ADD]], %[[B]]
// CHECK:         glow.save %[[ADD]], @first
// CHECK-DAG:     glow.save %[[MUL]], @main_0
// CHECK-DAG:     glow.save %[[ADD]], @main_1
// CHECK:       }
// CHECK-NEXT:  glow.func @main.1 attributes {glow.backend = "interpreter", glow.device =
// CHECK-DAG:     %[[S:.*]] = glow.read @s
// CHECK-DAG:     %[[P:.*]] = glow.read @main_0
// CHECK-DAG:     %[[Q:.*]] = glow.read @main_1
// CHECK:         %[[Z:.*]] = glow.sub %[[P]], %[[S]]
// CHECK:         %[[Y:.*]] = glow.add %[[Z]], %[[Q]]
// CHECK:         glow.save %[[Y]], @y
// CHECK:         glow.save %[[Q]], @s
// CHECK-NEXT:  }
// CHECK-NOT:   glow.func

// One request takes longest where it goes from one to the other.
// ONE-NOT: between
// ONE:     glow.func @main attributes {glow.backend = "interpreter", glow.device = "left"} {
// ONE-NOT: glow.func

// PIN:      glow.func @main.0 attributes {{.*}}glow.device = "left"}
// PIN:        glow.add
// PIN:      glow.func @main.1 attributes {{.*}}glow.device = "right"}
// PIN:        glow.add
// PIN-NOT:  glow.func

// INSTRS:      glowir.func @main.0 attributes {{.*}}glow.device = "{{left|right}}"} declare {
// INSTRS-DAG:    %main_0 = binding float<1048576>, mutable output
// INSTRS:      glowir.func @main.1 attributes {{.*}}glow.device = "{{left|right}}"} declare {
// INSTRS-DAG:    %main_0 = binding float<1048576>, mutable{{$}}

glow.placeholder @x input : tensor<1048576xf32>
glow.placeholder @s state : tensor<1048576xf32>
glow.placeholder @first output : tensor<1048576xf32>
glow.placeholder @y output : tensor<1048576xf32>
glow.constant @a = dense<1.0> : tensor<1048576xf32>
glow.constant @b = dense<2.0> : tensor<1048576xf32>
glow.func @main {
  %x = glow.read @x : tensor<1048576xf32>
  %s = glow.read @s : tensor<1048576xf32>
  %a = glow.read @a : tensor<1048576xf32>
  %b = glow.read @b : tensor<1048576xf32>
  %sum = glow.add %x, %a : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32> loc("sum")
  %product = glow.mul %sum, %b : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32>
  %z = glow.sub %product, %s : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32>
  %y = glow.add %z, %sum : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32> loc("last")
  glow.save %sum, @first : tensor<1048576xf32>
  glow.save %y, @y : tensor<1048576xf32>
  glow.save %sum, @s : tensor<1048576xf32>
}
