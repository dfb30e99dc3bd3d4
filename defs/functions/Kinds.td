//===- Kinds.td - tensors in other element kinds and shapes ---------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_FUNCTIONS_KINDS
#define GLOW_FUNCTIONS_KINDS

include "glow/nodes/Elementwise.td"
include "glow/nodes/Shape.td"

def asKind : Let<(ins Tensor:$x, Kind:$k), "if(kind(x) == k, x, Cast(x, k))">;

// Booleans as bytes of 0 and 1.
def asBytes : Let<(ins Tensor:$x), [{ if(isBool(kind(x)), Cast(x, elementKind("u8")), x) }]>;

// Squares soon overflow narrow kinds.
def widened : Let<(ins Tensor:$x), [{ if(bitsOf(kind(x)) < 32, Cast(x, elementKind("f32")), x) }]>;

// Floats of few bits as f32, which holds their squares and sums; other kinds stay.
def widenedFloat : Let<(ins Tensor:$x), [{ if(isFloat(kind(x)), widened(x), x) }]>;
def wideKind : Let<(ins Kind:$k), [{ if(isFloat(k) && bitsOf(k) < 32, elementKind("f32"), k) }]>;

// The operand for an operation on real numbers, from x of any kind. asKind converts
// the result back.
def asReal : Let<(ins Tensor:$x), [{ if(isFloat(kind(x)), x, Cast(x, elementKind("f64"))) }]>;

// The same, in a kind that holds squares and sums.
def asWideReal : Let<(ins Tensor:$x), "widened(asReal(x))">;

// The tensor, repeated to a shape where its own differs.
def asShape : Let<(ins Tensor:$x, Ints:$dims), "if(shape(x) == dims, x, Broadcast(x, dims))">;

#endif // GLOW_FUNCTIONS_KINDS
