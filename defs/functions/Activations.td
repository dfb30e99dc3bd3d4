//===- Activations.td - activation functions of recurrent nodes -----------===//
// SPDX-License-Identifier: MIT
//
// A recurrent node lists its activations, those of one direction after the other:
// "sigmoid, tanh, hard_sigmoid 0.2 0.5". The functions' C++ is in
// lib/compiler/Graph/Activations.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FUNCTIONS_ACTIVATIONS
#define GLOW_FUNCTIONS_ACTIVATIONS

include "glow/Functions.td"
include "glow/nodes/Activation.td"

// ONNX's name of an activation, its node of one operand, and the default values of its
// attributes alpha and beta.
class CellActivation<string onnx_, Node node_, list<string> defaults_ = []> {
  string onnx = onnx_;
  Node node = node_;
  list<string> defaults = defaults_;
}
def : CellActivation<"Relu", Relu>;
def : CellActivation<"Tanh", Tanh>;
def : CellActivation<"Sigmoid", Sigmoid>;
def : CellActivation<"Affine", Affine, ["1", "0"]>;
def : CellActivation<"LeakyRelu", LeakyRelu, ["0.01"]>;
def : CellActivation<"ThresholdedRelu", ThresholdedRelu, ["1"]>;
def : CellActivation<"ScaledTanh", ScaledTanh, ["1", "1"]>;
def : CellActivation<"HardSigmoid", HardSigmoid, ["0.2", "0.5"]>;
def : CellActivation<"Elu", Elu, ["1"]>;
def : CellActivation<"Softsign", Softsign>;
def : CellActivation<"Softplus", Softplus>;

// An activation of one element, in a form whose derivative is finite, too.
def cellActivation : Let<(ins Text:$name, Real:$alpha, Real:$beta, Real:$x), [{
  if(name == "tanh", tanh(x),
  if(name == "sigmoid", 0.5 + 0.5 * tanh(0.5 * x),
  if(name == "relu", max(x, 0),
  if(name == "affine", alpha * x + beta,
  if(name == "leaky_relu", if(x < 0, alpha * x, x),
  if(name == "thresholded_relu", if(x > alpha, x, 0),
  if(name == "scaled_tanh", alpha * tanh(beta * x),
  if(name == "hard_sigmoid", max(0, min(1, alpha * x + beta)),
  if(name == "elu", if(x < 0, alpha * expm1(min(x, 0)), x),
  if(name == "softsign", x / (1 + abs(x)),
  max(x, 0) + log1p(exp(-abs(x)))))))))))))
}]> {
  let summary = "an activation of a gate by its name, of one element";
}

// Its derivative.
def cellSlope : Let<(ins Text:$name, Real:$alpha, Real:$beta, Real:$x), [{
  if(name == "tanh", 1 - tanh(x) * tanh(x),
  if(name == "sigmoid", 0.25 - 0.25 * tanh(0.5 * x) * tanh(0.5 * x),
  if(name == "relu", if(x > 0, 1, 0),
  if(name == "affine", alpha,
  if(name == "leaky_relu", if(x < 0, alpha, 1),
  if(name == "thresholded_relu", if(x > alpha, 1, 0),
  if(name == "scaled_tanh", alpha * beta * (1 - tanh(beta * x) * tanh(beta * x)),
  if(name == "hard_sigmoid", if(abs(alpha * x + beta - 0.5) < 0.5, alpha, 0),
  if(name == "elu", if(x < 0, alpha * exp(min(x, 0)), 1),
  if(name == "softsign", 1 / ((1 + abs(x)) * (1 + abs(x))),
  0.5 + 0.5 * tanh(0.5 * x)))))))))))
}]> {
  let summary = "the derivative of an activation of a gate, for one element";
}

let declare = 1 in {
def : Function<"areActivations", ["text", "int"], "bool",
               "whether a text lists as many known activations as the number">;
// The list for ONNX's names, which commas separate. Without names, the default names in
// the fourth argument are repeated for each of so many directions; names of more directions
// are omitted. An activation with an alpha or a beta gets the next one, or its default when
// there is none. An unknown name stays.
def : Function<"activationList", ["text", "reals", "reals", "text", "int"], "text",
               "the list of activations for ONNX's names: names, alphas, betas, default names, "
               "directions">;
}

#endif // GLOW_FUNCTIONS_ACTIVATIONS
