//===- Quantization.td - integers that stay integers ----------------------===//
// SPDX-License-Identifier: MIT
//
// Layers between a dequantize and a quantize become sums of integers, and one factor
// converts the sums to integers of the result. Nodes that only move or select elements do
// so before the conversion to real numbers. Factors are products of scales: they round at
// other points than the reals would, by less than a step.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_REWRITES_QUANTIZATION
#define GLOW_REWRITES_QUANTIZATION

include "glow/functions/Kinds.td"
include "glow/nodes/Activation.td"
include "glow/nodes/Pooling.td"
include "glow/nodes/Quantization.td"

// q - zero is a whole number of steps. Multiplied by the scale and divided by it, in a
// kind of 24 bits or more, it is less than half a step off, so that it is rounded to
// itself.
def QuantizeOfDequantize
    : Rewrite<[{ Quantize(Dequantize(q, s, z, axis: a), s, z, axis: a) => q }],
              (ins "i8[2,3]":$q, "f32[] in 0.5..0.75 constant":$s, "i8[] in 1..1":$z), "a = -1"> {
  let condition = [{isConstant(s) && bitsOf(kind(s)) >= 32 && bitsOf(kind(q)) <= 16
                    && kind(q) == kind(z)}];
}
// The same, where each node has constants of its own.
def QuantizeOfDequantizeByEqual
    : Rewrite<[{ Quantize(Dequantize(q, s, z), t, y) => q }],
              (ins "i8[2,3]":$q, "f32[] in 0.5..0.5 constant":$s, "i8[] in 1..1 constant":$z,
               "f32[] in 0.5..0.5 constant":$t,
                   "i8[] in 1..1 constant":$y)> {
  let condition = [{numberOf(s) == numberOf(t) && numberOf(z) == numberOf(y)
                    && bitsOf(kind(s)) >= 32 && bitsOf(kind(q)) <= 16 && kind(q) == kind(y)}];
}

// The largest distance of 8-bit integers from their zero; and whether sums of so many
// products of two such integers are always less than 2^31.
def farthestStep : Let<(ins Tensor:$zero, Kind:$k), [{
  known = numberOf(zero) == numberOf(zero);
  far = if(known, max(numberOf(zero) - lowestOf(k), lowestOf(k) + 255.0 - numberOf(zero)), 255.0);
}]>;
def sumsFit : Let<(ins Int:$length, Tensor:$x, Tensor:$zx, Tensor:$w, Tensor:$zw),
    "real(length) * farthestStep(zx, kind(x)) * farthestStep(zw, kind(w)) < 2147483648.0">;

// For a transposed convolution. Each pixel of the image becomes a block of pixels, as
// wide as the strides. The pixels at one position in all blocks are a convolution with
// their share of the taps, in reverse order. Taps that are added to fill blocks are the
// filter's zero.
def blockTaps : Let<(ins Ints:$window, Ints:$strides, Ints:$more),
                    "(window + more + strides - 1) / strides">;
def blockFilter : Let<(ins Tensor:$w, Ints:$strides, Ints:$taps, Int:$group, Real:$zero), [{
  window = drop(shape(w), 2);
  n = size(window);
  whole = Pad(w, repeat(0, n + 2), [0, 0, *(taps * strides - window)], zero);
  sizes = [group, shape(w)[0] / group, shape(w)[1], *zipped(taps, strides)];
  backwards = Slice(Reshape(whole, sizes), [0, 0, 0, *zipped(taps - 1, repeat(0, n))],
                    [1, 1, 1, *zipped(repeat(-1, n), repeat(1, n))], sizes);
  ordered = Transpose(backwards, [0, 2, *(range(0, n) * 2 + 4), 1, *(range(0, n) * 2 + 3)]);
  filter = Reshape(ordered, [group * shape(w)[1] * prod(strides), shape(w)[0] / group, *taps]);
}]>;
// A filter with dilated taps, and with its zero between them.
def spreadTaps : Let<(ins Tensor:$w, Ints:$apart, Real:$zero), [{
  window = drop(shape(w), 2);
  n = size(window);
  filters = take(shape(w), 2);
  each = Pad(Reshape(w, [*filters, *zipped(window, repeat(1, n))]), repeat(0, 2 * n + 2),
             [0, 0, *zipped(repeat(0, n), apart - 1)], zero);
  filter = Slice(Reshape(each, [*filters, *(window * apart)]), repeat(0, n + 2), repeat(1, n + 2),
                 [*filters, *windowExtent(window, apart)]);
}]>;
// Blocks, which are the fastest index of the channels, become pixels.
def pixelsOfBlocks : Let<(ins Tensor:$blocks, Ints:$strides), [{
  n = size(strides);
  x = drop(shape(blocks), 2);
  d = shape(blocks)[1] / prod(strides);
  split = Reshape(blocks, [shape(blocks)[0], d, *strides, *x]);
  mixed = Transpose(split, [0, 1, *zipped(range(0, n) + n + 2, range(0, n) + 2)]);
  pixels = Reshape(mixed, [shape(blocks)[0], d, *(x * strides)]);
}]>;
// The parameter of each of d channels, for every position of a block.
def forBlocks : Let<(ins Tensor:$each, Int:$d, Int:$places),
    "y = Reshape(Broadcast(each, [d, places], axis: 0), [d * places])">;

// Weights of 2 and 4 bits are converted to bytes.
def asByte : Let<(ins Tensor:$q),
                 [{ if(bitsOf(kind(q)) == 8, q,
                       Cast(q, if(lowestOf(kind(q)) < 0.0, elementKind("i8"),
                                                     elementKind("u8")))) }]>;

// The following rewrites are for backends that have products of integers.
let needs = [ConvInteger, MatMulInteger] in {

//===----------------------------------------------------------------------===//
// Before numbers are real
//===----------------------------------------------------------------------===//

// Elements move, and keep their one scale.
class BeforeDequantize<code equation, dag operands, string values = "">
    : Rewrite<equation, operands, values> {
  let condition = "elements(s) == 1 && elements(z) == 1";
  let beforeFolding = 1;
}
def ReshapeOfDequantize
    : BeforeDequantize<[{ Reshape(Dequantize(q, s, z, axis: a), dims: d)
                          => Dequantize(Reshape(q, d), s, z) }],
                       (ins "i8[2,3]":$q, "f32[] in 0.5..0.5":$s, "i8[] in 1..1":$z),
                       "a = -1; d = [6]">;
def TransposeOfDequantize
    : BeforeDequantize<[{ Transpose(Dequantize(q, s, z, axis: a), permutation: p)
                          => Dequantize(Transpose(q, p), s, z) }],
                       (ins "i8[2,3]":$q, "f32[] in 0.5..0.5":$s, "i8[] in 1..1":$z),
                       "a = -1; p = [1, 0]">;
// A scale for each index of an axis moves with the axis.
def TransposeOfDequantizeByAxis
    : Rewrite<[{ Transpose(Dequantize(q, s, z, axis: a), permutation: p)
                 => Dequantize(Transpose(q, p), s, z, inverse(p)[a]) }],
              (ins "i8[2,3]":$q, "f32[2] in 0.5..0.75":$s, "i8[2] in 1..2":$z),
              "a = 0; p = [1, 0]"> {
  let condition = "rank(s) == 1 && elements(s) > 1 && rank(z) <= 1 && a >= 0";
  let beforeFolding = 1;
}
// The rows of a product are those of a batch.
def ReshapeOfDequantizeByColumns
    : Rewrite<[{ Reshape(Dequantize(q, s, z, axis: a), dims: d)
                 => Dequantize(Reshape(q, d), s, z, size(d) - 1) }],
              (ins "i32[4,3]":$q, "f32[3] in 0.5..0.75":$s, "i32[] in 0..0":$z),
              "a = 1; d = [2, 2, 3]"> {
  let condition = [{rank(s) == 1 && elements(s) > 1 && elements(z) == 1 && a == rank(q) - 1
                    && size(d) >= 1 && at(d, size(d) - 1) == elements(s)}];
  let beforeFolding = 1;
}
// Elements of channels become pixels, and pixels channels.
class BlocksOfDequantize<Node blocks_, string x>
    : BeforeDequantize<[{blocks(Dequantize(q, s, z, axis: a), block: b, columnsFirst: f) =>
                         Dequantize(blocks(q, b, f), s, z)}],
                       (ins x:$q, "f32[] in 0.5..0.5":$s, "i8[] in 1..1":$z),
                       "a = -1; b = 2; f = false"> {
  let with = (bind blocks_:$blocks);
}
def DepthToSpaceOfDequantize : BlocksOfDequantize<DepthToSpace, "i8[1,8,2,3]">;
def SpaceToDepthOfDequantize : BlocksOfDequantize<SpaceToDepth, "i8[1,2,4,6]">;
// The padding value must be a real number that an integer stands for.
def PadOfDequantize
    : Rewrite<[{Pad(Dequantize(q, s, z, axis: a), begins: b, ends: e, value: v) =>
                Dequantize(Pad(q, b, e, steps), s, z)}],
              (ins "i8[2,3]":$q, "f32[] in 0.5..0.5 constant":$s, "i8[] in 3..3 constant":$z),
              "a = -1; b = [1, 0]; e = [0, 2]; v = -1.5"> {
  let condition = [{
    elements(s) == 1 && elements(z) == 1 && bitsOf(kind(q)) == 8 && steps == floor(steps)
        && steps >= lowestOf(kind(q)) && steps <= lowestOf(kind(q)) + 255.0
  }];
  let beforeFolding = 1;
  let with = (bind "v / numberOf(s) + numberOf(z)":$steps);
}
// The nearest pixel is moved.
def ResizeOfDequantize
    : Rewrite<[{ Resize(Dequantize(q, s, z, axis: a), dims: d, scales: f, mode: m, coordinates: c,
                        rounding: r, cubicCoefficient: cc, excludeOutside: ex)
                 => Dequantize(Resize(q, d, f, m, c, r, cc, ex), s, z) }],
              (ins "u8[1,2,3,4]":$q, "f32[] in 0.5..0.5":$s, "u8[] in 1..1":$z),
              [{a = -1; d = [1, 2, 6, 8]; f = [1.0, 1.0, 2.0, 2.0]; m = "nearest";
                c = "asymmetric"; r = "floor"; cc = -0.75; ex = false}]> {
  let condition = [{elements(s) == 1 && elements(z) == 1 && m == "nearest"
                    && bitsOf(kind(q)) >= 8}];
  let beforeFolding = 1;
}
// The zero point stands for 0, and smaller integers for negative numbers, as the scale is
// positive.
def ReluOfDequantize
    : Rewrite<[{Relu(Dequantize(q, s, z, axis: a)) => Dequantize(Max(q, Broadcast(Reshape(z, []),
                shape(q))), s, z)}],
              (ins "i8[2,3]":$q, "f32[] in 0.5..0.5 constant":$s, "i8[] in 1..1 constant":$z),
              "a = -1"> {
  let condition = [{elements(s) == 1 && elements(z) == 1 && numberOf(s) > 0.0
                    && bitsOf(kind(q)) == 8}];
  let beforeFolding = 1;
}
class ExtremeOfDequantized<Node extreme_>
    : Rewrite<[{extreme(Dequantize(q, s, z, axis: a), Dequantize(p, t, y, axis: b)) =>
                Dequantize(extreme(q, p), s, z)}],
              (ins "i8[2,3]":$q, "f32[] in 0.5..0.5 constant":$s, "i8[] in 1..1 constant":$z,
               "i8[2,3]":$p, "f32[] in 0.5..0.5 constant":$t,
                   "i8[] in 1..1 constant":$y), "a = -1; b = -1"> {
  let condition = [{
    elements(s) == 1 && elements(t) == 1 && elements(z) == 1 && elements(y) == 1
        && numberOf(s) == numberOf(t) && numberOf(z) == numberOf(y) && numberOf(s) > 0.0 &&
    kind(q) == kind(p) && kind(s) == kind(t) && bitsOf(kind(q)) == 8
  }];
  let beforeFolding = 1;
  let with = (bind extreme_:$extreme);
}
def MaxOfDequantized : ExtremeOfDequantized<Max>;
def MinOfDequantized : ExtremeOfDequantized<Min>;
// The largest integer stands for the largest number, as the scale is positive.
def MaxPoolOfDequantize
    : Rewrite<[{ MaxPool(Dequantize(q, s, z, axis: a), window: w, strides: t, pads: p, dilations: d)
                 => Dequantize(MaxPool(q, w, t, p, d), s, z) }],
              (ins "u8[1,2,5,5]":$q, "f32[] in 0.5..0.5 constant":$s, "u8[] in 1..1":$z),
              "a = -1; w = [3, 3]; t = [2, 2]; p = [1, 1, 0, 1]; d = [1, 1]"> {
  let condition = [{elements(s) == 1 && elements(z) == 1 && numberOf(s) > 0.0
                    && bitsOf(kind(q)) >= 8}];
  let beforeFolding = 1;
}

// The sum of integers is exact, in any order. The limit is the number of 16-bit
// integers whose sum fits into 32 bits.
def ReduceMeanOfDequantize
    : Rewrite<[{ ReduceMean(Dequantize(q, s, z, axis: a), axes: r, keepDims: k)
                 => asKind(Dequantize(ReduceSum(Cast(q, sum) - Broadcast(Cast(Reshape(z, []), sum),
                     shape(q)), r, k),
                                      widened(Reshape(s, [])) / Splat(prod(pick(shape(q), r)), [],
                                          wide), Splat(0, [], sum)), kind(s)) }],
              (ins "u8[2,3,4]":$q, "f32[] in 0.5..0.5":$s, "u8[] in 3..3":$z),
              "a = -1; r = [1, 2]; k = true"> {
  let condition = [{elements(s) == 1 && elements(z) == 1 && bitsOf(kind(q)) <= 16
                    && allAtLeast(r, 0) && prod(pick(shape(q), r)) <= 32768
                    && prod(pick(shape(q), r)) >= 1}];
  let beforeFolding = 1;
  let with = (bind "elementKind(\"i32\")":$sum, "wideKind(kind(s))":$wide);
}

// The sum of a window is a sum of products with 1, which is exact. The mean is rounded
// once, by the scale over the number of pixels.
class AvgPoolOfSteps<string mean, string padsFit, string values>
    : Rewrite<[{AvgPool(Dequantize(q, s, z, axis: a), window: w, strides: t, pads: p, dilations: d)
                => mean}],
              (ins "u8[1,2,5,5]":$q, "f32[] in 0.5..0.5":$s, "u8[] in 3..3":$z), values> {
  let condition = [{elements(s) == 1 && elements(z) == 1 && bitsOf(kind(q)) == 8 && size(w) <= 2
                    && prod(w) <= 258 && fits}];
  let beforeFolding = 1;
  let rounds = 1;
  let beforeSteps = 1;
  let with = (bind mean:$mean, padsFit:$fits, "shape(q)[1]":$c, "elementKind(\"i8\")":$byte,
                   [{ConvInteger(q, Splat(1, [c, 1, *w], byte), Reshape(z, []), Splat(0, [], byte),
                     t, p, d, c)}]:$sums,
                   "windowCount(drop(shape(q), 2), w, t, p, d)":$y,
                   "Splat(0, [], elementKind(\"i32\"))":$none32,
                   "wideKind(kind(s))":$wide,
                   [{Conv(Splat(1, [1, 1, *drop(shape(q), 2)], wide), Splat(1, [1, 1, *w], wide),
                     none, t, p, d)}]:$counts);
}
def AvgPoolOfDequantize
    : AvgPoolOfSteps<[{asKind(Dequantize(sums, widened(Reshape(s, [])) / Splat(prod(w), [], wide),
                       none32), kind(s))}], "sum(p) == 0",
                     "a = -1; w = [2, 3]; t = [2, 1]; p = [0, 0, 0, 0]; d = [1, 1]">;
// Pixels of padding do not count.
def PaddedAvgPoolOfDequantize
    : AvgPoolOfSteps<[{asKind(Dequantize(sums, widened(s), none32) / Broadcast(counts,
                       [*take(shape(q), 2), *y]), kind(s))}], "sum(p) != 0",
                     "a = -1; w = [3, 3]; t = [2, 2]; p = [1, 1, 0, 1]; d = [1, 1]">;

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

defvar oneOrEach = [{(elements(sw) == 1 || rank(sw) == 1 && wrapAxis(aw, rank(w)) == channel)
                     && (elements(zw) == 1 || rank(zw) == 1 && wrapAxis(aw, rank(w)) == channel)}];
defvar stepsMatch = [{bitsOf(kind(x)) == 8 && bitsOf(kind(w)) <= 8 && kind(sx) == kind(sw)
                      && elements(sx) == 1 && elements(zx) == 1 && zeroFits}];

// The scales of products of steps: one, or one for each channel or column. Only f32 holds the
// product of two scales of few bits, and sums in steps, so that the result of a layer is
// rounded to its kind last.
defvar scalesOfProducts =
    "widened(Reshape(sw, [elements(sw)])) * Broadcast(widened(Reshape(sx, [])), [elements(sw)])";

defvar noZero = "Splat(0, [], elementKind(\"i32\"))";

class ConvOfSteps<code equation, string bias, string biasFits>
    : Rewrite<equation,
              (ins "u8[1,4,5,5]":$x, "f32[] in 0.5..0.5":$sx, "u8[] in 2..2":$zx, "i8[6,2,3,3]":$w,
               "f32[6] in 0.25..0.75":$sw, "i8[6] in 0..0":$zw, bias:$b),
              "ax = -1; aw = 0; st = [2, 1]; pd = [1, 1, 0, 1]; dl = [1, 1]; g = 2"> {
  let condition = "biasIsThere && areSteps && sumsFit(prod(drop(shape(w), 1)), x, zx, w, zw)";
  let beforeFolding = 1;
  let with = (bind [{Conv(Dequantize(x, sx, zx, axis: ax), Dequantize(w, sw, zw, axis: aw), b,
                     strides: st, pads: pd, dilations: dl, group: g)}]:$layer,
                   biasFits:$biasIsThere, "0":$channel, oneOrEach:$zeroFits, stepsMatch:$areSteps,
                   scalesOfProducts:$scales, noZero:$none32,
                   [{Dequantize(ConvInteger(x, asByte(w), Reshape(zx, []), asByte(zw), st, pd, dl,
                     g), scales, none32, 1)}]:$sums,
                   [{[shape(x)[0], shape(w)[0], *windowCount(drop(shape(x), 2), drop(shape(w), 2),
                     st, pd, dl)]}]:$all);
}
def ConvOfStepsWithoutBias : ConvOfSteps<"layer => asKind(sums, kind(sx))", "", "!present(b)">;
def ConvOfStepsWithBias : ConvOfSteps<[{layer => asKind(sums + Broadcast(widened(b), all, axis: 1),
                                        kind(sx))}], "f32[6]", "present(b)">;

def MatMulOfSteps
    : Rewrite<[{ MatMul(Dequantize(x, sx, zx, axis: ax), Dequantize(w, sw, zw, axis: aw))
                 => asKind(Dequantize(MatMulInteger(x, w, Reshape(zx, []), zw), scales, none32,
                                      rank(x) - 1), kind(sx)) }],
              (ins "u8[2,3]":$x, "f32[] in 0.5..0.5":$sx, "u8[] in 2..2":$zx, "i8[3,4]":$w,
               "f32[4] in 0.25..0.75":$sw, "i8[4] in 0..0":$zw),
              "ax = -1; aw = 1"> {
  let condition = [{areSteps && bitsOf(kind(w)) == 8
                    && sumsFit(shape(x)[rank(x) - 1], x, zx, w, zw)}];
  let beforeFolding = 1;
  let with = (bind "rank(w) - 1":$channel, oneOrEach:$zeroFits, stepsMatch:$areSteps,
              scalesOfProducts:$scales, noZero:$none32);
}

class ConvTransposeOfSteps<string result, string bias, string biasFits>
    : Rewrite<[{ ConvTranspose(Dequantize(x, sx, zx, axis: ax), Dequantize(w, sw, zw, axis: aw), b,
                               strides: st, pads: pd, dilations: dl, outputPadding: op, group: g)
                 => Slice(pixelsOfBlocks(blocks, st), [0, 0, *take(pd, n)], [1, 1, *repeat(1, n)],
                          [shape(x)[0], d, *pixels]) }],
              (ins "u8[1,4,5,4]":$x, "f32[] in 0.5..0.5":$sx, "u8[] in 2..2":$zx, "i8[4,3,3,2]":$w,
               "f32[3] in 0.25..0.75":$sw, "i8[3] in 0..0 constant":$zw, bias:$b),
              "ax = -1; aw = 1; st = [2, 3]; pd = [1, 1, 0, 1]; dl = [1, 2]; op = [1, 0]; g = 2"> {
  let condition = [{
    biasIsThere && prod(apart) <= 4 && allAtLeast(pd, 0) && allAtLeast(op, 0) &&
    numberOf(zw) == numberOf(zw) && areSteps && sumsFit(shape(x)[1] / g * prod(taps), x, zx, w, zw)
  }];
  let beforeFolding = 1;
  let with = (bind result:$blocks, biasFits:$biasIsThere, "1":$channel, oneOrEach:$zeroFits,
              stepsMatch:$areSteps, noZero:$none32,
                   "size(st)":$n, "shape(w)[1] * g":$d,
                   "blockTaps(windowExtent(drop(shape(w), 2), apart), st, op)":$taps,
                   "if(prod(st) == 1, repeat(1, n), dl)":$apart,
                   "if(prod(st) == 1, dl, repeat(1, n))":$dilation,
                   [{croppedExtent(spreadExtent(drop(shape(x), 2), drop(shape(w), 2), st, dl, op),
                     pd)}]:$pixels,
                   [{Reshape(Broadcast(Broadcast(widened(sw), [shape(w)[1]]), [g, shape(w)[1]],
                     axis: 1), [d])}]:$ofChannels,
                   [{forBlocks(ofChannels * Broadcast(widened(Reshape(sx, [])), [d]), d,
                     prod(st))}]:$scales,
                   [{ConvInteger(x, blockFilter(spreadTaps(asByte(w), apart, numberOf(zw)), st,
                     taps, g, numberOf(zw)), Reshape(zx, []), asByte(Splat(numberOf(zw), [],
                     kind(zw))), repeat(1, n), [*((taps - 1) * dilation), *((taps - 1) *
                     dilation)], dilation, g)}]:$products,
                   "Dequantize(products, scales, none32, 1)":$sums,
                   [{[shape(x)[0], d * prod(st), *(drop(shape(x), 2) + (taps - 1) *
                     dilation)]}]:$all);
}
def ConvTransposeOfStepsWithoutBias
    : ConvTransposeOfSteps<"asKind(sums, kind(sx))", "", "!present(b)">;
def ConvTransposeOfStepsWithBias
    : ConvTransposeOfSteps<[{asKind(sums + Broadcast(forBlocks(widened(b), d, prod(st)), all, axis:
                             1), kind(sx))}], "f32[6]", "present(b)">;

//===----------------------------------------------------------------------===//
// Back to few bits
//===----------------------------------------------------------------------===//

class QuantizeOfSums<code equation, dag more, string values, string moreFits>
    : Rewrite<equation,
              !con((ins "i32[2,3] in -99..99":$q, "f32[3] in 0.5..0.75":$s,
                    "i32[] in 0..0 constant":$z,
                        "f32[] in 0.25..0.25":$t, "u8[] in 3..3":$y), more), values> {
  let condition = [{
    kind(q) == elementKind("i32") && kind(s) == kind(t) && bitsOf(kind(s)) >= 32
        && numberOf(z) == 0.0 && elements(t) == 1 &&
    elements(y) == 1 && fits
  }];
  let beforeFolding = 1;
  let with = (bind "s / Broadcast(Reshape(t, []), shape(s))":$factor, moreFits:$fits);
}
def QuantizeOfSumsAlone
    : QuantizeOfSums<[{Quantize(Dequantize(q, s, z, axis: a), t, y, axis: c) => Requantize(q,
                       factor, y, none, a)}], (ins), "a = 1; c = -1", "true">;
def QuantizeOfSumsWithBias
    : QuantizeOfSums<[{ Quantize(Dequantize(q, s, z, axis: a) + Broadcast(b, dims: d, axis: e), t,
                                 y, axis: c)
                        => Requantize(q, factor, y, b / Broadcast(Reshape(t, []), shape(b)), a) }],
                     (ins "f32[3]":$b), "a = 1; c = -1; d = [2, 3]; e = 1",
                     [{rank(b) == 1 && (elements(b) == 1 || if(e < 0, rank(q) - 1, e) == if(a < 0,
                       rank(q) - 1, a))}]>;

// Quantization is monotonic, as the scale is positive: each of the two operands is
// quantized to the scale of the result first.
class QuantizeOfExtreme<Node extreme_>
    : Rewrite<[{ Quantize(extreme(Dequantize(q, s, z, axis: a), Dequantize(p, t, y, axis: b)), u, o,
                          axis: c)
                 => extreme(Quantize(Dequantize(q, s, z, a), u, o, c),
                            Quantize(Dequantize(p, t, y, b), u, o, c)) }],
              (ins "i8[2,3]":$q, "f32[] in 0.5..0.5":$s, "i8[] in 1..1":$z, "u8[2,3]":$p,
               "f32[] in 0.25..0.25":$t, "u8[] in 9..9":$y,
                   "f32[] in 0.75..0.75 constant":$u, "i8[] in 4..4":$o),
                   "a = -1; b = -1; c = -1"> {
  let condition = [{elements(u) == 1 && elements(o) == 1 && numberOf(u) > 0.0
                    && bitsOf(kind(q)) == 8 && bitsOf(kind(p)) == 8 && bitsOf(kind(o)) == 8}];
  let beforeFolding = 1;
  let once = 1;
  let with = (bind extreme_:$extreme);
}
def QuantizeOfMax : QuantizeOfExtreme<Max>;
def QuantizeOfMin : QuantizeOfExtreme<Min>;

// Bytes become pixels, and pixels bytes of channels.
class QuantizeOfBlocks<Node blocks_, string x>
    : Rewrite<[{Quantize(blocks(x, block: b, columnsFirst: f), s, z, axis: a) => blocks(Quantize(x,
                s, z), b, f)}],
              (ins x:$x, "f32[] in 0.5..0.5":$s, "i8[] in 1..1":$z), "a = -1; b = 2; f = true"> {
  let condition = "elements(s) == 1 && elements(z) == 1";
  let beforeFolding = 1;
  let once = 1;
  let with = (bind blocks_:$blocks);
}
def QuantizeOfDepthToSpace : QuantizeOfBlocks<DepthToSpace, "f32[1,8,2,3]">;
def QuantizeOfSpaceToDepth : QuantizeOfBlocks<SpaceToDepth, "f32[1,2,4,6]">;

} // let needs

// Transposing after the node moves fewer bytes.
def RequantizeOfTranspose
    : Rewrite<[{Requantize(Transpose(q, permutation: p), f, z, o, axis: a) =>
                Transpose(Requantize(q, f, z, o, if(a < 0, a, p[a])), p)}],
              (ins "i32[2,3] in -99..99":$q, "f32[3] in 0.25..0.75":$f, "u8[] in 3..3":$z,
               "f32[3]":$o), "p = [1, 0]; a = 0"> {
  let condition = [{rank(f) <= 1 && rank(z) <= 1 && (!present(o) || rank(o) <= 1) && (a >= 0
                    || elements(f) == 1 && elements(z) == 1 && (!present(o) || elements(o) == 1))}];
}
// A table applies to every element, independently of its position.
def LookupOfTranspose
    : Rewrite<[{IntLookupTable(Transpose(q, permutation: p), t) => Transpose(IntLookupTable(q, t),
                p)}],
              (ins "u8[2,3] in 0..255":$q, "u8[256]":$t), "p = [1, 0]">;

// Where the zero point is the least integer, negative numbers become it anyway.
def QuantizeOfRelu
    : Rewrite<"Quantize(Relu(x), s, z, axis: a) => Quantize(x, s, z, a)",
              (ins "f32[2,3]":$x, "f32[] in 0.5..0.5 constant":$s, "u8[] in 0..0 constant":$z),
              "a = -1"> {
  let condition = "numberOf(s) > 0.0 && numberOf(z) == lowestOf(kind(z))";
  let beforeFolding = 1;
}
// The same holds for bounds that become the least and the greatest integer.
def QuantizeOfClip
    : Rewrite<"Quantize(Clip(x, low: l, high: h), s, z, axis: a) => Quantize(x, s, z, a)",
              (ins "f32[2,3]":$x, "f32[] in 0.25..0.25 constant":$s, "u8[] in 0..0 constant":$z),
              "a = -1; l = 0.0; h = 70.0"> {
  let condition = [{
    (bitsOf(kind(z)) == 8 || bitsOf(kind(z)) == 16) && numberOf(s) > 0.0 && l / numberOf(s)
        + numberOf(z) < lowestOf(kind(z)) + 0.49 &&
    h / numberOf(s) + numberOf(z) > lowestOf(kind(z)) + if(bitsOf(kind(z)) == 8, 254.51, 65534.51)
  }];
  let beforeFolding = 1;
}

#endif // GLOW_REWRITES_QUANTIZATION
