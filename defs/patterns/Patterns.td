//===- Patterns.td - rewrites of many nodes to many, by MLIR's DRR --------===//
// SPDX-License-Identifier: MIT
//
// A rewrite is an equation of trees with one result. A pattern in this file has
// several results, or any number of operands that belong together. Each has a
// PatternSample, on which both sides are compared. Conditions and values that DRR
// cannot express are functions of include/glow/Graph/Parts.h.
//
//===----------------------------------------------------------------------===//

include "glow/Glow.td"

def SameAttribute : Constraint<CPred<"$0 == $1">, "the same attribute">;

// A concatenation of all parts of a split, in order, is the split tensor.
def AreAllParts : Constraint<CPred<"::glow::areAllParts($0, $1)">, "all parts of one split">;
def SourceOf : NativeCodeCall<"::glow::sourceOf($0)">;
def ConcatOfSplit : Pat<(Concat $parts, $axis), (SourceOf $parts), [(AreAllParts $parts, $axis)]>;
def : PatternSample<"ConcatOfSplit", (ins "f32[2,6,2]":$x), [{
  a, b, c = Split(x, axis: 1, sizes: [1, 3, 2]);
  y = Concat([a, b, c], axis: 1);
}]>;

// A split at the joints of a concatenation gives its operands.
def CutsBetween : Constraint<CPred<"::glow::cutsBetween($0, $1, $2)">,
                             "parts of the operands' sizes">;
def SplitOfConcat : Pat<(Split (Concat $parts, $joined), $cut, $sizes), (replaceWithValue $parts),
                        [(SameAttribute $joined, $cut), (CutsBetween $parts, $joined, $sizes)]>;
def : PatternSample<"SplitOfConcat", (ins "f32[2,1]":$x, "f32[2,3]":$y), [{
  a, b = Split(Concat([x, y], axis: 1), axis: 1, sizes: [1, 3]);
}]>;

// Consecutive slices of one tensor are one longer slice.
def AreNeighbours : Constraint<CPred<"::glow::areNeighbours($0, $1)">,
                               "slices that follow each other">;
def StartsOf : NativeCodeCall<"::glow::startsOf($0)">;
def StepsOf : NativeCodeCall<"::glow::stepsOf($0)">;
def SizesOf : NativeCodeCall<"::glow::sizesOf($0, $1)">;
def ConcatOfSlices : Pat<(Concat $parts, $axis),
                         (Slice (SourceOf $parts), (StartsOf $parts), (StepsOf $parts),
                          (SizesOf $parts, $axis)),
                         [(AreNeighbours $parts, $axis)]>;
def : PatternSample<"ConcatOfSlices", (ins "f32[2,9]":$x), [{
  a = Slice(x, starts: [0, 1], steps: [1, 2], sizes: [2, 1]);
  b = Slice(x, starts: [0, 3], steps: [1, 2], sizes: [2, 2]);
  y = Concat([a, b], axis: 1);
}]>;

// A concatenation of concatenations is one. An inner one with other readers
// stays: its elements would be copied twice.
def HasInnerConcat : Constraint<CPred<"::glow::hasInnerConcat($0, $1)">,
                                "a concatenation that nothing else reads">;
def Flattened : NativeCodeCall<"::glow::flattenedConcat($_builder, $_loc, $0, $1)">;
def ConcatOfConcat : Pat<(Concat $parts, $axis), (Flattened $parts, $axis),
                         [(HasInnerConcat $parts, $axis)]>;
def : PatternSample<"ConcatOfConcat", (ins "f32[2,1]":$x, "f32[2,3]":$y, "f32[2,2]":$z), [{
  y = Concat([x, Concat([y, x], axis: 1), z], axis: 1);
}]>;

// A slice within one part of a concatenation reads that part.
def LiesInPart : Constraint<CPred<"::glow::liesInPart($0)">,
                            "a slice of one part of a concatenation">;
def OfPart : NativeCodeCall<"::glow::sliceOfPart($_builder, $_loc, $0)">;
def SliceOfConcat : Pat<(Slice:$slice $joined, $starts, $steps, $sizes), (OfPart $slice),
                        [(LiesInPart $slice)]>;
def : PatternSample<"SliceOfConcat", (ins "f32[2,1]":$x, "f32[2,5]":$y), [{
  y = Slice(Concat([x, y], axis: 1), starts: [1, 5], steps: [1, -2], sizes: [1, 3]);
}]>;

// Products of one tensor are one product with the matrices side by side: no result is copied,
// and the tensor is read once.
def AreProductsOfOne : Constraint<CPred<"::glow::areProductsOfOne($0, $1)">,
                                  "products of one tensor with constant matrices">;
def JoinedProducts : NativeCodeCall<"::glow::joinedProducts($_builder, $_loc, $0)">;
def ConcatOfProducts : Pat<(Concat $parts, $axis), (JoinedProducts $parts),
                           [(AreProductsOfOne $parts, $axis)]>;
def : PatternSample<"ConcatOfProducts",
                    (ins "f32[2,3]":$x, "f32[3,4] constant":$w, "f32[3,1] constant":$v), [{
  y = Concat([MatMul(x, w), MatMul(x, v)], axis: 1);
}]>;
def : PatternSample<"ConcatOfProducts",
                    (ins "f32[2,5,3]":$x, "f32[3,4] constant":$w, "f32[4] constant":$b,
                     "f32[3,1] constant":$v,
                                             "f32[1] constant":$c), [{
  first = MatMul(x, Broadcast(w, [2, 3, 4])) + Broadcast(b, [2, 5, 4]);
  second = Broadcast(c, [2, 5, 1]) + MatMul(x, Broadcast(v, [2, 3, 1]));
  y = Concat([first, second], axis: 2);
}]>;

// A slice of a product is a product of slices, where that multiplies fewer elements. A slice of
// columns takes columns of a constant matrix. A slice of rows copies at most half of the rows.
def TakesPartOfProduct : Constraint<CPred<"::glow::takesPartOfProduct($0)">,
                                    "a slice that is cheaper before the product">;
def ProductOfSlices : NativeCodeCall<"::glow::productOfSlices($_builder, $_loc, $0)">;
def SliceOfProduct : Pat<(Slice:$slice $product, $starts, $steps, $sizes), (ProductOfSlices $slice),
                         [(TakesPartOfProduct $slice)]>;
def : PatternSample<"SliceOfProduct", (ins "f32[2,4,3]":$x, "f32[3,6] constant":$w), [{
  y = Slice(MatMul(x, Broadcast(w, [2, 3, 6])), starts: [0, 3, 5], steps: [1, -3, -2],
            sizes: [2, 2, 3]);
}]>;
def : PatternSample<"SliceOfProduct", (ins "f32[2,4,3]":$x, "f32[2,3,6]":$w), [{
  y = Slice(MatMul(x, w), starts: [1, 0, 0], steps: [1, 1, 1], sizes: [1, 4, 6]);
}]>;

// A tap that lies outside of the image for every pixel of the result multiplies zeros
// alone: of a 3x3 filter on an image of one pixel, only the middle tap stays. An equation
// from Conv to Conv would be refused, since its text does not prove that it ends.
def HasDeadTaps : Constraint<CPred<"::glow::hasDeadTaps($0)">,
                             "a convolution with taps outside of the image">;
def WithoutDeadTaps : NativeCodeCall<"::glow::withoutDeadTaps($_builder, $_loc, $0)">;
def ConvOfSmallImage : Pat<(Conv:$conv $in, $filter, $bias, $strides, $pads, $dilations, $group),
                           (WithoutDeadTaps $conv),
                           [(HasDeadTaps $conv)]>;
def : PatternSample<"ConvOfSmallImage",
                    (ins "f32[1,2,1,3]":$x, "f32[3,2,3,3] constant":$w, "f32[3]":$b), [{
  y = Conv(x, w, b, strides: [1, 2], pads: [1, 1, 1, 1], dilations: [1, 1], group: 1);
}]>;
