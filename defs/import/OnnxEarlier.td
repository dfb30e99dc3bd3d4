//===- OnnxEarlier.td - ONNX operators before opset 7 ---------------------===//
//
// The second operand is repeated only where an attribute asks for it, from an
// axis on, or so that the last axes are the same ones.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXEARLIER
#define GLOW_IMPORT_ONNXEARLIER

include "glow/import/OnnxNetwork.td"
include "glow/nodes/Activation.td"

class OnnxEarlyBinary<string operator, Node node_>
    : OnnxImport<operator, 1, (ins "A", "B"), (ins MaybeInt:$axis, 0:$broadcast, MaybeInts:$consumed_inputs), [{
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

def : OnnxImport<"Gemm", 1, (ins "A", "B", "C?"),
    (ins "1.0":$alpha, "1.0":$beta, 0:$broadcast, 0:$transA, 0:$transB),
    "Y = gemm(A, B, C, alpha, beta, transA != 0, transB != 0);">;
// A slope for each channel, which is the second axis.
def : OnnxImport<"PRelu", 1, (ins "X", "slope"), (ins MaybeInts:$consumed_inputs), [{
  Y = PRelu(X, Broadcast(slope, shape(X), axis: if(elements(slope) > 1 && rank(slope) == 1 && rank(X) > 1, 1, -1)));
}]>;
def : OnnxImport<"BatchNormalization", 1, (ins "X", "scale", "B", "mean", "var"),
    (ins MaybeInts:$consumed_inputs, "1e-5":$epsilon, 0:$is_test, "0.9":$momentum, 1:$spatial), [{
  require(is_test != 0, "is_test {is_test} is not supported");
  require(spatial == 1, "spatial {spatial} is not supported");
  Y = BatchNorm(X, scale, B, mean, var, epsilon);
}]>;

//===----------------------------------------------------------------------===//
// Experiments that became no operators
//===----------------------------------------------------------------------===//

def : OnnxImport<"Affine", 1, (ins "X"), (ins "1.0":$alpha, "0.0":$beta), "Y = Affine(X, alpha, beta);">;
def : OnnxImport<"ScaledTanh", 1, (ins "input"), (ins RequiredReal:$alpha, RequiredReal:$beta),
                 "output = ScaledTanh(input, alpha, beta);">;
def : OnnxImport<"ParametricSoftplus", 1, (ins "X"), (ins RequiredReal:$alpha, RequiredReal:$beta),
                 "Y = alpha * Softplus(beta * X);">;
def : OnnxImport<"ImageScaler", 1, (ins "input"), (ins MaybeReals:$bias, "1.0":$scale), [{
  require(rank(input) == 4, "the input must have 4 dimensions");
  c = shape(input)[1];
  require(length(bias) == c, "bias has {length(bias)} numbers, but there are {c} channels");
  output = scale * input + Broadcast(RealLiteral(bias, [c], kind(input)), shape(input), axis: 1);
}]>;
// The border is left, top, right, bottom; the scale, height and width of what stays.
def : OnnxImport<"Crop", 1, (ins "input"), (ins RequiredInts:$border, MaybeInts:$scale), [{
  require(rank(input) == 4 && size(border) == 4 && (size(scale) == 0 || size(scale) == 2),
          "the input must have 4 dimensions, border {border} 4 numbers, and scale {scale} 2");
  s = shape(input);
  h = if(size(scale) == 2, at(scale, 0), s[2] - border[1] - border[3]);
  w = if(size(scale) == 2, at(scale, 1), s[3] - border[0] - border[2]);
  output = Slice(input, [0, 0, border[1], border[0]], [1, 1, 1, 1], [s[0], s[1], h, w]);
}]>;

#endif // GLOW_IMPORT_ONNXEARLIER
