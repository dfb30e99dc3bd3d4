//===- OnnxRandom.td - ONNX operators that draw numbers -------------------===//
// SPDX-License-Identifier: MIT
//
// Without a seed, the name of the node is one: two nodes draw different numbers,
// and a run those of the run before.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXRANDOM
#define GLOW_IMPORT_ONNXRANDOM

include "glow/nodes/Elementwise.td"
include "glow/nodes/Random.td"
include "glow/nodes/Reduction.td"

class OnnxRandom<string operator, int since, dag inputs, dag attributes, code body>
    : OnnxImport<operator, since, inputs, attributes, body> {
  let with = (bind "if(present(seed), int(seed * 65536.0), nodeNumber)":$start);
}

def : OnnxRandom<"RandomUniform", 1, (ins),
    (ins 1:$dtype, "1.0":$high, "0.0":$low, MaybeReal:$seed, RequiredInts:$shape),
    "output = RandomUniform(shape, low, high, start, onnxKind(dtype));">;
def : OnnxRandom<"RandomUniformLike", 1, (ins "input"),
    (ins MaybeInt:$dtype, "1.0":$high, "0.0":$low, MaybeReal:$seed),
    [{output = RandomUniform(shape(input), low, high, start, if(present(dtype), onnxKind(dtype),
      kind(input)));}]>;
def : OnnxRandom<"RandomNormal", 1, (ins),
    (ins 1:$dtype, "0.0":$mean, "1.0":$scale, MaybeReal:$seed, RequiredInts:$shape),
    "output = RandomNormal(shape, mean, scale, start, onnxKind(dtype));">;
def : OnnxRandom<"RandomNormalLike", 1, (ins "input"),
    (ins MaybeInt:$dtype, "0.0":$mean, "1.0":$scale, MaybeReal:$seed),
    [{output = RandomNormal(shape(input), mean, scale, start, if(present(dtype), onnxKind(dtype),
      kind(input)));}]>;
def : OnnxRandom<"Bernoulli", 15, (ins "input"), (ins MaybeInt:$dtype, MaybeReal:$seed),
    [{
  drawn = RandomUniform(shape(input), 0.0, 1.0, start, kind(input)) < input;
  output = if(present(dtype), Cast(drawn, onnxKind(dtype)), Cast(drawn, kind(input)));
}]>;
// The largest of logarithms plus Gumbel's noise is one of the classes, each as
// likely as it should be.
def : OnnxRandom<"Multinomial", 7, (ins "input"), (ins 6:$dtype, 1:$sample_size, MaybeReal:$seed),
    [{
  require(rank(input) == 2, "the input must be a matrix");
  rows = shape(input)[0];
  classes = shape(input)[1];
  each = [rows, sample_size, classes];
  noise = -Log(-Log(RandomUniform(each, 0.00000003, 1.0, start, kind(input))));
  scores = Broadcast(Reshape(input, [rows, 1, classes]), each) + noise;
  output = Cast(ArgMax(scores, 2, false, false), onnxKind(dtype));
}]>;

// The mask, if one asks for it, keeps everything. A program of training drops elements in each
// step.
def : OnnxImport<"Dropout", 7, (ins "data"), (ins "0.5":$ratio), [{
  layer, layerMask = Dropout(data, ratio, nodeNumber);
  output = if(training, layer, data);
  mask = if(training, layerMask, Splat(1, shape(data), elementKind("bool")));
}]> {
  let outputs = ["output", "mask?"];
}
// Training drops elements, half of them if no ratio is given, and makes up for it
// with the others.
def : OnnxImport<"Dropout", 12, (ins "data", "ratio?", "training_mode?"), (ins MaybeInt:$seed), [{
  drops = training || intOf(training_mode) != 0;
  part = if(drops, if(present(ratio), realOf(ratio), 0.5), 0.0);
  require(part >= 0.0 && part < 1.0, "ratio {part} must be at least 0 and below 1");
  k = kind(data);
  drawn = RandomUniform(shape(data), 0.0, 1.0, if(present(seed), seed, nodeNumber),
                        elementKind("f32"));
  layer, layerMask = Dropout(data, part, nodeNumber);
  mask = if(training, layerMask,
            if(part == 0.0, Splat(1, shape(data), elementKind("bool")), drawn >= part));
  output = if(training, layer,
              if(part == 0.0, data, Select(mask, data / (1.0 - part), Splat(0, shape(data), k))));
}]> {
  let outputs = ["output", "mask?"];
}

#endif // GLOW_IMPORT_ONNXRANDOM
