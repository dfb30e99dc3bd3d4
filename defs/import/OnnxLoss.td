//===- OnnxLoss.td - ONNX operators that training needs -------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXLOSS
#define GLOW_IMPORT_ONNXLOSS

include "glow/functions/Kinds.td"
include "glow/nodes/Loss.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Reduction.td"

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

// The loss from `losses` and `counts`, which have one element for each
// prediction.
def reducedLoss : Let<(ins Tensor:$losses, Tensor:$counts, Text:$reduction), [{
  require(reduction == "none" || reduction == "sum" || reduction == "mean",
          "reduction {reduction} must be none, sum or mean");
  axes = range(0, rank(losses));
  total = ReduceSum(losses, axes);
  mean = asKind(ReduceSum(widenedFloat(losses), axes) / ReduceSum(widenedFloat(counts), axes),
                kind(losses));
  loss = if(reduction == "none", losses, if(reduction == "sum", total, mean));
}]>;

def : OnnxImport<"NegativeLogLikelihoodLoss", 12, (ins "input", "target", "weight?"),
    (ins -1:$ignore_index, Words<"mean">:$reduction), [{
  losses, counts = NegativeLogLikelihood(input, target, weight, ignore_index);
  loss = reducedLoss(losses, counts, reduction);
}]>;
def : OnnxImport<"SoftmaxCrossEntropyLoss", 12, (ins "scores", "labels", "weights?"),
    (ins -1:$ignore_index, Words<"mean">:$reduction), [{
  require(rank(scores) >= 2, "scores must have at least 2 axes");
  log_prob = LogSoftmax(scores, 1);
  losses, counts = NegativeLogLikelihood(log_prob, labels, weights, ignore_index);
  loss = reducedLoss(losses, counts, reduction);
}]> {
  let outputs = ["loss", "log_prob?"];
}

//===----------------------------------------------------------------------===//
// Steps of training
//===----------------------------------------------------------------------===//

// R is the learning rate and T the number of completed steps, both one element.
def stepScalars : Let<(ins Tensor:$R, Tensor:$T), [{
  require(elements(R) == 1 && elements(T) == 1, "R and T must be one element each");
  rate = Reshape(R, []);
  steps = Reshape(T, []);
}]> { let results = ["rate", "steps"]; }
class OnnxStep<string operator, dag state, dag attributes, code body, list<string> outputs_>
    : OnnxImport<operator, 1, !con((ins "R", "T", "X...", "G..."), state), attributes, body> {
  // The gradient with the decay of the weights.
  let with = (bind "norm_coefficient * X + G":$decayed);
  let domain = "ai.onnx.preview.training";
  let outputs = outputs_;
}

def : OnnxStep<"Momentum", (ins "V..."),
    (ins RequiredReal:$alpha, RequiredReal:$beta, RequiredText:$mode,
     RequiredReal:$norm_coefficient), [{
  rate, steps = stepScalars(R, T);
  regular = decayed;
  require(mode == "standard" || mode == "nesterov", "mode {mode} must be standard or nesterov");
  part = Select(steps > 0, Splat(beta, [], kind(X)), Splat(1.0, [], kind(X)));
  V_new = alpha * V + Broadcast(part, shape(X)) * regular;
  way = if(mode == "nesterov", regular + alpha * V_new, V_new);
  X_new = X - Broadcast(rate, shape(X)) * way;
}], ["X_new...", "V_new..."]>;
def : OnnxStep<"Adagrad", (ins "H..."),
    (ins "0.0":$decay_factor, "1e-6":$epsilon, "0.0":$norm_coefficient), [{
  rate, steps = stepScalars(R, T);
  regular = decayed;
  slower = rate / (1.0 + decay_factor * Cast(steps, kind(R)));
  H_new = H + regular * regular;
  X_new = X - Broadcast(slower, shape(X)) * regular / (Sqrt(H_new) + epsilon);
}], ["X_new...", "H_new..."]>;
def : OnnxStep<"Adam", (ins "V...", "H..."),
    (ins "0.9":$alpha, "0.999":$beta, "1e-6":$epsilon, "0.0":$norm_coefficient,
     "0.0":$norm_coefficient_post), [{
  rate, steps = stepScalars(R, T);
  regular = decayed;
  V_new = alpha * V + (1.0 - alpha) * regular;
  H_new = beta * H + (1.0 - beta) * regular * regular;
  t = Cast(steps, kind(R));
  first = Pow(Splat(alpha, [], kind(R)), t);
  second = Pow(Splat(beta, [], kind(R)), t);
  fair = Select(steps > 0, rate * Sqrt(1.0 - second) / (1.0 - first), rate);
  moved = X - Broadcast(fair, shape(X)) * V_new / (Sqrt(H_new) + epsilon);
  X_new = (1.0 - norm_coefficient_post) * moved;
}], ["X_new...", "V_new...", "H_new..."]>;

#endif // GLOW_IMPORT_ONNXLOSS
