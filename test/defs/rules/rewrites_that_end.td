// RUN: %classgen %library -gen-rewrites %s | FileCheck %s
// Rewrites that move nodes past each other in one direction, that are ordered, or
// that undo each other under opposite conditions, are no mistakes.

include "glow/Glow.td"

def ExpOfAbs : Rewrite<[{ Exp(Abs(x)) => Abs(Exp(x)) }], (ins "f32[2]":$x)> {
  let condition = "rank(x) < 2";
}
def AbsOfExp : Rewrite<[{ Abs(Exp(x)) => Exp(Abs(x)) }], (ins "f32[2,2]":$x)> {
  let condition = "rank(x) >= 2 && elements(x) > 3";
}
// Rewrites of two backends never apply to one graph.
def ExpOfNeg : Rewrite<[{ Exp(Neg(x)) => Neg(Exp(x)) }], (ins "f32[2]":$x)> { let backend = "one"; }
def NegOfExp : Rewrite<[{ Neg(Exp(x)) => Exp(Neg(x)) }], (ins "f32[2]":$x)> { let backend = "two"; }
// A constant operand moves behind an operand that is none.
def SinBehindCos : Rewrite<[{ Concat([Sin(x), y], axis: a) => Concat([y, Sin(x)], a) }],
                           (ins "f32[2]":$x, "f32[2]":$y), "a = 0"> {
  let condition = "isConstant(x) && !isConstant(y)";
}
def TanOfCos : Rewrite<[{ Tan(Cos(x)) => Cos(x) }], (ins "f32[2]":$x)> {
  let condition = "rank(x) == 1";
}
def TanOfCosFirst : Rewrite<[{ Tan(Cos(y)) => Cos(Tan(y)) }], (ins "f32[2]":$y)> {
  let condition = "elements(y) == 2";
  let before = [TanOfCos];
}
// CHECK: struct AbsOfExp
// CHECK: struct TanOfCos :
// CHECK-NEXT: OpRewritePattern(context, /*benefit=*/1)
// CHECK: struct TanOfCosFirst :
// CHECK-NEXT: OpRewritePattern(context, /*benefit=*/2)
