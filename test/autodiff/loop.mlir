// The gradient of a loop is a loop that runs backwards over its trips.
// RUN: split-file %s %t
// RUN: glow-opt %t/scan.mlir --differentiate=of=y | FileCheck %s --check-prefix=SCAN
// RUN: glow-opt %t/trips.mlir --differentiate=of=y | FileCheck %s --check-prefix=TRIPS

// Of two carried values the gradient needs one, which the first loop stacks. The other one is an
// integer. The second loop takes slices from the end, and carries a gradient and a sum.
//--- scan.mlir
// SCAN-LABEL: glow.func @main
// SCAN: %[[ALL:.*]]:5 = glow.loop @step.forward carries(%h, %zero) slices(%xs) captures(%w) count [5] backwards [0, 1, 0] : ({{.*}}) -> (tensor<3xf32>, tensor<i64>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<i64>)
// SCAN: %[[BACK:.*]]:4 = glow.loop @step.gradient carries(%{{.*}}, %{{.*}}) slices(%[[ALL]]#3, %xs, %{{.*}}) captures(%w) count [5] backwards [1, 1, 0, 1]
// SCAN: glow.save %[[BACK]]#1, @w.gradient
// SCAN: glow.save %[[BACK]]#2, @xs.gradient
// SCAN: glow.func @step.gradient takes [@step.gradient.trip, @step.gradient.given, @step.gradient.sum, @step.gradient.h, @step.gradient.x, @step.gradient.given_0, @step.gradient.w]
// SCAN-DAG: glow.add %step.gradient.sum
// SCAN: glow.func @step.forward takes [@step.forward.trip, @step.forward.h, @step.forward.n, @step.forward.x, @step.forward.w] gives [@step.forward.next, @step.forward.more, @step.forward.out, @step.forward.kept]
// SCAN: glow.save %step.forward.h, @step.forward.kept
// SCAN-NOT: glow.func @step takes
glow.placeholder @h input : tensor<3xf32>
glow.placeholder @w input trainable : tensor<3xf32>
glow.placeholder @xs input trainable : tensor<5x3xf32>
glow.placeholder @y output : tensor<5x3xf32>
glow.placeholder @step.trip between : tensor<i64>
glow.placeholder @step.h between : tensor<3xf32>
glow.placeholder @step.n between : tensor<i64>
glow.placeholder @step.x between : tensor<3xf32>
glow.placeholder @step.w between : tensor<3xf32>
glow.placeholder @step.next between : tensor<3xf32>
glow.placeholder @step.more between : tensor<i64>
glow.placeholder @step.out between : tensor<3xf32>
glow.func @main {
  %h = glow.read @h : tensor<3xf32>
  %w = glow.read @w : tensor<3xf32>
  %xs = glow.read @xs : tensor<5x3xf32>
  %zero = glow.literal values [0] dims [] kind i64 : () -> tensor<i64>
  %y:4 = glow.loop @step carries(%h, %zero) slices(%xs) captures(%w) count [5] backwards [0, 1] : (tensor<3xf32>, tensor<i64>, tensor<5x3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<i64>, tensor<5x3xf32>, tensor<i64>)
  glow.save %y#2, @y : tensor<5x3xf32>
}
glow.func @step takes [@step.trip, @step.h, @step.n, @step.x, @step.w] gives [@step.next, @step.more, @step.out] {
  %trip = glow.read @step.trip : tensor<i64>
  %h = glow.read @step.h : tensor<3xf32>
  %n = glow.read @step.n : tensor<i64>
  %x = glow.read @step.x : tensor<3xf32>
  %w = glow.read @step.w : tensor<3xf32>
  %hw = glow.mul %h, %w : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %next = glow.mul %hw, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %more = glow.add %n, %trip : (tensor<i64>, tensor<i64>) -> tensor<i64>
  glow.save %next, @step.next : tensor<3xf32>
  glow.save %more, @step.more : tensor<i64>
  glow.save %next, @step.out : tensor<3xf32>
}

// A linear body needs no carried value: the first loop stays as it is. The second one does as many
// trips as were done, and trips that were not done have zeros.
//--- trips.mlir
// TRIPS-LABEL: glow.func @main
// TRIPS: %[[ALL:.*]]:2 = glow.loop @step trips %n carries(%h) slices(%xs) captures() count [5]
// TRIPS: %[[BACK:.*]]:3 = glow.loop @step.gradient trips %[[ALL]]#1 carries(%{{.*}}) slices() captures() count [5] backwards [1]
// TRIPS: %[[PLACES:.*]] = glow.iota
// TRIPS: %[[DONE:.*]] = glow.broadcast %[[ALL]]#1 dims [5]
// TRIPS: %[[ISDONE:.*]] = glow.less %[[PLACES]], %[[DONE]]
// TRIPS: %[[MASK:.*]] = glow.broadcast %{{.*}} dims [5, 3]
// TRIPS: %[[SLOPE:.*]] = glow.select %[[MASK]], %[[BACK]]#1, %{{.*}}
// TRIPS: glow.save %[[SLOPE]], @xs.gradient
glow.placeholder @h input : tensor<3xf32>
glow.placeholder @n input : tensor<i64>
glow.placeholder @xs input trainable : tensor<5x3xf32>
glow.placeholder @y output : tensor<3xf32>
glow.placeholder @step.trip between : tensor<i64>
glow.placeholder @step.h between : tensor<3xf32>
glow.placeholder @step.x between : tensor<3xf32>
glow.placeholder @step.next between : tensor<3xf32>
glow.func @main {
  %h = glow.read @h : tensor<3xf32>
  %n = glow.read @n : tensor<i64>
  %xs = glow.read @xs : tensor<5x3xf32>
  %y:2 = glow.loop @step trips %n carries(%h) slices(%xs) captures() count [5] : (tensor<i64>, tensor<3xf32>, tensor<5x3xf32>) -> (tensor<3xf32>, tensor<i64>)
  glow.save %y#0, @y : tensor<3xf32>
}
glow.func @step takes [@step.trip, @step.h, @step.x] gives [@step.next] {
  %h = glow.read @step.h : tensor<3xf32>
  %x = glow.read @step.x : tensor<3xf32>
  %next = glow.sub %h, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  glow.save %next, @step.next : tensor<3xf32>
}
