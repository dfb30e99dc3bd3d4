// RUN: glow-opt %s --generate-instrs --update-states --verify-order | FileCheck %s --check-prefix=READ

// A state that a later node reads keeps its value: the next one has a buffer of its own.
// READ:      program
// READ-NEXT: alloc
// READ-NEXT: sub @out %next, @in %w, @in %slope
// READ:      mul @out {{%.*}}, @in %next, @in %w
// READ:      copy @out %w.next, @in %next

glow.placeholder @slope input : tensor<4xf32>
glow.placeholder @w input trainable : tensor<4xf32>
glow.placeholder @w.next output {glow.next_of = "w"} : tensor<4xf32>
glow.placeholder @product output : tensor<4xf32>
glow.func @main {
  %slope = glow.read @slope : tensor<4xf32>
  %w = glow.read @w : tensor<4xf32>
  %next = glow.sub %w, %slope : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %product = glow.mul %next, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  glow.save %next, @w.next : tensor<4xf32>
  glow.save %product, @product : tensor<4xf32>
}
