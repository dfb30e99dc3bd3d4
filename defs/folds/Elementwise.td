//===- Elementwise.td - what changes no element ---------------------------===//

#ifndef GLOW_FOLDS_ELEMENTWISE
#define GLOW_FOLDS_ELEMENTWISE

include "glow/nodes/Elementwise.td"

// x + 0 is not here: it makes 0 of -0, which 1 / x tells apart.
def SubZero : Fold<[{ x - 0 => x }], (ins "f32[2,3]":$x)>;
def MulOne : Fold<[{ x * 1 => x }], (ins "f32[2,3]":$x)>;

def DivOne : Fold<[{ x / 1 => x }], (ins "f32[2,3]":$x)>;

#endif // GLOW_FOLDS_ELEMENTWISE
