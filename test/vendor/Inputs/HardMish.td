// An operator that the project does not have, and its spelling in ONNX.

include "glow/Glow.td"

def HardMish : Pointwise<"hard_mish", (ins $x), [{ x * min(max(x + 2, 0), 2) / 2 }]> {
  let summary = "x times a ramp from -2 to 0";
  let types = (kinds Floats:$T);
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}

def : OnnxImport<"HardMish", 1, (ins "X"), (ins), [{ Y = HardMish(X); }]> {
  let domain = "com.vendor";
}

def : OnnxUnsupported<"SoftMish", 1, "its ramp has no formula yet"> {
  let domain = "com.vendor";
}
