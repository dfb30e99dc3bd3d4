//===- Elementwise.td - what changes no element ---------------------------===//

#ifndef GLOW_FOLDS_ELEMENTWISE
#define GLOW_FOLDS_ELEMENTWISE

include "glow/nodes/Activation.td"
include "glow/nodes/Elementwise.td"

//===----------------------------------------------------------------------===//
// Neutral elements
//===----------------------------------------------------------------------===//

// Of -0, x + 0 makes 0, which is equal to it.
def AddZero : Fold<[{ x + 0 => x }], (ins "f32[2,3]":$x)>;
def SubZero : Fold<[{ x - 0 => x }], (ins "f32[2,3]":$x)>;
def MulOne : Fold<[{ x * 1 => x }], (ins "f32[2,3]":$x)>;
def DivOne : Fold<[{ x / 1 => x }], (ins "f32[2,3]":$x)>;
def PowOne : Fold<[{ Pow(x, 1) => x }], (ins "f32[2,3]":$x)>;
def SelectSame : Fold<[{ Select(c, x, x) => x }], (ins "f32[2,3]":$x, "bool[2,3]":$c)>;

//===----------------------------------------------------------------------===//
// A cheaper node
//===----------------------------------------------------------------------===//

def PowTwo : Fold<[{ Pow(x, 2) => x * x }], (ins "f32[2,3]":$x)>;
// They differ at minus infinity alone, of which the root is no number.
def PowHalf : Fold<[{ Pow(x, 0.5) => Sqrt(x) }], (ins "f32[2,3] in 0.5..2":$x)> {
  let condition = "isFloat(kind(x))";
}
def PowMinusOne : Fold<[{ Pow(x, -1) => Reciprocal(x) }], (ins "f32[2,3] in 0.5..2":$x)> {
  let condition = "isFloat(kind(x))";
}
def MulMinusOne : Fold<[{ x * -1 => -x }], (ins "f32[2,3]":$x)> {
  let condition = "isFloat(kind(x))";
}
def MaxZero : Fold<[{ Max(x, 0) => Relu(x) }], (ins "f32[2,3]":$x)> {
  let condition = "isFloat(kind(x))";
}
def OneDiv : Fold<[{ 1 / x => Reciprocal(x) }], (ins "f32[2,3] in 0.5..2":$x)> {
  let condition = "isFloat(kind(x))";
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

def NegOfNeg : Fold<[{ -(-x) => x }], (ins "f32[2,3]":$x)>;
def AddNeg : Fold<[{ x + -y => x - y }], (ins "f32[2,3]":$x, "f32[2,3]":$y)>;
def SubNeg : Fold<[{ x - -y => x + y }], (ins "f32[2,3]":$x, "f32[2,3]":$y)>;
def MulNegs : Fold<[{ -x * -y => x * y }], (ins "f32[2,3]":$x, "f32[2,3]":$y)>;
def AbsOfNeg : Fold<[{ Abs(-x) => Abs(x) }], (ins "f32[2,3]":$x)>;
def AbsOfRelu : Fold<[{ Abs(Relu(x)) => Relu(x) }], (ins "f32[2,3]":$x)>;
def NotOfNot : Fold<[{ Not(Not(x)) => x }], (ins "bool[2,3]":$x)>;

//===----------------------------------------------------------------------===//
// Twice is as good as once
//===----------------------------------------------------------------------===//

foreach node = [Abs, Relu, Sign, Floor, Ceil, Round] in
  def node # "Of" # node : Fold<"once(once(x)) => once(x)", (ins "f32[2,3]":$x)> {
    let with = (bind node:$once);
  }

foreach node = [Max, Min, And, Or, BitAnd, BitOr] in
  def node # "OfSame" : Fold<"either(x, x) => x",
      (ins !cond(!eq(node, And) : "bool[2,3]", !eq(node, Or) : "bool[2,3]",
                 !eq(node, BitAnd) : "i32[2,3]", !eq(node, BitOr) : "i32[2,3]",
                 true : "f32[2,3]"):$x)> {
    let with = (bind node:$either);
  }

// min(max(x, a), b) with the inner bounds brought inside the outer ones; this
// needs c <= d, while of a and b the second wins on either side.
def ClipOfClip : Fold<[{ Clip(Clip(x, low: a, high: b), low: c, high: d)
                         => Clip(x, min(max(a, c), d), min(max(b, c), d)) }],
                      (ins "f32[2,3]":$x), "a = -1.0; b = 0.5; c = -0.5; d = 1.0"> {
  let condition = "c <= d";
}
def ClipOfRelu : Fold<[{ Clip(Relu(x), low: a, high: b) => Clip(x, max(a, 0.0), b) }],
                      (ins "f32[2,3]":$x), "a = -1.0; b = 0.5">;
def ReluOfClip : Fold<[{ Relu(Clip(x, low: a, high: b)) => Clip(x, max(a, 0.0), max(b, 0.0)) }],
                      (ins "f32[2,3]":$x), "a = -1.0; b = 0.5">;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

def CastToItself : Fold<[{ Cast(x, kind: k) => x }], (ins "f32[2,3]":$x), "k = kind(x)"> {
  let condition = "kind(x) == k";
}
// The middle kind loses nothing. An integer that went through a float would
// become the nearest of the last kind instead of losing bits, unless that has
// every one.
def CastOfCast : Fold<[{ Cast(Cast(x, kind: a), kind: b) => Cast(x, b) }], (ins "f16[2,3]":$x),
                      "a = elementKind(\"f32\"); b = elementKind(\"i32\")"> {
  let condition = "holdsAll(kind(x), a) && (isFloat(kind(x)) == isFloat(a) || isFloat(b) || holdsAll(kind(x), b))";
}

#endif // GLOW_FOLDS_ELEMENTWISE
