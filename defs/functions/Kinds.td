//===- Kinds.td - tensors in other element kinds and shapes ---------------===//

#ifndef GLOW_FUNCTIONS_KINDS
#define GLOW_FUNCTIONS_KINDS

include "glow/nodes/Elementwise.td"
include "glow/nodes/Shape.td"

def asKind : Let<(ins Tensor:$x, Kind:$k), "if(kind(x) == k, x, Cast(x, k))">;

// Truth values as bytes of 0 and 1.
def asBytes : Let<(ins Tensor:$x), [{ if(isBool(kind(x)), Cast(x, elementKind("u8")), x) }]>;

// Squares of narrow kinds are soon too large for them.
def widened : Let<(ins Tensor:$x), [{ if(bitsOf(kind(x)) < 32, Cast(x, elementKind("f32")), x) }]>;

// Floats of few bits as f32, in which their squares and sums have room; others as they are.
def widenedFloat : Let<(ins Tensor:$x), [{ if(isFloat(kind(x)), widened(x), x) }]>;
def wideKind : Let<(ins Kind:$k), [{ if(isFloat(k) && bitsOf(k) < 32, elementKind("f32"), k) }]>;

// What is defined by real numbers, of x of any kind, takes these; its result goes back
// with asKind.
def asReal : Let<(ins Tensor:$x), [{ if(isFloat(kind(x)), x, Cast(x, elementKind("f64"))) }]>;

// The same with room for squares and sums.
def asWideReal : Let<(ins Tensor:$x), "widened(asReal(x))">;

// What is repeated to a shape, if it must be.
def asShape : Let<(ins Tensor:$x, Ints:$dims), "if(shape(x) == dims, x, Broadcast(x, dims))">;

#endif // GLOW_FUNCTIONS_KINDS
