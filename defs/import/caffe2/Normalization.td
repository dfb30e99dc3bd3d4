//===- Normalization.td - Caffe2 operators to a common scale --------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_CAFFE2_NORMALIZATION
#define GLOW_IMPORT_CAFFE2_NORMALIZATION

include "glow/import/caffe2/Convolution.td"
include "glow/import/caffe2/MatMul.td"
include "glow/import/OnnxNormalization.td"
include "glow/nodes/Loss.td"

// Axes from `axis` on are one.
class Caffe2Softmax<string operator, Node node_>
    : Caffe2Import<operator, (ins "X"), (ins 1:$axis, MaybeText:$order), [{
  x = flattened(X, axis);
  y = node(x, 1);
  Y = if(shape(x) == shape(X), y, Reshape(y, shape(X)));
}]> {
  let with = (bind node_:$node);
}
def : Caffe2Softmax<"Softmax", Softmax>;
def : Caffe2Softmax<"LogSoftmax", LogSoftmax>;

def : Caffe2Import<"Normalize", (ins "X"), (ins -1:$axis), [{
  a = wrapAxis(axis, rank(X));
  Y = X / Broadcast(Max(Sqrt(ReduceSum(X * X, [a], true)), 1e-12), shape(X));
}]>;
def : Caffe2Import<"NormalizeL1", (ins "X"), (ins -1:$axis),
                   "Y = LpNorm(X, wrapAxis(axis, rank(X)), 1);">;

// Mean and variance are inputs, as when a model is not trained.
def : Caffe2Import<"SpatialBN", (ins "X", "scale", "bias", "mean", "var"),
    (ins "1e-5":$epsilon, 0:$is_test, "0.9":$momentum, AxisOrder:$order), [{
  require(is_test != 0 || outputs == 1, "training, with is_test {is_test}, is not supported");
  Y = inOrder(BatchNorm(channelsSecond(X, order), scale, bias, mean, var, epsilon), order);
}]>;
def : Caffe2Import<"AffineChannel", (ins "X", "scale", "bias"),
                   (ins 0:$is_learnable, AxisOrder:$order), [{
  a = channelAxis(rank(X), order);
  Y = X * Broadcast(scale, shape(X), axis: a) + Broadcast(bias, shape(X), axis: a);
}]>;
def : Caffe2Import<"LRN", (ins "X"),
    (ins "0.0":$alpha, "0.0":$beta, "1.0":$bias, AxisOrder:$order, RequiredInt:$size), [{
  Y = inOrder(LocalResponseNorm(channelsSecond(X, order), size, alpha, beta, bias), order);
}]>;
def : Caffe2Import<"InstanceNorm", (ins "X", "scale", "bias"),
                   (ins "1e-5":$epsilon, AxisOrder:$order), [{
  Y = inOrder(InstanceNorm(channelsSecond(X, order), scale, bias, epsilon), order);
}]>;
def : Caffe2Import<"GroupNorm", (ins "X", "gamma", "beta"),
                   (ins "1e-5":$epsilon, 32:$group, MaybeInt:$is_test, AxisOrder:$order), [{
  Y = inOrder(GroupNorm(channelsSecond(X, order), gamma, beta, group, epsilon), order);
}]>;
// Mean and deviation, which are outputs as well, have size 1 from `axis` on.
def : Caffe2Import<"LayerNorm", (ins "X", "gamma?", "beta?"),
                   (ins 1:$axis, 0:$elementwise_affine, "1e-5":$epsilon), [{
  x = flattened(X, axis);
  d = shape(x)[1];
  g = if(present(gamma), Reshape(gamma, [d]), gamma);
  b = if(present(beta), Reshape(beta, [d]), beta);
  Y = Reshape(LayerNorm(x, g, b, 1, epsilon), shape(X));
  average = ReduceMean(x, [1], true);
  centred = x - Broadcast(average, shape(x));
  small = [*take(shape(X), wrapAxis(axis, rank(X))), 1];
  mean = Reshape(average, small);
  std = Reshape(Sqrt(ReduceMean(centred * centred, [1], true) + epsilon), small);
}]> {
  let outputs = ["Y", "mean?", "std?"];
}
def : Caffe2Import<"RMSNorm", (ins "X", "gamma", "beta"), (ins 1:$axis, "0.0":$eps), [{
  x = flattened(X, axis);
  d = shape(x)[1];
  factor = Reciprocal(Sqrt(ReduceMean(x * x, [1], true) + eps));
  Y = Reshape(x * Broadcast(factor, shape(x)) * Broadcast(Reshape(gamma, [d]), shape(x))
              + Broadcast(Reshape(beta, [d]), shape(x)), shape(X));
  rrms = Reshape(factor, take(shape(X), wrapAxis(axis, rank(X))));
}]> {
  let outputs = ["Y", "rrms?"];
}

// The second output is a mask that keeps everything.
def : Caffe2Import<"Dropout", (ins "X"), (ins 0:$is_test, MaybeText:$order, "0.5":$ratio), [{
  Y = X;
  mask = Splat(1, shape(X), elementKind("bool"));
}]> {
  let outputs = ["Y", "mask?"];
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

def : Caffe2Import<"SigmoidCrossEntropyWithLogits", (ins "logits", "targets"),
                   (ins 0:$log_D_trick, 0:$unjoined_lr_loss), [{
  require(log_D_trick == 0 && unjoined_lr_loss == 0, "other losses are not supported");
  Y = SigmoidCrossEntropyWithLogits(logits, targets);
}]>;
def : Caffe2Import<"LabelCrossEntropy", (ins "X", "label"), (ins), [{
  rows = shape(X)[0];
  picked = GatherElements(X, Reshape(Cast(label, elementKind("i64")), [rows, 1]), 1);
  Y = -Log(Max(Reshape(picked, [rows]), 1e-20));
}]> { let kinds = (ins "f32":$X, "i32":$label); }
def : Caffe2Import<"SoftmaxWithLoss", (ins "logits", "labels"),
                   (ins 1:$axis, 0:$label_prob, MaybeText:$order, "1.0":$scale), [{
  require(label_prob == 0, "label_prob {label_prob} is not supported");
  x = flattened(logits, axis);
  rows = shape(x)[0];
  place = Reshape(Cast(labels, elementKind("i64")), [rows, 1]);
  picked = GatherElements(LogSoftmax(x, 1), place, 1);
  softmax = Reshape(Softmax(x, 1), shape(logits));
  loss = ReduceMean(picked, [0, 1], false) * (0.0 - scale);
}]> {
  let outputs = ["softmax", "loss"];
  let kinds = (ins "f32":$logits, "i32":$labels);
}

#endif // GLOW_IMPORT_CAFFE2_NORMALIZATION
