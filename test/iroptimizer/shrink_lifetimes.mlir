// RUN: glow-opt %s --shrink-lifetimes | FileCheck %s
// RUN: glow-opt %s --shrink-lifetimes > %t
// RUN: glow-opt %t --shrink-lifetimes | diff - %t

// A buffer is live from the first instruction that needs it to the last. A
// buffer that no instruction needs stays as it is.
// CHECK-LABEL: @long
// CHECK:       program {
// CHECK-NEXT:    %unused = alloc float<1>
// CHECK-NEXT:    dealloc @out %unused
// CHECK-NEXT:    %a = alloc float<4>
// CHECK-NEXT:    relu @out %a, @in %x
// CHECK-NEXT:    %b = alloc float<4>
// CHECK-NEXT:    add @out %b, @in %a, @in %a
// CHECK-NEXT:    dealloc @out %a
// CHECK-NEXT:    relu @out %y, @in %b
// CHECK-NEXT:    dealloc @out %b
// CHECK-NEXT:  }
glowir.func @long declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %b = alloc float<4>
  %a = alloc float<4>
  %unused = alloc float<1>
  dealloc @out %unused
  %first = relu @out %a, @in %x
  %second = add @out %b, @in %a, @in %a
  %third = relu @out %y, @in %b
  dealloc @out %b
  dealloc @out %a
}
