//===- OnnxNormalization.td - ONNX operators to a common scale -----------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXNORMALIZATION
#define GLOW_IMPORT_ONNXNORMALIZATION

include "glow/functions/Kinds.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

def : OnnxImport<"BatchNormalization", 7, (ins "X", "scale", "B", "mean", "var"),
    (ins "1e-5":$epsilon, "0.9":$momentum, 1:$spatial), [{
  require(spatial == 1, "spatial {spatial} is not supported");
  k = kind(X);
  s = asKind(scale, k);
  b = asKind(B, k);
  m = asKind(mean, k);
  v = asKind(var, k);
  batch, nextMean, nextVariance, batchMean, inverse =
      BatchNormTraining(X, s, b, m, v, none, epsilon, momentum, true);
  Y = if(training, batch, BatchNorm(X, s, b, m, v, epsilon));
}]>;
// Training takes mean and variance of the batch, and moves the running ones
// towards them.
def : OnnxImport<"BatchNormalization", 14, (ins "X", "scale", "B", "input_mean", "input_var"),
    (ins "1e-5":$epsilon, "0.9":$momentum, 0:$training_mode), [{
  require(rank(X) >= 2, "the input must have at least 2 axes");
  k = kind(X);
  s = asKind(scale, k);
  b = asKind(B, k);
  m = asKind(input_mean, k);
  v = asKind(input_var, k);
  batch, nextMean, nextVariance, batchMean, inverse =
      BatchNormTraining(X, s, b, m, v, none, epsilon, momentum, training);
  Y = if(training || training_mode != 0, batch, BatchNorm(X, s, b, m, v, epsilon));
  running_mean = if(outputs > 1, asKind(nextMean, kind(input_mean)), input_mean);
  running_var = if(outputs > 1, asKind(nextVariance, kind(input_var)), input_var);
}]> {
  let outputs = ["Y", "running_mean?", "running_var?"];
}
def : OnnxImport<"InstanceNormalization", 6, (ins "input", "scale", "B"), (ins "1e-5":$epsilon),
                 "output = InstanceNorm(input, scale, B, epsilon);">;
// Exporters write this operator below the opset that defines it, too.
def : OnnxImport<"LayerNormalization", 1, (ins "X", "Scale", "B?"),
    (ins -1:$axis, "1e-5":$epsilon, 1:$stash_type), [{
  a = wrapAxis(axis, rank(X));
  rest = drop(shape(X), a);
  s = if(areSame(shape(Scale), rest), Scale, Broadcast(Scale, rest));
  b = if(present(B), if(areSame(shape(B), rest), B, Broadcast(B, rest)), B);
  Y = LayerNorm(X, s, b, a, epsilon);
  axes = range(a, rank(X));
  wide = if(outputs > 1 && stash_type == 1 && bitsOf(kind(X)) < 32, Cast(X, elementKind("f32")), X);
  mean = if(outputs > 1, ReduceMean(wide, axes, true), X);
  centred = if(outputs > 2, wide - Broadcast(mean, shape(X)), X);
  inverse = if(outputs > 2, Reciprocal(Sqrt(ReduceMean(centred * centred, axes, true) + epsilon)),
               X);
  narrows = stash_type == 1 && bitsOf(kind(X)) > 32;
  Mean = if(narrows, Cast(mean, elementKind("f32")), mean);
  InvStdDev = if(narrows, Cast(inverse, elementKind("f32")), inverse);
}]> {
  let outputs = ["Y", "Mean?", "InvStdDev?"];
}
def : OnnxImport<"RMSNormalization", 23, (ins "X", "scale"),
    (ins -1:$axis, "1e-5":$epsilon, 1:$stash_type), [{
  a = wrapAxis(axis, rank(X));
  rest = drop(shape(X), a);
  Y = RMSNorm(X, if(areSame(shape(scale), rest), scale, Broadcast(scale, rest)), a, epsilon);
}]>;
// At first scale and bias were one number a group, since then one a channel.
def : OnnxImport<"GroupNormalization", 18, (ins "X", "scale", "bias"),
    (ins "1e-5":$epsilon, RequiredInt:$num_groups), [{
  c = shape(X)[1];
  require(num_groups >= 1 && c % num_groups == 0, "{num_groups} groups do not divide {c} channels");
  each = [num_groups, c / num_groups];
  s = Reshape(Broadcast(scale, each, axis: 0), [c]);
  b = Reshape(Broadcast(bias, each, axis: 0), [c]);
  Y = GroupNorm(X, s, b, num_groups, epsilon);
}]>;
def : OnnxImport<"GroupNormalization", 21, (ins "X", "scale", "bias"),
    (ins "1e-5":$epsilon, RequiredInt:$num_groups, 1:$stash_type),
    "Y = GroupNorm(X, scale, bias, num_groups, epsilon);">;
def : OnnxImport<"LRN", 1, (ins "X"),
    (ins "0.0001":$alpha, "0.75":$beta, "1.0":$bias, RequiredInt:$size),
    "Y = LocalResponseNorm(X, size, alpha, beta, bias);">;
def : OnnxImport<"LpNormalization", 1, (ins "input"), (ins -1:$axis, 2:$p),
                 "output = LpNorm(input, wrapAxis(axis, rank(input)), p);">;

def : OnnxImport<"MeanVarianceNormalization", 9, (ins "X"), (ins MaybeInts:$axes), [{
  a = axesOf(listOr(axes, [0, 2, 3]), rank(X));
  wide = widenedFloat(X);
  centred = wide - Broadcast(ReduceMean(wide, a, true), shape(X));
  Y = asKind(centred / Broadcast(Sqrt(ReduceMean(centred * centred, a, true)) + 1e-9, shape(X)),
             kind(X));
}]>;

// At first the axes from `axis` on were one.
multiclass OnnxAlongAxis<string operator, Node node_> {
  let with = (bind node_:$node) in {
  def Flat : OnnxImport<operator, 1, (ins "X"), (ins 1:$axis), [{
    a = wrapAxis(axis, rank(X));
    flat = [prod(take(shape(X), a)), prod(drop(shape(X), a))];
    Y = if(a == rank(X) - 1, node(X, a), Reshape(node(Reshape(X, flat), 1), shape(X)));
  }]>;
  def Along : OnnxImport<operator, 13, (ins "X"), (ins -1:$axis),
                         "Y = node(X, wrapAxis(axis, rank(X)));">;
  }
}
defm SoftmaxImport : OnnxAlongAxis<"Softmax", Softmax>;
defm LogSoftmaxImport : OnnxAlongAxis<"LogSoftmax", LogSoftmax>;
defm HardmaxImport : OnnxAlongAxis<"Hardmax", Hardmax>;

def : OnnxImport<"BatchNormalization", 1, (ins "X", "scale", "B", "mean", "var"),
    (ins MaybeInts:$consumed_inputs, "1e-5":$epsilon, 0:$is_test, "0.9":$momentum, 1:$spatial), [{
  require(is_test != 0, "is_test {is_test} is not supported");
  require(spatial == 1, "spatial {spatial} is not supported");
  Y = BatchNorm(X, scale, B, mean, var, epsilon);
}]>;

//===----------------------------------------------------------------------===//
// Operators of ONNX Runtime's optimizer
//===----------------------------------------------------------------------===//

// It is written into the default domain.
def : OnnxImport<"SimplifiedLayerNormalization", 1, (ins "X", "scale"),
    (ins -1:$axis, "1e-5":$epsilon, 1:$stash_type), [{
  a = wrapAxis(axis, rank(X));
  rest = drop(shape(X), a);
  Y = RMSNorm(X, if(areSame(shape(scale), rest), scale, Broadcast(scale, rest)), a, epsilon);
  wide = widenedFloat(X);
  inv_std_var = if(outputs > 1,
                   asKind(Reciprocal(Sqrt(ReduceMean(wide * wide, range(a, rank(X)),
                                                     true) + epsilon)), kind(X)), X);
}]> {
  let outputs = ["Y", "inv_std_var?"];
  let isWritten = 0;
}

let domain = "com.microsoft" in {
def : OnnxImport<"SkipLayerNormalization", 1, (ins "input", "skip", "gamma", "beta?", "bias?"),
    (ins "1e-12":$epsilon), [{
  a = rank(input) - 1;
  output, x = AddedLayerNorm(input, asShape(skip, shape(input)), gamma, beta, bias, a, epsilon);
  input_skip_bias_sum = x;
  wide = widenedFloat(x);
  square = if(outputs > 2, wide - Broadcast(ReduceMean(wide, [a], true), shape(x)), x);
  mean = if(outputs > 1, ReduceMean(x, [a], true), x);
  inv_std_var = if(outputs > 2,
                   asKind(Reciprocal(Sqrt(ReduceMean(square * square, [a], true) + epsilon)),
                          kind(x)), x);
}]> {
  let outputs = ["output", "mean?", "inv_std_var?", "input_skip_bias_sum?"];
}
def : OnnxImport<"SkipSimplifiedLayerNormalization", 1, (ins "input", "skip", "gamma", "bias?"),
    (ins "1e-12":$epsilon), [{
  a = rank(input) - 1;
  output, x = AddedRMSNorm(input, asShape(skip, shape(input)), gamma, bias, a, epsilon);
  input_skip_bias_sum = x;
  mean = if(outputs > 1, ReduceMean(x, [a], true), x);
  wide = widenedFloat(x);
  inv_std_var = if(outputs > 2,
                   asKind(Reciprocal(Sqrt(ReduceMean(wide * wide, [a], true) + epsilon)), kind(x)),
                   x);
}]> {
  let outputs = ["output", "mean?", "inv_std_var?", "input_skip_bias_sum?"];
}
def : OnnxImport<"EmbedLayerNormalization", 1,
    (ins "input_ids", "segment_ids?", "word_embedding", "position_embedding", "segment_embedding?",
     "gamma", "beta",
         "mask?", "position_ids?"),
    (ins "1e-12":$epsilon, 0:$mask_index_type), [{
  require(rank(input_ids) == 2, "input_ids must have 2 dimensions");
  b = shape(input_ids)[0];
  s = shape(input_ids)[1];
  words = Gather(word_embedding, input_ids, 0);
  all = shape(words);
  places = if(present(position_ids), position_ids, Iota(0.0, 1.0, 0, [s], elementKind("i64")));
  positions = words + Broadcast(Gather(position_embedding, places, 0), all);
  sum = if(present(segment_ids), positions + Gather(segment_embedding, segment_ids, 0), positions);
  output = LayerNorm(sum, gamma, beta, 2, epsilon);
  mask_index = if(present(mask), ReduceSum(mask, [1]), Splat(0, [b], elementKind("i32")));
  embedding_sum = sum;
}]> {
  let outputs = ["output", "mask_index?", "embedding_sum?"];
}
}

#endif // GLOW_IMPORT_ONNXNORMALIZATION
