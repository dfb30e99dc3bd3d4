// RUN: %classgen -gen-coverage %s -o %t
// RUN: FileCheck %s < %t
// A cell says what the records say: by itself, on a condition, by a rule, or
// why not. An operator of ONNX gets as far as the nodes that it may become.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runs = [Legal<[Abs]>, Legal<[Neg], (kinds Floats:$T)>, Legal<[MatMul], (kinds), "k % 16 == 0">,
              Legal<[Mul, Add, Splat, Broadcast, Sqrt, Div, Sub]>];
  let kernels = [Kernel<Abs, "f32", "a">, Kernel<Neg, "f32", "b">, Kernel<MatMul, "f32", "c">,
                 Kernel<Mul, "f32", "d">, Kernel<Add, "f32", "e">, Kernel<Splat, "f32", "f">,
                 Kernel<Broadcast, "f32", "g">, Kernel<Sqrt, "f32", "h">, Kernel<Div, "f32", "i">,
                 Kernel<Sub, "f32", "j">];
}
def Short : Lowering<LogSoftmax, [{ out = in - in; }]> {
  let condition = "axis == 0";
  let backend = "chip";
}
// CHECK:     | node | chip |
// CHECK-DAG: | `glow.abs` | runs |
// CHECK-DAG: | `glow.neg` | runs when `T in {{.*}}f32{{.*}}` |
// CHECK-DAG: | `glow.matmul` | runs when `k % 16 == 0` |
// CHECK-DAG: | `glow.batch_norm` | lowers by `Normalization.td:{{[0-9]+}}` |
// CHECK-DAG: | `glow.log_softmax` | lowers by `coverage.td:[[#@LINE-9]]` when `axis == 0` |
// CHECK-DAG: | `glow.softmax` | cannot: no record runs it, and its rule builds `glow.{{[a-z_]+}}` |
// CHECK-DAG: | `glow.sign` | cannot: no record runs it, and it has no rule |
// CHECK:     ## Operators of ONNX
// CHECK-DAG: | `Abs` | 6+ | runs |
// CHECK-DAG: | `BatchNormalization` | 14+ | cannot if it becomes `glow.cast` |
// CHECK-DAG: | `Neg` | 6+ | runs when it runs `glow.neg` |
// CHECK-DAG: | `Clip` | 6-10 | cannot if it becomes `glow.clip` |
