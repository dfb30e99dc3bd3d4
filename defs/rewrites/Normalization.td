//===- Normalization.td - into the layer before ---------------------------===//

#ifndef GLOW_REWRITES_NORMALIZATION
#define GLOW_REWRITES_NORMALIZATION

include "glow/nodes/Convolution.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Shape.td"

// With f = scale / sqrt(variance + e), channel by channel,
//   ((conv(x, w) + b) - mean) * f + shift = conv(x, w * f) + (b - mean) * f + shift
// because a convolution is linear in its filter. The new filter and bias depend
// on constants only, and are folded; the products are rounded once more.
class BatchNormOfConv<string biasType, string bias>
    : Rewrite<[{ BatchNorm(Conv(x, w, b, strides: st, pads: pd, dilations: dl, group: g), scale, shift, mean, variance, epsilon: e)
                 => Conv(x, w * Broadcast(factor, shape(w), axis: 0), moved, st, pd, dl, g) }],
              (ins "f32[1,2,4,4]":$x, "f32[3,2,3,3]":$w, biasType:$b, "f32[3]":$scale,
                   "f32[3]":$shift, "f32[3]":$mean, "f32[3] in 0.5..2":$variance),
              "st = [1, 1]; pd = [0, 0, 0, 0]; dl = [1, 1]; g = 1; e = 1e-5"> {
  let once = 1;
  let with = (bind "scale / Sqrt(variance + e)":$factor, bias:$moved);
}
def BatchNormOfConvWithBias
    : BatchNormOfConv<"f32[3]", "(b - mean) * factor + shift"> {
  let condition = "present(b)";
}
def BatchNormOfConvWithoutBias
    : BatchNormOfConv<"", "shift - mean * factor"> {
  let condition = "!present(b)";
}

#endif // GLOW_REWRITES_NORMALIZATION
