//===- Optimizer.td - updates of weights in training ----------------------===//
// SPDX-License-Identifier: MIT
//
// Every node has a lowering to other nodes, so that a backend needs to know none of them.
// `rate` is the learning rate, one number. Results follow the formulas of PyTorch's
// optimizers of the same names; `l1` and `l2` add the slope of a penalty to the gradient.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_OPTIMIZER
#define GLOW_NODES_OPTIMIZER

include "glow/nodes/Activation.td"
include "glow/nodes/Shape.td"

def penalized : Let<(ins Tensor:$weight, Tensor:$slope, Real:$l1, Real:$l2), [{
  squares = if(l2 == 0, slope, slope + l2 * weight);
  all = if(l1 == 0, squares, squares + l1 * Sign(weight));
}]> {
  let results = ["all"];
}

// `states` are tensors of the size of the weight that stay between steps, `nexts` their values
// after the step.
class Update<string mnemonic, dag states, dag nexts, dag attributes, code lowering_>
    : Node<mnemonic,
           !con((ins "T[*s]":$weight, "T[*s]":$slope), states, (ins "T[]":$rate)),
           !con((outs "T[*s]":$next), nexts),
           !con(attributes, (ins Default<Real, "0.0">:$l1, Default<Real, "0.0">:$l2))> {
  let types = (kinds WideFloats:$T);
  let tier = 1;
  let lowering = lowering_;
}

def Sgd : Update<"sgd", (ins), (outs), (ins), [{
    next = weight - Broadcast(rate, s) * penalized(weight, slope, l1, l2);
  }]> {
  let summary = "the weight minus the rate times its gradient, `slope`";
  let samples = [
    Sample<"plain", (ins "f32[2,3]", "f32[2,3]", "f32[]"), "l1 = 0.0; l2 = 0.0">,
    Sample<"decay", (ins "f32[2,3]", "f32[2,3]", "f32[]"), "l1 = 0.01; l2 = 0.1">];
}

def Momentum : Update<"momentum", (ins "T[*s]":$velocity), (outs "T[*s]":$moving),
    (ins Real:$momentum, Default<Flag, "false">:$nesterov), [{
    all = penalized(weight, slope, l1, l2);
    moving = momentum * velocity + all;
    next = weight - Broadcast(rate, s) * if(nesterov, all + momentum * moving, moving);
  }]> {
  let summary = "the weight, moved on by a sum of all gradients, of which older ones count less";
  let samples = [
    Sample<"heavy", (ins "f32[2,3]", "f32[2,3]", "f32[2,3]", "f32[]"),
           "momentum = 0.9; nesterov = false; l1 = 0.0; l2 = 0.01">,
    Sample<"nesterov", (ins "f32[4]", "f32[4]", "f32[4]", "f32[]"),
           "momentum = 0.9; nesterov = true; l1 = 0.0; l2 = 0.0">];
}

// `steps` is the number of this step, 1 for the first. `decay` takes from the weight itself,
// and not from its gradient.
def Adam : Update<"adam", (ins "T[*s]":$mean, "T[*s]":$square, "T[]":$steps),
    (outs "T[*s]":$nextMean, "T[*s]":$nextSquare),
    (ins Default<Real, "0.9">:$beta1, Default<Real, "0.999">:$beta2,
         Default<Real, "1e-8">:$epsilon, Default<Real, "0.0">:$decay), [{
    all = penalized(weight, slope, l1, l2);
    nextMean = beta1 * mean + (1.0 - beta1) * all;
    nextSquare = beta2 * square + (1.0 - beta2) * all * all;
    ofMean = 1.0 - Pow(Splat(beta1, [], kind(weight)), steps);
    ofSquare = 1.0 - Pow(Splat(beta2, [], kind(weight)), steps);
    kept = if(decay == 0, weight, weight * Broadcast(1.0 - decay * rate, s));
    size2 = Sqrt(nextSquare / Broadcast(ofSquare, s)) + epsilon;
    next = kept - Broadcast(rate / ofMean, s) * nextMean / size2;
  }]> {
  let summary = "the weight, moved by the mean of its gradients by the root of the mean of their "
                "squares; with `decay`, that is AdamW";
  let samples = [
    Sample<"first", (ins "f32[2,3]", "f32[2,3]", "f32[2,3]", "f32[2,3] in 0.5..2",
                     "f32[] in 1..2", "f32[] in 0.1..0.5"),
           "beta1 = 0.9; beta2 = 0.99; epsilon = 1e-8; decay = 0.0; l1 = 0.0; l2 = 0.0">,
    Sample<"decay", (ins "f32[4]", "f32[4]", "f32[4]", "f32[4] in 0.5..2", "f32[] in 2..4",
                     "f32[] in 0.1..0.5"),
           "beta1 = 0.8; beta2 = 0.9; epsilon = 1e-6; decay = 0.1; l1 = 0.0; l2 = 0.01">];
}

def RmsProp : Update<"rms_prop", (ins "T[*s]":$square), (outs "T[*s]":$nextSquare),
    (ins Default<Real, "0.99">:$keep, Default<Real, "1e-8">:$epsilon), [{
    all = penalized(weight, slope, l1, l2);
    nextSquare = keep * square + (1.0 - keep) * all * all;
    next = weight - Broadcast(rate, s) * all / (Sqrt(nextSquare) + epsilon);
  }]> {
  let summary = "the weight, moved by its gradient by the root of the mean of the squares of "
                "gradients";
  let samples = [
    Sample<"rows", (ins "f32[2,3]", "f32[2,3]", "f32[2,3] in 0.5..2", "f32[]"),
           "keep = 0.9; epsilon = 1e-8; l1 = 0.0; l2 = 0.01">];
}

def Adagrad : Update<"adagrad", (ins "T[*s]":$square), (outs "T[*s]":$nextSquare),
    (ins Default<Real, "1e-10">:$epsilon), [{
    all = penalized(weight, slope, l1, l2);
    nextSquare = square + all * all;
    next = weight - Broadcast(rate, s) * all / (Sqrt(nextSquare) + epsilon);
  }]> {
  let summary = "the weight, moved by its gradient by the root of the sum of the squares of all "
                "gradients";
  let samples = [
    Sample<"rows", (ins "f32[2,3]", "f32[2,3]", "f32[2,3] in 0.5..2", "f32[]"),
           "epsilon = 1e-10; l1 = 0.0; l2 = 0.01">];
}

// `norm` is that of all gradients together.
def ClipByNorm : Node<"clip_by_norm", (ins "T[*s]":$slope, "T[]":$norm), (outs "T[*s]":$out),
                      (ins Real:$limit)> {
  let summary = "the gradient, smaller by the factor by which `norm` is above `limit`";
  let types = (kinds WideFloats:$T);
  let requires = [
    Require<"limit-positive", "limit > 0", "limit {limit} must be above 0">];
  let tier = 1;
  let lowering = [{ out = slope * Broadcast(limit / Max(norm, Splat(limit, [], kind(norm))), s); }];
  let samples = [Sample<"above", (ins "f32[2,3]", "f32[] in 2..3"), "limit = 1.0">,
                 Sample<"below", (ins "f32[2,3]", "f32[] in 0.5..1"), "limit = 1.5">,
                 Refused<"limit-positive", (ins "f32[2,3]", "f32[]"), "limit = 0.0">];
}

#endif // GLOW_NODES_OPTIMIZER
