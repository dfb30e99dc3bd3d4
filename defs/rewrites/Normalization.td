//===- Normalization.td - into the layer before, and from what it is made of ===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_REWRITES_NORMALIZATION
#define GLOW_REWRITES_NORMALIZATION

include "glow/rewrites/Convolution.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Shape.td"

// Sums of products with the factor of a channel are finite.
defvar normSums = (upTo "sqrt(largest) / 64.0":$x, "sqrt(largest) / 64.0":$scale,
                   "sqrt(largest) / 64.0":$shift,
                        "sqrt(largest) / 64.0":$mean);

// The factor of each channel, in f32 where the kind has fewer bits; the numbers of a constant
// factor; a bias that moves with the factor, and whether the kind holds the moved bias.
def normFactor : Let<(ins Tensor:$scale, Tensor:$variance, Real:$e),
                     "widenedFloat(scale) / Sqrt(widenedFloat(variance) + e)">;
def normFactors : Let<(ins Tensor:$scale, Tensor:$variance, Real:$e),
                      "[s / sqrt(v + e) for s, v in reals(scale), reals(variance)]">;
def movedBias : Let<(ins Tensor:$b, Tensor:$mean, Tensor:$factor, Tensor:$shift),
    "asKind((widenedFloat(b) - widenedFloat(mean)) * factor + widenedFloat(shift), kind(shift))">;
def movedFits : Let<(ins Reals:$b, Tensor:$mean, Reals:$factors, Tensor:$shift),
    [{areFinite([(p - m) * f + s for p, m, f, s in b, reals(mean), factors, reals(shift)],
      kind(shift))}]>;
def movedShift : Let<(ins Tensor:$mean, Tensor:$factor, Tensor:$shift),
    "asKind(widenedFloat(shift) - widenedFloat(mean) * factor, kind(shift))">;
def shiftFits : Let<(ins Tensor:$mean, Reals:$factors, Tensor:$shift),
    "areFinite([s - m * f for s, m, f in reals(shift), reals(mean), factors], kind(shift))">;

// With f = scale / sqrt(variance + e), channel by channel,
//   ((conv(x, w) + b) - mean) * f + shift = conv(x, w * f) + (b - mean) * f + shift
// because a convolution is linear in its filter. The new filter and bias depend
// on constants only, and are folded; the products are rounded once more.
class BatchNormOfConv<string biasType, string bias>
    : Rewrite<[{ BatchNorm(Conv(x, w, b, strides: st, pads: pd, dilations: dl, group: g), scale,
                           shift, mean, variance, epsilon: e)
                 => Conv(x, productOf(w, Broadcast(factor, shape(w), axis: 0)), moved, st, pd, dl,
                         g) }],
              (ins "f32[1,2,4,4]":$x, "f32[3,2,3,3]":$w, biasType:$b, "f32[3]":$scale,
                   "f32[3]":$shift, "f32[3]":$mean, "f32[3] in 0.5..2":$variance),
              "st = [1, 1]; pd = [0, 0, 0, 0]; dl = [1, 1]; g = 1; e = 1e-5"> {
  let holds = normSums;
  let rounds = 1;
  let once = 1;
  let with = (bind "normFactor(scale, variance, e)":$factor,
              "normFactors(scale, variance, e)":$factors, bias:$moved,
                   [{areNormal(sizesTimes(largestAlong(w, shape(w), [0]), factors),
                     kind(w))}]:$scaledFit);
}
def BatchNormOfConvWithBias
    : BatchNormOfConv<"f32[3]", "movedBias(b, mean, factor, shift)"> {
  let condition = "present(b) && scaledFit && movedFits(reals(b), mean, factors, shift)";
  let ends = (powers 1:$w, 1:$scale, -2:$x, -1:$b, -1:$mean);
}
def BatchNormOfConvWithoutBias
    : BatchNormOfConv<"", "movedShift(mean, factor, shift)"> {
  let condition = "!present(b) && scaledFit && shiftFits(mean, factors, shift)";
  let ends = (powers 1:$w, 1:$scale, -2:$x, -1:$mean);
}

// Before a convolution without padding, the factor goes into the filter's input channels,
// and the rest into the bias. With padding it would not be equal: pixels of padding are
// zeros behind the normalization, and would have other values before it.
class ConvOfBatchNorm<string biasType, string bias, string condition_>
    : Rewrite<[{ Conv(BatchNorm(x, scale, shift, mean, variance, epsilon: e), w, b, strides: st,
                      pads: pd, dilations: dl, group: 1)
                 => Conv(x, w * Broadcast(factor, shape(w), axis: 1), added, st, pd, dl, 1) }],
              (ins "f32[1,2,4,4]":$x, "f32[2] constant":$scale, "f32[2] constant":$shift,
               "f32[2] constant":$mean,
                   "f32[2] in 0.5..2 constant":$variance, "f32[3,2,3,3] constant":$w, biasType:$b),
              "st = [1, 1]; pd = [0, 0, 0, 0]; dl = [1, 1]; e = 1e-5"> {
  let holds = normSums;
  let rounds = 1;
  let once = 1;
  let condition = condition_;
  let with = (bind "scale / Sqrt(variance + e)":$factor, bias:$added,
                   [{ReduceSum(w * Broadcast(shift - mean * factor, shape(w), axis: 1), range(1,
                     rank(w)))}]:$moved,
                   [{ sum(pd) == 0 && isFloat(kind(x)) && bitsOf(kind(x)) >= 32 && isConstant(w)
                       && isConstant(scale) && isConstant(shift) &&
                      isConstant(mean) && isConstant(variance) }]:$known);
}
def ConvOfBatchNormWithBias
    : ConvOfBatchNorm<"f32[3] constant", "(b + moved)", "known && present(b) && isConstant(b)">;
def ConvOfBatchNormWithoutBias : ConvOfBatchNorm<"", "moved", "known && !present(b)">;

// A transposed convolution is linear as well. Its filter has the channels of the
// result as its second axis, and those of a group for the group's operands.
class BatchNormOfConvTranspose<string biasType, string bias>
    : Rewrite<[{ BatchNorm(ConvTranspose(x, w, b, strides: st, pads: pd, dilations: dl,
                                         outputPadding: op, group: g),
                           scale, shift, mean, variance, epsilon: e)
                 => ConvTranspose(x, productOf(w,
                                               Broadcast(Reshape(Broadcast(Reshape(factor,
                     [g, 1, size2]), [g, size1 / g, size2]), [size1, size2]),
                                                            shape(w), axis: 0)), moved, st, pd, dl,
                                                            op, g) }],
              (ins "f32[1,4,3,3]":$x, "f32[4,3,2,2] constant":$w, biasType:$b, "f32[6]":$scale,
                   "f32[6]":$shift, "f32[6]":$mean, "f32[6] in 0.5..2":$variance),
              "st = [1, 1]; pd = [0, 0, 0, 0]; dl = [1, 1]; op = [0, 0]; g = 2; e = 1e-5"> {
  let holds = normSums;
  let rounds = 1;
  let once = 1;
  let with = (bind "normFactor(scale, variance, e)":$factor,
              "normFactors(scale, variance, e)":$factors, bias:$moved, "shape(w)[0]":$size1,
              "shape(w)[1]":$size2,
                   "[g, size1 / g, size2, prod(drop(shape(w), 2))]":$groups,
                   [{areNormal(sizesTimes(largestAlong(w, groups, [0, 2]), factors),
                     kind(w))}]:$scaledFit);
}
def BatchNormOfConvTransposeWithBias
    : BatchNormOfConvTranspose<"f32[6]", "movedBias(b, mean, factor, shift)"> {
  let condition = [{isConstant(w) && present(b) && scaledFit
                    && movedFits(reals(b), mean, factors, shift)}];
  let ends = (powers 1:$w, 1:$scale, -2:$x, -1:$b, -1:$mean);
}
def BatchNormOfConvTransposeWithoutBias
    : BatchNormOfConvTranspose<"", "movedShift(mean, factor, shift)"> {
  let condition = "isConstant(w) && !present(b) && scaledFit && shiftFits(mean, factors, shift)";
  let ends = (powers 1:$w, 1:$scale, -2:$x, -1:$mean);
}

// A product is linear in the columns of its weights.
class BatchNormOfProduct<code equation, dag bias, string condition_, string values>
    : Rewrite<equation, !con((ins "f32[2,3]":$x, "f32[3,4] constant":$w), bias,
                             (ins "f32[4]":$scale, "f32[4]":$shift, "f32[4]":$mean,
                              "f32[4] in 0.5..2":$variance)),
              values> {
  let holds = normSums;
  let rounds = 1;
  let once = 1;
  let condition = condition_;
  let with = (bind "normFactor(scale, variance, e)":$factor,
              "normFactors(scale, variance, e)":$factors,
              "productOf(w, Broadcast(factor, shape(w)))":$scaled,
                   [{areNormal(sizesTimes(largestAlong(w, shape(w), [1]), factors),
                     kind(w))}]:$scaledFit,
                   "[shape(x)[0], shape(w)[1]]":$all);
}
def BatchNormOfMatMul
    : BatchNormOfProduct<[{ BatchNorm(MatMul(x, w), scale, shift, mean, variance, epsilon: e)
                            => MatMul(x, scaled) + Broadcast(movedShift(mean, factor, shift),
                                all) }], (ins),
                         [{rank(x) == 2 && isConstant(w) && scaledFit
                           && shiftFits(mean, factors, shift)}], "e = 1e-5"> {
  let ends = (powers 1:$w, 1:$scale, -2:$x, -1:$mean);
}
def BatchNormOfGemm
    : BatchNormOfProduct<[{ BatchNorm(MatMul(x, w) + Broadcast(c, dims: t, axis: a), scale, shift,
                                      mean, variance, epsilon: e)
                            => MatMul(x, scaled) + Broadcast(movedBias(Broadcast(Reshape(c,
                                [elements(c)]), [shape(w)[1]]), mean, factor, shift), all) }],
                         (ins "f32[4] constant":$c),
                         [{
                           rank(x) == 2 && isConstant(w) && isConstant(c)
                               && (elements(c) == 1 || variesAlong(shape(c), t, a, 1)) && scaledFit
                               &&
                           movedFits(if(elements(c) == 1, repeatReal(numberOf(c), shape(w)[1]),
                                        reals(c)), mean, factors, shift)
                         }],
                         "t = [2, 4]; a = -1; e = 1e-5"> {
  let ends = (powers 1:$w, 1:$scale, -2:$x, -1:$c, -1:$mean);
  let identityBroadcasts = 1;
}

//===----------------------------------------------------------------------===//
// Fewer rows
//===----------------------------------------------------------------------===//

// Each row is normalized by itself: a slice of whole rows is taken before.
class SliceOfRows<code equation, dag more, string whole>
    : Rewrite<equation, !con((ins "f32[2,3,4]":$x), more),
              "i = 2; e = 0.125; s = [1, 2, 0]; t = [1, -2, 1]; z = [1, 2, 4]"> {
  let condition = whole;
  let once = 1;
}
defvar wholeRows = [{drop(s, i) == repeat(0, rank(x) - i) && drop(t, i) == repeat(1, rank(x) - i)
                     && drop(z, i) == drop(shape(x), i)}];
def SliceOfLayerNorm
    : SliceOfRows<[{ Slice(LayerNorm(x, c, b, axis: i, epsilon: e), starts: s, steps: t, sizes: z)
                     => LayerNorm(Slice(x, s, t, z), c, b, i, e) }],
                  (ins "f32[4]":$c, "f32[4]":$b), wholeRows>;
def SliceOfRMSNorm
    : SliceOfRows<[{ Slice(RMSNorm(x, c, axis: i, epsilon: e), starts: s, steps: t, sizes: z)
                     => RMSNorm(Slice(x, s, t, z), c, i, e) }],
                  (ins "f32[4]":$c), wholeRows>;
foreach node = [Softmax, LogSoftmax] in
  def SliceOf # node
      : Rewrite<[{ Slice(shares(x, axis: i), starts: s, steps: t, sizes: z)
                   => shares(Slice(x, s, t, z), i) }],
                (ins "f32[2,3,4]":$x), "i = 1; s = [1, 0, 3]; t = [1, 1, -2]; z = [1, 3, 2]"> {
    let condition = "s[i] == 0 && t[i] == 1 && z[i] == shape(x)[i]";
    let once = 1;
    let with = (bind node:$shares);
  }

//===----------------------------------------------------------------------===//
// Spelled out
//===----------------------------------------------------------------------===//

// Nodes replace the arithmetic that models spell out, even before steps: results are within
// their tolerance.

// Whether a reduction is over the last axes: each of its rows has a number of
// its own.
def areLast : Let<(ins Ints:$axes, Int:$rank),
                  "size(axes) > 0 && axes == range(rank - size(axes), rank)">;

// Whether a tensor is repeated along the rows, and not within them.
def fitsRows : Let<(ins Ints:$small, Ints:$dims, Int:$first, Int:$axis),
    [{first < 0 && size(small) >= size(dims) - axis && prod(small) == prod(drop(dims, axis))
      && drop(small, size(small) - (size(dims) - axis)) == drop(dims, axis)}]>;

// The root's operand and the division are written in several ways. The mean of squares is
// that of the node, with the epsilon added to it.
class RMSNormOf<code equation>
    : Rewrite<equation, (ins "f32[2,3,4]":$x, "f32[2,3,1] in 0.125..0.125 constant":$e),
              "a = [2]; d = [2, 3, 4]"> {
  let with = (bind "Sqrt(ReduceMean(x * x, axes: a, keepDims: true) + e)":$root);
  let rounds = 1;
  let beforeSteps = 1;
  let condition = "areLast(a, rank(x)) && numberOf(e) >= 0.0";
}
def RMSNormOfQuotient
    : RMSNormOf<[{ x / Broadcast(root, dims: d)
                   => RMSNorm(x, none, rank(x) - size(a), numberOf(e)) }]>;
def RMSNormOfProduct
    : RMSNormOf<[{ x * Broadcast(Reciprocal(root), dims: d)
                   => RMSNorm(x, none, rank(x) - size(a), numberOf(e)) }]>;

// RMSNorm times a scale for each element of a row.
def RMSNormScaled
    : Rewrite<[{ RMSNorm(x, s, axis: i, epsilon: e) * Broadcast(c, dims: d, axis: f)
                 => RMSNorm(x, Reshape(c, drop(d, i)), i, e) }],
              (ins "f32[2,3,4]":$x, "":$s, "f32[1,4]":$c),
              "i = 2; e = 0.125; d = [2, 3, 4]; f = -1"> {
  let rounds = 1;
  let beforeSteps = 1;
  let condition = "!present(s) && fitsRows(shape(c), d, f, i)";
  let once = 1;
  let identityBroadcasts = 1;
}
// RMSNorm of a row minus its mean: the mean square of such a row is the
// variance.
def LayerNormOfCentred
    : Rewrite<[{ RMSNorm(x - Broadcast(ReduceMean(x, axes: a, keepDims: true), dims: d), s, axis: i,
                         epsilon: e)
                 => LayerNorm(x, s, none, i, e) }],
              (ins "f32[2,3,4]":$x, "f32[4]":$s), "a = [2]; d = [2, 3, 4]; i = 2; e = 0.125"> {
  let rounds = 1;
  let beforeSteps = 1;
  let condition = "a == range(i, rank(x))";
}
def LayerNormBiased
    : Rewrite<[{ LayerNorm(x, s, b, axis: i, epsilon: e) + Broadcast(c, dims: d, axis: f)
                 => LayerNorm(x, s, Reshape(c, drop(d, i)), i, e) }],
              (ins "f32[2,3,4]":$x, "f32[4]":$s, "":$b, "f32[1,4]":$c),
              "i = 2; e = 0.125; d = [2, 3, 4]; f = -1"> {
  let rounds = 1;
  let beforeSteps = 1;
  let condition = "!present(b) && fitsRows(shape(c), d, f, i)";
  let once = 1;
  let identityBroadcasts = 1;
}

// TensorFlow's form of batch_normalization: x times a factor, plus the bias minus the
// mean times the factor. LayerNorm subtracts the mean first, which is at least as exact.
class LayerNormOfFactor<string squares>
    : Rewrite<[{ x * factor + (Broadcast(c, dims: d, axis: f) - Broadcast(mean, dims: d) * factor)
                 => LayerNorm(x, Reshape(s, drop(d, rank(x) - size(a))),
                              Reshape(c, drop(d, rank(x) - size(a))), rank(x) - size(a),
                              numberOf(e)) }],
              (ins "f32[2,3,4]":$x, "f32[4]":$s, "f32[1,4]":$c,
               "f32[2,3,1] in 0.125..0.125 constant":$e),
              "a = [2]; d = [2, 3, 4]; f = -1; g = -1"> {
  let with = (bind "ReduceMean(x, axes: a, keepDims: true)":$mean, squares:$variance,
                   [{Broadcast(Reciprocal(Sqrt(variance + e)), dims: d) * Broadcast(s, dims: d,
                     axis: g)}]:$factor);
  let rounds = 1;
  let beforeSteps = 1;
  let condition = [{areLast(a, rank(x)) && numberOf(e) >= 0.0
                    && fitsRows(shape(c), d, f, rank(x) - size(a))
                    && fitsRows(shape(s), d, g, rank(x) - size(a))}];
  let identityBroadcasts = 1;
}
def LayerNormOfFactors
    : LayerNormOfFactor<[{ReduceMean((x - Broadcast(mean, dims: d)) * (x - Broadcast(mean, dims:
                          d)), axes: a, keepDims: true)}]>;

// Powers of e, divided by their sum. The node subtracts the largest element first, so
// that a result that was infinite becomes finite.
// Sums of up to e squared such powers are finite, as those of the sample are.
class SoftmaxOf<code equation, string values = "a = [1]; d = [2, 3]">
    : Rewrite<equation, (ins "f32[2,3]":$x), values> {
  let with = (bind "ReduceSum(Exp(x), axes: a, keepDims: true)":$total);
  let holds = (upTo "log(largest) - 2.0":$x);
  let rounds = 1;
  let beforeSteps = 1;
  let condition = "size(a) == 1";
}
def SoftmaxOfQuotient : SoftmaxOf<[{ Exp(x) / Broadcast(total, dims: d) => Softmax(x, a[0]) }]>;
def SoftmaxOfProduct : SoftmaxOf<[{ Exp(x) * Broadcast(Reciprocal(total), dims: d)
                                    => Softmax(x, a[0]) }]>;
def LogSoftmaxOfDifference : SoftmaxOf<[{ x - Broadcast(Log(total), dims: d)
                                          => LogSoftmax(x, a[0]) }]>;
// Shares that a kind does not hold are 0, whose logarithm is infinite.
def LogOfSoftmax : Rewrite<[{ Log(Softmax(x, axis: i))
                              => LogSoftmax(x, i) }], (ins "f32[2,3]":$x), "i = 1"> {
  let holds = (upTo "log(largest) / 2.0 - 1.0":$x);
  let once = 1;
  let rounds = 1;
  let beforeSteps = 1;
}
foreach node = [Softmax, LogSoftmax] in
  def node # "OfShifted"
      : Rewrite<[{ shares(x - Broadcast(ReduceMax(x, axes: a, keepDims: true), dims: d), axis: i)
                   => shares(x, i) }],
                (ins "f32[2,3]":$x), "a = [1]; d = [2, 3]; i = 1"> {
    let rounds = 1;
    let beforeSteps = 1;
    let condition = "a == [i]";
    let with = (bind node:$shares);
  }

#endif // GLOW_REWRITES_NORMALIZATION
