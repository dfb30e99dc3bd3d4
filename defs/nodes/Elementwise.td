//===- Elementwise.td - one element of each operand, one of the result ----===//
// SPDX-License-Identifier: MIT
//
// Operands have the same shape: where ONNX broadcasts an operand, the importer
// repeats it with a Broadcast node. Integers wrap around.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_ELEMENTWISE
#define GLOW_NODES_ELEMENTWISE

include "glow/Functions.td"

class Unary<string mnemonic, code formula, Kinds of, string values = "f32[2,3]">
    : Pointwise<mnemonic, (ins $x), formula> {
  let types = (kinds of:$T);
  let ulps = 4;
  let samples = [Sample<"small", (ins values)>];
}

class Binary<string mnemonic, code formula, Kinds of = Numbers,
             string result = "T", string values = "f32[2,3]">
    : Pointwise<mnemonic, (ins $lhs, $rhs), formula, result> {
  let types = (kinds of:$T);
  let ulps = 4;
  let samples = [Sample<"small", (ins values, values)>];
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Add : Binary<"add", [{ lhs + rhs }]> {
  let summary = "sum";
  let infix = "+";
  let integers = [Integers<"lhs">, Integers<"rhs">];
  let commutes = 1;
}
def Sub : Binary<"sub", [{ lhs - rhs }]> {
  let summary = "difference";
  let infix = "-";
  let integers = [Integers<"lhs">, Integers<"rhs">];
}
def Mul : Binary<"mul", [{ lhs * rhs }]> {
  let summary = "product";
  let infix = "*";
  let integers = [Integers<"lhs">, Integers<"rhs">];
  let commutes = 1;
}
def Div : Binary<"div", [{ lhs / rhs }]> {
  let summary = "quotient; of integers towards zero, and 0 by 0";
  let infix = "/";
  let samples = [Sample<"away-from-zero", (ins "f32[2,3]", "f32[2,3] in 0.5..2")>];
}
def Pow : Binary<"pow", [{ pow(lhs, rhs) }]> {
  let summary = "lhs to the power rhs";
  let samples = [Sample<"positive-base", (ins "f32[2,3] in 0.5..2", "f32[2,3]")>];
}
def Mod : Binary<"mod", [{ mod(lhs, rhs) }]> {
  let summary = "remainder, with the sign of rhs; of integers by 0, 0";
  let samples = [Sample<"away-from-zero", (ins "f32[2,3]", "f32[2,3] in 0.5..2")>];
}
def Fmod : Binary<"fmod", [{ fmod(lhs, rhs) }]> {
  let summary = "remainder, with the sign of lhs; of integers by 0, 0";
  let samples = [Sample<"away-from-zero", (ins "f32[2,3]", "f32[2,3] in 0.5..2")>];
}
def Max : Binary<"max", [{ max(lhs, rhs) }]> {
  let summary = "the larger of the two; NaN when either is";
  let commutes = 1;
}
def Min : Binary<"min", [{ min(lhs, rhs) }]> {
  let summary = "the smaller of the two; NaN when either is";
  let commutes = 1;
}
def Neg : Unary<"neg", [{ -x }], SignedNumbers> {
  let summary = "negation";
  let infix = "unary-";
}
def Abs : Unary<"abs", [{ abs(x) }], Numbers> { let summary = "size without sign"; }
def Sign : Unary<"sign", [{ sign(x) }], Numbers> {
  let summary = "1, -1 or 0, as x is above, below or 0";
}
def Reciprocal : Unary<"reciprocal", [{ 1 / x }], Floats, "f32[2,3] in 0.5..2"> {
  let summary = "1 by x";
}
def Floor : Unary<"floor", [{ floor(x) }], Floats> {
  let summary = "the largest integer not above x";
}
def Ceil : Unary<"ceil", [{ ceil(x) }], Floats> {
  let summary = "the smallest integer not below x";
}
def Round : Unary<"round", [{ round(x) }], Floats> {
  let summary = "the nearest integer, halves to the even one";
}

//===----------------------------------------------------------------------===//
// Exponentials and trigonometry
//===----------------------------------------------------------------------===//

// Functions that keep all digits where arithmetic would lose them: backends without the
// node have the arithmetic.
class Precise<string mnemonic, code formula, code lowering_, string values = "f32[2,3]">
    : Unary<mnemonic, formula, Floats, values> {
  let tier = 1;
  let lowering = lowering_;
}

def Exp : Unary<"exp", [{ exp(x) }], Floats> { let summary = "e to the power x"; }
def Expm1 : Precise<"expm1", [{ expm1(x) }], [{ out = Exp(x) - 1; }]> {
  let summary = "e to the power x, minus 1, with all digits where x is small";
}
def Log : Unary<"log", [{ log(x) }], Floats, "f32[2,3] in 0.5..2"> {
  let summary = "natural logarithm";
}
def Log1p : Precise<"log1p", [{ log1p(x) }], [{ out = Log(1 + x); }], "f32[2,3] in -0.5..2"> {
  let summary = "natural logarithm of 1 + x, with all digits where x is small";
}
def Sqrt : Unary<"sqrt", [{ sqrt(x) }], Floats, "f32[2,3] in 0.5..2"> {
  let summary = "square root";
}
def Erf : Unary<"erf", [{ erf(x) }], Floats> { let summary = "error function"; }
def Normcdf : Precise<"normcdf", [{ normcdf(x) }], [{
  out = 0.5 * (1 + Erf(x * 0.7071067811865476));
}]> {
  let summary = "the chance that a normal variable is below x, with all digits where it is small";
}
def Sin : Unary<"sin", [{ sin(x) }], Floats> { let summary = "sine"; }
def Cos : Unary<"cos", [{ cos(x) }], Floats> { let summary = "cosine"; }
def Tan : Unary<"tan", [{ tan(x) }], Floats> { let summary = "tangent"; }
def Asin : Unary<"asin", [{ asin(x) }], Floats, "f32[2,3] in -0.9..0.9"> {
  let summary = "angle with sine x";
}
def Acos : Unary<"acos", [{ acos(x) }], Floats, "f32[2,3] in -0.9..0.9"> {
  let summary = "angle with cosine x";
}
def Atan : Unary<"atan", [{ atan(x) }], Floats> { let summary = "angle with tangent x"; }
def Sinh : Unary<"sinh", [{ sinh(x) }], Floats> { let summary = "hyperbolic sine"; }
def Cosh : Unary<"cosh", [{ cosh(x) }], Floats> { let summary = "hyperbolic cosine"; }
def Tanh : Unary<"tanh", [{ tanh(x) }], Floats> { let summary = "hyperbolic tangent"; }
def Asinh : Unary<"asinh", [{ asinh(x) }], Floats> {
  let summary = "inverse of the hyperbolic sine";
}
def Acosh : Unary<"acosh", [{ acosh(x) }], Floats, "f32[2,3] in 1.5..3"> {
  let summary = "inverse of the hyperbolic cosine";
}
def Atanh : Unary<"atanh", [{ atanh(x) }], Floats, "f32[2,3] in -0.9..0.9"> {
  let summary = "inverse of the hyperbolic tangent";
}

//===----------------------------------------------------------------------===//
// Bits and truth
//===----------------------------------------------------------------------===//

def And : Binary<"and", [{ lhs && rhs }], Bools, "T", "bool[2,3]"> {
  let summary = "whether both hold";
  let commutes = 1;
}
def Or : Binary<"or", [{ lhs || rhs }], Bools, "T", "bool[2,3]"> {
  let summary = "whether one of the two holds";
  let commutes = 1;
}
def Xor : Binary<"xor", [{ lhs != rhs }], Bools, "T", "bool[2,3]"> {
  let summary = "whether just one of the two holds";
  let commutes = 1;
}
def Not : Unary<"not", [{ !x }], Bools, "bool[2,3]"> { let summary = "whether x does not hold"; }

def BitAnd : Binary<"bit_and", [{ bitAnd(lhs, rhs) }], Integers, "T", "i32[2,3]"> {
  let summary = "the bits that both have";
  let commutes = 1;
}
def BitOr : Binary<"bit_or", [{ bitOr(lhs, rhs) }], Integers, "T", "i32[2,3]"> {
  let summary = "the bits that one of the two has";
  let commutes = 1;
}
def BitXor : Binary<"bit_xor", [{ bitXor(lhs, rhs) }], Integers, "T", "i32[2,3]"> {
  let summary = "the bits that just one of the two has";
  let commutes = 1;
}
def BitNot : Unary<"bit_not", [{ bitNot(x) }], Integers, "i32[2,3]"> {
  let summary = "the bits that x has not";
}
def ShiftLeft : Binary<"shift_left", [{ shiftLeft(lhs, rhs) }], Integers, "T", "u32[2,3]"> {
  let summary = "the bits of lhs, moved up by rhs places";
}
def ShiftRight : Binary<"shift_right", [{ shiftRight(lhs, rhs) }], Integers, "T", "u32[2,3]"> {
  let summary = "the bits of lhs, moved down by rhs places, below its sign";
}

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

def Equal : Binary<"equal", [{ lhs == rhs }], Everything, "bool"> {
  let summary = "whether both are the same";
  let commutes = 1;
}
def Less : Binary<"less", [{ lhs < rhs }], Numbers, "bool"> {
  let summary = "whether lhs is below rhs";
  let infix = "<";
}
def LessEqual : Binary<"less_equal", [{ lhs <= rhs }], Numbers, "bool"> {
  let summary = "whether lhs is not above rhs";
  let infix = "<=";
}
def Greater : Binary<"greater", [{ lhs > rhs }], Numbers, "bool"> {
  let summary = "whether lhs is above rhs";
  let infix = ">";
}
def GreaterEqual : Binary<"greater_equal", [{ lhs >= rhs }], Numbers, "bool"> {
  let summary = "whether lhs is not below rhs";
  let infix = ">=";
}
def IsNan : Pointwise<"is_nan", (ins $x), [{ isNan(x) }], "bool"> {
  let summary = "whether x is no number";
  let types = (kinds Floats:$T);
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
def IsInf : Pointwise<"is_inf", (ins $x),
    [{ isInfinite(x) && if(x < 0, negative, positive) }], "bool",
    (ins Default<Flag, "true">:$negative, Default<Flag, "true">:$positive)> {
  let summary = "whether x is infinite, with a sign that is asked for";
  let types = (kinds Floats:$T);
  let samples = [Sample<"small", (ins "f32[2,3]"), "negative = true; positive = false">];
}
def Select : Pointwise<"select", (ins "bool":$condition, $lhs, $rhs),
                       [{ if(condition, lhs, rhs) }]> {
  let summary = "lhs where the condition holds, else rhs";
  let types = (kinds Everything:$T);
  let samples = [Sample<"small", (ins "bool[2,3]", "f32[2,3]", "f32[2,3]")>];
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

def Cast : Node<"cast", (ins "T[*s]":$in), (outs "kind[*s]":$out), (ins Kind:$kind)> {
  let summary = "the same values as another element kind; what is too large for an "
                "integer becomes the nearest that fits, NaN 0; integers lose high bits; "
                "what is too "
                "large for a float becomes infinity, or NaN where there is none; "
                "a power of two is the next larger";
  let types = (kinds Everything:$T);
  let hand = "cast";
  let reason = "two element kinds vary on their own, and a formula has one";
  let gradient = [{ d.in = Cast(d.out, kind(in)); }];
  let permuted = [{ result = p; }];
  let samples = [Sample<"to-integers", (ins "f32[2,3]"), "kind = i32">,
                 Sample<"to-reals", (ins "i64[2,3]"), "kind = f32">,
                 Sample<"to-truth", (ins "f32[2,3]"), "kind = bool">,
                 Sample<"to-more-digits", (ins "f32[2,3]"), "kind = f64">,
                 Sample<"solid", (ins "f32[2,1,3]"), "kind = i32">,
                 Sample<"to-four-bits", (ins "f32[2,3] in -9..9"), "kind = i4">,
                 Sample<"to-two-bits", (ins "i32[2,3] in -9..9"), "kind = u2">,
                 Sample<"to-eight-bits", (ins "f32[2,3] in -100..100"), "kind = f8E4M3FN">,
                 Sample<"to-a-power", (ins "f32[2,3] in -9..9"), "kind = f8E8M0FNU">];
}

#endif // GLOW_NODES_ELEMENTWISE
