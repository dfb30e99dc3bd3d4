//===- Convolution.td - neighbours of layers with weights -----------------===//
// SPDX-License-Identifier: MIT
//
// A layer is linear in its weights, so that constants behind it go into them. The new constants
// are folded, and rounded once more. They are computed in f32 or wider. A rewrite applies where
// the kind of the weights holds them: the largest weight of each channel with full precision,
// so that the loss of smaller ones is little beside it.
// A rewrite holds where sums of products are finite: infinities meet in another order of
// operations.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_REWRITES_CONVOLUTION
#define GLOW_REWRITES_CONVOLUTION

include "glow/functions/Kinds.td"
include "glow/nodes/Convolution.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Shape.td"

// Pixels of padding are zeros to a convolution.
def ConvOfPad
    : Rewrite<[{ Conv(Pad(x, begins: pb, ends: pe, value: 0), w, b, strides: st, pads: pd,
                      dilations: dl, group: g)
                 => Conv(x, w, b, st, pd + [*drop(pb, 2), *drop(pe, 2)], dl, g) }],
              (ins "f32[1,2,4,4]":$x, "f32[3,2,3,3]":$w, "f32[3]":$b),
              [{pb = [0, 0, 1, 0]; pe = [0, 0, 1, 2]; st = [1, 1]; pd = [0, 1, 0, 0]; dl = [1, 1];
                g = 1}]> {
  let condition = "take(pb, 2) == [0, 0] && take(pe, 2) == [0, 0]";
}

// A convolution of single pixels mixes no two pixels, and the weights of an interpolation
// add up to 1: so the convolution may come first, where there are fewer pixels.
def ConvOfResize
    : Rewrite<[{ Conv(Resize(x, dims: d, scales: s, mode: m, coordinates: co, rounding: ro,
                             cubicCoefficient: cc, excludeOutside: ex),
                      w, b, strides: st, pads: pd, dilations: dl, group: g)
                 => Resize(Conv(x, w, b, st, pd, dl, g), set(d, 1, shape(w)[0]), s, m, co, ro, cc,
                           ex) }],
              (ins "f32[1,2,4,3]":$x, "f32[3,2,1,1]":$w, "f32[3]":$b),
              [{ d = [1, 2, 8, 6]; s = [1.0, 1.0, 2.0, 2.0]; m = "linear"; co = "half_pixel";
                  ro = "floor"; cc = -0.75; ex = false;
                 st = [1, 1]; pd = [0, 0, 0, 0]; dl = [1, 1]; g = 1 }]> {
  let condition = [{
    (m == "nearest" || (m == "linear" && isFloat(kind(x)))) && prod(drop(shape(w), 2)) == 1
        && prod(st) == 1 && sum(pd) == 0 &&
    prod(d) > elements(x) && take(d, 2) == take(shape(x), 2) && pickReals(s, [0, 1]) == [1.0, 1.0]
  }];
  let once = 1;
  let holds = (upTo "sqrt(largest) / 64.0":$x, "sqrt(largest) / 64.0":$w,
               "sqrt(largest) / 64.0":$b);
  let rounds = 1;
}

//===----------------------------------------------------------------------===//
// A constant of each channel behind a convolution
//===----------------------------------------------------------------------===//

def productOf : Let<(ins Tensor:$x, Tensor:$by),
                    "asKind(widenedFloat(x) * widenedFloat(by), kind(x))">;
def sumOf : Let<(ins Tensor:$x, Tensor:$term),
                "asKind(widenedFloat(x) + widenedFloat(term), kind(x))">;

// The largest element for each channel, times a factor for each.
def sizesTimes : Let<(ins Reals:$largest, Reals:$factors),
                     "[abs(a * f) for a, f in largest, factors]">;

// conv(x, w) + b, times or plus c, where c varies along the channels only.
class BehindConv<code equation, string biasType, string weights>
    : Rewrite<equation,
              (ins "f32[1,2,4,4]":$x, "f32[3,2,3,3] constant":$w, biasType:$b,
               "f32[3,1,1] constant":$c),
              "st = [1, 1]; pd = [0, 0, 0, 0]; dl = [1, 1]; g = 1; t = [1, 3, 2, 2]; a = -1"> {
  let condition = "isConstant(c) && variesAlong(shape(c), t, a, 1) && weightsFit";
  let with = (bind "Conv(x, w, b, strides: st, pads: pd, dilations: dl, group: g)":$layer,
                   "Broadcast(c, dims: t, axis: a)":$constant, "Reshape(c, [shape(w)[0]])":$row,
                   weights:$weightsFit,
                   [{isConstant(w) && areNormal(sizesTimes(largestAlong(w, shape(w), [0]),
                     reals(c)), kind(w))}]:$scaledFit);
  let once = 1;
  let rounds = 1;
  let identityBroadcasts = 1;
}
def MulOfConvWithBias
    : BehindConv<[{layer * constant => Conv(x, productOf(w, Broadcast(row, shape(w), axis: 0)),
                   productOf(b, row), st, pd, dl, g)}],
                 "f32[3] constant", [{present(b) && scaledFit
                                      && areFinite(sizesTimes(reals(b), reals(c)), kind(b))}]> {
  let ends = (powers 1:$w, 1:$c, -2:$x, -1:$b);
}
def MulOfConvWithoutBias
    : BehindConv<[{layer * constant => Conv(x, productOf(w, Broadcast(row, shape(w), axis: 0)),
                   none, st, pd, dl, g)}],
                 "", "!present(b) && scaledFit"> {
  let ends = (powers 1:$w, 1:$c, -2:$x);
}
def AddOfConvWithBias
    : BehindConv<"layer + constant => Conv(x, w, sumOf(b, row), st, pd, dl, g)", "f32[3] constant",
                 "present(b) && areFinite([p + q for p, q in reals(b), reals(c)], kind(b))"> {
  let ends = (powers 2:$b, 2:$c);
}
def AddOfConvWithoutBias
    : BehindConv<"layer + constant => Conv(x, w, row, st, pd, dl, g)", "", "!present(b)">;

// The result of a transposed convolution has a bias for each channel as well.
class BehindConvTranspose<string biasType, string added_, string biasFits_>
    : Rewrite<[{ ConvTranspose(x, w, b, strides: st, pads: pd, dilations: dl, outputPadding: op,
                               group: g) + Broadcast(c, dims: t, axis: a)
                 => ConvTranspose(x, w, added, st, pd, dl, op, g) }],
              (ins "f32[1,4,3,3]":$x, "f32[4,3,2,2]":$w, biasType:$b, "f32[6,1,1] constant":$c),
              [{st = [1, 1]; pd = [0, 0, 0, 0]; dl = [1, 1]; op = [0, 0]; g = 2; t = [1, 6, 4, 4];
                a = -1}]> {
  let condition = "isConstant(c) && variesAlong(shape(c), t, a, 1) && biasFits";
  let rounds = 1;
  let with = (bind "Reshape(c, [elements(c)])":$row, added_:$added, biasFits_:$biasFits);
  let once = 1;
  let identityBroadcasts = 1;
}
def AddOfConvTransposeWithBias
    : BehindConvTranspose<"f32[6] constant", "sumOf(b, row)",
                          [{present(b) && areFinite([p + q for p, q in reals(b), reals(c)],
                            kind(b))}]> {
  let ends = (powers 2:$b, 2:$c);
}
def AddOfConvTransposeWithoutBias : BehindConvTranspose<"", "row", "!present(b)">;

//===----------------------------------------------------------------------===//
// Other spellings
//===----------------------------------------------------------------------===//

// Blocks of pixels become images of a batch, a convolution of each follows, and the blocks
// become pixels again: this is one convolution whose taps lie a block apart. Images are the
// channels of the blocks; exporters join the transposes before and behind with others.
def ConvOfBlocks
    : Rewrite<[{ DepthToSpace(Transpose(Conv(Transpose(SpaceToDepth(x, block: s,
        columnsFirst: false), permutation: p),
                                             w, b, strides: st, pads: pd, dilations: dl, group: g),
                                             permutation: p),
                              block: s, columnsFirst: false)
                 => Transpose(Conv(Transpose(x, p), w, b, st, pd * s, dl * s, g), p) }],
              (ins "f32[2,1,6,8]":$x, "f32[3,2,3,3]":$w, "f32[3]":$b),
              "p = [1, 0, 2, 3]; s = 2; st = [1, 1]; pd = [1, 1, 1, 1]; dl = [1, 1]; g = 1"> {
  let condition = "p == [1, 0, 2, 3] && prod(st) == 1";
  let rounds = 1;
  let once = 1;
}

// A product of a tensor that was transposed behind the first axis: rows of the weights
// move instead of elements.
def MatMulOfTransposed
    : Rewrite<[{ MatMul(Reshape(Transpose(x, permutation: p), dims: d), w)
                 => MatMul(Reshape(x, d), moved) }],
              (ins "f32[2,3,4,5]":$x, "f32[60,7] constant":$w), "p = [0, 2, 3, 1]; d = [2, 60]"> {
  let condition = "isConstant(w) && rank(w) == 2 && p[0] == 0 && d[0] == shape(x)[0]";
  let rounds = 1;
  let once = 1;
  let with = (bind "Reshape(w, [*drop(pick(shape(x), p), 1), shape(w)[1]])":$rows,
                   [{Reshape(Transpose(rows, [*(drop(inverse(p), 1) - 1), rank(x) - 1]),
                     shape(w))}]:$moved);
}

//===----------------------------------------------------------------------===//
// Rows as columns, on several sides of a product
//===----------------------------------------------------------------------===//

// The transpose of a product is the product of the transposed factors, in the other
// order. Of two or three transposes one remains; a transpose of a constant is folded.
class TurnedProduct<code equation, string x, string y>
    : Rewrite<equation, (ins x:$x, y:$y), "p = [0, 2, 1]"> {
  let condition = "p == [*range(0, rank(x) - 2), rank(x) - 1, rank(x) - 2]";
  let once = 1;
}
def MatMulOfTransposes
    : TurnedProduct<[{ MatMul(Transpose(x, permutation: p), Transpose(y, permutation: p))
                       => Transpose(MatMul(y, x), p) }],
                    "f32[2,3,4]", "f32[2,5,3]">;
def TransposeOfMatMulOfLeft
    : TurnedProduct<[{ Transpose(MatMul(Transpose(x, permutation: p), y), permutation: p)
                       => MatMul(Transpose(y, p), x) }],
                    "f32[2,3,4]", "f32[2,3,5]">;
def TransposeOfMatMulOfRight
    : TurnedProduct<[{ Transpose(MatMul(x, Transpose(y, permutation: p)), permutation: p)
                       => MatMul(y, Transpose(x, p)) }],
                    "f32[2,4,3]", "f32[2,5,3]">;

//===----------------------------------------------------------------------===//
// A constant of each column behind a product
//===----------------------------------------------------------------------===//

def MulOfMatMul
    : Rewrite<[{ MatMul(x, w) * Broadcast(c, dims: t, axis: a)
                 => MatMul(x, productOf(w, Broadcast(Reshape(c, [t[size(t) - 1]]), shape(w)))) }],
              (ins "f32[2,3]":$x, "f32[3,4] constant":$w, "f32[4] constant":$c),
              "t = [2, 4]; a = -1"> {
  let condition = [{
    isConstant(w) && isConstant(c) && variesAlong(shape(c), t, a, size(t) - 1) &&
    areNormal(sizesTimes(largestAlong(w, shape(w), [rank(w) - 1]), reals(c)), kind(w))
  }];
  let ends = (powers 1:$w, 1:$c, -2:$x);
  let once = 1;
  let rounds = 1;
  let identityBroadcasts = 1;
}

// Sums of products of one tensor are its product with the sum of the matrices.
def AddOfMatMuls
    : Rewrite<[{ MatMul(x, Broadcast(w, dims: d, axis: a)) + MatMul(x,
        Broadcast(v, dims: d, axis: a)) => MatMul(x, Broadcast(sumOf(w, v), d, a)) }],
              (ins "f32[2,4,3]":$x, "f32[3,5] constant":$w, "f32[3,5] constant":$v),
              "d = [2, 3, 5]; a = -1"> {
  let condition = [{
    isConstant(w) && isConstant(v) && shape(w) == shape(v) && rank(w) >= 2 &&
    areFinite([p + q for p, q in largestAlong(w, shape(w), [rank(w) - 1]),
               largestAlong(v, shape(v), [rank(v) - 1])], kind(w))
  }];
  let ends = (powers 2:$w, 2:$v);
  let once = 1;
  let holds = (upTo "largest / 64.0":$x);
  let rounds = 1;
  let identityBroadcasts = 1;
}

//===----------------------------------------------------------------------===//
// Layers that a backend runs whole
//===----------------------------------------------------------------------===//

// Both forms are the product and a bias for each column.
def FullyConnectedOfSum
    : Rewrite<[{ MatMul(x, w) + Broadcast(c, dims: t, axis: a)
                 => FullyConnected(x, w, Reshape(c, [shape(w)[1]])) }],
              (ins "f32[2,3]":$x, "f32[3,4] constant":$w, "f32[4] constant":$c),
              "t = [2, 4]; a = -1"> {
  let condition = "rank(w) == 2 && isConstant(w) && variesAlong(shape(c), t, a, 1)";
  let needs = [FullyConnected];
  let rounds = 1;
  let beforeSteps = 1;
  let once = 1;
  let identityBroadcasts = 1;
}

#endif // GLOW_REWRITES_CONVOLUTION
