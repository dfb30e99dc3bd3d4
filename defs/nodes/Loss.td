//===- Loss.td - loss functions -------------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_NODES_LOSS
#define GLOW_NODES_LOSS

include "glow/nodes/Activation.td"
include "glow/nodes/Indexing.td"

def NegativeLogLikelihood : Node<"negative_log_likelihood",
    (ins "T[n,c,*x]":$in, "I[n,*x]":$target, "T[c]?":$weight),
    (outs "T[n,*x]":$out, "T[n,*x]":$counts), (ins Default<Int, "-1">:$ignored)> {
  let summary = "minus what `in` has for the class that `target` names, times the weight of the "
                "class; "
                "`counts` is that weight. Both are 0 where the class is `ignored`";
  let types = (kinds Floats:$T, Indices:$I);
  let requires = [
    Require<"has-classes", "c >= 1", "{c} classes must be at least 1">];
  let tier = 1;
  let lowering = [{
    skipped = Equal(target, Splat(ignored, shape(target), kind(target)));
    class = Select(skipped, Splat(0, shape(target), kind(target)), target);
    picked = Reshape(GatherElements(in, Reshape(class, [n, 1, *x]), 1), [n, *x]);
    zeros = Splat(0.0, [n, *x], kind(in));
    each = if(present(weight), Gather(weight, class, 0), Splat(1.0, [n, *x], kind(in)));
    counts = Select(skipped, zeros, each);
    out = Select(skipped, zeros, -picked * each);
  }];
  let samples = [
    Sample<"classes", (ins "f32[3,4]", "i64[3] in 0..3", ""), "ignored = -1">,
    Sample<"weighted", (ins "f32[2,4,3]", "i32[2,3] in 0..3", "f32[4]"), "ignored = 1">,
    Refused<"has-classes", (ins "f32[3,0]", "i64[3] in 0..3", ""), "ignored = -1">];
}

// Its gradient is the difference.
def Regression : Pointwise<"regression", (ins $x, $expected),
                           [{ 0.5 * (x - expected) * (x - expected) }]> {
  let ulps = 4;
  let summary = "half the square of what x is off";
  let types = (kinds Floats:$T);
  let samples = [Sample<"small", (ins "f32[2,3]", "f32[2,3]")>];
}

// Cross entropy of a sigmoid, from its logarithm and that of one minus it,
// without overflow.
def logitLoss : Let<(ins Tensor:$x, Tensor:$target, Tensor:$positive), [{
  wrong = Softplus(-x);
  y = (1 - target) * x + if(present(positive), ((positive - 1) * target + 1) * wrong, wrong);
}]>;

def SigmoidCrossEntropyWithLogits : Node<"sigmoid_cross_entropy_with_logits",
    (ins "T[*n,k]":$in, "T[*n,k]":$targets), (outs "T[*n]":$out)> {
  let summary = "the mean over the last axis of how far sigmoids of `in` are from the targets, by "
                "cross entropy";
  let types = (kinds Floats:$T);
  let tier = 1;
  let lowering = [{ out = ReduceMean(logitLoss(in, targets, none), [size(n)]); }];
  let samples = [Sample<"rows", (ins "f32[2,3]", "f32[2,3] in 0..1")>,
                 Sample<"large", (ins "f32[2,2,3] in -200..200", "f32[2,2,3] in 0..1")>];
}

// The reduction of the losses to one.
def LossReduction : Choice<["none", "mean", "sum"]>;

def BinaryCrossEntropyWithLogits : Node<"binary_cross_entropy_with_logits",
    (ins "T[*s]":$in, "T[*s]":$targets, "T[*<=s]?":$weight, "T[*<=s]?":$positive),
    (outs "T[*if(reduction == \"none\", s, [])]":$out), (ins LossReduction:$reduction)> {
  let summary = "how far sigmoids of `in` are from the targets, by cross entropy, times `weight`; "
                "where the target "
                "is 1, times `positive`";
  let types = (kinds Floats:$T);
  let tier = 1;
  let lowering = [{
    each = logitLoss(in, targets, if(present(positive), Broadcast(positive, s), positive));
    losses = if(present(weight), each * Broadcast(weight, s), each);
    axes = range(0, size(s));
    out = if(reduction == "none", losses,
             if(reduction == "sum", ReduceSum(losses, axes), ReduceMean(losses, axes)));
  }];
  let samples = [
    Sample<"each", (ins "f32[2,3]", "f32[2,3] in 0..1", "", ""), "reduction = \"none\"">,
    Sample<"weighted", (ins "f32[2,3]", "f32[2,3] in 0..1", "f32[2,1] in 0.5..2",
                        "f32[3] in 0.5..2"), "reduction = \"mean\"">,
    Sample<"sum", (ins "f32[2,3] in -200..200", "f32[2,3] in 0..1", "", "f32[3] in 0.5..2"),
           "reduction = \"sum\"">];
}

#endif // GLOW_NODES_LOSS
