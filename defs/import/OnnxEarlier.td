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

class OnnxEarlyBinary<string operator, Node node>
    : OnnxImport<operator, 1, (ins "A", "B"), (ins MaybeInt:$axis, 0:$broadcast, MaybeInts:$consumed_inputs), [{
  s = shape(A);
  b = shape(B);
  require(broadcast != 0 || b == s, "shapes {s} and {b} differ, and broadcast is {broadcast}");
  y = if(b == s, B, Broadcast(B, s, axis: if(present(axis), wrapAxis(axis, rank(A)), -1)));
  C = }] # !cast<string>(node) # "(A, y);">;
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
    (ins "1.0":$alpha, "1.0":$beta, 0:$broadcast, 0:$transA, 0:$transB), GemmBody>;
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

#endif // GLOW_IMPORT_ONNXEARLIER
