//===- Microsoft.td - operators that ONNX Runtime's optimizer writes ------===//
//
// Most are several nodes under one name.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_MICROSOFT
#define GLOW_IMPORT_MICROSOFT

include "glow/import/OnnxElementwise.td"
include "glow/import/OnnxNetwork.td"
include "glow/nodes/Normalization.td"

// It is written into the default domain.
def : OnnxImport<"SimplifiedLayerNormalization", 1, (ins "X", "scale"),
    (ins -1:$axis, "1e-5":$epsilon, 1:$stash_type), [{
  a = wrapAxis(axis, rank(X));
  rest = drop(shape(X), a);
  Y = RMSNorm(X, if(shape(scale) == rest, scale, Broadcast(scale, rest)), a, epsilon);
  inv_std_var = if(outputs > 1, Reciprocal(Sqrt(ReduceMean(X * X, range(a, rank(X)), true) + epsilon)), X);
}]> {
  let outputs = ["Y", "inv_std_var?"];
}

// What `activation` makes of `sum`, with `parameters`.
def activated : Let<(ins Tensor:$sum, Text:$activation, Reals:$parameters), [{
  require(activation == "" || activation == "Relu" || activation == "Tanh" || activation == "Sigmoid" || activation == "LeakyRelu" || activation == "Clip" || activation == "HardSigmoid",
          "activation {activation} is not supported");
  one = parameters[0];
  two = parameters[1];
  Y = if(activation == "Relu", Relu(sum), if(activation == "Tanh", Tanh(sum), if(activation == "Sigmoid", Sigmoid(sum),
      if(activation == "LeakyRelu", LeakyRelu(sum, one), if(activation == "Clip", Clip(sum, one, two),
      if(activation == "HardSigmoid", HardSigmoid(sum, one, two), sum))))));
}]>;
// The sum is normalised, and is a result of its own.
def skippedSum : Let<(ins Tensor:$input, Tensor:$skip, Tensor:$bias), [{
  one = input + if(shape(skip) == shape(input), skip, Broadcast(skip, shape(input)));
  x = if(present(bias), one + Broadcast(bias, shape(input)), one);
}]>;

let domain = "com.microsoft" in {

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def : OnnxImport<"FastGelu", 1, (ins "X", "bias?"), (ins),
                 "Y = GeluTanh(if(present(bias), X + Broadcast(bias, shape(X)), X));">;
def : OnnxImport<"BiasGelu", 1, (ins "A", "B"), (ins), "C = Gelu(A + Broadcast(B, shape(A)));">;
def : OnnxImport<"QuickGelu", 1, (ins "X"), (ins "1.702":$alpha), "Y = X * Sigmoid(alpha * X);">;

def : OnnxImport<"FusedConv", 1, (ins "X", "W", "B?", "Z?"),
    (ins MaybeText:$activation, MaybeReals:$activation_params, AutoPad:$auto_pad, MaybeInts:$dilations,
         1:$group, MaybeInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides), [{
  step, around, apart = convWindow(X, W, auto_pad, dilations, kernel_shape, pads, strides);
  product = Conv(X, W, B, step, around, apart, group);
  Y = activated(if(present(Z), product + Z, product), activation, activation_params);
}]>;
def : OnnxImport<"FusedGemm", 1, (ins "A", "B", "C?"),
    (ins MaybeText:$activation, "0.01":$activation_alpha, "0.0":$activation_beta, "0.0":$activation_gamma,
         "1.0":$alpha, "1.0":$beta, 0:$transA, 0:$transB),
    "Y = activated(gemm(A, B, C, alpha, beta, transA != 0, transB != 0), activation, [activation_alpha, activation_beta]);">;
def : OnnxImport<"FusedMatMul", 1, (ins "A", "B"),
    // With transBatch the rows are the first axis, before the batch.
    (ins "1.0":$alpha, 0:$transA, 0:$transB, 0:$transBatchA, 0:$transBatchB), [{
  A = if(transBatchA != 0 && rank(A) > 2, Transpose(A, [*range(1, rank(A) - 1), 0, rank(A) - 1]), A);
  B = if(transBatchB != 0 && rank(B) > 2, Transpose(B, [*range(1, rank(B) - 1), 0, rank(B) - 1]), B);
  swapA = [*range(0, rank(A) - 2), rank(A) - 1, rank(A) - 2];
  swapB = [*range(0, rank(B) - 2), rank(B) - 1, rank(B) - 2];
  A = if(transA != 0 && rank(A) > 1, Transpose(A, swapA), A);
  B = if(transB != 0 && rank(B) > 1, Transpose(B, swapB), B);
  whole = matMul(A, B);
  Y = if(alpha == 1.0, whole, alpha * whole);
}]>;
def : OnnxImport<"Inverse", 1, (ins "X"), (ins), "Y = Inverse(X);">;
def : OnnxImport<"MatMulInteger16", 1, (ins "A", "B"), (ins),
    [{ Y = matMul(Cast(A, elementKind("i32")), Cast(B, elementKind("i32"))); }]>;

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

def : OnnxImport<"SkipLayerNormalization", 1, (ins "input", "skip", "gamma", "beta?", "bias?"),
    (ins "1e-12":$epsilon), [{
  x = skippedSum(input, skip, bias);
  input_skip_bias_sum = x;
  a = rank(input) - 1;
  square = if(outputs > 2, x - Broadcast(ReduceMean(x, [a], true), shape(x)), x);
  output = LayerNorm(x, gamma, beta, a, epsilon);
  mean = if(outputs > 1, ReduceMean(x, [a], true), x);
  inv_std_var = if(outputs > 2, Reciprocal(Sqrt(ReduceMean(square * square, [a], true) + epsilon)), x);
}]> {
  let outputs = ["output", "mean?", "inv_std_var?", "input_skip_bias_sum?"];
}
def : OnnxImport<"SkipSimplifiedLayerNormalization", 1, (ins "input", "skip", "gamma", "bias?"),
    (ins "1e-12":$epsilon), [{
  x = skippedSum(input, skip, bias);
  input_skip_bias_sum = x;
  a = rank(input) - 1;
  output = RMSNorm(x, gamma, a, epsilon);
  mean = if(outputs > 1, ReduceMean(x, [a], true), x);
  inv_std_var = if(outputs > 2, Reciprocal(Sqrt(ReduceMean(x * x, [a], true) + epsilon)), x);
}]> {
  let outputs = ["output", "mean?", "inv_std_var?", "input_skip_bias_sum?"];
}
def : OnnxImport<"EmbedLayerNormalization", 1,
    (ins "input_ids", "segment_ids?", "word_embedding", "position_embedding", "segment_embedding?", "gamma", "beta",
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

#endif // GLOW_IMPORT_MICROSOFT
