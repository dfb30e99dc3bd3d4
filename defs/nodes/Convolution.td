//===- Convolution.td - windows of an image times a filter ----------------===//
// SPDX-License-Identifier: MIT
//
// Images are [batch, channels, rows...], of one to three spatial dimensions.
// Strides, dilations and pads are in pixels; pads are all begins, then all
// ends, as in ONNX.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_CONVOLUTION
#define GLOW_NODES_CONVOLUTION

include "glow/functions/Windows.td"
include "glow/nodes/Elementwise.td"
include "glow/nodes/Reduction.td"

// Products of quantised numbers are summed in i32.
def FloatsOrSums : Kinds<!listconcat(FloatNames, ["i32"])>;

def Conv : Node<"conv",
    (ins "T[n,c,*x:1..3]":$in, "T[d,cg,*r:size(x)]":$filter, "T[d]?":$bias),
    (outs "T[n,d,*windowCount(x, r, strides, pads, dilations)]":$out),
    (ins Ints:$strides, Ints:$pads, Ints:$dilations, Default<Int, "1">:$group)> {
  let summary = "convolution, in groups, with strides, pads and dilations";
  let integers = [Integers<"in">, Weights<"filter", 0>, Bias<"bias">];
  let types = (kinds FloatsOrSums:$T);
  let requires = [
    Require<"window-attributes",
            "size(strides) == size(x) && size(dilations) == size(x) && size(pads) == 2 * size(x)",
            "strides {strides}, pads {pads} and dilations {dilations} must be of lengths "
            "{size(x)}, {2 * size(x)} and {size(x)}">,
    Require<"stride-positive", "allAtLeast(strides, 1) && allAtLeast(dilations, 1)",
            "strides {strides} and dilations {dilations} must all be at least 1">,
    Require<"pads-not-negative", "allAtLeast(pads, 0)",
            "pads {pads} must all be at least 0">,
    Require<"group-divides", "group >= 1 && cg * group == c && d % group == 0",
            "{group} groups of {cg} channels do not make {c} channels in, {d} out">,
    Require<"window-fits", "windowFits(x, r, pads, dilations)",
            "filter {r} is larger than the padded image {paddedExtent(x, pads)}">,
  ];
  // A statement that reads an absent operand does nothing.
  let compute = [{
    out[n,o,*y] += in[n, o / (d / group) * cg + i, *(windowElement(y, k, strides, pads, dilations))]
                   * filter[o,i,*k];
    out[n,o,*y] = out[n,o,*y] + bias[o];
  }];
  // What the stride leaves over at the end of the image gets no gradient.
  let gradient = [{
    left = windowSlack(x, r, pads, dilations) % strides;
    d.in = ConvTranspose(d.out, filter, none, strides, pads, dilations, left, group);
    d.filter = derived;
    d.bias = ReduceSum(d.out, [0, *range(2, rank(d.out))]);
  }];
  let samples = [
    Sample<"padded", (ins "f32[1,2,5,5]", "f32[3,2,3,3]", ""),
           "strides = [1, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1">,
    Sample<"groups", (ins "f32[2,4,5,6]", "f32[6,2,2,3]", "f32[6]"),
           "strides = [2, 1]; pads = [0, 1, 1, 0]; dilations = [1, 2]; group = 2">,
    Sample<"row", (ins "f32[1,2,6]", "f32[3,2,3]", "f32[3]"),
           "strides = [1]; pads = [0, 0]; dilations = [1]; group = 1">,
    Sample<"cube", (ins "f32[1,1,3,4,3]", "f32[2,1,2,2,2]", ""),
           "strides = [1, 1, 1]; pads = [0, 0, 0, 0, 0, 0]; dilations = [1, 1, 1]; group = 1">,
    Refused<"window-attributes", (ins "f32[1,2,5,5]", "f32[3,2,3,3]", ""),
            "strides = [1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1">,
    Refused<"stride-positive", (ins "f32[1,2,5,5]", "f32[3,2,3,3]", ""),
            "strides = [0, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1">,
    Refused<"pads-not-negative", (ins "f32[1,2,5,5]", "f32[3,2,3,3]", ""),
            "strides = [1, 1]; pads = [1, -1, 1, 1]; dilations = [1, 1]; group = 1">,
    Refused<"group-divides", (ins "f32[1,2,5,5]", "f32[3,2,3,3]", ""),
            "strides = [1, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 2">,
    Refused<"window-fits", (ins "f32[1,2,2,2]", "f32[3,2,3,3]", ""),
            "strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1">,
  ];
}

// Gathers, for each pixel of the result, the pixels of `in` whose window holds
// it: those at (p + pads - k * dilations) / strides where that is whole.
def ConvTranspose : Node<"conv_transpose",
    (ins "T[n,c,*x:1..3]":$in, "T[c,dg,*r:size(x)]":$filter, "T[group * dg]?":$bias),
    (outs [{T[n,group * dg,*croppedExtent(spreadExtent(x, r, strides, dilations, outputPadding),
            pads)]}]:$out),
    (ins Ints:$strides, Ints:$pads, Ints:$dilations, Ints:$outputPadding,
     Default<Int, "1">:$group)> {
  let summary = "the gradient of a convolution as to its image: each pixel adds the filter, "
                "times its value, to the result";
  let integers = [Integers<"in">, Weights<"filter", 1>, Bias<"bias">];
  let types = (kinds FloatsOrSums:$T);
  let requires = [
    Require<"window-attributes",
            [{size(strides) == size(x) && size(dilations) == size(x)
              && size(outputPadding) == size(x) && size(pads) == 2 * size(x)}],
            "strides {strides}, dilations {dilations}, outputPadding {outputPadding} and pads "
            "{pads} must be of lengths {size(x)}, thrice, and {2 * size(x)}">,
    Require<"stride-positive", "allAtLeast(strides, 1) && allAtLeast(dilations, 1)",
            "strides {strides} and dilations {dilations} must all be at least 1">,
    Require<"group-divides", "group >= 1 && c % group == 0",
            "{group} groups do not divide {c} channels">,
    Require<"image-countable", "isCountable(spreadExtent(x, r, strides, dilations, outputPadding))",
            "strides {strides} and dilations {dilations} spread image {x} "
            "over more than 2^48 pixels">,
  ];
  let compute = [{
    out[n,o,*p] += in[n, o / dg * (c / group) + j,
                      *(exactQuotient(p + take(pads, size(x)) - k * dilations, strides))]
                   * filter[o / dg * (c / group) + j, o % dg, *k]
                   over j < c / group;
    out[n,o,*p] = out[n,o,*p] + bias[o];
  }];
  let samples = [
    Sample<"doubled", (ins "f32[1,2,3,3]", "f32[2,3,3,3]", "f32[3]"),
           [{strides = [2, 2]; pads = [1, 1, 1, 1]; dilations = [1, 1]; outputPadding = [1, 1];
             group = 1}]>,
    Sample<"groups", (ins "f32[1,4,5]", "f32[4,3,2]", ""),
           "strides = [1]; pads = [0, 0]; dilations = [2]; outputPadding = [0]; group = 2">,
    Sample<"few", (ins "f32[2,26,3,4]", "f32[26,1,3,2]", "f32[1]"),
           [{strides = [2, 1]; pads = [1, 0, 0, 1]; dilations = [1, 2]; outputPadding = [0, 0];
             group = 1}]>,
    Refused<"window-attributes", (ins "f32[1,2,3,3]", "f32[2,3,3,3]", ""),
            [{strides = [2]; pads = [1, 1, 1, 1]; dilations = [1, 1]; outputPadding = [1, 1];
              group = 1}]>,
    Refused<"stride-positive", (ins "f32[1,2,3,3]", "f32[2,3,3,3]", ""),
            [{strides = [2, 0]; pads = [1, 1, 1, 1]; dilations = [1, 1]; outputPadding = [1, 1];
              group = 1}]>,
    Refused<"image-countable", (ins "f32[1,2,3]", "f32[2,3,3]", ""),
            [{strides = [4611686018427387904]; pads = [4611686018427387904, 4611686018427387896];
              dilations = [1]; outputPadding = [0]; group = 1}]>,
    Refused<"group-divides", (ins "f32[1,2,3,3]", "f32[2,3,3,3]", ""),
            [{strides = [2, 2]; pads = [1, 1, 1, 1]; dilations = [1, 1]; outputPadding = [1, 1];
              group = 3}]>,
  ];
}

#endif // GLOW_NODES_CONVOLUTION
