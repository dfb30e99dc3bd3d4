// A pass that fails leaves a file that fails in the same way.
// RUN: rm -f %t.mlir
// RUN: not glow-opt %s --stop-after=optimize --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=FILE < %t.mlir
// RUN: not glow-opt --run-reproducer %t.mlir 2>&1 | FileCheck %s
// CHECK: error: 'glow.read' op no storage of the module is named @z
// FILE:  glow.read @z
// FILE:  pipeline: "builtin.module({{.*}}check-graph

glow.func @main {
  %0 = glow.read @z : tensor<2x3xf32>
}
