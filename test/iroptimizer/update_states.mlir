// RUN: glow-opt %s --generate-instrs --update-states --eliminate-copies --eliminate-dead-stores --verify-order | FileCheck %s

// The next value of a weight is computed in its own buffer, in one loop and without a
// temporary: the copy at the beginning is none in a session.
// CHECK:      program
// CHECK-NEXT: copy @out %w.next, @in %w
// CHECK-NEXT: sub @out %w.next, @in %w.next, @in %slope
// CHECK-NEXT: }

glow.placeholder @slope input : tensor<4xf32>
glow.placeholder @w input trainable : tensor<4xf32>
glow.placeholder @w.next output {glow.next_of = "w"} : tensor<4xf32>
glow.func @main {
  %slope = glow.read @slope : tensor<4xf32>
  %w = glow.read @w : tensor<4xf32>
  %next = glow.sub %w, %slope : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  glow.save %next, @w.next : tensor<4xf32>
}
