// RUN: %classgen %library -gen-library-kernels -backend=chip %s | FileCheck %s
// RUN: %classgen %library -gen-library-calls -backend=chip %s | FileCheck %s --check-prefix=CALLS
// RUN: not %classgen %library -gen-library-calls -backend=fourth %s 2>&1 | FileCheck %s --check-prefix=TWICE
// Kernels of a library, by the kind of a tensor, and what they are called with.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runsReference = 1;
  let kernels = [Kernel<Transpose, "i8", "turn">, Kernel<Iota, "f32", "count">];
}
// CHECK:      GLOW_LIBRARY_KERNEL("transpose", I8, false, turn, "")
// CHECK-NEXT: GLOW_LIBRARY_KERNEL("iota", F32, true, count, "")
// CALLS-DAG:  using turn_call = TransposeCall;
// CALLS-DAG:  using count_call = IotaCall;

def Fourth : Backend<"fourth"> {
  let runsReference = 1;
  let kernels = [Kernel<Transpose, "i8", "turn">, Kernel<Reshape, "i8", "turn">];
}
// TWICE: error: kernel 'turn' of backend 'fourth' is for two nodes: it is called with a TransposeCall and with a ReshapeCall
