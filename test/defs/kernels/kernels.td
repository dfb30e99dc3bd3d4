// RUN: %classgen %library -gen-backend-kernels %s | FileCheck %s
// RUN: %classgen %library -gen-hand-decls %s | FileCheck %s --check-prefix=HAND
// A Kernel record is a declaration and a row of the table: backend, instruction,
// kind, the operand of that kind, function, bound.

include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let runs = [Legal<[Add], (kinds Kinds<["f16"]>:$T)>, Legal<[Splat]>];
  let kernels = [Kernel<Add, "f16", "chipAdd", Ulp<4>>, Kernel<Splat, "bool", "chipSplat">];
}
// CHECK: {"chip", "add", ::glow::ElementKind::F16, 1, ::glow::kernels::typed<::glow::kernels::AddCall, ::glow::kernels::chipAdd>, 4, "chipAdd"},
// CHECK: {"chip", "splat", ::glow::ElementKind::Bool, 0, ::glow::kernels::typed<::glow::kernels::SplatCall, ::glow::kernels::chipSplat>, 0, "chipSplat"},
// HAND: Status chipAdd(const AddCall &call);
// HAND: Status chipSplat(const SplatCall &call);
