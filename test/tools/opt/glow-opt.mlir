// Options that users of mlir-opt know work here too.

// The phases, and passes after them.
// RUN: glow-opt %s --stop-after=lower --backend=interpreter | FileCheck %s --check-prefix=LOWER
// RUN: glow-opt %s --stop-after=irgen --backend=null | FileCheck %s --check-prefix=IRGEN
// RUN: glow-opt %s --backend=null | FileCheck %s --check-prefix=PLAN
// RUN: glow-opt %s --stop-after=lower --backend=interpreter --generate-instrs | FileCheck %s --check-prefix=IRGEN
// LOWER-NOT: glow.softmax
// LOWER:     glow.exp
// IRGEN:     glowir.func @main
// IRGEN:     exp @out
// IRGEN-NOT: at {{[0-9]+}}
// PLAN:      glowir.func @main attributes {arenaBytes =

// RUN: not glow-opt %s --stop-after=attic 2>&1 | FileCheck %s --check-prefix=PHASE
// PHASE: glow-opt: error: no phase is named 'attic'; there are: import, graph, optimize, partition, lower, irgen, plan
// RUN: not glow-opt %s --backend=abacus 2>&1 | FileCheck %s --check-prefix=BACKEND
// BACKEND: glow-opt: error: no backend is named 'abacus'; there are: {{.*}}interpreter, null

// A pipeline as text, nested and with options.
// RUN: glow-opt %s --pass-pipeline='builtin.module(lower-for-backend{backend=null},generate-instrs,glowir.func(eliminate-copies,place-buffers{alignment=256}))' | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: arenaBytes = {{[0-9]+}}
// RUN: not glow-opt %s --pass-pipeline='builtin.module(paint-walls)' 2>&1 | FileCheck %s --check-prefix=NO-PASS
// NO-PASS: 'paint-walls' does not refer to a registered pass or pass pipeline

// Bytecode out and in.
// RUN: glow-opt %s --emit-bytecode -o %t.mlirbc
// RUN: glow-opt %t.mlirbc -o %t.mlir && glow-opt %s | diff - %t.mlir
// RUN: glow compile %t.mlirbc --emit=graph -o - | FileCheck %s --check-prefix=BYTECODE
// BYTECODE: glow.softmax
// RUN: head -c 200 %t.mlirbc > %t.short.mlirbc
// RUN: not glow-opt %t.short.mlirbc 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: short.mlirbc{{.*}}error:

// The module after a pass, and the time of passes.
// RUN: glow-opt %s --stop-after=lower --backend=interpreter --mlir-print-ir-after=lower-for-backend 2>&1 >%t.out | FileCheck %s --check-prefix=AFTER
// AFTER-COUNT-1: IR Dump After LowerForBackend
// AFTER-NOT:     IR Dump After
// RUN: glow-opt %s --stop-after=lower --backend=interpreter --mlir-print-ir-after-all 2>&1 >%t.out | FileCheck %s --check-prefix=ALL
// ALL: IR Dump After CheckGraph
// ALL: IR Dump After FoldConstants
// ALL: IR Dump After LowerForBackend
// RUN: glow-opt %s --backend=null --mlir-timing --mlir-timing-display=list 2>&1 >%t.out | FileCheck %s --check-prefix=TIME
// TIME-DAG: LowerForBackend
// TIME-DAG: PlaceBuffers
// TIME-DAG: Total

glow.placeholder @x input : tensor<2x3xf32>
glow.placeholder @y output : tensor<2x3xf32>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  %y = glow.softmax %x axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  glow.save %y, @y : tensor<2x3xf32>
}
