//===- Elementwise.td - Caffe2 operators on single elements ---------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_CAFFE2_ELEMENTWISE
#define GLOW_IMPORT_CAFFE2_ELEMENTWISE

include "glow/import/OnnxActivation.td"
include "glow/import/OnnxReduction.td"

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

// The result is an expression in X and the arguments.
class Caffe2Formula<string operator, dag attributes, string result>
    : Caffe2Import<operator, (ins "X"), !con((ins MaybeText:$order), attributes), "Y = result;"> {
  let with = (bind result:$result);
}
class Caffe2Unary<string operator, Node node_>
    : Caffe2Import<operator, (ins "X"), (ins MaybeText:$order), "Y = node(X);"> {
  let with = (bind node_:$node);
}

def : Caffe2Unary<"Abs", Abs>;
def : Caffe2Unary<"Acos", Acos>;
def : Caffe2Unary<"Asin", Asin>;
def : Caffe2Unary<"Atan", Atan>;
def : Caffe2Unary<"Ceil", Ceil>;
def : Caffe2Unary<"Cos", Cos>;
def : Caffe2Unary<"Cosh", Cosh>;
def : Caffe2Unary<"Erf", Erf>;
def : Caffe2Unary<"Exp", Exp>;
def : Caffe2Unary<"Floor", Floor>;
def : Caffe2Unary<"Log", Log>;
def : Caffe2Unary<"Log1p", Log1p>;
def : Caffe2Unary<"Neg", Neg>;
def : Caffe2Unary<"Negative", Neg>;
def : Caffe2Unary<"Reciprocal", Reciprocal>;
def : Caffe2Unary<"Relu", Relu>;
def : Caffe2Unary<"Round", Round>;
def : Caffe2Unary<"Sigmoid", Sigmoid>;
def : Caffe2Unary<"Sign", Sign>;
def : Caffe2Unary<"Sin", Sin>;
def : Caffe2Unary<"Sinh", Sinh>;
def : Caffe2Unary<"Softplus", Softplus>;
def : Caffe2Unary<"Softsign", Softsign>;
def : Caffe2Unary<"Sqrt", Sqrt>;
def : Caffe2Unary<"Tan", Tan>;
def : Caffe2Unary<"Tanh", Tanh>;
def : Caffe2Formula<"Cube", (ins), "X * X * X">;
def : Caffe2Formula<"Rsqrt", (ins), "Reciprocal(Sqrt(X))">;
def : Caffe2Formula<"Sqr", (ins), "X * X">;
def : Caffe2Formula<"Swish", (ins), "Swish(X, 1.0)">;
def : Caffe2Formula<"Clip", (ins "3.4028234663852886e+38":$max, "-3.4028234663852886e+38":$min),
                    "Clip(X, min, max)">;
def : Caffe2Formula<"Elu", (ins "1.0":$alpha), "Elu(X, alpha)">;
def : Caffe2Formula<"Gelu", (ins 0:$fast_gelu), "if(fast_gelu != 0, GeluTanh(X), Gelu(X))">;
def : Caffe2Formula<"HardSigmoid", (ins "0.2":$alpha, "0.5":$beta), "HardSigmoid(X, alpha, beta)">;
def : Caffe2Formula<"IsNaN", (ins), [{ Cast(IsNan(X), elementKind("u8")) }]>;
def : Caffe2Formula<"LeakyRelu", (ins "0.01":$alpha), "LeakyRelu(X, alpha)">;
def : Caffe2Formula<"ReluN", (ins RequiredReal:$n), "Clip(X, 0.0, n)">;
def : Caffe2Formula<"ReplaceNaN", (ins "0.0":$value),
                    "Select(IsNan(X), Splat(value, shape(X), kind(X)), X)">;
def : Caffe2Formula<"Scale", (ins "1.0":$scale), "X * scale">;
def : Caffe2Formula<"Selu", (ins "1.6732631921768188":$alpha, "1.0507010221481323":$scale),
                    "Selu(X, alpha, scale)">;
def : Caffe2Formula<"ThresholdedRelu", (ins "1.0":$alpha), "ThresholdedRelu(X, alpha)">;
def : Caffe2Formula<"Not", (ins), "Not(X)">;
// Numbers near 0 and 1 are moved away from them by eps.
def : Caffe2Import<"Logit", (ins "X"), (ins "1e-6":$eps), [{
  x = Clip(X, eps, 1.0 - eps);
  Y = Log(x / (1.0 - x));
}]>;
// The result has the sign of the number, or that of the divisor.
def : Caffe2Import<"Mod", (ins "DATA"), (ins RequiredInt:$divisor, 0:$sign_follow_divisor), [{
  require(divisor != 0, "divisor must not be 0");
  d = Splat(real(divisor), shape(DATA), kind(DATA));
  Y = if(sign_follow_divisor != 0, Mod(DATA, d), Fmod(DATA, d));
}]> { let kinds = (ins "i64":$DATA); }

class Caffe2Copy<string operator>
    : Caffe2Import<operator, (ins "X"), (ins MaybeText:$order), "Y = X;"> {
  let movesElements = 1;
}
def : Caffe2Copy<"Alias">;
def : Caffe2Copy<"Copy">;
def : Caffe2Copy<"CopyCPUToGPU">;
def : Caffe2Copy<"CopyCPUToMKL">;
def : Caffe2Copy<"CopyGPUToCPU">;
def : Caffe2Copy<"CopyMKLToCPU">;
def : Caffe2Copy<"EnsureCPUOutput">;
def : Caffe2Copy<"EnsureDense">;
def : Caffe2Copy<"Identity">;
def : Caffe2Copy<"StopGradient">;
// Blobs whose memory is not needed any more.
def : Caffe2Import<"Free", (ins "inputs..."), (ins), "results = [x for x in inputs];">;
def : Caffe2Import<"ScaleGradient", (ins "X"), (ins "1.0":$scale), "Y = X;">;
def : Caffe2Formula<"FloatToHalf", (ins), [{ Cast(X, elementKind("f16")) }]>;
def : Caffe2Formula<"HalfToFloat", (ins), [{ Cast(X, elementKind("f32")) }]>;

// The number in ONNX of an element kind that has another number in Caffe2.
def onnxNumber : Let<(ins Int:$kind), "at([0, 1, 6, 2, 8, 9, 2, 3, 4, 5, 7, 0, 10, 11], kind)">;
def : Caffe2Import<"Cast", (ins "X"), (ins MaybeInt:$from_type, RequiredInt:$to), [{
  Y = castTo(X, onnxKind(onnxNumber(to)), true, "up", opset);
}]>;
// The number of bounds that are below the element.
def : Caffe2Import<"Bucketize", (ins "X"), (ins MaybeReals:$boundaries), [{
  n = length(boundaries);
  Y = Bucketize(X, RealLiteral(boundaries, [n], kind(X)), elementKind("i32"));
}]>;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

// With the argument `broadcast`, the second operand has some neighbouring axes of the first, from
// `axis` on or the last ones; without it, shapes broadcast as numpy's.
def besides : Let<(ins Tensor:$A, Tensor:$B, Flag:$legacy, Int:$axis), [{
  one = elements(B) == 1;
  y = if(legacy && shape(A) != shape(B),
         Broadcast(if(one, Reshape(B, []), B), shape(A), axis: if(one, -1, axis)), B);
}]>;
class Caffe2Binary<string operator, string result, dag attributes = (ins)>
    : Caffe2Import<operator, (ins "A", "B"),
                   !con((ins MaybeInt:$axis, 0:$broadcast, MaybeText:$order), attributes), [{
  x, y = broadcastBoth(A, besides(A, B, broadcast != 0,
                                  if(present(axis), wrapAxis(axis, rank(A)), -1)));
  C = result;
}]> {
  let with = (bind result:$result);
}
def : Caffe2Binary<"Add", "x + y">;
def : Caffe2Binary<"Sub", "x - y">;
def : Caffe2Binary<"Mul", "x * y">;
def : Caffe2Binary<"Div", "x / y">;
def : Caffe2Binary<"And", "And(x, y)">;
def : Caffe2Binary<"Or", "Or(x, y)">;
def : Caffe2Binary<"Xor", "Xor(x, y)">;
def : Caffe2Binary<"BitwiseAnd", "BitAnd(x, y)">;
def : Caffe2Binary<"BitwiseOr", "BitOr(x, y)">;
def : Caffe2Binary<"BitwiseXor", "BitXor(x, y)">;
def : Caffe2Binary<"EQ", "Equal(x, y)">;
def : Caffe2Binary<"NE", "Not(Equal(x, y))">;
def : Caffe2Binary<"LT", "Less(x, y)">;
def : Caffe2Binary<"LE", "LessEqual(x, y)">;
def : Caffe2Binary<"GT", "Greater(x, y)">;
def : Caffe2Binary<"GE", "GreaterEqual(x, y)">;
// Names of other frameworks, which original models had as well.
def : Caffe2Binary<"Less", "Less(x, y)">;
def : Caffe2Import<"Pow", (ins "A", "B?"),
                   (ins MaybeInt:$axis, 0:$broadcast, MaybeReal:$exponent, MaybeText:$order), [{
  require(present(B) || present(exponent), "there is no exponent");
  power = if(present(B), besides(A, B, broadcast != 0,
                                 if(present(axis), wrapAxis(axis, rank(A)), -1)),
             Splat(exponent, shape(A), kind(A)));
  x, y = broadcastBoth(A, power);
  C = Pow(x, y);
}]>;

class Caffe2Many<string operator, string result>
    : Caffe2Import<operator, (ins "inputs..."), (ins MaybeText:$order), "Y = result;"> {
  let with = (bind result:$result);
}
def : Caffe2Many<"Max", "fold(Max, inputs)">;
def : Caffe2Many<"Min", "fold(Min, inputs)">;
def : Caffe2Many<"Sum", "asKind(fold(Add, [widenedFloat(x) for x in inputs]), kind(inputs[0]))">;
def : Caffe2Many<"Mean",
    "asKind(fold(Add, [widenedFloat(x) for x in inputs]) / count(inputs), kind(inputs[0]))">;

// Pairs of a tensor and the one number that it is multiplied by.
def : Caffe2Import<"WeightedSum", (ins "inputs..."), (ins), [{
  given = count(inputs);
  require(given >= 2 && given % 2 == 0, "{given} inputs are not pairs of a tensor and its weight");
  Y = fold(Add, [x * Broadcast(Reshape(w, []), shape(x))
                 for x, w in every(inputs, 0, 2), every(inputs, 1, 2)]);
}]>;

def : Caffe2Import<"Where", (ins "condition", "X", "Y"), (ins 0:$broadcast_on_rows), [{
  s = shape(X);
  Z = Select(if(shape(condition) == s, condition, Broadcast(condition, s, axis: 0)), X, Y);
}]> { let kinds = (ins "bool":$condition); }
// A slope for each channel, or one for all.
def : Caffe2Import<"PRelu", (ins "X", "slope"), (ins Words<"NCHW", ["NCHW", "NHWC"]>:$order), [{
  one = elements(slope) == 1;
  Y = PRelu(X, Broadcast(if(one, Reshape(slope, []), slope), shape(X),
                         axis: if(one || order == "NHWC", -1, 1)));
}]>;
// Each column times a weight, plus a bias; columns are the axes from `axis` on.
def : Caffe2Import<"ElementwiseLinear", (ins "X", "w", "b"), (ins 1:$axis), [{
  a = wrapAxis(axis, rank(X));
  flat = [prod(take(shape(X), a)), prod(drop(shape(X), a))];
  x = Reshape(X, flat);
  Y = Reshape(x * Broadcast(w, flat) + Broadcast(b, flat), shape(X));
}]>;

// Columns x become ln(x + lambda2), or ((x + lambda2)^lambda1 - 1) / lambda1; x + lambda2 is at
// least 1e-6.
def : Caffe2Import<"BatchBoxCox", (ins "data", "lambda1", "lambda2"),
                   (ins MaybeInt:$min_block_size), [{
  s = shape(data);
  flat = [at(s, 0), prod(drop(s, 1))];
  power = Broadcast(lambda1, flat);
  x = Max(Reshape(data, flat) + Broadcast(lambda2, flat), 1e-6);
  isZero = Equal(power, Splat(0.0, flat, kind(power)));
  divisor = Select(isZero, Splat(1.0, flat, kind(power)), power);
  Y = Reshape(Select(isZero, Log(x), (Pow(x, divisor) - 1.0) / divisor), s);
}]>;

//===----------------------------------------------------------------------===//
// Sums along axes
//===----------------------------------------------------------------------===//

class Caffe2Reduce<string operator, string result>
    : Caffe2Import<operator, (ins "X"), (ins MaybeInts:$axes, 1:$keepdims), [{
  a = listOr(axesOf(axes, rank(X)), range(0, rank(X)));
  k = keepdims != 0;
  Y = result;
}]> {
  let with = (bind result:$result);
}
def : Caffe2Reduce<"ReduceMax", "ReduceMax(X, a, k)">;
def : Caffe2Reduce<"ReduceMean", "ReduceMean(X, a, k)">;
def : Caffe2Reduce<"ReduceMin", "ReduceMin(X, a, k)">;
def : Caffe2Reduce<"ReduceProd", "ReduceProd(X, a, k)">;
def : Caffe2Reduce<"ReduceSum", "ReduceSum(X, a, k)">;
def : Caffe2Reduce<"ReduceSumSquare", "ReduceSum(X * X, a, k)">;
def : Caffe2Reduce<"ReduceL1", "ReduceSum(Abs(X), a, k)">;
def : Caffe2Reduce<"ReduceL2", "Sqrt(ReduceSum(X * X, a, k))">;

// Reductions of as many of the first or the last axes as the argument.
class Caffe2ReduceSide<string operator, Node node_, string from>
    : Caffe2Import<operator, (ins "X"), (ins 1:$num_reduce_dim), [{
  n = num_reduce_dim;
  r = rank(X);
  require(n >= 0 && n <= r, "num_reduce_dim {n} must be 0 to {r}, the number of axes");
  first = from;
  Y = node(X, range(first, first + n), false);
}]> {
  let with = (bind node_:$node, from:$from);
}
def : Caffe2ReduceSide<"ReduceBackMax", ReduceMax, "rank(X) - n">;
def : Caffe2ReduceSide<"ReduceBackMean", ReduceMean, "rank(X) - n">;
def : Caffe2ReduceSide<"ReduceBackSum", ReduceSum, "rank(X) - n">;
def : Caffe2ReduceSide<"ReduceFrontMax", ReduceMax, "0">;
def : Caffe2ReduceSide<"ReduceFrontMean", ReduceMean, "0">;
def : Caffe2ReduceSide<"ReduceFrontSum", ReduceSum, "0">;

// Reductions of all elements, to a number or a list of one number.
class Caffe2Total<string operator, dag attributes, string result>
    : Caffe2Import<operator, (ins "X"), attributes, [{
  all = range(0, rank(X));
  Y = result;
}]> {
  let with = (bind result:$result);
}
def : Caffe2Total<"AveragedLoss", (ins), "ReduceMean(X, all, false)">;
def : Caffe2Total<"SumElements", (ins 0:$average),
                  "if(average != 0, ReduceMean(X, all, false), ReduceSum(X, all, false))">;
def : Caffe2Total<"SumSqrElements", (ins 0:$average),
                  "if(average != 0, ReduceMean(X * X, all, false), ReduceSum(X * X, all, false))">;
def : Caffe2Import<"LpNorm", (ins "X"), (ins 0:$average, 2:$p), [{
  require(p == 1 || p == 2, "p is {p}, but must be 1 or 2");
  each = if(p == 1, Abs(X), X * X);
  all = range(0, rank(X));
  Y = Reshape(if(average != 0, ReduceMean(each, all, false), ReduceSum(each, all, false)), [1]);
}]>;

// Numbers of each row.
class Caffe2Distance<string operator, string result>
    : Caffe2Import<operator, (ins "X", "Y"), (ins), [{
  rows = range(1, rank(X));
  Z = result;
}]> {
  let with = (bind result:$result);
}
def : Caffe2Distance<"DotProduct", "ReduceSum(X * Y, rows, false)">;
def : Caffe2Distance<"L1Distance", "ReduceSum(Abs(X - Y), rows, false)">;
def : Caffe2Distance<"SquaredL2Distance",
                     "ReduceSum((X - Y) * (X - Y), rows, false) * 0.5">;
def : Caffe2Distance<"CosineSimilarity",
    [{ReduceSum(X * Y, rows, false)
      / (Max(Sqrt(ReduceSum(X * X, rows, false)), 1e-12) * Max(Sqrt(ReduceSum(Y * Y, rows, false)),
        1e-12))}]>;

class Caffe2Arg<string operator, Node node_>
    : Caffe2Import<operator, (ins "X"), (ins -1:$axis, 1:$keepdims),
                   "Indices = node(X, wrapAxis(axis, rank(X)), keepdims != 0, false);"> {
  let with = (bind node_:$node);
}
def : Caffe2Arg<"ArgMax", ArgMax>;
def : Caffe2Arg<"ArgMin", ArgMin>;
def : Caffe2Import<"TopK", (ins "X"), (ins -1:$axis, RequiredInt:$k), [{
  a = wrapAxis(axis, rank(X));
  size = shape(X)[a];
  require(k >= 0 && k <= size, "{k} of {size} elements is not possible");
  Values, Indices = TopK(X, a, k, true);
}]> {
  let outputs = ["Values", "Indices?"];
}

#endif // GLOW_IMPORT_CAFFE2_ELEMENTWISE
