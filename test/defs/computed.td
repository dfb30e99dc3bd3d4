// RUN: %classgen -gen-library-kernels -backend=chip %s | FileCheck %s
// RUN: %classgen -gen-computed-kernels -backend=chip %s | FileCheck %s --check-prefix=CODE
// RUN: %classgen -gen-library-calls -backend=chip %s | FileCheck %s --check-prefix=CALLS
// RUN: not %classgen -gen-library-calls -backend=fourth %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %classgen -gen-library-kernels -backend=other %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not %classgen -gen-library-kernels -backend=third %s 2>&1 | FileCheck %s --check-prefix=KIND
// Index notation becomes kernels of a library: of the kinds that it computes in,
// or of all where elements only move; with a flag where an index may be wrong.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runsReference = 1;
  let kernels = [Kernel<Transpose, "i8", "turn">];
  let computed = [ConvTranspose, OneHot, GatherElements];
  let computedKinds = ["f32", "i64"];
}
// CHECK:      GLOW_LIBRARY_KERNEL("transpose", I8, false, turn, false, false)
// CHECK-NEXT: GLOW_LIBRARY_KERNEL("conv_transpose", F32, true, computed_conv_transpose, true, false)
// CHECK-NEXT: GLOW_LIBRARY_KERNEL("one_hot", F32, true, computed_one_hot, true, false)
// CHECK-NEXT: GLOW_LIBRARY_KERNEL("one_hot", I64, true, computed_one_hot, true, false)
// CHECK-NEXT: GLOW_LIBRARY_KERNEL("gather_elements", F32, true, computed_gather_elements, true, true)
// CHECK-NEXT: GLOW_LIBRARY_KERNEL("gather_elements", F16, true, computed_gather_elements, true, true)
// CALLS:    using turn_call = TransposeCall;
// CODE:     ::glow::Status conv_transposeKernel(const ::glow::KernelCall &given) {
// CODE:       const auto call = ::glow::kernels::ConvTransposeCall::of(given);
// CODE:       case ::glow::ElementKind::F32:
// CODE-NOT:   case
// CODE:       default:
// CODE:     {{^}}GLOW_COMPUTED(conv_transpose, 4)

def Other : Backend<"other"> {
  let runsReference = 1;
  let computed = [Concat];
}
// REFUSED: computed.td:[[#@LINE-4]]:5: error: backend 'other' has 'Concat' among its computed nodes, which must have `compute` and no list of operands

def Third : Backend<"third"> {
  let runsReference = 1;
  let computed = [ConvTranspose];
  let computedKinds = ["u8"];
}
// KIND: error: backend 'third' has 'ConvTranspose' among its computed nodes, but neither its first result nor its first operand is of a kind that they compute in


def Fourth : Backend<"fourth"> {
  let runsReference = 1;
  let kernels = [Kernel<Transpose, "i8", "turn">, Kernel<Reshape, "i8", "turn">];
}
// TWICE: error: kernel 'turn' of backend 'fourth' is for two nodes: it is called with a TransposeCall and with a ReshapeCall
