// RUN: not glow-opt %s --place-buffers=alignment=0 2>&1 | FileCheck %s
// RUN: not glow-opt %s --join-buffers=alignment=0 2>&1 | FileCheck %s
// CHECK: error: 'glowir.func' op has buffers aligned to 0 bytes, but should have an alignment of 1 or more
glowir.func @main declare {
  %x = binding float<20>, mutable
  %y = binding float<20>, mutable output
} program {
  %relu = relu @out %y, @in %x
}
