//===- Shape.td - views of views ------------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_REWRITES_SHAPE
#define GLOW_REWRITES_SHAPE

include "glow/nodes/Activation.td"
include "glow/nodes/Elementwise.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

//===----------------------------------------------------------------------===//
// Nodes that return their operand
//===----------------------------------------------------------------------===//

// A view with the shape of its operand is that operand.
class ToItself<code equation, string condition_, string values>
    : Rewrite<equation, (ins "f32[2,3]":$x), values> {
  let condition = condition_;
}
def ReshapeToItself : ToItself<"Reshape(x, dims: d) => x", "shape(x) == d", "d = [2, 3]">;
def BroadcastToItself : ToItself<"Broadcast(x, dims: d) => x", "shape(x) == d", "d = [2, 3]">;
def TransposeToItself : ToItself<"Transpose(x, permutation: p) => x", "p == range(0, rank(x))",
                                 "p = [0, 1]">;
def TileOnce : ToItself<"Tile(x, repeats: r) => x", "r == repeat(1, rank(x))", "r = [1, 1]">;
def SliceAll : ToItself<"Slice(x, starts: s, steps: t, sizes: z) => x",
                        "z == shape(x) && s == repeat(0, rank(x)) && t == repeat(1, rank(x))",
                        "s = [0, 0]; t = [1, 1]; z = [2, 3]">;
def SplitIntoOne : ToItself<"Split(x, axis: a, sizes: z) => x", "size(z) == 1", "a = 1; z = [3]">;
def ConcatOfOne : ToItself<"Concat([x], axis: a) => x", "", "a = 0">;
foreach node = [Pad, PadReflect, PadEdge, PadWrap] in
  def node # "Nothing" : ToItself<"pad(x, begins: b, ends: e) => x",
      "b == repeat(0, rank(x)) && e == repeat(0, rank(x))", "b = [0, 0]; e = [0, 0]"> {
    let with = (bind node:$pad);
  }
foreach node = [ReduceSum, ReduceProd, ReduceMax, ReduceMin, ReduceMean] in
  def node # "OfNothing" : ToItself<"reduce(x, axes: a) => x", "size(a) == 0", "a = range(0, 0)"> {
    let with = (bind node:$reduce);
  }

// Pixels that are not moved stay as they are.
def ResizeByOne
    : ToItself<[{ Resize(x, dims: d, scales: s, mode: m, coordinates: c, rounding: r) => x }],
               [{d == shape(x) && least(s) == 1.0 && greatest(s) == 1.0
                 && c != "tf_half_pixel_for_nn"}],
               "d = [2, 3]; s = [1.0, 1.0]; m = \"linear\"; c = \"half_pixel\"; r = \"floor\"">;

//===----------------------------------------------------------------------===//
// Two nodes of a kind
//===----------------------------------------------------------------------===//

// A reshape keeps the order of elements, so only the last one counts.
def ReshapeOfReshape : Rewrite<[{ Reshape(Reshape(x, dims: a), dims: b) => Reshape(x, dims: b) }],
                               (ins "f32[2,3]":$x), "a = [6]; b = [3, 2]">;

// Axis i of the result is axis q[i] of the middle, which is axis p[q[i]] of x.
def TransposeOfTranspose
    : Rewrite<[{ Transpose(Transpose(x, permutation: p), permutation: q)
                 => Transpose(x, permutation: compose(p, q)) }],
              (ins "f32[2,3,4]":$x), "p = [1, 2, 0]; q = [0, 2, 1]">;

// One element, repeated, is the same in every order of axes.
def TransposeOfRepeated
    : Rewrite<[{ Transpose(Broadcast(x, dims: d, axis: a), permutation: p)
                 => Broadcast(x, pick(d, p)) }],
              (ins "f32[1]":$x), "d = [2, 3, 4]; a = 0; p = [1, 2, 0]"> {
  let condition = "elements(x) == 1";
}

// Both put the last axis at the end.
def BroadcastOfBroadcast
    : Rewrite<[{ Broadcast(Broadcast(x, dims: a, axis: -1), dims: b, axis: -1)
                 => Broadcast(x, b) }],
              (ins "f32[3]":$x), "a = [1, 3]; b = [2, 2, 3]">;

// Element i of the second is element s2 + i * t2 of the first.
def SliceOfSlice
    : Rewrite<[{ Slice(Slice(x, starts: s1, steps: t1, sizes: z1), starts: s2, steps: t2, sizes: z)
                 => Slice(x, s1 + s2 * t1, t1 * t2, z) }],
              (ins "f32[7,6]":$x), [{s1 = [6, 1]; t1 = [-2, 1]; z1 = [3, 4]; s2 = [1, 0];
                                     t2 = [1, 2]; z = [2, 2]}]>;

def PadOfPad
    : Rewrite<[{ Pad(Pad(x, begins: a, ends: b, value: v), begins: c, ends: d, value: v)
                 => Pad(x, a + c, b + d, v) }],
              (ins "f32[2,3]":$x), "a = [1, 0]; b = [0, 2]; c = [0, 1]; d = [1, 1]; v = 0.5">;

//===----------------------------------------------------------------------===//
// A view instead of a copy
//===----------------------------------------------------------------------===//

// Only sizes of 1 are added, or moved: the elements stay in order.
def BroadcastAsReshape : Rewrite<[{ Broadcast(x, dims: d)
                                    => Reshape(x, d) }], (ins "f32[2,3]":$x), "d = [1, 2, 3]"> {
  let condition = "elements(x) == prod(d) && shape(x) != d";
}
def TransposeAsReshape
    : Rewrite<[{ Transpose(x, permutation: p)
                 => Reshape(x, pick(shape(x), p)) }], (ins "f32[2,1,3]":$x), "p = [1, 0, 2]"> {
  let condition = "keepsOrder(shape(x), p) && p != range(0, rank(x))";
}

// A tile along axes of size 1 alone needs no copy: nodes behind a broadcast read its operand.
def TileAsBroadcast : Rewrite<[{ Tile(x, repeats: r)
                                 => Broadcast(x, shape(x) * r) }], (ins "f32[1,3]":$x),
"r = [4, 1]"> {
  let condition = [{r != repeat(1, rank(x)) && sum([if(n == 1
                    || m == 1, 0, 1) for n, m in shape(x), r]) == 0}];
}

// The sum, the product, the extremes and the mean of one element are that element.
foreach node = [ReduceSum, ReduceProd, ReduceMax, ReduceMin, ReduceMean] in
  def node # "OfSingle" : Rewrite<[{ reduce(x, axes: a, keepDims: k)
                                     => Reshape(x, reducedShape(shape(x), a, k)) }],
                                  (ins "f32[2,1,4]":$x), "a = [1]; k = false"> {
    let condition = "size(a) != 0 && prod(pick(shape(x), a)) == 1";
    let with = (bind node:$reduce);
  }

// A wider kind in which elements are only moved is not needed: they move as they are.
class MovedInWiderKind<code equation, string values>
    : Rewrite<equation, (ins "f16[2,1,3]":$x), values> {
  let condition = "kind(x) == k && holdsAll(k, w)";
  let once = 1;
}
def TransposeInWiderKind
    : MovedInWiderKind<[{ Cast(Transpose(Cast(x, kind: w), permutation: p), kind: k)
                          => Transpose(x, p) }],
                       "w = elementKind(\"f32\"); k = kind(x); p = [2, 0, 1]">;
def ReshapeInWiderKind
    : MovedInWiderKind<[{ Cast(Reshape(Cast(x, kind: w), dims: d), kind: k) => Reshape(x, d) }],
                       "w = elementKind(\"f32\"); k = kind(x); d = [3, 2]">;
def SliceInWiderKind
    : MovedInWiderKind<[{ Cast(Slice(Cast(x, kind: w), starts: s, steps: t, sizes: z), kind: k)
                          => Slice(x, s, t, z) }],
                       [{w = elementKind("f32"); k = kind(x); s = [1, 0, 0]; t = [1, 1, 2];
                         z = [1, 1, 2]}]>;
def BroadcastInWiderKind
    : MovedInWiderKind<[{ Cast(Broadcast(Cast(x, kind: w), dims: d, axis: a), kind: k)
                          => Broadcast(x, d, a) }],
                       "w = elementKind(\"f32\"); k = kind(x); d = [2, 4, 3]; a = -1">;

// The same holds for nodes whose results are exact in the narrow kind.
foreach node = [Relu, Neg, Abs, Sign, Floor, Ceil, Round] in
  def node # "InWiderKind"
      : MovedInWiderKind<"Cast(f(Cast(x, kind: w)), kind: k) => f(x)",
                         "w = elementKind(\"f32\"); k = kind(x)"> {
    let with = (bind node:$f);
  }
foreach node = [Max, Min] in
  def node # "InWiderKind"
      : Rewrite<"Cast(f(Cast(x, kind: w), Cast(y, kind: w)), kind: k) => f(x, y)",
                (ins "f16[2,3]":$x, "f16[2,3]":$y),
                "w = elementKind(\"f32\"); k = kind(x)"> {
    let condition = "kind(x) == k && kind(y) == k && holdsAll(k, w)";
    let once = 1;
    let with = (bind node:$f);
  }

// A reduction whose axes are restored keeps them.
foreach node = [ReduceSum, ReduceProd, ReduceMax, ReduceMin, ReduceMean] in
  def node # "Kept" : Rewrite<[{ Reshape(reduce(x, axes: a, keepDims: false), dims: d)
                                 => reduce(x, a, true) }],
                              (ins "f32[2,3,4]":$x), "a = [1]; d = [2, 1, 4]"> {
    let condition = "size(a) > 0 && d == reducedShape(shape(x), a, true)";
    let once = 1;
    let with = (bind node:$reduce);
  }
// The mean of each channel of an image is the pool that networks end with, of which the
// pixels stay as axes.
def ReduceMeanOfImages
    : Rewrite<[{ ReduceMean(x, axes: a, keepDims: false)
                 => Reshape(ReduceMean(x, a, true), take(shape(x), 2)) }],
              (ins "f32[2,3,4,5]":$x), "a = [2, 3]"> {
  let condition = "rank(x) >= 3 && a == range(2, rank(x))";
}

#endif // GLOW_REWRITES_SHAPE
