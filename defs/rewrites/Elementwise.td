//===- Elementwise.td - elementwise identities ----------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_REWRITES_ELEMENTWISE
#define GLOW_REWRITES_ELEMENTWISE

include "glow/nodes/Activation.td"
include "glow/nodes/Elementwise.td"

//===----------------------------------------------------------------------===//
// Neutral elements
//===----------------------------------------------------------------------===//

// x + 0 is 0 for -0, whose inverse is another infinity.
def AddZero : Rewrite<[{ x + 0 => x }], (ins "i32[2,3]":$x)> {
  let condition = "!isFloat(kind(x))";
}
def SubZero : Rewrite<[{ x - 0 => x }], (ins "f32[2,3]":$x)>;
def MulOne : Rewrite<[{ x * 1 => x }], (ins "f32[2,3]":$x)>;
def DivOne : Rewrite<[{ x / 1 => x }], (ins "f32[2,3]":$x)>;
def PowOne : Rewrite<[{ Pow(x, 1) => x }], (ins "f32[2,3]":$x)>;
def SelectSame : Rewrite<[{ Select(c, x, x) => x }], (ins "f32[2,3]":$x, "bool[2,3]":$c)>;
def SelectAlways : Rewrite<[{ Select(1, x, y) => x }], (ins "f32[2,3]":$x, "f32[2,3]":$y)>;
def SelectNever : Rewrite<[{ Select(0, x, y) => y }], (ins "f32[2,3]":$x, "f32[2,3]":$y)>;
def AndTrue : Rewrite<[{ And(x, 1) => x }], (ins "bool[2,3]":$x)>;
def OrFalse : Rewrite<[{ Or(x, 0) => x }], (ins "bool[2,3]":$x)>;

//===----------------------------------------------------------------------===//
// A cheaper node
//===----------------------------------------------------------------------===//

def PowTwo : Rewrite<[{ Pow(x, 2) => x * x }], (ins "f32[2,3]":$x)>;
def PowMinusOne : Rewrite<[{ Pow(x, -1) => Reciprocal(x) }], (ins "f32[2,3]":$x)> {
  let condition = "isFloat(kind(x))";
}
// The roots of -0 and of minus infinity differ from these powers; squares have
// neither value.
class PowOfSquares<string squares_, string number, code right_>
    : Rewrite<"Pow(squares, number) => right",
              (ins "f32[2,3]":$x, "f32[2,1] in 0.125..0.125 constant":$e),
              "a = [1]; k = true"> {
  let condition = "isFloat(kind(x)) && numberOf(e) >= 0.0";
  let with = (bind squares_:$squares, number:$number, right_:$right);
  let rounds = 1;
}
defvar meanSquare = "ReduceMean(x * x, axes: a, keepDims: k) + e";
def PowHalf : PowOfSquares<meanSquare, "0.5", [{ Sqrt(ReduceMean(x * x, a, k) + e) }]>;
// The root is taken before the inverse, which loses nothing: both orders round.
def PowMinusHalf : PowOfSquares<meanSquare, "-0.5",
                                [{ Reciprocal(Sqrt(ReduceMean(x * x, a, k) + e)) }]>;
def PowThree : Rewrite<[{ Pow(x, 3) => x * x * x }], (ins "f32[2,3]":$x)> { let rounds = 1; }
def MulMinusOne : Rewrite<[{ x * -1 => -x }], (ins "f32[2,3]":$x)> {
  let condition = "isFloat(kind(x))";
}
def MaxZero : Rewrite<[{ Max(x, 0) => Relu(x) }], (ins "f32[2,3]":$x)> {
  let condition = "isFloat(kind(x))";
}
def OneDiv : Rewrite<[{ 1 / x => Reciprocal(x) }], (ins "f32[2,3]":$x)> {
  let condition = "isFloat(kind(x))";
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

def NegOfNeg : Rewrite<[{ -(-x) => x }], (ins "f32[2,3]":$x)>;
def AddNeg : Rewrite<[{ x + -y => x - y }], (ins "f32[2,3]":$x, "f32[2,3]":$y)>;
def SubNeg : Rewrite<[{ x - -y => x + y }], (ins "f32[2,3]":$x, "f32[2,3]":$y)>;
def MulNegs : Rewrite<[{ -x * -y => x * y }], (ins "f32[2,3]":$x, "f32[2,3]":$y)>;
def AbsOfNeg : Rewrite<[{ Abs(-x) => Abs(x) }], (ins "f32[2,3]":$x)>;
def AbsOfRelu : Rewrite<[{ Abs(Relu(x)) => Relu(x) }], (ins "f32[2,3]":$x)>;
def NotOfNot : Rewrite<[{ Not(Not(x)) => x }], (ins "bool[2,3]":$x)>;

//===----------------------------------------------------------------------===//
// Twice is as good as once
//===----------------------------------------------------------------------===//

foreach node = [Abs, Relu, Sign, Floor, Ceil, Round] in
  def node # "Of" # node : Rewrite<"once(once(x)) => once(x)", (ins "f32[2,3]":$x)> {
    let with = (bind node:$once);
  }

foreach node = [Max, Min, And, Or, BitAnd, BitOr] in
  def node # "OfSame" : Rewrite<"either(x, x) => x",
      (ins !cond(!eq(node, And) : "bool[2,3]", !eq(node, Or) : "bool[2,3]",
                 !eq(node, BitAnd) : "i32[2,3]", !eq(node, BitOr) : "i32[2,3]",
                 true : "f32[2,3]"):$x)> {
    let with = (bind node:$either);
  }

// min(max(x, a), b) with the inner bounds brought inside the outer ones; this
// needs c <= d, while of a and b the second wins on either side.
def ClipOfClip : Rewrite<[{ Clip(Clip(x, low: a, high: b), low: c, high: d)
                            => Clip(x, min(max(a, c), d), min(max(b, c), d)) }],
                         (ins "f32[2,3]":$x), "a = -1.0; b = 0.5; c = -0.5; d = 1.0"> {
  let condition = "c <= d";
}
def ClipOfRelu : Rewrite<[{ Clip(Relu(x), low: a, high: b) => Clip(x, max(a, 0.0), b) }],
                         (ins "f32[2,3]":$x), "a = -1.0; b = 0.5">;
def ReluOfClip : Rewrite<[{ Relu(Clip(x, low: a, high: b)) => Clip(x, max(a, 0.0), max(b, 0.0)) }],
                         (ins "f32[2,3]":$x), "a = -1.0; b = 0.5">;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

def CastToItself : Rewrite<[{ Cast(x, kind: k) => x }], (ins "f32[2,3]":$x), "k = kind(x)"> {
  let condition = "kind(x) == k";
}
// The middle kind must lose nothing. An integer that went through a float would
// become the nearest of the last kind instead of losing bits, unless the last
// kind has every integer of the first.
def CastOfCast : Rewrite<[{ Cast(Cast(x, kind: a), kind: b) => Cast(x, b) }], (ins "f16[2,3]":$x),
                         "a = elementKind(\"f32\"); b = elementKind(\"i32\")"> {
  let condition = [{holdsAll(kind(x), a) && (isFloat(kind(x)) == isFloat(a) || isFloat(b)
                    || holdsAll(kind(x), b))}];
}

//===----------------------------------------------------------------------===//
// Integers one behind the other
//===----------------------------------------------------------------------===//

// Integers wrap around, so that their order does not matter. Floats are rounded after each.
class OfNumbers<code equation, string number>
    : Rewrite<equation, (ins "i32[2,3]":$x, "i32[2,3] in 3..3 constant":$a,
                         "i32[2,3] in 2..2 constant":$b)> {
  let condition = "!isFloat(kind(x)) && bitsOf(kind(x)) >= 16 && !isConstant(x) && abs(one) <= 1e4";
  let with = (bind "numberOf(a)":$n, "numberOf(b)":$m, number:$one,
              "Splat(one, shape(x), kind(x))":$both);
  let once = 1;
}
def AddOfAddNumber : OfNumbers<[{ x + a + b => x + both }], "(n + m)">;
def SubOfSubNumber : OfNumbers<[{ x - a - b => x - both }], "(n + m)">;
def MulOfMulNumber : OfNumbers<[{ x * a * b => x * both }], "(n * m)">;

#endif // GLOW_REWRITES_ELEMENTWISE
