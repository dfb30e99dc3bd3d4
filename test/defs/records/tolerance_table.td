// RUN: %classgen -gen-node-table %s | FileCheck %s
// Tolerances of a record are in the table that conformance tests read; a node
// without any has none there.

include "glow/Glow.td"

def Rough : Unary<"rough", [{ exp(x) }], Floats> {
  let tolerance = "f32: 1e-3, f16: 0.05";
}
// CHECK: {"glow.exp",
// CHECK-NEXT: ::glow::inferResults<::glow::Exp, ::glow::ExpShape>, {}, "", "",
// CHECK: {"glow.rough",
// CHECK-NEXT: ::glow::inferResults<{{.*}}>, {{[{][{]}}::glow::ElementKind::F32, 1e-3}, {::glow::ElementKind::F16, 0.05}, }, "", "",
