//===- OnnxActivation.td - ONNX operators between layers -----------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXACTIVATION
#define GLOW_IMPORT_ONNXACTIVATION

include "glow/functions/Kinds.td"
include "glow/import/OnnxElementwise.td"
include "glow/nodes/Activation.td"
include "glow/nodes/Normalization.td"

def : OnnxUnary<"Relu", Relu, 6>;
def : OnnxUnary<"Sigmoid", Sigmoid, 6>;
def : OnnxUnary<"HardSwish", HardSwish, 14>;
def : OnnxAlpha<"LeakyRelu", LeakyRelu, 6, "0.01">;
def : OnnxUnary<"Softplus", Softplus, 1>;
def : OnnxUnary<"Softsign", Softsign, 1>;
def : OnnxUnary<"Mish", Mish, 18>;
def : OnnxAlpha<"Elu", Elu, 6, "1.0">;
def : OnnxAlpha<"Celu", Celu, 12, "1.0">;
def : OnnxAlpha<"ThresholdedRelu", ThresholdedRelu, 1, "1.0">;
def : OnnxImport<"Selu", 6, (ins "X"),
    (ins "1.67326319217681884765625":$alpha, "1.05070102214813232421875":$gamma),
    "Y = Selu(X, alpha, gamma);">;
def : OnnxImport<"HardSigmoid", 6, (ins "X"), (ins "0.2":$alpha, "0.5":$beta),
                 "Y = HardSigmoid(X, alpha, beta);">;
def : OnnxImport<"Shrink", 9, (ins "X"), (ins "0.0":$bias, "0.5":$lambd),
                 "Y = asKind(Shrink(asReal(X), lambd, bias), kind(X));">;
def : OnnxImport<"PRelu", 7, (ins "X", "slope"), (ins), [{
  // What has no sign has no slope.
  Y = if(lowestOf(kind(X)) < 0.0,
         PRelu(X, if(areSame(shape(slope), shape(X)), slope, Broadcast(slope, shape(X)))), X);
}]>;
def : OnnxImport<"Gelu", 20, (ins "X"), (ins Words<"none">:$approximate), [{
  require(approximate == "none" || approximate == "tanh",
          "approximate {approximate} must be none or tanh");
  Y = if(approximate == "tanh", GeluTanh(X), Gelu(X));
}]>;
let domain = "com.microsoft" in
def : OnnxUnary<"Gelu", Gelu, 1>;
def : OnnxImport<"Swish", 24, (ins "X"), (ins "1.0":$alpha), "Y = Swish(X, alpha);">;
def : OnnxImport<"SwiGLU", 28, (ins "A", "B"), (ins "1.0":$alpha), [{
  s = shape(A);
  other = shape(B);
  require(s == other, "A of shape {s} and B of shape {other} must have the same shape");
  Y = SwiGLU(A, B, alpha);
}]>;

// A slope for each channel, which is the second axis.
def : OnnxImport<"PRelu", 1, (ins "X", "slope"), (ins MaybeInts:$consumed_inputs), [{
  Y = PRelu(X, Broadcast(slope, shape(X),
                         axis: if(elements(slope) > 1 && rank(slope) == 1 && rank(X) > 1, 1, -1)));
}]>;

//===----------------------------------------------------------------------===//
// Experiments that became no operators
//===----------------------------------------------------------------------===//

def : OnnxImport<"Affine", 1, (ins "X"), (ins "1.0":$alpha, "0.0":$beta),
                 "Y = Affine(X, alpha, beta);">;
def : OnnxImport<"ScaledTanh", 1, (ins "input"), (ins RequiredReal:$alpha, RequiredReal:$beta),
                 "output = ScaledTanh(input, alpha, beta);">;
def : OnnxImport<"ParametricSoftplus", 1, (ins "X"), (ins RequiredReal:$alpha, RequiredReal:$beta),
                 "Y = alpha * Softplus(beta * X);">;

//===----------------------------------------------------------------------===//
// Operators of ONNX Runtime's optimizer
//===----------------------------------------------------------------------===//

// The result of `activation` on `sum`, with `parameters`.
def activated : Let<(ins Tensor:$sum, Text:$activation, Reals:$parameters), [{
  require(activation == "" || activation == "Relu" || activation == "Tanh"
          || activation == "Sigmoid" || activation == "LeakyRelu" || activation == "Clip"
          || activation == "HardSigmoid",
          "activation {activation} is not supported");
  one = parameters[0];
  two = parameters[1];
  Y = if(activation == "Relu", Relu(sum),
         if(activation == "Tanh", Tanh(sum), if(activation == "Sigmoid", Sigmoid(sum),
      if(activation == "LeakyRelu", LeakyRelu(sum, one),
         if(activation == "Clip", Clip(sum, one, two),
      if(activation == "HardSigmoid", HardSigmoid(sum, one, two), sum))))));
}]>;

let domain = "com.microsoft" in {
def : OnnxImport<"FastGelu", 1, (ins "X", "bias?"), (ins),
                 "Y = GeluTanh(if(present(bias), X + Broadcast(bias, shape(X)), X));">;
def : OnnxImport<"BiasGelu", 1, (ins "A", "B"), (ins), "C = Gelu(A + Broadcast(B, shape(A)));">;
def : OnnxImport<"QuickGelu", 1, (ins "X"), (ins "1.702":$alpha), "Y = Swish(X, alpha);">;
}

#endif // GLOW_IMPORT_ONNXACTIVATION
