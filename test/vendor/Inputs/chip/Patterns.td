// The distance of two tensors, by one node less.

include "glow/Glow.td"

def DistanceOfBounds : Pat<(Sub (Max $a, $b), (Min $a, $b)), (Abs (Sub $a, $b, (returnType $a)))>;
def : PatternSample<"DistanceOfBounds", (ins "f32[2,3]":$a, "f32[2,3]":$b), [{ y = Max(a, b) - Min(a, b); }]>;
