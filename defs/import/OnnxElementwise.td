//===- OnnxElementwise.td - ONNX operators on single elements -------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXELEMENTWISE
#define GLOW_IMPORT_ONNXELEMENTWISE

include "glow/functions/Kinds.td"
include "glow/nodes/Activation.td"
include "glow/nodes/Elementwise.td"
include "glow/nodes/Shape.td"

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

class OnnxUnary<string operator, Node node_, int since>
    : OnnxImport<operator, since, (ins "X"), (ins), "Y = node(X);"> {
  let with = (bind node_:$node);
}

// Numpy's broadcasting of two operands: brings A and B to one shape, as x and y.
def broadcastBoth : Let<(ins Tensor:$A, Tensor:$B), [{
  a = shape(A);
  b = shape(B);
  require(canBroadcast(a, b), "shapes {a} and {b} do not broadcast");
  s = broadcastShape(a, b);
  x = if(areSame(a, s), A, Broadcast(A, s));
  y = if(areSame(b, s), B, Broadcast(B, s));
}]> { let results = ["x", "y"]; }

class OnnxBinary<string operator, Node node_, int since>
    : OnnxImport<operator, since, (ins "A", "B"), (ins),
                 "x, y = broadcastBoth(A, B); C = node(x, y);"> {
  let with = (bind node_:$node);
}

// Any number of operands, from the left.
class OnnxMany<string operator, Node node_, int since>
    : OnnxImport<operator, since, (ins "inputs..."), (ins), "Y = fold(node, inputs);"> {
  let with = (bind node_:$node);
}

// With one real attribute.
class OnnxAlpha<string operator, Node node_, int since, string value>
    : OnnxImport<operator, since, (ins "X"), (ins value:$alpha), "Y = node(X, alpha);"> {
  let with = (bind node_:$node);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def : OnnxBinary<"Add", Add, 7>;
def : OnnxBinary<"Sub", Sub, 7>;
def : OnnxBinary<"Mul", Mul, 7>;
def : OnnxBinary<"Div", Div, 7>;
def : OnnxMany<"Max", Max, 6>;
def : OnnxMany<"Min", Min, 6>;
// Sums of halves are rounded once: f16 may hold a mean whose sum it does not.
class OnnxSum<string operator, code body>
    : OnnxImport<operator, 6, (ins "inputs..."), (ins), body> {
  let with = (bind "fold(Add, [widenedFloat(x) for x in inputs])":$sum);
}
def : OnnxSum<"Sum", "Y = asKind(sum, kind(inputs[0]));">;
def : OnnxSum<"Mean", "Y = asKind(sum / count(inputs), kind(inputs[0]));">;

// The exponent may have an element kind of its own; the base's is the result's.
def : OnnxImport<"Pow", 7, (ins "A", "B"), (ins), [{
  x, y = broadcastBoth(A, B);
  k = if(isFloat(kind(A)), kind(A), kind(B));
  p = Pow(if(kind(A) == k, x, Cast(x, k)), if(kind(B) == k, y, Cast(y, k)));
  C = if(kind(A) == k, p, Cast(p, kind(A)));
}]>;
def : OnnxImport<"Mod", 10, (ins "A", "B"), (ins 0:$fmod), [{
  x, y = broadcastBoth(A, B);
  C = if(fmod != 0, Fmod(x, y), Mod(x, y));
}]>;

def : OnnxUnary<"Neg", Neg, 6>;
def : OnnxUnary<"Abs", Abs, 6>;
def : OnnxUnary<"Sign", Sign, 9>;
def : OnnxUnary<"Reciprocal", Reciprocal, 6>;
def : OnnxUnary<"Floor", Floor, 6>;
def : OnnxUnary<"Ceil", Ceil, 6>;
def : OnnxUnary<"Round", Round, 11>;
def : OnnxUnary<"Exp", Exp, 6>;
def : OnnxUnary<"Log", Log, 6>;
def : OnnxUnary<"Sqrt", Sqrt, 6>;
def : OnnxImport<"Erf", 9, (ins "input"), (ins),
                 "output = asKind(Erf(asReal(input)), kind(input));">;
def : OnnxUnary<"Sin", Sin, 7>;
def : OnnxUnary<"Cos", Cos, 7>;
def : OnnxUnary<"Tan", Tan, 7>;
def : OnnxUnary<"Asin", Asin, 7>;
def : OnnxUnary<"Acos", Acos, 7>;
def : OnnxUnary<"Atan", Atan, 7>;
def : OnnxUnary<"Sinh", Sinh, 9>;
def : OnnxUnary<"Cosh", Cosh, 9>;
def : OnnxUnary<"Asinh", Asinh, 9>;
def : OnnxUnary<"Acosh", Acosh, 9>;
def : OnnxUnary<"Atanh", Atanh, 9>;
def : OnnxUnary<"Tanh", Tanh, 6>;

//===----------------------------------------------------------------------===//
// Boolean, bits, comparison
//===----------------------------------------------------------------------===//

def : OnnxBinary<"And", And, 7>;
def : OnnxBinary<"Or", Or, 7>;
def : OnnxBinary<"Xor", Xor, 7>;
def : OnnxUnary<"Not", Not, 1>;
def : OnnxBinary<"BitwiseAnd", BitAnd, 18>;
def : OnnxBinary<"BitwiseOr", BitOr, 18>;
def : OnnxBinary<"BitwiseXor", BitXor, 18>;
def : OnnxUnary<"BitwiseNot", BitNot, 18>;
def : OnnxImport<"BitShift", 11, (ins "A", "B"), (ins RequiredText:$direction), [{
  x, y = broadcastBoth(A, B);
  require(direction == "LEFT" || direction == "RIGHT",
          "direction {direction} must be LEFT or RIGHT");
  C = if(direction == "LEFT", ShiftLeft(x, y), ShiftRight(x, y));
}]>;
def : OnnxBinary<"Equal", Equal, 7>;
def : OnnxBinary<"Less", Less, 7>;
def : OnnxBinary<"LessOrEqual", LessEqual, 12>;
def : OnnxBinary<"Greater", Greater, 7>;
def : OnnxBinary<"GreaterOrEqual", GreaterEqual, 12>;
def : OnnxUnary<"IsNaN", IsNan, 9>;
def : OnnxImport<"IsInf", 10, (ins "X"), (ins 1:$detect_negative, 1:$detect_positive), [{
  Y = IsInf(X, detect_negative != 0, detect_positive != 0);
}]>;
def : OnnxImport<"Where", 9, (ins "condition", "X", "Y"), (ins), [{
  s = broadcastShape(shape(condition), broadcastShape(shape(X), shape(Y)));
  output = Select(if(shape(condition) == s, condition, Broadcast(condition, s)),
                  if(shape(X) == s, X, Broadcast(X, s)), if(shape(Y) == s, Y, Broadcast(Y, s)));
}]> {
  let movesElements = 1;
}

// The tensor x, prepared so that a node Cast to kind k gives ONNX's result. If `saturate`, a
// number too large for a float of 8 bits becomes the largest one first. Before opset 24, where
// k has no negative zero and no infinity, infinity stays and so becomes NaN. An integer of 4 or
// 2 bits is the low bits of the nearest integer, where a wider one is rounded towards 0 and
// limited to its range.
def readyFor : Let<(ins Tensor:$x, Kind:$k, Flag:$saturate, Int:$opset), [{
  narrow = isFloat(kind(x)) && bitsOf(kind(x)) <= 8;
  short = isFloat(k) && bitsOf(k) == 8;
  few = !isFloat(k) && !isBool(k) && bitsOf(k) < 8 && isFloat(kind(x));
  real = if(short && (narrow || !isFloat(kind(x))) || few && narrow, Cast(x, elementKind("f32")),
            x);
  most = largestOf(k);
  held = if(short && saturate, Max(Min(real, Splat(most, shape(real), kind(real))),
                                        Splat(-most, shape(real), kind(real))),
            if(few, Cast(Round(real), elementKind("i32")), real));
  infinityIsNaN = k == elementKind("f8E8M0FNU") || opset < 24
      && (k == elementKind("f8E4M3FNUZ") || k == elementKind("f8E5M2FNUZ"));
  ready = if(short && saturate && infinityIsNaN,
             Select(Abs(real) > largestOf(kind(real)), real, held), held);
}]>;
// Cast rounds up to a power of two. A factor below 1 makes it round down, or to the nearest;
// the factor is slightly too large, so that a number that is a power of two already stays.
def castTo : Let<(ins Tensor:$input, Kind:$k, Flag:$saturate, Text:$round_mode, Int:$opset), [{
  require(round_mode == "up" || round_mode == "down" || round_mode == "nearest",
          "round_mode {round_mode} must be 'up', 'down' or 'nearest'");
  isPower = k == elementKind("f8E8M0FNU");
  little = 0.0000000298;
  factor = if(round_mode == "up", 1.0, (1.0 + little) / if(round_mode == "down", 2.0, 1.5));
  power = if(isPower, Abs(Cast(Cast(input, elementKind("f32")), elementKind("f64"))) * factor,
             input);
  output = if(kind(input) == k, input, Cast(readyFor(power, k, saturate, opset), k));
}]>;
let later = [FromOpset<19, "saturate">, FromOpset<24, "round_mode">] in {
def : OnnxImport<"Cast", 6, (ins "input"),
                 (ins RequiredInt:$to, 1:$saturate, Words<"up">:$round_mode),
                 "output = castTo(input, onnxKind(to), saturate != 0, round_mode, opset);">;
def : OnnxImport<"CastLike", 15, (ins "input", "target_type"),
                 (ins 1:$saturate, Words<"up">:$round_mode),
                 "output = castTo(input, kind(target_type), saturate != 0, round_mode, opset);">;
}
// A byte that is not 0 becomes true: no reader of booleans distinguishes other bytes.
def : OnnxImport<"BitCast", 26, (ins "input"), (ins RequiredInt:$to), [{
  k = onnxKind(to);
  from = kind(input);
  require(bitsOf(from) == bitsOf(k),
          "elements of {from} have {bitsOf(from)} bits, but those of {k} have {bitsOf(k)}");
  output = if(from == k, input, if(isBool(k), Cast(input, k), BitCast(input, k)));
}]>;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

def : OnnxImport<"Clip", 6, (ins "input"),
    (ins "-3.4028234663852886e+38":$min, "3.4028234663852886e+38":$max),
    "output = Clip(input, min, max);">;
// Bounds are tensors, which the model may compute; integers have bounds too.
def : OnnxImport<"Clip", 11, (ins "input", "min?", "max?"), (ins), [{
  known = isFloat(kind(input)) && (!present(min) || isConstant(min))
      && (!present(max) || isConstant(max));
  raised = if(!present(min) || known, input, Max(input, Broadcast(min, shape(input))));
  lowered = if(!present(max) || known, raised, Min(raised, Broadcast(max, shape(input))));
  output = if(known, Clip(lowered, if(present(min), realOf(min), -infinity),
                          if(present(max), realOf(max), infinity)), lowered);
}]>;

//===----------------------------------------------------------------------===//
// Before opset 7
//===----------------------------------------------------------------------===//

// The second operand is repeated only where an attribute asks for it, from an axis on, or
// so that the last axes are the same ones.
class OnnxEarlyBinary<string operator, Node node_>
    : OnnxImport<operator, 1, (ins "A", "B"),
                 (ins MaybeInt:$axis, 0:$broadcast, MaybeInts:$consumed_inputs), [{
  s = shape(A);
  b = shape(B);
  require(broadcast != 0 || b == s, "shapes {s} and {b} differ, and broadcast is {broadcast}");
  y = if(b == s, B, Broadcast(B, s, axis: if(present(axis), wrapAxis(axis, rank(A)), -1)));
  C = node(A, y);
}]> {
  let with = (bind node_:$node);
}
def : OnnxEarlyBinary<"Add", Add>;
def : OnnxEarlyBinary<"Sub", Sub>;
def : OnnxEarlyBinary<"Mul", Mul>;
def : OnnxEarlyBinary<"Div", Div>;
def : OnnxEarlyBinary<"Pow", Pow>;
def : OnnxEarlyBinary<"And", And>;
def : OnnxEarlyBinary<"Or", Or>;
def : OnnxEarlyBinary<"Xor", Xor>;
def : OnnxEarlyBinary<"Equal", Equal>;
def : OnnxEarlyBinary<"Less", Less>;
def : OnnxEarlyBinary<"Greater", Greater>;
let isWritten = 0 in
def : OnnxImport<"ImageScaler", 1, (ins "input"), (ins MaybeReals:$bias, "1.0":$scale), [{
  require(rank(input) == 4, "the input must have 4 dimensions");
  c = shape(input)[1];
  require(length(bias) == c, "bias has {length(bias)} numbers, but there are {c} channels");
  output = scale * input + Broadcast(RealLiteral(bias, [c], kind(input)), shape(input), axis: 1);
}]>;

#endif // GLOW_IMPORT_ONNXELEMENTWISE
