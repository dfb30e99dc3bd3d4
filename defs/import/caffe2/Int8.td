//===- Int8.td - Caffe2 operators on integers that stand for reals --------===//
// SPDX-License-Identifier: MIT
//
// A quantised blob is three values: bytes, their scale and their zero point. The reader of nets
// gives all three to operators of this family, and takes all three from them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_CAFFE2_INT8
#define GLOW_IMPORT_CAFFE2_INT8

include "glow/import/caffe2/Shape.td"
include "glow/import/OnnxQuantization.td"

// The scale and the zero point of a result.
def stepsOf : Let<(ins Real:$y_scale, Int:$y_zero_point, Text:$k), [{
  require(y_scale > 0.0 && y_scale < 3.4e38,
          "Y_scale {y_scale} should be a positive, finite number");
  require(k != "u8" || y_zero_point >= 0 && y_zero_point <= 255,
          "Y_zero_point {y_zero_point} should be 0 to 255");
  scale = Splat(y_scale, [], elementKind("f32"));
  zero = Splat(real(y_zero_point), [], if(k == "u8", elementKind("u8"), elementKind("i32")));
}]> { let results = ["scale", "zero"]; }

class Caffe2Int8<string operator, dag inputs, dag attributes, code body>
    : Caffe2Import<operator, inputs,
                   !con(attributes, (ins "1.0":$Y_scale, 0:$Y_zero_point)), body> {
  let outputs = ["Y", "scale?", "zero?"];
  let takesSteps = 1;
  let givesSteps = 1;
}

//===----------------------------------------------------------------------===//
// To integers and back
//===----------------------------------------------------------------------===//

class Caffe2Int8Given<string operator, string kind>
    : Caffe2Int8<operator, (ins), (ins RequiredTensor:$values), [{
  scale, zero = stepsOf(Y_scale, Y_zero_point, given);
  Y = values;
}]> {
  let with = (bind "\""#kind#"\"":$given);
  let valuesAs = kind;
}
def : Caffe2Int8Given<"Int8GivenTensorFill", "u8">;
def : Caffe2Int8Given<"Int8GivenIntTensorFill", "i32">;

def : Caffe2Int8<"Int8Quantize", (ins "X"), (ins), [{
  scale, zero = stepsOf(Y_scale, Y_zero_point, "u8");
  Y = Quantize(X, scale, zero);
}]> { let takesSteps = 0; }
def : Caffe2Import<"Int8Dequantize", (ins "X", "X_scale", "X_zero"), (ins),
                   "Y = Dequantize(X, X_scale, X_zero);"> { let takesSteps = 1; }

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

// The bias has the scale of the products. Sums become bytes by one factor.
defvar Caffe2Int8Products =
    (ins "X", "X_scale", "X_zero", "W", "W_scale", "W_zero", "b?", "b_scale?", "b_zero?");
def caffe2Int8Sums : Let<(ins Tensor:$sums, Tensor:$b, Int:$channels, Tensor:$x_scale,
                          Tensor:$w_scale, Tensor:$y_scale, Tensor:$y_zero), [{
  biased = if(present(b), sums + Broadcast(b, shape(sums), axis: channels), sums);
  Y = Requantize(biased, productFactor(x_scale, w_scale, y_scale), y_zero, none, channels);
}]>;
def int8Positive : Let<(ins Tensor:$x, Tensor:$zero),
                       "Max(x, Broadcast(zero, shape(x)))">;

class Caffe2Int8Conv<string operator, string result>
    : Caffe2Int8<operator, Caffe2Int8Products, !con(Caffe2Window, (ins 1:$group)), [{
  scale, zero = stepsOf(Y_scale, Y_zero_point, "u8");
  x = channelsSecond(X, order);
  w = channelsSecond(W, order);
  image = drop(shape(x), 2);
  around = legacyPads(legacy_pad, image, windowExtent(filterSizes(w, window), apart), step, given);
  sums = checkedSums(ConvInteger(x, w, X_zero, W_zero, cappedStrides(image, step, around), around,
                                 apart, group), prod(drop(shape(w), 1)), x, X_zero, w, W_zero);
  y = caffe2Int8Sums(sums, b, 1, X_scale, W_scale, scale, zero);
  Y = inOrder(result, order);
}]> {
  let with = !con(Caffe2WindowNames, (bind result:$result));
}
def : Caffe2Int8Conv<"Int8Conv", "y">;
def : Caffe2Int8Conv<"Int8ConvRelu", "int8Positive(y, zero)">;

class Caffe2Int8FC<string operator, string result>
    : Caffe2Int8<operator, Caffe2Int8Products, (ins 1:$axis, 1:$axis_w, MaybeText:$order), [{
  scale, zero = stepsOf(Y_scale, Y_zero_point, "u8");
  x = flattened(X, axis);
  w = Transpose(flattened(W, axis_w), [1, 0]);
  sums = checkedSums(MatMulInteger(x, w, X_zero, W_zero), shape(w)[0], x, X_zero, w, W_zero);
  y = caffe2Int8Sums(sums, b, 1, X_scale, W_scale, scale, zero);
  Y = Reshape(result, [*take(shape(X), wrapAxis(axis, rank(X))), shape(y)[1]]);
}]> {
  let with = (bind result:$result);
}
def : Caffe2Int8FC<"Int8FC", "y">;
def : Caffe2Int8FC<"Int8FCRelu", "int8Positive(y, zero)">;

//===----------------------------------------------------------------------===//
// Computed in real numbers
//===----------------------------------------------------------------------===//

// The result is an expression in x, the real numbers of X.
class Caffe2Int8Real<string operator, dag attributes, string result>
    : Caffe2Int8<operator, (ins "X", "X_scale", "X_zero"),
                 !con((ins MaybeText:$order), attributes), [{
  scale, zero = stepsOf(Y_scale, Y_zero_point, "u8");
  x = Dequantize(X, X_scale, X_zero);
  Y = Quantize(result, scale, zero);
}]> {
  let with = (bind result:$result);
}
def : Caffe2Int8Real<"Int8LeakyRelu", (ins "0.01":$alpha), "LeakyRelu(x, alpha)">;
def : Caffe2Int8Real<"Int8Sigmoid", (ins), "Sigmoid(x)">;
def : Caffe2Int8Real<"Int8Softmax", (ins 1:$axis),
                     "Reshape(Softmax(flattened(x, axis), 1), shape(x))">;

class Caffe2Int8Many<string operator, string result>
    : Caffe2Int8<operator, (ins "inputs..."), (ins MaybeText:$order), [{
  given = count(inputs);
  require(given >= 3 && given % 3 == 0, "{given} inputs are not bytes, a scale and a zero each");
  scale, zero = stepsOf(Y_scale, Y_zero_point, "u8");
  sum = fold(Add, [Dequantize(x, s, z) for x, s, z in every(inputs, 0, 3), every(inputs, 1, 3),
                                                   every(inputs, 2, 3)]);
  Y = Quantize(result, scale, zero);
}]> {
  let with = (bind result:$result);
}
def : Caffe2Int8Many<"Int8Add", "sum">;
def : Caffe2Int8Many<"Int8AddRelu", "Relu(sum)">;
def : Caffe2Int8Many<"Int8Sum", "sum">;
def : Caffe2Int8Many<"Int8SumRelu", "Relu(sum)">;

def : Caffe2Int8<"Int8Concat", (ins "inputs..."), (ins MaybeInt:$axis, AxisOrder:$order), [{
  given = count(inputs);
  require(given >= 3 && given % 3 == 0, "{given} inputs are not bytes, a scale and a zero each");
  scale, zero = stepsOf(Y_scale, Y_zero_point, "u8");
  r = rank(inputs[0]);
  real = Concat([Dequantize(x, s, z) for x, s, z in every(inputs, 0, 3), every(inputs, 1, 3),
                                                    every(inputs, 2, 3)],
                if(present(axis), wrapAxis(axis, r), channelAxis(r, order)));
  Y = Quantize(real, scale, zero);
}]>;

class Caffe2Int8Pool<string operator, dag attributes, code body>
    : Caffe2Int8<operator, (ins "X", "X_scale", "X_zero"),
                 !con(Caffe2Window, (ins 0:$global_pooling), attributes), body> {
  let with = Caffe2WindowNames;
}
def : Caffe2Int8Pool<"Int8AveragePool", (ins 0:$count_include_pad), [{
  require(count_include_pad == 0, "count_include_pad {count_include_pad} is not supported");
  scale, zero = stepsOf(Y_scale, Y_zero_point, "u8");
  x = channelsSecond(Dequantize(X, X_scale, X_zero), order);
  r, steps, around = caffe2Pool(x, global_pooling != 0, window, step, apart, legacy_pad, given);
  Y = Quantize(inOrder(AvgPool(x, r, steps, around, apart), order), scale, zero);
}]>;

//===----------------------------------------------------------------------===//
// Without arithmetic
//===----------------------------------------------------------------------===//

// The result has the scale and the zero point of the operand.
def : Caffe2Int8Pool<"Int8MaxPool", (ins), [{
  x = channelsSecond(X, order);
  r, steps, around = caffe2Pool(x, global_pooling != 0, window, step, apart, legacy_pad, given);
  Y = inOrder(MaxPool(x, r, steps, around, apart), order);
  scale = X_scale;
  zero = X_zero;
}]>;

class Caffe2Int8Moved<string operator, dag attributes, string result>
    : Caffe2Int8<operator, (ins "X", "X_scale", "X_zero"), attributes, [{
  Y = result;
  scale = X_scale;
  zero = X_zero;
}]> {
  let with = (bind result:$result);
}
def : Caffe2Int8Moved<"Int8Relu", (ins MaybeText:$order), "int8Positive(X, X_zero)">;
def : Caffe2Int8Moved<"Int8Copy", (ins), "X">;
def : Caffe2Int8Moved<"Int8Flatten", (ins 1:$axis), "flattened(X, axis)">;
def : Caffe2Int8Moved<"Int8Reshape", (ins RequiredInts:$shape),
                      "Reshape(X, resolveReshape(shape(X), shape, false))">;
def : Caffe2Int8Moved<"Int8Transpose", (ins MaybeInts:$axes, MaybeText:$order),
                      "Transpose(X, listOr(axes, reverse(range(0, rank(X)))))">;
def : Caffe2Int8Moved<"Int8ChannelShuffle",
                      (ins RequiredInt:$group, MaybeInt:$kernel, AxisOrder:$order),
                      "inOrder(shuffled(channelsSecond(X, order), group), order)">;

#endif // GLOW_IMPORT_CAFFE2_INT8
