// RUN: glow-opt %S/Inputs/learn.mlir --choose-program=name=infer | FileCheck %s --check-prefix=INFER
// RUN: glow-opt %S/Inputs/learn.mlir --choose-program=name=reset | FileCheck %s --check-prefix=RESET
// RUN: glow-opt %s --choose-program=name=first | FileCheck %s --check-prefix=CALLS

// A program keeps the storage that it uses, and no other.
// INFER:      glow.placeholder @x input
// INFER-NEXT: glow.placeholder @w input
// INFER-NEXT: glow.placeholder @y output
// INFER-NEXT: glow.constant @bias
// INFER-NEXT: glow.func @infer {
// INFER-NOT:  glow.func

// The next value of a state that the program does not read is an output.
// RESET:      glow.placeholder @steps.next output : tensor<1xf32>{{$}}
// RESET-NEXT: glow.constant @one
// RESET-NEXT: glow.func @reset {
// RESET-NOT:  glow.func

// Functions that a program calls stay, and storage that no function uses.
// CALLS-DAG:  glow.placeholder @unused input
// CALLS-DAG:  glow.placeholder @kept.h between
// CALLS:      glow.func @first {
// CALLS-NOT:  @second
// CALLS:      glow.func @kept takes
// CALLS-NOT:  @gone
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @n input : tensor<i64>
glow.placeholder @unused input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.placeholder @kept.trip between : tensor<i64>
glow.placeholder @kept.h between : tensor<2xf32>
glow.placeholder @kept.next between : tensor<2xf32>
glow.placeholder @gone.trip between : tensor<i64>
glow.placeholder @gone.h between : tensor<2xf32>
glow.placeholder @gone.next between : tensor<2xf32>
glow.func @first {
  %x = glow.read @x : tensor<2xf32>
  %n = glow.read @n : tensor<i64>
  %y:2 = glow.loop @kept trips %n carries(%x) slices() captures() : (tensor<i64>, tensor<2xf32>) -> (tensor<2xf32>, tensor<i64>)
  glow.save %y#0, @y : tensor<2xf32>
}
glow.func @second {
  %x = glow.read @x : tensor<2xf32>
  %n = glow.read @n : tensor<i64>
  %y:2 = glow.loop @gone trips %n carries(%x) slices() captures() : (tensor<i64>, tensor<2xf32>) -> (tensor<2xf32>, tensor<i64>)
  glow.save %y#0, @y : tensor<2xf32>
}
glow.func @kept takes [@kept.trip, @kept.h] gives [@kept.next] {
  %h = glow.read @kept.h : tensor<2xf32>
  %next = glow.tanh %h : (tensor<2xf32>) -> tensor<2xf32>
  glow.save %next, @kept.next : tensor<2xf32>
}
glow.func @gone takes [@gone.trip, @gone.h] gives [@gone.next] {
  %h = glow.read @gone.h : tensor<2xf32>
  %next = glow.sin %h : (tensor<2xf32>) -> tensor<2xf32>
  glow.save %next, @gone.next : tensor<2xf32>
}
