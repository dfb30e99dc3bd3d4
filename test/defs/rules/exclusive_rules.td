// RUN: %classgen %library -gen-lowerings %s -o %t
// RUN: FileCheck %s < %t
// Conditions that exclude each other need no order.

include "glow/Glow.td"

def Good : Node<"good", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let tier = 5;
  let samples = [Sample<"small", (ins "f32[2]")>];
}
def GoodBySum : Lowering<Good, [{ out = in + in; }]> {
  let condition = "n > 2";
}
def GoodByProduct : Lowering<Good, [{ out = in * 2; }]> {
  let condition = "n <= 2";
}
// CHECK: struct GoodByProduct : ::mlir::OpRewritePattern<::glow::Good>
// CHECK: /// rules/exclusive_rules.td:11
// CHECK-NEXT: struct GoodBySum
