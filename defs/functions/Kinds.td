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

// What is defined by real numbers, of x of any kind, takes these; its result goes back
// with asKind.
def asReal : Let<(ins Tensor:$x), [{ if(isFloat(kind(x)), x, Cast(x, elementKind("f64"))) }]>;

// What is repeated to a shape, if it must be.
def asShape : Let<(ins Tensor:$x, Ints:$dims), "if(shape(x) == dims, x, Broadcast(x, dims))">;

#endif // GLOW_FUNCTIONS_KINDS
