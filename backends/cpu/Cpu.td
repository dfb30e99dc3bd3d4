//===- Cpu.td - the host's processor, by way of LLVM ----------------------===//
// SPDX-License-Identifier: MIT
//
// Images of many channels are kept in blocks of 16 channels, [c/16, n, *x, 16]:
// what a pixel has of a block fills one vector. Nodes on other axes than the
// channels run on packed images as they are. The blocks come before the images of
// a batch, so that those of some channels are in one piece: concatenation copies
// nothing.
//
// The file has over 500 lines because each rewrite and each form of code of the
// backend is a record here, in the order in which they are tried.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_CPU
#define GLOW_CPU

include "cpu/Layers.td"

//===----------------------------------------------------------------------===//
// Images stay in blocks
//===----------------------------------------------------------------------===//

// The padding after the last channel is never read.
def PackOfUnpack : Rewrite<[{ CpuPack(CpuUnpack(x, channels: c)) => x }],
                             (ins "f32[2,1,3,16]":$x), "c = 32">;

// A packed image has one more dimension, which no window and no sum reaches.
class PoolOfUnpack<Node pool_>
    : Rewrite<[{ pool(CpuUnpack(x, channels: c), window: w, strides: s, pads: p, dilations: d)
                 => CpuUnpack(pool(x, [*w, 1], [*s, 1],
                                   [*take(p, size(w)), 0, *drop(p, size(w)), 0], [*d, 1]), c) }],
              (ins "f32[2,1,5,5,16]":$x),
              "c = 19; w = [3, 3]; s = [2, 2]; p = [1, 1, 0, 1]; d = [1, 1]"> {
  let condition = "size(w) <= 2";
  let with = (bind pool_:$pool);
}
def MaxPoolOfUnpack : PoolOfUnpack<MaxPool>;
def AvgPoolOfUnpack : PoolOfUnpack<AvgPool>;

// The largest of a stack of planes is that of what is largest in each plane.
def MaxPoolOfPlanes
    : Rewrite<[{ MaxPool(CpuUnpack(x, channels: c), window: w, strides: s, pads: p, dilations: d)
                 => CpuUnpack(Reshape(MaxPool(Reshape(MaxPool(Reshape(x,
                     [images, *drop(shape(x), 2)]), [*drop(w, 1), 1], [*drop(s, 1), 1],
                                                              [p[1], p[2], 0, p[4], p[5], 0],
                                                                  [*drop(d, 1), 1]),
                                                      [images, 1, shape(x)[2], y[1] * y[2] * 16]),
                                              [w[0], 1], [s[0], 1], [p[0], 0, p[3], 0], [d[0], 1]),
                                              [*take(shape(x), 2), *y, 16]), c) }],
              (ins "f32[2,1,4,5,5,16]":$x),
              "c = 19; w = [2, 3, 3]; s = [2, 1, 2]; p = [0, 1, 1, 1, 0, 1]; d = [1, 1, 1]"> {
  let condition = "size(w) == 3";
  let before = [MaxPoolOfUnpack];
  let with = (bind "shape(x)[0] * shape(x)[1]":$images,
              "windowCount(take(drop(shape(x), 2), 3), w, s, p, d)":$y);
}

// Images with channels last are those of one more image and dimension.
def isChannelsLast : Let<(ins Ints:$order),
                         "order == [0, size(order) - 1, *range(1, size(order) - 1)]">;
def MaxPoolOfChannelsLast
    : Rewrite<[{ MaxPool(Transpose(x, permutation: o), window: w, strides: s, pads: p, dilations: d)
                 => Transpose(Reshape(MaxPool(Reshape(x, [1, *shape(x)]), [*w, 1], [*s, 1],
                                              [*take(p, k), 0, *drop(p, k), 0], [*d, 1]),
                                      [shape(x)[0], *windowCount(sizes, w, s, p, d),
                                       shape(x)[k + 1]]), o) }],
              (ins "f32[2,5,5,3]":$x),
              "o = [0, 3, 1, 2]; w = [3, 3]; s = [2, 2]; p = [1, 1, 0, 1]; d = [1, 1]"> {
  let condition = "k <= 2 && isChannelsLast(o)";
  let backend = "cpu";
  let with = (bind "size(w)":$k, "take(drop(shape(x), 1), size(w))":$sizes);
}

// A bias of integers comes before their sums move.
def AddOfTransposedSums
    : Rewrite<[{ Transpose(x, permutation: o) + Broadcast(b, dims: d, axis: a)
                 => Transpose(x + Broadcast(b, shape(x), axis: o[a]), o) }],
              (ins "i32[2,5,3]":$x, "i32[3]":$b), "o = [0, 2, 1]; d = [2, 3, 5]; a = 1"> {
  let condition = "kind(x) == elementKind(\"i32\") && rank(b) == 1 && a >= 0";
  let backend = "cpu";
}

class ReduceOfUnpack<Node reduce_>
    : Rewrite<[{reduce(CpuUnpack(x, channels: c), axes: a, keepDims: k) => CpuUnpack(reduce(x, a,
                true), c)}],
              (ins "f32[2,1,5,5,16]":$x), "c = 19; a = [2, 3]; k = true"> {
  let condition = "k && allAtLeast(a, 2)";
  let with = (bind reduce_:$reduce);
}
def ReduceMeanOfUnpack : ReduceOfUnpack<ReduceMean>;
def ReduceMaxOfUnpack : ReduceOfUnpack<ReduceMax>;

// The sums that are the gradients of a bias and of a normalization: of all images, or of all
// pixels of an image. The padding after the last channel is left out at the end.
def SumOfImagesOfUnpack
    : Rewrite<[{ ReduceSum(CpuUnpack(x, channels: c), axes: a, keepDims: k)
                 => Slice(Reshape(ReduceSum(x, range(1, rank(x) - 1), false),
                                  [16 * shape(x)[0]]), [0], [1], [c]) }],
              (ins "f32[2,3,5,4,16]":$x), "c = 19; a = [0, 2, 3]; k = false"> {
  let condition = "!k && a == [0, *range(2, rank(x) - 1)]";
}
def SumOfPixelsOfUnpack
    : Rewrite<[{ ReduceSum(CpuUnpack(x, channels: c), axes: a, keepDims: k)
                 => Reshape(CpuUnpack(ReduceSum(x, a, true), c), [shape(x)[1], c]) }],
              (ins "f32[2,3,5,4,16]":$x), "c = 19; a = [2, 3]; k = false"> {
  let condition = "!k && a == range(2, rank(x) - 1)";
  let before = [SumOfImagesOfUnpack];
}
def ReduceSumOfUnpack : ReduceOfUnpack<ReduceSum> {
  let before = [SumOfImagesOfUnpack, SumOfPixelsOfUnpack];
}

// The 16 channels of a block are an axis that stays as it is, as the first two do.
def ResizeOfUnpack
    : Rewrite<[{ Resize(CpuUnpack(x, channels: c), dims: d, scales: s, mode: m, coordinates: co,
                        rounding: ro, cubicCoefficient: cc, excludeOutside: ex)
                 => CpuUnpack(Resize(x, [*take(shape(x), 2), *drop(d, 2), 16],
                                     pickReals(s, [*range(0, size(d)), 0]), m, co, ro, cc, ex),
                              c) }],
              (ins "f32[2,1,3,4,16]":$x),
              [{c = 19; d = [1, 19, 6, 8]; s = [1.0, 1.0, 2.0, 2.0]; m = "linear";
                co = "half_pixel"; ro = "floor"; cc = -0.75; ex = false}]> {
  let condition = "d[0] == shape(x)[1] && d[1] == c && pickReals(s, [0, 1]) == [1.0, 1.0]";
}

//===----------------------------------------------------------------------===//
// Integers as real numbers
//===----------------------------------------------------------------------===//

// A whole number that becomes a byte, and a real number again, is only kept in range, and NaN
// becomes 0: what follows need not wait for bytes.
class RealsOfBytes<code equation, dag operands, string values, string isWhole>
    : Rewrite<equation, operands, values> {
  let condition = [{
    bitsOf(k) == 8 && !isFloat(k) && isFloat(f) && bitsOf(f) == 32 && isFloat(kind(x))
        && bitsOf(kind(x)) == 32 && whole
  }];
  let backend = "cpu";
  let once = 1;
  let with = (bind isWhole:$whole, "Splat(0.0, shape(x), f)":$none);
}
def RealsOfRounded
    : RealsOfBytes<[{ Cast(Cast(Round(x), kind: k), kind: f)
                      => Select(IsNan(x), none,
                                Clip(Round(x), lowestOf(k), lowestOf(k) + 255.0)) }],
                   (ins "f32[2,3] in -300..300":$x),
                   "k = elementKind(\"i8\"); f = elementKind(\"f32\")", "true">;
def RealsOfShifted
    : RealsOfBytes<[{ Cast(Cast(Round(x) + Broadcast(c, dims: d, axis: a), kind: k), kind: f)
                      => Select(IsNan(x), none,
                                Clip(Round(x) + Broadcast(c, d, axis: a), lowestOf(k),
                                     lowestOf(k) + 255.0)) }],
                   (ins "f32[2,3] in -300..300":$x, "f32[] in 3..3 constant":$c),
                   "k = elementKind(\"u8\"); f = elementKind(\"f32\"); d = [2, 3]; a = -1",
                   "numberOf(c) == floor(numberOf(c))">;

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

// The weights of a leaf are a row of the table.
def SumOfTreeLeaves
    : Rewrite<[{ ReduceSum(Gather(w, CpuTreeLeaves(x, nodes, roots), axis: g), axes: a, keepDims: k)
                 => Reshape(CpuTreeSums(x, nodes, roots, w),
                            if(k, [shape(x)[0], 1, shape(w)[1]], [shape(x)[0], shape(w)[1]])) }],
              (ins "f32[11,2]":$x, "i64[4,2] in 0..1":$nodes, "i64[10] in 0..3":$roots,
               "f32[2,3]":$w), "g = 0; a = [1]; k = false"> {
  let condition = "g == 0 && a == [1] && rank(w) == 2 && kind(w) == kind(x)";
  let rounds = 1;
  let beforeSteps = 1;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

// The formula from products to scores: x0 is the products, x1 the bias, x2 the filter and x3
// the mask of visible keys. Absent operands are left out.
def : Function<"scoreFormula", ["real", "real", "bool", "bool", "bool", "real"],
               "text"> { let declare = 1; }

def rankedAs4 : Let<(ins Tensor:$x, Tensor:$like),
    [{if(present(x), asKind(Reshape(x, [*repeat(1, 4 - rank(x)), *shape(x)]), kind(like)),
      Splat(0.0, [1, 1, 1, 1], kind(like)))}]>;

// Attention as one kernel call. The kernel has no sinks, and a softmax for every query.
def AttentionWhole : Lowering<Attention, [{
  require(bitsOf(kind(q)) <= 32 && !present(sink) && !blank,
          "the kernel is of f32, with all queries and no sinks");
  each = [0, 2, 1, 3];
  rows = CpuAttention(Reshape(Transpose(q, each), [b, s, h * d]),
                      Reshape(Transpose(sharedHeads(k, h), each), [b, t, h * d]),
                      Reshape(Transpose(sharedHeads(v, h), each), [b, t, h * e]),
                      [rankedAs4(bias, q), rankedAs4(filter, q), rankedAs4(seen, q)], h, d, e,
                      [0, 0, 0],
                      scoreFormula(scale, softcap, present(bias), present(filter), present(seen),
                                   unseen));
  out = Transpose(Reshape(rows, [b, s, h, e]), each);
}]> {
  let condition = "h >= 1 && d >= 1 && e >= 1";
  let backend = "cpu";
}

//===----------------------------------------------------------------------===//
// Transposed convolutions with few channels
//===----------------------------------------------------------------------===//

// A vector has 16 channels of a pixel. Where the result has few, a product gives what each
// pixel adds to the result, and these patches are summed. An element of a patch takes c / 20
// cycles of the product and 6.5 of the sum, where a convolution takes c / (3 * dg) (measured
// on Zen 5). Patches of a long filter that moves by little are many times the result: 16 MiB
// of them are the most where they are more than 16 times as large.
def imageOfPatches : Let<(ins Ints:$x, Ints:$r, Ints:$strides, Ints:$pads, Ints:$dilations,
                          Ints:$outputPadding),
                         [{croppedExtent(spreadExtent(x, r, strides, dilations, outputPadding),
                           pads)}]>;
def arePatchesFew : Let<(ins Int:$n, Int:$c, Ints:$x, Int:$dg, Ints:$r, Ints:$strides, Ints:$pads,
                         Ints:$dilations, Ints:$image), [{
  c * (20 - 3 * dg) > 390 * dg && prod(r) >= 2 && prod(x) * prod(r) <= max(4194304 / max(n * dg, 1),
      16 * prod(image))
  && allAtLeast(pads, 0) && windowCount(image, r, strides, pads, dilations) == x
}]>;
def isSumOfPatches : Let<(ins Int:$n, Int:$c, Ints:$x, Int:$dg, Ints:$r, Int:$group, Ints:$strides,
                          Ints:$pads, Ints:$dilations, Ints:$outputPadding), [{
  group == 1 && dg >= 1 && arePatchesFew(n, c, x, dg, r, strides, pads, dilations,
                                         imageOfPatches(x, r, strides, pads, dilations,
                                                        outputPadding))
}]>;
def ConvTransposeOfFew : Lowering<ConvTranspose, [{
  require(isFloat(kind(in)), "sums of integers stay as they are");
  columns = Transpose(Reshape(widened(filter), [c, dg * prod(r)]), [1, 0]);
  patches = MatMul(Broadcast(columns, [n, dg * prod(r), c]), Reshape(widened(in), [n, c, prod(x)]));
  image = imageOfPatches(x, r, strides, pads, dilations, outputPadding);
  sums = SumPatches(Reshape(patches, [n, dg, *r, *x]), image, strides, pads, dilations);
  out = asKind(if(present(bias), sums + Broadcast(widened(bias), shape(sums), axis: 1), sums),
               kind(in));
}]> {
  let condition = "isSumOfPatches(n, c, x, dg, r, group, strides, pads, dilations, outputPadding)";
  let backend = "cpu";
}

include "cpu/library/Kernels.td"

def JustF32 : Kinds<["f32"]>;

//===----------------------------------------------------------------------===//
// Code, the fastest first
//===----------------------------------------------------------------------===//

// A node that the graph's passes make for packed images.
class Packed<Node node, Node packed, string condition>
    : CodeFor<[node], "", (kinds JustF32:$T), condition, ["filter", "bias"]> {
  let becomes = packed;
  let vectors = 1;
}

class Code<list<Node> nodes, string algorithm, string function, string condition = "",
           list<string> known = []>
    : CodeFor<nodes, algorithm, (kinds JustF32:$T), condition, known> {
  let emitter = function;
}

// Tiles of 16 lanes. A processor without registers of vectors runs the loops of the
// node's record, whose tiles are as many floats as it has registers.
class Tiled<list<Node> nodes, string algorithm, string function, string condition = "",
            list<string> known = []>
    : Code<nodes, algorithm, function, condition, known> {
  let vectors = 1;
}

// A filter of a run, as that of a weight in training, is packed in each run.
class ConvCodeOfRun<Node node, string algorithm, string function, string condition>
    : Tiled<[node], algorithm, function, condition, ["bias"]>;
// Other filters are packed when the program is compiled.
class ConvCode<Node node, string algorithm, string function, string condition>
    : Tiled<[node], algorithm, function, condition, ["filter", "bias"]>;

// Rows, planes or stacks of planes, of which something is summed.
def isSummed : Let<(ins Ints:$image, Int:$channels, Ints:$window),
                   "size(image) <= 3 && channels >= 1 && allAtLeast(window, 1)">;
// A pool behind a convolution is of rows or planes.
def takesPool : Let<(ins Ints:$pool), "size(pool) <= 2 || pool == repeat(1, 3)">;

def eachChannelAlone : Let<(ins Int:$channels, Int:$perGroup, Int:$groups),
                           "perGroup == 1 && groups == channels">;
// Groups that lie side by side in blocks.
def groupsShareBlocks : Let<(ins Int:$channels, Int:$perGroup, Int:$groups),
                            [{channels == perGroup * groups && perGroup < 16
                              && 16 % max(perGroup, 1) == 0}]>;
def groupsFillBlocks : Let<(ins Int:$channels, Int:$perGroup, Int:$groups),
                           "perGroup % 16 == 0 && channels / groups % 16 == 0">;

// Packed, a filter computes 16 channels of one pixel from one channel of one tap at a
// time. The loops of the record take several pixels: of one channel to one, 0.1 to 0.6 of
// the time, to four 0.1 to 0.8, and of filters of 256 taps to 36 channels 0.7. To 8
// channels by 32 taps they take 1.3 times as long (measured on Zen 4).
def isFilterOfOne : Let<(ins Ints:$r, Int:$d, Int:$cg, Int:$group),
                        "group == 1 && cg == 1 && (d <= 4 || d <= 48 && prod(r) >= 128)">;
// A run may give the number of images, but not none of them, and images of one size.
def takesImages : Let<(ins Int:$n, Ints:$x), "(isFixed(n) || n >= 1) && isFixed(prod(x))">;
// It may also give the height, width and pads of planes, and those of rows.
def takesPlanes : Let<(ins Int:$n, Ints:$x),
    "takesImages(n, x) || size(x) <= 2 && (isFixed(n) || n >= 1) && allAtLeast(x, 1)">;
def PackedConv
    : Packed<Conv, CpuConv, [{size(x) <= 3 && !isFilterOfOne(r, d, cg, group)
                              && (group == 1 || groupsFillBlocks(d, cg, group)
                                  || d >= 16 && cg >= 1 && groupsShareBlocks(d, cg, group))
                              && takesPlanes(n, x)}]> {
  let takesLengths = 1;
}
// A bias of a run is added behind the convolution.
def PackedConvOfRun
    : CodeFor<[Conv], "", (kinds JustF32:$T),
              [{size(x) <= 3 && !isFilterOfOne(r, d, cg, group)
                && (group == 1 || groupsFillBlocks(d, cg, group)
                    || d >= 16 && cg >= 1 && groupsShareBlocks(d, cg, group))
                && takesPlanes(n, x)}]> {
  let becomes = CpuConv;
  let vectors = 1;
  let takesLengths = 1;
}
// Where code is that of the processor's products of bytes: of all channels, of groups
// that fill vectors, or of each channel alone, whose sums f32 has exactly.
def isByteDepthwise : Let<(ins Ints:$window, Int:$channels, Int:$perGroup, Int:$groups),
                          [{groups > 1 && allAtLeast(window, 1) && prod(window) <= 258
                            && eachChannelAlone(channels, perGroup, groups)}]>;
def isByteConv : Let<(ins Ints:$window, Int:$channels, Int:$perGroup, Int:$groups),
                     [{groups == 1 || isByteDepthwise(window, channels, perGroup, groups)
                       || perGroup % 4 == 0 && channels / groups % 16 == 0}]>;
class Bytewise<Node node, string condition, list<string> known>
    : CodeFor<[node], "", (kinds Bytes:$A), condition, known> {
  let becomes = CpuConvInteger;
}
def BytewiseConv
    : Bytewise<ConvInteger, "isByteConv(r, d, cg, group) && takesImages(n, x)",
               ["filter", "filterZero"]> {
  let takesLengths = 1;
}
def BytewiseMatMul : Bytewise<MatMulInteger, "size(b) == 0 && prod(y) == 1", ["rhs", "rhsZero"]>;

def PackedConvTranspose
    : CodeFor<[ConvTranspose], "", (kinds JustF32:$T),
              [{size(x) <= 2 && c >= 16 && group == 1 && dilations == repeat(1, size(x))
                && !isSumOfPatches(n, c, x, dg, r, group, strides, pads, dilations,
                                   outputPadding)}]> {
  let becomes = CpuConvTranspose;
  let vectors = 1;
}

let takesLengths = 1 in {
def DepthwiseConv
    : ConvCodeOfRun<CpuConv, "depthwise", "emitDepthwise",
               [{isSummed(x, cg, r) && l == 16 && eachChannelAlone(d, cg, group)
                 && pool == repeat(1, size(x)) && takesPlanes(n, x)}]>;
def GroupedConv
    : ConvCodeOfRun<CpuConv, "grouped", "emitDepthwise",
               [{isSummed(x, cg, r) && l == 16 && groupsShareBlocks(d, cg, group)
                 && pool == repeat(1, size(x)) && takesPlanes(n, x)}]>;
def WinogradConv
    : ConvCodeOfRun<CpuConv, "winograd", "emitWinograd",
               [{l == 16 && cg >= 1 && cg % 16 == 0 && group == 1 && size(r) >= 2
                 && drop(r, size(r) - 2) == [3, 3] && allAtLeast(r, 1)
                 && take(strides, size(r) - 2) == repeat(1, size(r) - 2)
                 && (drop(strides, size(r) - 2) == [1, 1] || drop(strides, size(r) - 2) == [2, 2])
                 && dilations == repeat(1, size(r)) && takesPool(pool) && takesPlanes(n, x)
                 && (isFixed(n * prod(x)) || pool == repeat(1, size(x)))}]> {
  let mayDecline = 1;
  let fewerOperations = 1;
}
}
// Halves of the channels are multiplied and summed.
def StrassenConv
    : ConvCode<CpuConv, "strassen", "emitStrassen",
               [{isSummed(x, cg, r) && l == 16 && cg % 32 == 0 && group == 1 && prod(r) == 1
                 && pool == repeat(1, size(x))}]> {
  let mayDecline = 1;
  let fewerOperations = 1;
}
def DirectConv
    : ConvCodeOfRun<CpuConv, "direct", "emitDirect",
               [{isSummed(x, cg, r) && takesPool(pool) && (group == 1 || l == 16
                 && groupsFillBlocks(d, cg, group)) && takesPlanes(n, x)
                 && (isFixed(prod(x)) || pool == repeat(1, size(x)))}]> {
  let takesLengths = 1;
}
// With strides of 1, a transposed convolution is one by the turned filter.
def WinogradConvTranspose
    : ConvCodeOfRun<CpuConvTranspose, "winograd", "emitWinograd",
               [{c >= 1 && c % 16 == 0 && d >= 1 && group == 1 && r == [3, 3]
                 && strides == [1, 1] && dilations == [1, 1] && allAtLeast(pads, 0)
                 && allAtLeast(2 - pads, 0) && allAtLeast([n, *x], 1)}]> {
  let mayDecline = 1;
  let fewerOperations = 1;
}
def DirectConvTranspose
    : ConvCodeOfRun<CpuConvTranspose, "direct", "emitConvTranspose",
               [{size(x) <= 2 && isSummed(x, c, r) && group == 1
                 && dilations == repeat(1, size(x))}]>;
def WinogradFilterGradient
    : Tiled<[CpuConvFilterGradient], "winograd", "emitWinogradGradient",
            [{l == 16 && group == 1 && window == [3, 3] && strides == [1, 1]
              && dilations == [1, 1] && channels >= 1 && allAtLeast([b, n, *x, e], 1)}]> {
  let mayDecline = 1;
  let fewerOperations = 1;
}
def FilterGradientByTiles
    : Tiled<[CpuConvFilterGradient], "tiles", "emitFilterGradient",
            [{size(x) <= 2 && allAtLeast([b, n, *x, e, *window], 1)
              && (group == 1 || (l == 16 && channelsIn >= 2 && channels >= 2 * group))}]> {
  let mayDecline = 1;
}
def DepthwiseFilterGradient
    : Tiled<[CpuConvFilterGradient], "depthwise", "emitDepthwiseGradient",
            [{size(x) <= 2 && l == 16 && eachChannelAlone(channels, channelsIn, group)
              && allAtLeast([b, n, *x, *window], 1)}]> {
  let mayDecline = 1;
}
def MaxPoolGradientByWindows
    : Tiled<[CpuMaxPoolGradient], "windows", "emitPoolGradient",
            "allAtLeast([b, n, *x], 1)"> {
  let mayDecline = 1;
}
def DepthwiseConvInteger
    : CodeFor<[CpuConvInteger], "depthwise", (kinds Bytes:$A),
              "isByteDepthwise(r, d, cg, group) && takesImages(n, x)",
              ["filter", "bias"]> {
  let vectors = 1;
  let takesLengths = 1;
  let emitter = "emitDepthwiseInteger";
}
def DirectConvInteger
    : CodeFor<[CpuConvInteger], "bytes", (kinds Bytes:$A),
              "isByteConv(r, d, cg, group) && takesImages(n, x)", ["filter", "bias"]> {
  let takesLengths = 1;
  let emitter = "emitConvInteger";
}
def Bottleneck
    : Tiled<[CpuBottleneck], "bottleneck", "emitBottleneck", "c >= 1 && e >= 1",
           ["expand", "expandBias", "depthwise", "depthwiseBias", "project", "bias"]>;

def SparseMatMul : Tiled<[CpuMatMul], "sparse", "emitSparseMatMul", "sparse && n == 1 && k >= 1",
                         ["rhs"]> {
  let mayDecline = 1;
  let fewerOperations = 1;
}
// Halves of 16 lanes are multiplied and summed.
def StrassenMatMul : Tiled<[CpuMatMul], "strassen", "emitStrassen", "k >= 1 && k % 32 == 0",
                           ["rhs"]> {
  let mayDecline = 1;
  let fewerOperations = 1;
}
def TiledMatMul : Tiled<[CpuMatMul], "tiles", "emitMatMul",
                        "k >= 1 && isFixed(k) && isFixed(m)"> {
  let takesLengths = 1;
}
def TiledProducts : Tiled<[MatMul], "tiles", "emitMatMul", "k >= 1">;
// Few rows are multiplied by rows as they are. More are worth a transposed panel in the
// memory of a thread.
def RowProducts : Tiled<[CpuMatMulTransposed], "rows", "emitRowProducts",
                        "k >= 1 && allAtLeast([n, m, *b], 1)"> {
  let mayDecline = 1;
}
def TiledTransposed : Tiled<[CpuMatMulTransposed], "tiles", "emitMatMul",
                            "k >= 1 && allAtLeast([n, m, *b], 1)">;
// A second matrix that is no constant is packed in each run. Few rows do not pay for it.
def QuadProducts : CodeFor<[MatMulInteger], "quads", (kinds Bytes:$A),
                           "n >= 4 && allAtLeast([k, m, *b], 1) && prod(y) == 1 && prod(z) == 1"> {
  let emitter = "emitMatMulInteger";
  let vectors = 1;
  let mayDecline = 1;
}

// Weights of few bits stay packed.
class Blocks<string algorithm, string function>
    : Tiled<[MatMulNBits], algorithm, function, "k >= 1 && m >= 1 && prod(b) >= 1",
            ["codes", "scales", "zeros", "realZeros"]> {
  let absent = ["groups"];
}
def BlockHalves : Blocks<"tiles", "emitBlockHalves"> {
  let mayDecline = 1;
}
def BlockMatMul : Blocks<"16 bits", "emitBlockMatMul"> {
  let mayDecline = 1;
}
def BlockFloats : Blocks<"floats", "emitBlockFloats">;
def FusedAttention : Code<[CpuAttention], "attention", "emitAttention",
                          "t >= 1 && isFixed(mq) && isFixed(mk) && isFixed(mv)"> {
  let takesLengths = 1;
}
// Weights of a run are packed in each run.
class OfCells<list<Node> nodes, string function>
    : Tiled<nodes, "cells", function, "t >= 1 && n >= 1 && h >= 1 && isFixed(h)"> {
  let takesLengths = 1;
}
def Cells : OfCells<[Rnn, Gru, Lstm], "emitRecurrent">;
def CellsBackward : OfCells<[RnnBackward, LstmBackward], "emitRecurrentBackward"> {
  let absent = ["lengths"];
  let takesLengths = 0;
}
// Pointwise nodes alone.
def FusedElementwise : CodeFor<[CpuFusedLoops], "formula"> {
  let emitter = "emitFusedElementwise";
  let mayDecline = 1;
}
// Loops of index notation, with what is fused in the statement.
def FusedLoops : CodeFor<[CpuFusedLoops], "loops"> {
  let emitter = "emitFusedLoops";
  let mayDecline = 1;
  let takesLengths = 1;
}
def Rows : CodeFor<[Gather], "rows", (kinds), "d >= 1"> {
  let emitter = "emitGather";
}
def SizesOfRun : CodeFor<[Literal], "numbers"> {
  let emitter = "emitLiteral";
  let mayDecline = 1;
  let takesLengths = 1;
}
def Lookup : CodeFor<[IntLookupTable], "table"> {
  let emitter = "emitLookup";
  let takesLengths = 1;
}
def Conversion : CodeFor<[Cast], "conversion"> {
  let emitter = "emitCast";
  let takesLengths = 1;
}
def Copy : CodeFor<[], "copy"> {
  let instrs = ["copy"];
  let emitter = "emitCopy";
  let takesLengths = 1;
}

def ProcessorOption
    : BackendOption<"cpu", "text", "",
                    "processor of the code, as clang's -mcpu; "
                    "default: the host's, or the least of another target"> {
  let value = "NAME";
}
// For tests of code for a processor that is not available.
def ModelTilesOption
    : BackendOption<"model-tiles", "bool", "false",
                    "whether code calls a model of AMX's tiles in place of the processor's own: "
                    "slow, and the same on every processor">;
def ArenaLimitOption
    : BackendOption<"arena-limit", "size", "",
                    "bytes of the arena, with what kernels take on one thread; "
                    "algorithms that need more are not chosen; "
                    "default: none, for a bundle 1.05 times the live buffers">;
def TargetOption : BackendOption<"target", "text", "",
                                 "target triple of the code, as clang takes it; "
                                 "default: the host"> {
  let value = "TRIPLE";
  let forFiles = 1;
}

def OptimizeOption
    : BackendOption<"optimize", "text", "speed",
                    "what code is chosen for: speed; size, small tiles and no copies of loops"> {
  let value = "speed|size";
  let forFiles = 1;
}

def VectorsOption
    : BackendOption<"vectors", "text", "auto",
                    "vectors of the code: auto, where the processor has registers of them; "
                    "none, loops over elements"> {
  let value = "auto|none";
  let forFiles = 1;
}

// By kernels of the library, which have vectors.
class WithVectors<list<Node> nodes, dag kinds> : Legal<nodes, kinds> {
  let vectors = 1;
}

def Cpu : Backend<"cpu"> {
  let summary = "the host's processor, by way of LLVM";
  let runsReference = 1;
  let preference = 1;
  let takesLengths = 1;
  let options = [ProcessorOption, TargetOption, ModelTilesOption, ArenaLimitOption, OptimizeOption,
                 VectorsOption];
  let runs = [WithVectors<[Softmax, LogSoftmax, LayerNorm, RMSNorm, Resize], (kinds JustF32:$T)>,
              Legal<[ArgMax, ArgMin, TopK], (kinds Kinds<["f32", "i32", "i64"]>:$T)>,
              WithVectors<[MatMulInteger], (kinds Bytes:$A)>];
  let linksKernels = 1;
  let kernels = LibraryKernels;
  let loops = Everything.names;
  let codes = [PackedConv, PackedConvOfRun, PackedConvTranspose, BytewiseConv,
               BytewiseMatMul, DepthwiseConvInteger, DirectConvInteger,
               DepthwiseConv, GroupedConv, WinogradConv, StrassenConv, DirectConv,
               WinogradConvTranspose, DirectConvTranspose, WinogradFilterGradient,
               FilterGradientByTiles, DepthwiseFilterGradient, MaxPoolGradientByWindows, Bottleneck,
               SparseMatMul, StrassenMatMul, TiledMatMul, TiledProducts, RowProducts,
               TiledTransposed, QuadProducts, BlockHalves, BlockMatMul, BlockFloats,
               FusedAttention, Cells, CellsBackward, FusedElementwise, FusedLoops, Rows,
               SizesOfRun, Lookup, Conversion, Copy];
}

#endif // GLOW_CPU
