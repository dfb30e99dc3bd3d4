//===- OnnxReduction.td - ONNX values of all elements along axes ---------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXREDUCTION
#define GLOW_IMPORT_ONNXREDUCTION

include "glow/functions/Kinds.td"
include "glow/import/ComputedSizes.td"
include "glow/import/OnnxElementwise.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

// `result` reduces `data` along the axes `a`, which stay if `k`. Axes were an
// attribute before opset `since`, and are an input from then on.
multiclass OnnxReduce<string operator, string result, int since = 18> {
  let with = (bind result:$result) in {
  def ByAttribute : OnnxImport<operator, 1, (ins "data"), (ins MaybeInts:$axes, 1:$keepdims), [{
    a = listOr(axesOf(axes, rank(data)), range(0, rank(data)));
    k = keepdims != 0;
    reduced = result;
  }]>;
  def ByInput : OnnxImport<operator, since, (ins "data", "axes?"),
      (ins 1:$keepdims, 0:$noop_with_empty_axes), [{
    given = axesOf(ints(axes), rank(data));
    a = listOr(given, if(noop_with_empty_axes != 0, [], range(0, rank(data))));
    k = keepdims != 0;
    reduced = result;
  }]>;
  }
}
defm ReduceSumImport : OnnxReduce<"ReduceSum", "ReduceSum(data, a, k)", 13>;
defm ReduceMeanImport : OnnxReduce<"ReduceMean", "ReduceMean(data, a, k)">;
// Booleans are reduced as bytes.
defm ReduceMaxImport : OnnxReduce<"ReduceMax",
                                  "asKind(ReduceMax(asBytes(data), a, k), kind(data))">;
defm ReduceMinImport : OnnxReduce<"ReduceMin",
                                  "asKind(ReduceMin(asBytes(data), a, k), kind(data))">;
defm ReduceProdImport : OnnxReduce<"ReduceProd", "ReduceProd(data, a, k)">;
defm ReduceL1Import : OnnxReduce<"ReduceL1", "ReduceSum(Abs(data), a, k)">;
def squareOf : Let<(ins Tensor:$x), "x * x">;
defm ReduceL2Import : OnnxReduce<"ReduceL2",
                                 [{asKind(Sqrt(ReduceSum(squareOf(asWideReal(data)), a, k)),
                                   kind(data))}]>;
defm ReduceSumSquareImport
    : OnnxReduce<"ReduceSumSquare",
                 "asKind(ReduceSum(squareOf(widenedFloat(data)), a, k), kind(data))">;
defm ReduceLogSumImport
    : OnnxReduce<"ReduceLogSum", "asKind(Log(ReduceSum(asWideReal(data), a, k)), kind(data))">;
// The largest element is taken off first, so that no power overflows. An infinite one stays:
// the difference would be no number.
def logSumExp : Let<(ins Tensor:$d, Ints:$axes, Flag:$keepDims), [{
  largest = ReduceMax(d, axes, true);
  most = Select(IsInf(largest), Splat(0.0, shape(largest), kind(d)), largest);
  part = Log(ReduceSum(Exp(d - Broadcast(most, shape(d))), axes, keepDims));
  r = part + Reshape(most, shape(part));
}]>;
defm ReduceLogSumExpImport
    : OnnxReduce<"ReduceLogSumExp", "asKind(logSumExp(asWideReal(data), a, k), kind(data))">;

class OnnxArg<string operator, Node node_>
    : OnnxImport<operator, 1, (ins "data"), (ins 0:$axis, 1:$keepdims, 0:$select_last_index),
                 [{reduced = node(data, wrapAxis(axis, rank(data)), keepdims != 0,
                   select_last_index != 0);}]> {
  let with = (bind node_:$node);
}
def : OnnxArg<"ArgMax", ArgMax>;
def : OnnxArg<"ArgMin", ArgMin>;

// At first `k` was an attribute, then the largest had no alternative.
def topOf : Let<(ins Tensor:$x, Int:$axis, Int:$k, Flag:$largest), [{
  s = shape(x);
  require(k >= 0 && k <= at(s, axis), "{k} of {at(s, axis)} elements is not possible");
  values, places = TopK(x, axis, k, largest);
}]> { let results = ["values", "places"]; }
// As many first elements along an axis as a run asks for.
def firstOfRun : Let<(ins Tensor:$x, Int:$axis, Tensor:$k), [{
  n = at(shape(x), axis);
  all = Iota(0.0, 1.0, 0, [n], elementKind("i64"));
  y = Gather(x, counted(all, numberAt(k, 0), n), axis);
}]>;
def : OnnxImport<"TopK", 1, (ins "X"), (ins -1:$axis, RequiredInt:$k), [{
  Values, Indices = topOf(X, wrapAxis(axis, rank(X)), k, true);
}]> {
  let outputs = ["Values?", "Indices?"];
}
class OnnxTopK<int since, dag attributes, string largest>
    : OnnxImport<"TopK", since, (ins "X", "K"), !con((ins -1:$axis), attributes), [{
  a = wrapAxis(axis, rank(X));
  // The node takes a number. The order of all elements has the first ones of any run.
  count = if(isOfRun(K), 0, intOf(K));
  values, places = topOf(X, a, count, descends);
  Indices = if(isOfRun(K), firstOfRun(ArgSort(X, a, descends), a, K), places);
  Values = if(isOfRun(K), GatherElements(X, Indices, a), values);
}]> {
  let with = (bind largest:$descends);
  let outputs = ["Values?", "Indices?"];
}
def : OnnxTopK<10, (ins), "true">;
def : OnnxTopK<11, (ins 1:$largest, 1:$sorted), "largest != 0">;

def : OnnxImport<"CumSum", 11, (ins "x", "axis"), (ins 0:$exclusive, 0:$reverse),
    "y = CumSum(x, wrapAxis(intOf(axis), rank(x)), exclusive != 0, reverse != 0);">;

def : OnnxImport<"CumProd", 26, (ins "x", "axis"), (ins 0:$exclusive, 0:$reverse),
    "y = CumProd(x, wrapAxis(intOf(axis), rank(x)), exclusive != 0, reverse != 0);">;

#endif // GLOW_IMPORT_ONNXREDUCTION
