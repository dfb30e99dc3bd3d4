//===- Normalization.td - bring values to a common scale ------------------===//
// SPDX-License-Identifier: MIT
//
// All nodes of this file have a lowering to other nodes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_NORMALIZATION
#define GLOW_NODES_NORMALIZATION

include "glow/functions/Kinds.td"
include "glow/nodes/Convolution.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

class AlongAxis<string mnemonic, code lowering_, code gradient_ = "", dag more = (ins)>
    : Node<mnemonic, (ins "T[*s]":$in), (outs "T[*s]":$out), !con((ins Int:$axis), more)> {
  let types = (kinds Floats:$T);
  let requires = [
    Require<"axis-exists", "axis >= 0 && axis < size(s)",
            "axis {axis} is not one of the {size(s)} of shape {s}">];
  let tier = 1;
  let lowering = lowering_;
  let gradient = gradient_;
  let permuted = [{ axis = q[axis]; result = p; }];
  let samples = [Sample<"rows", (ins "f32[2,3]"), "axis = 1">,
                 Sample<"columns", (ins "f32[2,3,2]"), "axis = 1">,
                 Refused<"axis-exists", (ins "f32[2,3]"), "axis = 2">];
}

// The largest element is taken off first, so that no power overflows.
def Softmax : AlongAxis<"softmax", [{
    power = Exp(in - Broadcast(ReduceMax(in, [axis], true), s));
    out = power / Broadcast(ReduceSum(power, [axis], true), s);
  }], [{
    d.in = out * (d.out - Broadcast(ReduceSum(d.out * out, [axis], true), s));
  }]> {
  let summary = "powers of e, divided by their sum along an axis";
}
def LogSoftmax : AlongAxis<"log_softmax", [{
    below = in - Broadcast(ReduceMax(in, [axis], true), s);
    out = below - Broadcast(Log(ReduceSum(Exp(below), [axis], true)), s);
  }], [{
    d.in = d.out - Exp(out) * Broadcast(ReduceSum(d.out, [axis], true), s);
  }]> {
  let summary = "logarithm of softmax";
}
def Hardmax : AlongAxis<"hardmax", [{
    out = if(prod(s) == 0, in,
             Cast(Equal(Iota(0.0, 1.0, axis, s, elementKind("i64")),
                        Broadcast(ArgMax(in, axis, true, false), s)), kind(in)));
  }], [{ none("it is flat but where it jumps"); }]> {
  let summary = "1 at the first largest element along an axis, 0 elsewhere";
  let tier = 2;
}
def LpNorm : AlongAxis<"lp_norm", [{
    size2 = if(p == 1, ReduceSum(Abs(in), [axis], true), Sqrt(ReduceSum(in * in, [axis], true)));
    divisor = Select(Equal(size2, Splat(0.0, shape(size2), kind(in))),
                     Splat(1.0, shape(size2), kind(in)), size2);
    out = in / Broadcast(divisor, s);
  }], "", (ins Int:$p)> {
  let summary = "the tensor by its sum of sizes (p = 1) or its length (p = 2) along an axis; "
                "0 where that is 0";
  let requires = [
    Require<"axis-exists", "axis >= 0 && axis < size(s)",
            "axis {axis} is not one of the {size(s)} of shape {s}">,
    Require<"norm-known", "p == 1 || p == 2", "p is {p}, but must be 1 or 2">];
  let samples = [Sample<"rows", (ins "f32[2,3] in 0.5..2"), "axis = 1; p = 2">,
                 Sample<"columns", (ins "f32[2,3,2] in 0.5..2"), "axis = 1; p = 1">,
                 Refused<"axis-exists", (ins "f32[2,3]"), "axis = 2; p = 2">,
                 Refused<"norm-known", (ins "f32[2,3]"), "axis = 1; p = 3">];
}

//===----------------------------------------------------------------------===//
// By mean and variance
//===----------------------------------------------------------------------===//

// Terms that do not depend on `in` come first, so that they fold to constants.
def BatchNorm : Node<"batch_norm",
    (ins "T[n,c,*x]":$in, "T[c]":$scale, "T[c]":$bias, "T[c]":$mean, "T[c]":$variance),
    (outs "T[n,c,*x]":$out), (ins Default<Real, "1e-5">:$epsilon)> {
  let summary = "(in - mean) / sqrt(variance + epsilon) * scale + bias, channel by channel";
  let isAffine = 1;
  let types = (kinds Floats:$T);
  let tier = 1;
  let lowering = [{
    factor = scale / Sqrt(variance + epsilon);
    offset = bias - mean * factor;
    out = in * Broadcast(factor, shape(in), axis: 1) + Broadcast(offset, shape(in), axis: 1);
  }];
  let samples = [Sample<"image",
                        (ins "f32[2,3,2,2]", "f32[3]", "f32[3]", "f32[3]", "f32[3] in 0.5..2"),
                        "epsilon = 1e-5">];
}

// The product with the weight of each row, where there are weights.
def weighted : Let<(ins Tensor:$x, Tensor:$rows), [{
  y = if(present(rows), x * Broadcast(asKind(rows, kind(x)), shape(x), axis: 0), x);
}]>;
// The sums of each channel, of rows with weights: those of pixels first, so that few numbers are
// weighted.
def channelSums : Let<(ins Tensor:$x, Tensor:$rows), [{
  pixels = if(rank(x) > 2, ReduceSum(x, range(2, rank(x)), false), x);
  sums = if(present(rows), ReduceSum(weighted(pixels, rows), [0], false),
            ReduceSum(x, without(range(0, rank(x)), [1]), false));
}]> {
  let results = ["sums"];
}

// `rows` are the weights of the images in mean and variance, 0 for an image that does not count.
// The next variance takes the mean of the squares, as ONNX does, or if `unbiased` their sum divided
// by one less than their number, as PyTorch does. `batchMean` and `inverse`, 1 / sqrt(variance +
// epsilon) of the batch, are kept for the gradient.
//
// With h = (in - batchMean) * inverse and N elements of a channel, out = scale * h + bias, and
//   d.in = scale * inverse * (d.out - (sum(d.out) + h * sum(d.out * h)) / N).
// The other results add their gradients to those of mean and variance.
def BatchNormTraining : Node<"batch_norm_training",
    (ins "T[n,c,*x]":$in, "T[c]":$scale, "T[c]":$bias, "T[c]":$mean, "T[c]":$variance,
     "T[n]?":$rows),
    (outs "T[n,c,*x]":$out, "T[c]":$nextMean, "T[c]":$nextVariance, "T[c]":$batchMean,
     "T[c]":$inverse),
    (ins Default<Real, "1e-5">:$epsilon, Default<Real, "0.9">:$momentum,
     Default<Flag, "false">:$unbiased)> {
  let summary = "each channel of a batch brought to mean 0 and variance 1, then times scale, plus "
                "bias; the running mean and variance keep `momentum` of themselves and take the "
                "rest from the batch";
  let types = (kinds Floats:$T);
  let tier = 1;
  let lowering = [{
    wide = widened(in);
    k = kind(wide);
    count = if(present(rows),
               ReduceSum(asKind(rows, k), [0], false) * sizeTensor(prod(x), [], k),
               sizeTensor(n * prod(x), [], k));
    counts = Broadcast(count, [c]);
    average = channelSums(wide, rows) / counts;
    centred = wide - Broadcast(average, shape(in), axis: 1);
    squares = channelSums(centred * centred, rows) / counts;
    inverses = Reciprocal(Sqrt(squares + epsilon));
    factor = asKind(scale, k) * inverses;
    out = asKind(centred * Broadcast(factor, shape(in), axis: 1)
                 + Broadcast(asKind(bias, k), shape(in), axis: 1), kind(in));
    others = Max(counts - 1.0, Splat(1.0, [c], k));
    spread = if(unbiased, squares * (counts / others), squares);
    nextMean = asKind(asKind(mean, k) * momentum + average * (1.0 - momentum), kind(in));
    nextVariance = asKind(asKind(variance, k) * momentum + spread * (1.0 - momentum), kind(in));
    batchMean = asKind(average, kind(in));
    inverse = asKind(inverses, kind(in));
  }];
  let gradient = [{
    wide = widened(in);
    k = kind(wide);
    count = if(present(rows),
               ReduceSum(asKind(rows, k), [0], false) * sizeTensor(prod(x), [], k),
               sizeTensor(n * prod(x), [], k));
    counts = Broadcast(count, [c]);
    i = asKind(inverse, k);
    centred = wide - Broadcast(asKind(batchMean, k), shape(in), axis: 1);
    flow = asKind(d.out, k);
    ofBias = channelSums(flow, none);
    ofScale = channelSums(flow * centred, none) * i;
    others = Max(counts - 1.0, Splat(1.0, [c], k));
    spread = if(unbiased, asKind(d.nextVariance, k) * (counts / others),
                asKind(d.nextVariance, k));
    ofVariance = spread * (1.0 - momentum) - 0.5 * asKind(d.inverse, k) * i * i * i;
    ofMean = asKind(d.nextMean, k) * (1.0 - momentum) + asKind(d.batchMean, k);
    factor = asKind(scale, k) * i;
    level = (ofMean - factor * ofBias) / counts;
    slope = (2.0 * ofVariance - factor * i * ofScale) / counts;
    through = Broadcast(level, shape(in), axis: 1)
              + centred * Broadcast(slope, shape(in), axis: 1);
    d.in = asKind(flow * Broadcast(factor, shape(in), axis: 1) + weighted(through, rows),
                  kind(in));
    d.scale = asKind(ofScale, kind(in));
    d.bias = asKind(ofBias, kind(in));
    d.mean = d.nextMean * momentum;
    d.variance = d.nextVariance * momentum;
    d.rows = none("the weights of rows are no result of a layer");
  }];
  let samples = [
    Sample<"image",
           (ins "f32[2,3,2,2]", "f32[3]", "f32[3]", "f32[3]", "f32[3] in 0.5..2", ""),
           "epsilon = 1e-2; momentum = 0.9; unbiased = false">,
    Sample<"rows",
           (ins "f32[5,3]", "f32[3]", "f32[3]", "f32[3]", "f32[3] in 0.5..2", "f32[5] in 0.5..1"),
           "epsilon = 1e-2; momentum = 0.8; unbiased = true">];
}

def LayerNorm : Node<"layer_norm", (ins "T[*a:axis, *r]":$in, "T[*r]?":$scale, "T[*r]?":$bias),
    (outs "T[*a, *r]":$out), (ins Int:$axis, Default<Real, "1e-5">:$epsilon)> {
  let summary = "from `axis` on, brought to mean 0 and variance 1, then times scale, plus bias";
  let types = (kinds Floats:$T);
  let tier = 1;
  let lowering = [{
    wide = widened(in);
    axes = range(axis, rank(in));
    centred = wide - Broadcast(ReduceMean(wide, axes, true), shape(in));
    variance = ReduceMean(centred * centred, axes, true);
    exact = centred / Broadcast(Sqrt(variance + epsilon), shape(in));
    normal = asKind(exact, kind(in));
    scaled = if(present(scale), normal * Broadcast(scale, shape(in)), normal);
    out = if(present(bias), scaled + Broadcast(bias, shape(in)), scaled);
  }];
  let samples = [
    Sample<"rows", (ins "f32[2,4]", "f32[4]", "f32[4]"), "axis = 1; epsilon = 1e-5">,
    Sample<"plain", (ins "f32[2,3,4]", "", ""), "axis = 1; epsilon = 1e-5">];
}

def RMSNorm : Node<"rms_norm", (ins "T[*a:axis, *r]":$in, "T[*r]?":$scale),
    (outs "T[*a, *r]":$out), (ins Int:$axis, Default<Real, "1e-5">:$epsilon)> {
  let summary = "from `axis` on, divided by the root of the mean square, then times scale";
  let types = (kinds Floats:$T);
  let tier = 1;
  let lowering = [{
    wide = widened(in);
    square = ReduceMean(wide * wide, range(axis, rank(in)), true);
    exact = wide / Broadcast(Sqrt(square + epsilon), shape(in));
    normal = asKind(exact, kind(in));
    out = if(present(scale), normal * Broadcast(scale, shape(in)), normal);
  }];
  let samples = [Sample<"rows", (ins "f32[2,4]", "f32[4]"), "axis = 1; epsilon = 1e-5">];
}

// The sum is a result of its own.
class AddedNorm<string mnemonic, dag bias, string norm_>
    : Node<mnemonic, !con((ins "T[*a:axis, *r]":$in, "T[*a, *r]":$skip, "T[*r]?":$scale), bias,
                          (ins "T[*<=r]?":$addend)),
           (outs "T[*a, *r]":$out, "T[*a, *r]":$sum),
           (ins Int:$axis, Default<Real, "1e-5">:$epsilon)> {
  let types = (kinds Floats:$T);
  let tier = 2;
  let with = (bind norm_:$normal);
  let lowering = [{
    both = in + skip;
    sum = if(present(addend), both + Broadcast(addend, shape(in)), both);
    out = normal;
  }];
}
def AddedLayerNorm : AddedNorm<"added_layer_norm", (ins "T[*r]?":$bias),
                               "LayerNorm(sum, scale, bias, axis, epsilon)"> {
  let summary = "two tensors and an addend added up, then from `axis` on brought to mean 0 and "
                "variance 1, times scale, plus bias";
  let samples = [
    Sample<"rows", (ins "f32[2,4]", "f32[2,4]", "f32[4]", "f32[4]", "f32[4]"),
           "axis = 1; epsilon = 1e-5">,
    Sample<"plain", (ins "f32[2,3,4]", "f32[2,3,4]", "", "", ""), "axis = 2; epsilon = 1e-5">];
}
def AddedRMSNorm : AddedNorm<"added_rms_norm", (ins), "RMSNorm(sum, scale, axis, epsilon)"> {
  let summary = "two tensors and an addend added up, then from `axis` on divided by the root of "
                "the mean square, times scale";
  let samples = [
    Sample<"rows", (ins "f32[2,4]", "f32[2,4]", "f32[4]", "f32[4]"), "axis = 1; epsilon = 1e-5">,
    Sample<"plain", (ins "f32[2,3,4]", "f32[2,3,4]", "", ""), "axis = 2; epsilon = 1e-5">];
}

def InstanceNorm : Node<"instance_norm", (ins "T[n,c,*x]":$in, "T[c]":$scale, "T[c]":$bias),
    (outs "T[n,c,*x]":$out), (ins Default<Real, "1e-5">:$epsilon)> {
  let summary = "each channel of each image brought to mean 0 and variance 1, then times scale, "
                "plus bias";
  let types = (kinds Floats:$T);
  let tier = 2;
  let lowering = [{
    normal = LayerNorm(in, none, none, 2, epsilon);
    out = normal * Broadcast(scale, shape(in), axis: 1) + Broadcast(bias, shape(in), axis: 1);
  }];
  let samples = [Sample<"image", (ins "f32[2,3,2,2]", "f32[3]", "f32[3]"), "epsilon = 1e-5">];
}

def GroupNorm : Node<"group_norm", (ins "T[n,c,*x]":$in, "T[c]":$scale, "T[c]":$bias),
    (outs "T[n,c,*x]":$out), (ins Int:$groups, Default<Real, "1e-5">:$epsilon)> {
  let summary = "groups of channels of each image brought to mean 0 and variance 1, then times "
                "scale, plus bias";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"groups-divide", "groups >= 1 && c % groups == 0",
            "{groups} groups do not divide {c} channels">];
  let tier = 2;
  let lowering = [{
    split = Reshape(in, [n, groups, c / groups * prod(x)]);
    normal = Reshape(LayerNorm(split, none, none, 2, epsilon), shape(in));
    out = normal * Broadcast(scale, shape(in), axis: 1) + Broadcast(bias, shape(in), axis: 1);
  }];
  let samples = [Sample<"image", (ins "f32[2,4,2,2]", "f32[4]", "f32[4]"),
                        "groups = 2; epsilon = 1e-5">,
                 Refused<"groups-divide", (ins "f32[2,4,2,2]", "f32[4]", "f32[4]"),
                         "groups = 3; epsilon = 1e-5">];
}

// The sum over neighbours is a convolution along the channels, of no more than those
// that a channel has.
def LocalResponseNorm : Node<"local_response_norm", (ins "T[n,c,*x]":$in), (outs "T[n,c,*x]":$out),
    (ins Int:$neighbours, Default<Real, "0.0001">:$alpha, Default<Real, "0.75">:$beta,
     Default<Real, "1.0">:$bias)> {
  let summary = "in / (bias + alpha * mean of squares of `neighbours` channels around) ^ beta";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"neighbours-positive", "neighbours >= 1",
            "{neighbours} neighbours must be at least 1">];
  let tier = 1;
  let lowering = [{
    before = min((neighbours - 1) / 2, max(c - 1, 0));
    after = min(neighbours / 2, max(c - 1, 0));
    squares = Reshape(in * in, [n, 1, c, prod(x)]);
    filter = Splat(alpha / neighbours, [1, 1, before + 1 + after, 1], kind(in));
    means = if(prod(shape(in)) == 0, in,
               Reshape(Conv(squares, filter, none, [1, 1], [before, 0, after, 0], [1, 1]),
                       shape(in)));
    base = means + bias;
    out = in / Pow(base, Splat(beta, shape(in), kind(in)));
  }];
  let samples = [
    Sample<"image", (ins "f32[1,5,2,2]"), "neighbours = 3; alpha = 0.1; beta = 0.75; bias = 1.0">,
    Sample<"all", (ins "f32[1,3,2]"),
           "neighbours = 1000000000000; alpha = 1e12; beta = 0.75; bias = 1.0">,
    Refused<"neighbours-positive", (ins "f32[1,5,2,2]"),
            "neighbours = 0; alpha = 0.1; beta = 0.75; bias = 1.0">];
}

#endif // GLOW_NODES_NORMALIZATION
