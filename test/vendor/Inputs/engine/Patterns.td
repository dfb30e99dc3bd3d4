// On this backend, the larger and the smaller of two add up to their sum.

include "glow/Glow.td"

def SumOfBounds : Pat<(Add (Max $a, $b), (Min $a, $b)), (Add $a, $b)>;
def : PatternSample<"SumOfBounds", (ins "f32[2,3]":$a, "f32[2,3]":$b), [{ y = Max(a, b) + Min(a, b); }]> {
  let backend = "engine";
}
