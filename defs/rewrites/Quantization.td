//===- Quantization.td - integers that are left as they are ---------------===//

#ifndef GLOW_REWRITES_QUANTIZATION
#define GLOW_REWRITES_QUANTIZATION

include "glow/nodes/Quantization.td"

// q - zero is a whole number of steps. Multiplied by the scale and divided by it, in a
// kind of 24 bits or more, it is less than half a step off, so that it is rounded to
// itself.
def QuantizeOfDequantize
    : Rewrite<[{ Quantize(Dequantize(q, s, z, axis: a), s, z, axis: a) => q }],
              (ins "i8[2,3]":$q, "f32[] in 0.5..0.75 constant":$s, "i8[] in 1..1":$z), "a = -1"> {
  let condition = "isConstant(s) && bitsOf(kind(s)) >= 32 && bitsOf(kind(q)) <= 16 && kind(q) == kind(z)";
}
// The same, where each node has constants of its own.
def QuantizeOfDequantizeByEqual
    : Rewrite<[{ Quantize(Dequantize(q, s, z), t, y) => q }],
              (ins "i8[2,3]":$q, "f32[] in 0.5..0.5 constant":$s, "i8[] in 1..1 constant":$z, "f32[] in 0.5..0.5 constant":$t,
                   "i8[] in 1..1 constant":$y)> {
  let condition = "numberOf(s) == numberOf(t) && numberOf(z) == numberOf(y) && bitsOf(kind(s)) >= 32 && bitsOf(kind(q)) <= 16 && kind(q) == kind(y)";
}

#endif // GLOW_REWRITES_QUANTIZATION
