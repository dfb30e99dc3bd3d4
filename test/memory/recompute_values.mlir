// RUN: glow-opt %s --recompute-values=limit=5600 | FileCheck %s
// RUN: glow-opt %s --recompute-values=limit=5600 --verify-diagnostics
// RUN: glow-opt %s --recompute-values | FileCheck %s --check-prefix=ALL

// %a is not kept while %d and %e are in use: %first runs again.
// CHECK-LABEL: @gap
// CHECK:         %[[A:.*]] = alloc
// CHECK-NEXT:    %first = tanh @out %[[A]], @in %x
// CHECK:         dealloc @out %[[A]]
// CHECK:         %fourth =
// CHECK:         %[[B:.*]] = alloc
// CHECK-NEXT:    %{{.*}} = tanh @out %[[B]], @in %x
// CHECK-NEXT:    %fifth = add @out %y, @in %{{.*}}, @in %[[B]]
// ALL-LABEL: @gap
// ALL-COUNT-1: tanh @out %{{.*}}, @in %x
// ALL-NOT:     tanh @out %{{.*}}, @in %x
// expected-remark @below {{to fit memory-limit, 1 of 6 instructions run a second time: 3.0 KiB of values at once in place of 4.0 KiB, for about 1.}}
glowir.func @gap declare {
  %x = binding float<256>, mutable
  %y = binding float<256>, mutable output
} program {
  %a = alloc float<256>
  %first = tanh @out %a, @in %x
  %b = alloc float<256>
  %second = exp @out %b, @in %a
  %c = alloc float<256>
  %d = alloc float<256>
  %third = add @out %c, @in %b, @in %b
  %fourth = add @out %d, @in %b, @in %c
  dealloc @out %b
  dealloc @out %c
  %fifth = add @out %y, @in %d, @in %a
  dealloc @out %a
  dealloc @out %d
}
