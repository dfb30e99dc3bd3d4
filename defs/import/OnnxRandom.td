//===- OnnxRandom.td - ONNX operators that draw numbers -------------------===//
//
// Without a seed, the name of the node is one: two nodes draw different numbers,
// and a run those of the run before.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXRANDOM
#define GLOW_IMPORT_ONNXRANDOM

include "glow/nodes/Random.td"
include "glow/nodes/Reduction.td"

defvar SeedOrName = "start = if(present(seed), int(seed * 65536.0), nodeNumber);";

def : OnnxImport<"RandomUniform", 1, (ins),
    (ins 1:$dtype, "1.0":$high, "0.0":$low, MaybeReal:$seed, RequiredInts:$shape),
    SeedOrName # "output = RandomUniform(shape, low, high, start, onnxKind(dtype));">;
def : OnnxImport<"RandomUniformLike", 1, (ins "input"),
    (ins MaybeInt:$dtype, "1.0":$high, "0.0":$low, MaybeReal:$seed),
    SeedOrName # "output = if(present(dtype), RandomUniform(shape(input), low, high, start, onnxKind(dtype)),"
                 "RandomUniform(shape(input), low, high, start, kind(input)));">;
def : OnnxImport<"RandomNormal", 1, (ins),
    (ins 1:$dtype, "0.0":$mean, "1.0":$scale, MaybeReal:$seed, RequiredInts:$shape),
    SeedOrName # "output = RandomNormal(shape, mean, scale, start, onnxKind(dtype));">;
def : OnnxImport<"RandomNormalLike", 1, (ins "input"),
    (ins MaybeInt:$dtype, "0.0":$mean, "1.0":$scale, MaybeReal:$seed),
    SeedOrName # "output = if(present(dtype), RandomNormal(shape(input), mean, scale, start, onnxKind(dtype)),"
                 "RandomNormal(shape(input), mean, scale, start, kind(input)));">;
def : OnnxImport<"Bernoulli", 15, (ins "input"), (ins MaybeInt:$dtype, MaybeReal:$seed),
    SeedOrName # [{
  drawn = RandomUniform(shape(input), 0.0, 1.0, start, kind(input)) < input;
  output = if(present(dtype), Cast(drawn, onnxKind(dtype)), Cast(drawn, kind(input)));
}]>;
// The largest of logarithms plus Gumbel's noise is one of the classes, each as
// likely as it should be.
def : OnnxImport<"Multinomial", 7, (ins "input"), (ins 6:$dtype, 1:$sample_size, MaybeReal:$seed),
    SeedOrName # [{
  require(rank(input) == 2, "the input must be a matrix");
  rows = shape(input)[0];
  classes = shape(input)[1];
  each = [rows, sample_size, classes];
  noise = -Log(-Log(RandomUniform(each, 0.00000003, 1.0, start, kind(input))));
  scores = Broadcast(Reshape(input, [rows, 1, classes]), each) + noise;
  output = Cast(ArgMax(scores, 2, false, false), onnxKind(dtype));
}]>;

#endif // GLOW_IMPORT_ONNXRANDOM
