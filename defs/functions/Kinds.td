//===- Kinds.td - tensors in other element kinds and shapes ---------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_FUNCTIONS_KINDS
#define GLOW_FUNCTIONS_KINDS

include "glow/nodes/Elementwise.td"
include "glow/nodes/Shape.td"

def asKind : Let<(ins Tensor:$x, Kind:$k), "if(kind(x) == k, x, Cast(x, k))"> {
  let summary = "the tensor in an element kind; unchanged if it has the kind";
}

def asBytes : Let<(ins Tensor:$x), [{ if(isBool(kind(x)), Cast(x, elementKind("u8")), x) }]> {
  let summary = "booleans as bytes of 0 and 1; other tensors stay";
}

// Squares soon overflow narrow kinds.
def widened : Let<(ins Tensor:$x), [{ if(bitsOf(kind(x)) < 32, Cast(x, elementKind("f32")), x) }]> {
  let summary = "the tensor as f32 if its elements have fewer than 32 bits";
}

// Floats of few bits as f32, which holds their squares and sums; other kinds stay.
def widenedFloat : Let<(ins Tensor:$x), [{ if(isFloat(kind(x)), widened(x), x) }]> {
  let summary = "a tensor of floats of fewer than 32 bits as f32; other tensors stay";
}
def wideKind : Let<(ins Kind:$k), [{ if(isFloat(k) && bitsOf(k) < 32, elementKind("f32"), k) }]> {
  let summary = "f32 for a float kind of fewer than 32 bits; other kinds stay";
}

// The operand for an operation on real numbers, from x of any kind. asKind converts
// the result back.
def asReal : Let<(ins Tensor:$x), [{ if(isFloat(kind(x)), x, Cast(x, elementKind("f64"))) }]> {
  let summary = "a tensor of floats as it is, any other as f64";
}

def asWideReal : Let<(ins Tensor:$x), "widened(asReal(x))"> {
  let summary = "the tensor in a float kind of at least 32 bits";
}

def asShape : Let<(ins Tensor:$x, Ints:$dims),
                  "if(areSame(shape(x), dims), x, Broadcast(x, dims))"> {
  let summary = "the tensor, repeated to a shape if its own differs";
}

#endif // GLOW_FUNCTIONS_KINDS
