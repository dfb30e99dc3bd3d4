//===- Shape.td - views of views ------------------------------------------===//

#ifndef GLOW_FOLDS_SHAPE
#define GLOW_FOLDS_SHAPE

include "glow/nodes/Shape.td"

// The same shape: the same tensor.
def ReshapeToItself : Fold<[{ Reshape(x, dims: d) => x }], (ins "f32[2,3]":$x),
                           "d = [2, 3]"> {
  let condition = "shape(x) == d";
}
def BroadcastToItself : Fold<[{ Broadcast(x, dims: d) => x }],
                             (ins "f32[2,3]":$x), "d = [2, 3]"> {
  let condition = "shape(x) == d";
}
def TransposeToItself : Fold<[{ Transpose(x, permutation: p) => x }],
                             (ins "f32[2,3]":$x), "p = [0, 1]"> {
  let condition = "p == range(0, rank(x))";
}

// A reshape keeps the order of elements, so only the last one counts.
def ReshapeOfReshape : Fold<[{ Reshape(Reshape(x, dims: a), dims: b) => Reshape(x, dims: b) }],
                            (ins "f32[2,3]":$x), "a = [6]; b = [3, 2]">;

// Axis i of the result is axis q[i] of the middle, which is axis p[q[i]] of x.
def TransposeOfTranspose
    : Fold<[{ Transpose(Transpose(x, permutation: p), permutation: q) => Transpose(x, permutation: compose(p, q)) }],
           (ins "f32[2,3,4]":$x), "p = [1, 2, 0]; q = [0, 2, 1]">;

#endif // GLOW_FOLDS_SHAPE
