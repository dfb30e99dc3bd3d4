//===- Activation.td - activations that models spell out ------------------===//
// SPDX-License-Identifier: MIT
//
// Exporters spell out operators that ONNX lacks as arithmetic, in several orders. The
// rewrites restore the node, for which a backend may have code; elsewhere its lowering is
// the arithmetic again.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_REWRITES_ACTIVATION
#define GLOW_REWRITES_ACTIVATION

include "glow/nodes/Activation.td"
include "glow/nodes/Elementwise.td"

// A constant of a model, as near to a number as its kind holds it and exporters
// compute it.
def isAbout : Let<(ins Tensor:$x, Real:$number),
    [{abs(numberOf(x) - number) <= abs(number) * if(bitsOf(kind(x)) < 32, 4e-3, if(bitsOf(kind(x))
      > 32, 1e-9, 1e-6))}]>;

//===----------------------------------------------------------------------===//
// Kept between bounds
//===----------------------------------------------------------------------===//

// min(max(x, a), b) is what the node computes. The other way round the lower bound
// wins, which is the same where it is not above the upper one. NaN stays on all ways.
class Bounded<code equation, dag operands, string condition_ = "isFloat(kind(x))">
    : Rewrite<equation, operands> {
  let condition = condition_;
}
def ClipOfBounds
    : Bounded<[{ Min(Max(x, a), b) => Clip(x, numberOf(a), numberOf(b)) }],
              (ins "f32[2,3]":$x, "f32[2,3] in -0.5..-0.5 constant":$a,
               "f32[2,3] in 0.25..0.25 constant":$b),
              "isFloat(kind(x)) && !isNan(numberOf(a)) && !isNan(numberOf(b))">;
def ClipOfBoundsFromAbove
    : Bounded<[{ Max(Min(x, b), a) => Clip(x, numberOf(a), numberOf(b)) }],
              (ins "f32[2,3]":$x, "f32[2,3] in -0.5..-0.5 constant":$a,
               "f32[2,3] in 0.25..0.25 constant":$b),
              "isFloat(kind(x)) && numberOf(a) <= numberOf(b)">;
def ClipOfReluBelow
    : Bounded<[{ Min(Relu(x), b) => Clip(x, 0.0, numberOf(b)) }],
              (ins "f32[2,3]":$x, "f32[2,3] in 0.25..0.25 constant":$b),
              "isFloat(kind(x)) && !isNan(numberOf(b))">;
def ClipOfReluAbove
    : Bounded<[{ Relu(Min(x, b)) => Clip(x, 0.0, numberOf(b)) }],
              (ins "f32[2,3]":$x, "f32[2,3] in 0.25..0.25 constant":$b),
              "isFloat(kind(x)) && numberOf(b) >= 0.0">;

// The values of a function lie between two numbers: bounds outside of these change
// none of them. NaN stays on both sides. Magnitudes and squares of integers may wrap around.
class InRelu<string bounded, dag functions = (bind), string values = ""> : Rewrite<[{ Relu(value)
    => value }], (ins "f32[2,3]":$x), values> {
  let with = !con((bind bounded:$value), functions);
  let condition = "isFloat(kind(x))";
}
class InClip<string bounded, string least_, string greatest_, string values, dag functions = (bind)>
    : Rewrite<[{ Clip(value, low: a, high: b) => value }], (ins "f32[2,3]":$x), values> {
  let with = !con((bind bounded:$value, least_:$least, greatest_:$greatest), functions);
  let condition = "a <= least && b >= greatest";
}
foreach node = [Sigmoid, Exp, Abs, Sqrt, Softplus] in
  def ReluOf # node : InRelu<"f(x)", (bind node:$f)>;
def ReluOfSquare : InRelu<"x * x">;
def ReluOfHardSigmoid : InRelu<"HardSigmoid(x, alpha: p, beta: q)", (bind), "p = 0.2; q = 0.5">;
def ReluOfSoftmax : InRelu<"Softmax(x, axis: i)", (bind), "i = 1">;
foreach node = [Tanh, Erf, Sin, Cos] in
  def ClipOf # node : InClip<"f(x)", "-1.0", "1.0", "a = -1.0; b = 2.0", (bind node:$f)>;
def ClipOfSigmoid : InClip<"Sigmoid(x)", "0.0", "1.0", "a = -1.0; b = 1.0">;
def ClipOfHardSigmoid : InClip<"HardSigmoid(x, alpha: p, beta: q)", "0.0", "1.0",
                               "p = 0.2; q = 0.5; a = 0.0; b = 6.0">;
def ClipOfSoftmax : InClip<"Softmax(x, axis: i)", "0.0", "1.0", "i = 1; a = 0.0; b = 1.0">;

// Bounds beyond the numbers of a kind are infinite in it.
def ClipBeyondKind : Rewrite<[{ Clip(x, low: a, high: b)
                                => x }], (ins "f16[2,3]":$x), "a = -1e30; b = 1e30"> {
  let condition = [{isFloat(kind(x)) && a < -2.0 * largestOf(kind(x))
                    && b > 2.0 * largestOf(kind(x))}];
}

//===----------------------------------------------------------------------===//
// Leaky relu
//===----------------------------------------------------------------------===//

// For 0 < a < 1 the larger of x and a * x is x where x is positive. Of 0 and an
// infinite x the product would be no number.
def LeakyReluOfMax
    : Rewrite<[{ Max(x, x * a)
                 => LeakyRelu(x, numberOf(a)) }],
    (ins "f32[2,3]":$x, "f32[2,3] in 0.25..0.25 constant":$a)> {
  let condition = "isFloat(kind(x)) && numberOf(a) > 0.0 && numberOf(a) < 1.0";
}
// 0 is a * 0, and NaN a * NaN.
foreach where = [Greater, GreaterEqual] in
  def LeakyReluWhere # where
      : Rewrite<[{ Select(above(x, 0), x, x * a) => LeakyRelu(x, numberOf(a)) }],
                (ins "f32[2,3]":$x, "f32[2,3] in 0.25..0.25 constant":$a)> {
    let condition = "isFloat(kind(x)) && !isNan(numberOf(a))";
    let with = (bind where:$above);
  }
foreach where = [Less, LessEqual] in
  def LeakyReluWhere # where
      : Rewrite<[{ Select(below(x, 0), x * a, x) => LeakyRelu(x, numberOf(a)) }],
                (ins "f32[2,3]":$x, "f32[2,3] in 0.25..0.25 constant":$a)> {
    let condition = "isFloat(kind(x)) && !isNan(numberOf(a))";
    let with = (bind where:$below);
  }
// One slope for all channels.
def LeakyReluOfPRelu
    : Rewrite<[{ PRelu(x, a)
                 => LeakyRelu(x, numberOf(a)) }],
    (ins "f32[2,3]":$x, "f32[2,3] in 0.25..0.25 constant":$a)> {
  let condition = "isFloat(kind(x)) && !isNan(numberOf(a))";
}

//===----------------------------------------------------------------------===//
// The logistic function and its gated operand
//===----------------------------------------------------------------------===//

// Where e to the power -x overflows, both are 0.
let rounds = 1 in {
  def SigmoidOfExp : Rewrite<[{ Reciprocal(Exp(-x) + 1) => Sigmoid(x) }], (ins "f32[2,3]":$x)>;
  def SwishOfExp : Rewrite<[{ x / (Exp(-x) + 1) => Swish(x, 1.0) }], (ins "f32[2,3]":$x)>;
}
// A sigmoid that something else reads as well is computed once.
def SwishOfSigmoid : Rewrite<[{ x * Sigmoid(x) => Swish(x, 1.0) }], (ins "f32[2,3]":$x)> {
  let once = 1;
  let rounds = 1;
}
def SwishOfScaledSigmoid
    : Rewrite<[{ x * Sigmoid(x * a)
                 => Swish(x, numberOf(a)) }],
    (ins "f32[2,3]":$x, "f32[2,3] in 1.5..1.5 constant":$a)> {
  let condition = "!isNan(numberOf(a))";
  let once = 1;
  let rounds = 1;
}

// x + 3 between 0 and 6, by 6, is x / 6 + 1/2 between 0 and 1.
class RampBySix<code equation, string by, string condition_>
    : Rewrite<equation, (ins "f32[2,3] in -4..4":$x, by:$c)> {
  let rounds = 1;
  let condition = condition_;
  let with = (bind "Clip(x + 3, low: 0, high: 6)":$ramp);
}
def HardSigmoidOfQuotient
    : RampBySix<"ramp / c => HardSigmoid(x, 1.0 / 6.0, 0.5)", "f32[2,3] in 6..6 constant",
                "numberOf(c) == 6.0">;
def HardSigmoidOfProduct
    : RampBySix<"ramp * c => HardSigmoid(x, 1.0 / 6.0, 0.5)",
                "f32[2,3] in 0.16666667..0.16666667 constant", "isAbout(c, 1.0 / 6.0)">;
let holds = (upTo "largest / 8.0":$x) in {
def HardSwishOfQuotient : RampBySix<"x * ramp / c => HardSwish(x)", "f32[2,3] in 6..6 constant",
                                    "numberOf(c) == 6.0">;
def HardSwishOfProduct : RampBySix<"x * ramp * c => HardSwish(x)",
                                   "f32[2,3] in 0.16666667..0.16666667 constant",
                                   "isAbout(c, 1.0 / 6.0)">;
}
def HardSwishOfScaledFactor
    : RampBySix<"x * c * ramp => HardSwish(x)", "f32[2,3] in 0.16666667..0.16666667 constant",
                "isAbout(c, 1.0 / 6.0)">;
def HardSwishOfHardSigmoid
    : Rewrite<[{ x * HardSigmoid(x, alpha: a, beta: b)
                 => HardSwish(x) }], (ins "f32[2,3] in -4..4":$x),
              "a = 1.0 / 6.0; b = 0.5"> {
  let rounds = 1;
  let condition = "b == 0.5 && abs(a * 6.0 - 1.0) < 1e-6";
}

//===----------------------------------------------------------------------===//
// Gelu
//===----------------------------------------------------------------------===//

// The product of x, a factor that depends on x, and a half, in three orders. The factor is
// at most 2.
class HalfOfProduct<code equation, string factor_, dag operands, string condition_>
    : Rewrite<equation, !con((ins "f32[2,3]":$x), operands)> {
  let with = (bind factor_:$factor);
  let condition = condition_;
  let rounds = 1;
}
multiclass GeluOf<string factor, dag operands, string condition> {
  let holds = (upTo "largest / 2.0":$x) in
  def Last : HalfOfProduct<"x * factor * 0.5 => Gelu(x)", factor, operands, condition>;
  def First : HalfOfProduct<"x * 0.5 * factor => Gelu(x)", factor, operands, condition>;
  def Between : HalfOfProduct<"x * (factor * 0.5) => Gelu(x)", factor, operands, condition>;
}
// x by the root of 2, or times the root of a half.
defm GeluOfQuotient
    : GeluOf<"Erf(x / c) + 1", (ins "f32[2,3] in 1.41421356..1.41421356 constant":$c),
             "isAbout(c, 1.4142135623730951)">;
defm GeluOfProduct
    : GeluOf<"Erf(x * c) + 1", (ins "f32[2,3] in 0.70710678..0.70710678 constant":$c),
             "isAbout(c, 0.7071067811865476)">;

// The angle is x plus k x cubed, times c, the root of 2 by pi.
class HalfOfTanh<code equation, string angle_>
    : HalfOfProduct<equation, "Tanh(angle) + 1",
                    (ins "f32[2,3] in 0.7978845608..0.7978845608 constant":$c,
                     "f32[2,3] in 0.044715..0.044715 constant":$k),
                    "isAbout(c, 0.7978845608028654) && isAbout(k, 0.044715)"> {
  let with = (bind angle_:$angle, "Tanh(angle) + 1":$factor);
}
multiclass GeluOfTanh<string angle> {
  let holds = (upTo "largest / 2.0":$x) in
  def Last : HalfOfTanh<"x * factor * 0.5 => GeluTanh(x)", angle>;
  def First : HalfOfTanh<"x * 0.5 * factor => GeluTanh(x)", angle>;
  def Between : HalfOfTanh<"x * (factor * 0.5) => GeluTanh(x)", angle>;
}
defm GeluOfCube : GeluOfTanh<"(x + x * x * x * k) * c">;
defm GeluOfScaledCube : GeluOfTanh<"(x + x * k * x * x) * c">;
defm GeluOfSquare : GeluOfTanh<"x * c * (x * x * k + 1)">;
defm GeluOfScaledSquare : GeluOfTanh<"x * c * (x * k * x + 1)">;
defm GeluOfFactors : GeluOfTanh<"x * (x * x * k + 1) * c">;
defm GeluOfScaledFactors : GeluOfTanh<"x * (x * k * x + 1) * c">;

#endif // GLOW_REWRITES_ACTIVATION
