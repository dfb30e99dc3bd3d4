// RUN: glow-opt %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: glow-opt %t.text | diff - %t.text
// RUN: glow-opt %t.text --emit-bytecode | glow-opt | diff - %t.text
// RUN: glow-opt %t.text --mlir-print-op-generic --mlir-print-debuginfo | glow-opt | diff - %t.text
// RUN: glow-opt %t.text --mlir-print-debuginfo | glow-opt | diff - %t.text
// RUN: glow-opt %t.text --mlir-print-op-generic > %t.generic
// RUN: glow-opt %t.generic --mlir-print-op-generic | diff - %t.generic

// The parts of a function survive text, the generic form and bytecode: names,
// types, absent and repeated operands, attributes.
// CHECK-LABEL: glowir.func @everything declare {
// CHECK-NEXT:    %x = binding float<1 x 8 x 8 x 4>, mutable
// CHECK-NEXT:    %filter = binding float<8 x 8 x 3 x 3>, constant, "conv1/filter:0"
// CHECK-NEXT:    %bias = binding float<8>, constant
// CHECK-NEXT:    %y = binding float<1 x 8 x 8 x 8>, mutable output
// CHECK-NEXT:  } program {
// CHECK-NEXT:    %a = alloc float<1 x 8 x 8 x 4>
// CHECK-NEXT:    %b = alloc float<256> reuse %a at 4096
// CHECK-NEXT:    %c = alloc float<1 x 8 x 8 x 4>
// CHECK-NEXT:    %near = alloc float<4, local>
// CHECK-NEXT:    %conv = conv @out %a, @in %x, @in %filter, @in %bias {{{.*}}strides = [1, 1]{{.*}}group = 1{{.*}}}
// CHECK-NEXT:    %0 = conv @out %c, @in %x, @in %filter, @in none {{{.*}}pads = [1, 1, 1, 1]{{.*}}target.algorithm = "winograd"{{.*}}}
// CHECK-NEXT:    %both = concat @out %y, @in [%a, %c] {axis = 3}
// CHECK-NEXT:    dealloc @out %a
// CHECK-NEXT:    dealloc @out %b
// CHECK-NEXT:    dealloc @out %c
// CHECK-NEXT:  }
glowir.func @everything declare {
  %x = binding float<1 x 8 x 8 x 4>, mutable
  %filter = binding float<8x8x3x3>, constant, "conv1/filter:0"
  %bias = binding float<8>, constant, "bias"
  %y = binding float<1 x 8 x 8 x 8>, mutable output
} program {
  %a = alloc float<1 x 8 x 8 x 4>
  %b = alloc float<256> reuse %a at 4096
  %c = alloc float<1 x 8 x 8 x 4>
  %near = alloc float<4, local>
  %conv = conv @out %a, @in %x, @in %filter, @in %bias {group = 1, strides = array<i64: 1, 1>, pads = [1, 1, 1, 1], dilations = [1, 1]}
  %0 = conv @out %c, @in %x, @in %filter, @in none {strides = [1, 1], pads = [1, 1, 1, 1], dilations = [1, 1], group = 1, target.algorithm = "winograd"}
  %both = concat @out %y, @in [%a, %c] {axis = 3}
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
}

// A buffer may lie within another.
// CHECK-LABEL: glowir.func @parts
// CHECK:         %a = alloc float<4> within %c from 16 at 80
glowir.func @parts declare {
} program {
  %c = alloc float<8> at 64
  %a = alloc float<4> within %c from 16 at 80
}

// A function may have no bindings, no instructions, and attributes of its own.
// CHECK-LABEL: glowir.func @empty attributes {arenaBytes = 0 : i64, note = "text"} declare {
// CHECK-NEXT:  } program {
// CHECK-NEXT:  }
glowir.func @empty attributes {arenaBytes = 0 : i64, note = "text"} declare {
} program {
}
