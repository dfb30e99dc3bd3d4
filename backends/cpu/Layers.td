//===- Layers.td - convolutions and products of the CPU -------------------===//
// SPDX-License-Identifier: MIT
//
// Convolutions, the block of MobileNetV2, and products of matrices, of floats and of
// bytes, with their epilogues.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_CPU_LAYERS
#define GLOW_CPU_LAYERS

include "cpu/Nodes.td"

// `in` may also have blocks of a single channel: an image as it is. `pool` is the
// window of a pool whose windows lie side by side; ones are none.
def CpuConv : CpuNode<"cpu_conv",
    (ins "T[b,n,*x:1..3,l]":$in, "T[d,cg,*r:size(x)]":$filter, "T[d]?":$bias,
     "T[*<=out]...":$extras),
    (outs "T[(d + 15) / 16,n,*(windowCount(x, r, strides, pads, dilations)) / pool,16]":$out),
    (ins Ints:$strides, Ints:$pads, Ints:$dilations, Int:$group, Formula:$epilogue, Ints:$pool)> {
  let summary = "a convolution of packed images, its epilogue, and the largest of each `pool` "
                "pixels";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"window-attributes",
            [{size(strides) == size(x) && size(dilations) == size(x) && size(pool) == size(x)
              && size(pads) == 2 * size(x)}],
            "strides {strides}, dilations {dilations}, pool {pool} and pads {pads} must be of "
            "lengths {size(x)}, thrice, and {2 * size(x)}">,
    Require<"stride-positive",
            "allAtLeast(strides, 1) && allAtLeast(dilations, 1) && allAtLeast(pool, 1)",
            "strides {strides}, dilations {dilations} and pool {pool} must all be at least 1">,
    Require<"pads-not-negative", "allAtLeast(pads, 0)", "pads {pads} must all be at least 0">,
    Require<"group-divides",
            "group >= 1 && d % group == 0 && (l == 1 || l == 16) && (cg * group + l - 1) / l == b",
            "{group} groups of {cg} channels do not make {b} blocks of {l} channels in, {d} out">,
    Require<"window-fits", "windowFits(x, r, pads, dilations)",
            "filter {r} is larger than the padded image {paddedExtent(x, pads)}">,
    Require<"pool-fits", "allAtLeast(windowCount(x, r, strides, pads, dilations) - pool, 0)",
            "pool {pool} is larger than what the convolution gives">,
    Beside<"[(d + 15) / 16, n, *windowCount(x, r, strides, pads, dilations), 16]">,
    FormulaHolds<"epilogue", "count(extras) + 1", "epilogue-holds">];
  let factors = ["in", "filter"];
  let hand = "cpuConv";
  let reason = "the epilogue is part of the program";
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    Sample<"blocks", (ins "f32[2,1,5,4,16]", "f32[18,20,3,3]", "f32[18]", "f32[2,1,5,4,16]"),
           [{strides = [1, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1;
             epilogue = "add(x0, x1); relu(t0)"; pool = [1, 1]}]>,
    Sample<"pooled", (ins "f32[2,2,9,12,16]", "f32[18,32,3,3]", "f32[18]", "f32[1,1,1,1,1]"),
           [{strides = [1, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1;
             epilogue = "mul(x0, x1); relu(t0)"; pool = [2, 3]}]>,
    Sample<"plain", (ins "f32[3,2,6,5,1]", "f32[16,3,2,3]", "", ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; dilations = [1, 1]; group = 1; epilogue = "";
             pool = [1, 1]}]>,
    Sample<"planes", (ins "f32[2,1,4,5,4,16]", "f32[18,20,2,3,2]", "f32[18]", "f32[2,1,2,5,4,16]"),
           [{strides = [2, 1, 1]; pads = [1, 1, 0, 0, 1, 1]; dilations = [1, 1, 1]; group = 1;
             epilogue = "add(x0, x1); relu(t0)"; pool = [1, 1, 1]}]>,
    Sample<"cubes", (ins "f32[2,1,3,8,9,16]", "f32[32,32,3,3,3]", "f32[32]", ""),
           [{strides = [1, 1, 1]; pads = [1, 1, 1, 1, 1, 1]; dilations = [1, 1, 1]; group = 1;
             epilogue = "relu(x0)"; pool = [1, 1, 1]}]>,
    Sample<"groups4", (ins "f32[2,1,6,17,16]", "f32[24,4,3,3]", "f32[24]", "f32[2,1,3,9,16]"),
           [{strides = [2, 2]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 6;
             epilogue = "add(x0, x1); relu(t0)"; pool = [1, 1]}]>,
    Sample<"groups8", (ins "f32[2,2,3,4,19,16]", "f32[32,8,2,1,3]", "", ""),
           [{strides = [1, 1, 1]; pads = [1, 0, 2, 0, 0, 2]; dilations = [1, 1, 2]; group = 4;
             epilogue = ""; pool = [1, 1, 1]}]>,
    Sample<"groups2", (ins "f32[1,1,2,31,16]", "f32[16,2,1,5]", "f32[16]", ""),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 8; epilogue = "";
             pool = [1, 1]}]>,
    Sample<"depthwise", (ins "f32[2,1,4,3,5,16]", "f32[20,1,3,3,3]", "f32[20]", ""),
           [{strides = [2, 1, 1]; pads = [1, 1, 1, 1, 1, 1]; dilations = [1, 1, 1]; group = 20;
             epilogue = "relu(x0)"; pool = [1, 1, 1]}]>,
    Refused<"window-attributes", (ins "f32[3,2,6,5,1]", "f32[16,3,2,3]", "", ""),
           [{strides = [2]; pads = [0, 1, 1, 0]; dilations = [1, 1]; group = 1; epilogue = "";
             pool = [1, 1]}]>,
    Refused<"stride-positive", (ins "f32[3,2,6,5,1]", "f32[16,3,2,3]", "", ""),
           [{strides = [0, 1]; pads = [0, 1, 1, 0]; dilations = [1, 1]; group = 1; epilogue = "";
             pool = [1, 1]}]>,
    Refused<"pads-not-negative", (ins "f32[3,2,6,5,1]", "f32[16,3,2,3]", "", ""),
           [{strides = [2, 1]; pads = [0, -1, 1, 0]; dilations = [1, 1]; group = 1;
             epilogue = ""; pool = [1, 1]}]>,
    Refused<"group-divides", (ins "f32[2,1,6,5,16]", "f32[16,3,2,3]", "", ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; dilations = [1, 1]; group = 1; epilogue = "";
             pool = [1, 1]}]>,
    Refused<"window-fits", (ins "f32[3,1,2,2,1]", "f32[16,3,3,3]", "", ""),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1; epilogue = "";
             pool = [1, 1]}]>,
    Refused<"pool-fits", (ins "f32[3,2,6,5,1]", "f32[16,3,2,3]", "", ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; dilations = [1, 1]; group = 1; epilogue = "";
             pool = [2, 5]}]>,
    Refused<"extras-beside", (ins "f32[2,1,5,4,16]", "f32[18,20,3,3]", "", "f32[2,1,5,1,16]"),
           [{strides = [1, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1;
             epilogue = "add(x0, x1)"; pool = [1, 1]}]>,
    Refused<"epilogue-holds", (ins "f32[3,2,6,5,1]", "f32[16,3,2,3]", "", ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; dilations = [1, 1]; group = 1;
             epilogue = "relu(x0, x0)"; pool = [1, 1]}]>];
}

// The block of MobileNetV2. No operand of the first two epilogues is a tensor;
// narrow kinds would be rounded between convolutions.
def CpuBottleneck : CpuNode<"cpu_bottleneck",
    (ins "T[b,n,*x:2..2,16]":$in, "T[e,c,1,1]":$expand, "T[e]?":$expandBias,
     "T[e,1,*r:size(x)]":$depthwise, "T[e]?":$depthwiseBias,
         "T[d,e,1,1]":$project, "T[d]?":$bias, "T[*<=out]...":$extras),
    (outs "T[(d + 15) / 16,n,*windowCount(x, r, strides, pads, repeat(1, size(x))),16]":$out),
    (ins Ints:$strides, Ints:$pads, Formula:$expandEpilogue, Formula:$depthwiseEpilogue,
     Formula:$epilogue)> {
  let summary = "convolutions of single pixels, of each channel on its own, and of single pixels, "
                "each with its epilogue; the last one's has `extras`";
  let types = (kinds WideFloats:$T);
  let requires = [
    Require<"window-attributes", "size(strides) == size(x) && size(pads) == 2 * size(x)",
            "strides {strides} and pads {pads} must be of lengths {size(x)} and {2 * size(x)}">,
    Require<"stride-positive", "allAtLeast(strides, 1)",
            "strides {strides} must all be at least 1">,
    Require<"pads-inside", "allAtLeast(pads, 0) && allAtLeast([*r, *r] - pads - 1, 0)",
            "pads {pads} must all be at least 0 and less than the filter {r}">,
    Require<"channels-fill", "(c + 15) / 16 == b", "{b} blocks of 16 do not hold {c} channels">,
    Require<"window-fits", "windowFits(x, r, pads, repeat(1, size(x)))",
            "filter {r} is larger than the padded image {paddedExtent(x, pads)}">,
    Beside<"[(d + 15) / 16, n, *windowCount(x, r, strides, pads, repeat(1, size(x))), 16]">,
    FormulaHolds<"expandEpilogue", "1", "expand-epilogue-holds">,
    FormulaHolds<"depthwiseEpilogue", "1", "depthwise-epilogue-holds">,
    FormulaHolds<"epilogue", "count(extras) + 1", "epilogue-holds">];
  let factors = ["in", "expand", "depthwise", "project"];
  let hand = "cpuBottleneck";
  let reason = "the epilogue is part of the program";
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    Sample<"residual", (ins "f32[2,2,6,5,16]", "f32[40,20,1,1]", "f32[40]", "f32[40,1,3,3]",
                        "f32[40]", "f32[20,40,1,1]", "f32[20]", "f32[2,2,6,5,16]"),
           [{strides = [1, 1]; pads = [1, 1, 1, 1]; expandEpilogue = "relu(x0)";
             depthwiseEpilogue = "relu(x0)"; epilogue = "add(x0, x1)"}]>,
    Sample<"stride", (ins "f32[1,1,7,6,16]", "f32[18,16,1,1]", "", "f32[18,1,2,3]", "",
                      "f32[5,18,1,1]", "", ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; expandEpilogue = "";
             depthwiseEpilogue = ""; epilogue = ""}]>,
    Refused<"window-attributes",
            (ins "f32[1,1,7,6,16]", "f32[18,16,1,1]", "", "f32[18,1,2,3]", "", "f32[5,18,1,1]", "",
             ""),
           [{strides = [2]; pads = [0, 1, 1, 0]; expandEpilogue = ""; depthwiseEpilogue = "";
             epilogue = ""}]>,
    Refused<"stride-positive",
            (ins "f32[1,1,7,6,16]", "f32[18,16,1,1]", "", "f32[18,1,2,3]", "", "f32[5,18,1,1]", "",
             ""),
           [{strides = [0, 1]; pads = [0, 1, 1, 0]; expandEpilogue = "";
             depthwiseEpilogue = ""; epilogue = ""}]>,
    Refused<"pads-inside", (ins "f32[1,1,7,6,16]", "f32[18,16,1,1]", "", "f32[18,1,2,3]", "",
                            "f32[5,18,1,1]", "", ""),
           [{strides = [2, 1]; pads = [2, 1, 1, 0]; expandEpilogue = "";
             depthwiseEpilogue = ""; epilogue = ""}]>,
    Refused<"channels-fill",
            (ins "f32[1,1,7,6,16]", "f32[18,17,1,1]", "", "f32[18,1,2,3]", "", "f32[5,18,1,1]", "",
             ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; expandEpilogue = "";
             depthwiseEpilogue = ""; epilogue = ""}]>,
    Refused<"window-fits", (ins "f32[1,1,1,6,16]", "f32[18,16,1,1]", "", "f32[18,1,3,3]", "",
                            "f32[5,18,1,1]", "", ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; expandEpilogue = "";
             depthwiseEpilogue = ""; epilogue = ""}]>,
    Refused<"extras-beside",
            (ins "f32[1,1,7,6,16]", "f32[18,16,1,1]", "", "f32[18,1,2,3]", "", "f32[5,18,1,1]", "",
             "f32[1,1,1,6,16]"),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; expandEpilogue = "";
             depthwiseEpilogue = ""; epilogue = "add(x0, x1)"}]>,
    Refused<"expand-epilogue-holds",
            (ins "f32[1,1,7,6,16]", "f32[18,16,1,1]", "", "f32[18,1,2,3]", "", "f32[5,18,1,1]", "",
             ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; expandEpilogue = "relu(x1)";
             depthwiseEpilogue = ""; epilogue = ""}]>,
    Refused<"depthwise-epilogue-holds",
            (ins "f32[1,1,7,6,16]", "f32[18,16,1,1]", "", "f32[18,1,2,3]", "", "f32[5,18,1,1]", "",
             ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; expandEpilogue = "";
             depthwiseEpilogue = "greater(x0, 0)"; epilogue = ""}]>,
    Refused<"epilogue-holds",
            (ins "f32[1,1,7,6,16]", "f32[18,16,1,1]", "", "f32[18,1,2,3]", "", "f32[5,18,1,1]", "",
             ""),
           [{strides = [2, 1]; pads = [0, 1, 1, 0]; expandEpilogue = "";
             depthwiseEpilogue = ""; epilogue = "transpose(x0)"}]>];
}

def CpuConvTranspose : CpuNode<"cpu_conv_transpose",
    (ins "T[b,n,*x:1..2,16]":$in, "T[c,d,*r:size(x)]":$filter, "T[d]?":$bias,
     "T[*<=out]...":$extras),
    (outs [{T[(d + 15) / 16,n,*croppedExtent(spreadExtent(x, r, strides, dilations, outputPadding),
            pads),16]}]:$out),
    (ins Ints:$strides, Ints:$pads, Ints:$dilations, Ints:$outputPadding, Int:$group,
     Formula:$epilogue)> {
  let summary = "a transposed convolution of packed images, and its epilogue";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"window-attributes",
            [{size(strides) == size(x) && size(dilations) == size(x)
              && size(outputPadding) == size(x) && size(pads) == 2 * size(x)}],
            "strides {strides}, dilations {dilations}, outputPadding {outputPadding} and pads "
            "{pads} must be of lengths {size(x)}, thrice, and {2 * size(x)}">,
    Require<"stride-positive", "allAtLeast(strides, 1) && allAtLeast(dilations, 1)",
            "strides {strides} and dilations {dilations} must all be at least 1">,
    Require<"channels-fill", "group == 1 && (c + 15) / 16 == b",
            "{b} blocks of 16 do not hold {c} channels in {group} groups, which must be 1">,
    Require<"result-has-sizes",
            [{allAtLeast(croppedExtent(spreadExtent(x, r, strides, dilations, outputPadding),
              pads), 0)}],
            "pads {pads} are larger than the result">,
    Beside<[{[(d + 15) / 16, n, *croppedExtent(spreadExtent(x, r, strides, dilations,
             outputPadding), pads), 16]}]>,
    FormulaHolds<"epilogue", "count(extras) + 1", "epilogue-holds">];
  let factors = ["in", "filter"];
  let hand = "cpuConvTranspose";
  let reason = "the epilogue is part of the program";
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    Sample<"overlapping", (ins "f32[2,2,4,3,16]", "f32[20,18,3,3]", "f32[18]", "f32[2,2,8,6,16]"),
           [{strides = [2, 2]; pads = [1, 1, 1, 1]; dilations = [1, 1]; outputPadding = [1, 1];
             group = 1; epilogue = "add(x0, x1); relu(t0)"}]>,
    Sample<"apart", (ins "f32[1,1,3,4,16]", "f32[16,5,2,1]", "", ""),
           [{strides = [3, 2]; pads = [0, 0, 0, 0]; dilations = [1, 1]; outputPadding = [0, 0];
             group = 1; epilogue = ""}]>,
    Refused<"window-attributes", (ins "f32[1,1,3,4,16]", "f32[16,5,2,1]", "", ""),
           [{strides = [3]; pads = [0, 0, 0, 0]; dilations = [1, 1]; outputPadding = [0, 0];
             group = 1; epilogue = ""}]>,
    Refused<"stride-positive", (ins "f32[1,1,3,4,16]", "f32[16,5,2,1]", "", ""),
           [{strides = [0, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; outputPadding = [0, 0];
             group = 1; epilogue = ""}]>,
    Refused<"channels-fill", (ins "f32[2,1,3,4,16]", "f32[16,5,2,1]", "", ""),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; outputPadding = [0, 0];
             group = 1; epilogue = ""}]>,
    Refused<"result-has-sizes", (ins "f32[1,1,3,4,16]", "f32[16,5,2,1]", "", ""),
           [{strides = [1, 1]; pads = [5, 0, 0, 0]; dilations = [1, 1]; outputPadding = [0, 0];
             group = 1; epilogue = ""}]>,
    Refused<"extras-beside", (ins "f32[1,1,3,4,16]", "f32[16,5,2,1]", "", "f32[1,1,8,1,16]"),
           [{strides = [3, 2]; pads = [0, 0, 0, 0]; dilations = [1, 1]; outputPadding = [0, 0];
             group = 1; epilogue = "add(x0, x1)"}]>,
    Refused<"epilogue-holds", (ins "f32[1,1,3,4,16]", "f32[16,5,2,1]", "", ""),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; outputPadding = [0, 0];
             group = 1; epilogue = "relu(x1)"}]>];
}

// Of images in blocks, as convolutions have them; `in` may have blocks of a single channel.
// `channelsIn` are those of a group.
def CpuConvFilterGradient : CpuNode<"cpu_conv_filter_gradient",
    (ins "T[b,n,*x:1..2,l]":$in, "T[e,n,*y:size(x),16]":$gradient),
    (outs "T[channels,channelsIn,*window]":$out),
    (ins Int:$channels, Int:$channelsIn, Ints:$window, Ints:$strides, Ints:$pads,
         Ints:$dilations, Default<Int, "1">:$group)> {
  let summary = "the gradient of the filter of a convolution of packed images, in groups: for "
                "each tap the pixels that it reads times the gradients of the results";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"window-attributes",
            [{size(strides) == size(x) && size(dilations) == size(x) && size(window) == size(x)
              && size(pads) == 2 * size(x)}],
            "window {window}, strides {strides}, dilations {dilations} and pads {pads} must be of "
            "lengths {size(x)}, thrice, and {2 * size(x)}">,
    Require<"stride-positive",
            "allAtLeast(strides, 1) && allAtLeast(dilations, 1) && allAtLeast(window, 0)",
            "strides {strides} and dilations {dilations} must all be at least 1, window {window} "
            "at least 0">,
    Require<"pads-not-negative", "allAtLeast(pads, 0)", "pads {pads} must all be at least 0">,
    Require<"channels-fill",
            [{(l == 1 || l == 16) && group >= 1 && (channelsIn * group + l - 1) / l == b
              && channels >= 0 && channels % max(group, 1) == 0 && (channels + 15) / 16 == e}],
            "{b} blocks of {l} and {e} blocks of 16 do not hold {group} groups of {channelsIn} "
            "channels in, {channels} out">,
    Require<"window-fits", "windowFits(x, window, pads, dilations)",
            "filter {window} is larger than the padded image {paddedExtent(x, pads)}">,
    Require<"gradients-of-windows", "y == windowCount(x, window, strides, pads, dilations)",
            "gradients of {y} pixels are not those of "
            "{windowCount(x, window, strides, pads, dilations)} windows">];
  let factors = ["in", "gradient"];
  let compute = [{
    out[o,i,*k] += in[(o / max(channels / group, 1) * channelsIn + i) / l, n,
                      *(windowElement(p, k, strides, pads, dilations)),
                      (o / max(channels / group, 1) * channelsIn + i) % l]
                   * gradient[o / 16, n, *p, o % 16];
  }];
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    Sample<"padded", (ins "f32[2,2,5,7,16]", "f32[2,2,5,7,16]"),
           [{channels = 19; channelsIn = 20; window = [3, 3]; strides = [1, 1];
             pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1}]>,
    Sample<"strides", (ins "f32[1,3,8,9,16]", "f32[3,3,4,3,16]"),
           [{channels = 48; channelsIn = 16; window = [3, 2]; strides = [2, 3];
             pads = [1, 0, 1, 1]; dilations = [1, 2]; group = 1}]>,
    Sample<"single", (ins "f32[3,2,9,8,1]", "f32[4,2,5,4,16]"),
           [{channels = 64; channelsIn = 3; window = [5, 5]; strides = [2, 2];
             pads = [2, 2, 2, 2]; dilations = [1, 1]; group = 1}]>,
    Sample<"point", (ins "f32[3,2,4,4,16]", "f32[1,2,4,4,16]"),
           [{channels = 7; channelsIn = 40; window = [1, 1]; strides = [1, 1];
             pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1}]>,
    Sample<"row", (ins "f32[1,2,30,16]", "f32[2,2,13,16]"),
           [{channels = 32; channelsIn = 16; window = [9]; strides = [2]; pads = [1, 2];
             dilations = [1]; group = 1}]>,
    Sample<"outside", (ins "f32[1,1,2,2,16]", "f32[1,1,4,6,16]"),
           [{channels = 16; channelsIn = 16; window = [3, 1]; strides = [1, 1];
             pads = [2, 2, 2, 2]; dilations = [1, 1]; group = 1}]>,
    Sample<"depthwise", (ins "f32[2,2,5,9,16]", "f32[2,2,3,9,16]"),
           [{channels = 19; channelsIn = 1; window = [3, 3]; strides = [2, 1];
             pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 19}]>,
    Sample<"groups", (ins "f32[2,1,4,3,16]", "f32[2,1,4,3,16]"),
           [{channels = 24; channelsIn = 4; window = [3, 1]; strides = [1, 1];
             pads = [1, 0, 1, 0]; dilations = [1, 1]; group = 6}]>,
    Sample<"groups-across-blocks", (ins "f32[2,2,5,4,16]", "f32[3,2,5,4,16]"),
           [{channels = 35; channelsIn = 6; window = [3, 2]; strides = [1, 1];
             pads = [1, 0, 1, 1]; dilations = [1, 1]; group = 5}]>,
    Sample<"groups-of-blocks", (ins "f32[4,1,6,4,16]", "f32[2,1,3,4,16]"),
           [{channels = 32; channelsIn = 32; window = [2, 1]; strides = [2, 1];
             pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 2}]>,
    Sample<"small-groups", (ins "f32[2,1,7,16]", "f32[3,1,7,16]"),
           [{channels = 48; channelsIn = 2; window = [3]; strides = [1]; pads = [1, 1];
             dilations = [1]; group = 16}]>,
    Refused<"window-attributes", (ins "f32[1,2,5,7,16]", "f32[1,2,5,7,16]"),
            [{channels = 16; channelsIn = 16; window = [3]; strides = [1, 1];
              pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1}]>,
    Refused<"stride-positive", (ins "f32[1,2,5,7,16]", "f32[1,2,5,7,16]"),
            [{channels = 16; channelsIn = 16; window = [3, 3]; strides = [1, 0];
              pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1}]>,
    Refused<"pads-not-negative", (ins "f32[1,2,5,7,16]", "f32[1,2,5,7,16]"),
            [{channels = 16; channelsIn = 16; window = [3, 3]; strides = [1, 1];
              pads = [1, 1, -1, 1]; dilations = [1, 1]; group = 1}]>,
    Refused<"channels-fill", (ins "f32[1,2,5,7,16]", "f32[1,2,5,7,16]"),
            [{channels = 17; channelsIn = 16; window = [3, 3]; strides = [1, 1];
              pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1}]>,
    Refused<"window-fits", (ins "f32[1,2,2,2,16]", "f32[1,2,2,2,16]"),
            [{channels = 16; channelsIn = 16; window = [3, 3]; strides = [1, 1];
              pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1}]>,
    Refused<"gradients-of-windows", (ins "f32[1,2,5,7,16]", "f32[1,2,5,6,16]"),
            [{channels = 16; channelsIn = 16; window = [3, 3]; strides = [1, 1];
              pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1}]>];
}

// The largest elements of a window share the gradient of its result.
def CpuMaxPoolGradient : CpuNode<"cpu_max_pool_gradient",
    (ins "T[b,n,*x:2..2,16]":$in,
         "T[b,n,*y:size(x),16]":$largest, "T[b,n,*y:size(x),16]":$gradient),
    (outs "T[b,n,*x,16]":$out), (ins Ints:$window, Ints:$strides, Ints:$pads, Ints:$dilations)> {
  let summary = "the gradient of a max pool of packed images as to its image";
  let types = (kinds Floats:$T);
  let atKink = 1;
  let requires = [
    Require<"window-attributes",
            [{size(window) == size(x) && size(strides) == size(x) && size(dilations) == size(x)
              && size(pads) == 2 * size(x)}],
            "window {window}, strides {strides}, dilations {dilations} and pads {pads} must be of "
            "lengths {size(x)}, thrice, and {2 * size(x)}">,
    Require<"stride-positive",
            "allAtLeast(window, 1) && allAtLeast(strides, 1) && allAtLeast(dilations, 1)",
            "window {window}, strides {strides} and dilations {dilations} must all be at least 1">,
    Require<"pads-not-negative", "allAtLeast(pads, 0)", "pads {pads} must all be at least 0">,
    Require<"window-fits", "windowFits(x, window, pads, dilations)",
            "window {window} is larger than the padded image {paddedExtent(x, pads)}">,
    Require<"gradients-of-windows", "y == windowCount(x, window, strides, pads, dilations)",
            "gradients of {y} pixels are not those of "
            "{windowCount(x, window, strides, pads, dilations)} windows">];
  let scratch = (ins "T[b,n,*y,16]":$ties);
  let compute = [{
    ties[b,n,*p,l] += if(in[b,n,*(p * strides + k * dilations - take(pads, size(strides))),l]
                         == largest[b,n,*p,l], 1, 0) over *k < window;
    out[b,n,*(p * strides + k * dilations - take(pads, size(strides))),l] +=
        if(in[b,n,*(p * strides + k * dilations - take(pads, size(strides))),l]
           == largest[b,n,*p,l], gradient[b,n,*p,l] / ties[b,n,*p,l], 0) over *k < window;
  }];
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    Sample<"overlapping", (ins "f32[2,1,7,8,16]", "f32[2,1,4,4,16]", "f32[2,1,4,4,16]"),
           "window = [3, 3]; strides = [2, 2]; pads = [1, 0, 1, 1]; dilations = [1, 1]">,
    Sample<"apart", (ins "f32[1,2,9,6,16]", "f32[1,2,3,3,16]", "f32[1,2,3,3,16]"),
           "window = [2, 2]; strides = [3, 2]; pads = [0, 0, 0, 0]; dilations = [2, 1]">,
    Refused<"window-attributes", (ins "f32[1,2,9,6,16]", "f32[1,2,3,3,16]", "f32[1,2,3,3,16]"),
            "window = [2]; strides = [3, 2]; pads = [0, 0, 0, 0]; dilations = [2, 1]">,
    Refused<"stride-positive", (ins "f32[1,2,9,6,16]", "f32[1,2,3,3,16]", "f32[1,2,3,3,16]"),
            "window = [2, 2]; strides = [0, 2]; pads = [0, 0, 0, 0]; dilations = [2, 1]">,
    Refused<"pads-not-negative", (ins "f32[1,2,9,6,16]", "f32[1,2,3,3,16]", "f32[1,2,3,3,16]"),
            "window = [2, 2]; strides = [3, 2]; pads = [0, -1, 0, 1]; dilations = [2, 1]">,
    Refused<"window-fits", (ins "f32[1,2,2,2,16]", "f32[1,2,1,1,16]", "f32[1,2,1,1,16]"),
            "window = [4, 4]; strides = [3, 2]; pads = [0, 0, 0, 0]; dilations = [2, 1]">,
    Refused<"gradients-of-windows",
            (ins "f32[1,2,9,6,16]", "f32[1,2,3,2,16]", "f32[1,2,3,2,16]"),
            "window = [2, 2]; strides = [3, 2]; pads = [0, 0, 0, 0]; dilations = [2, 1]">];
}

def CpuMatMul : CpuNode<"cpu_matmul",
    (ins "T[n,k]":$lhs, "T[k,m]":$rhs, "T[m]?":$bias, "T[*<=out]...":$extras), (outs "T[n,m]":$out),
    (ins Formula:$epilogue, Flag:$sparse)> {
  let summary = "a product of matrices plus a bias, and its epilogue; "
                "`sparse` says that many elements of `lhs` are 0";
  let types = (kinds Floats:$T);
  let requires = [Beside<"[n, m]", 0>,
                  FormulaHolds<"epilogue", "count(extras) + 1", "epilogue-holds">];
  let factors = ["lhs", "rhs"];
  let hand = "cpuMatMul";
  let reason = "the epilogue is part of the program";
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    Sample<"layer", (ins "f32[5,7]", "f32[7,18]", "f32[18]", "f32[5,18]"),
           "epilogue = \"add(x0, x1); relu(t0)\"; sparse = false">,
    Sample<"plain", (ins "f32[1,40]", "f32[40,3]", "", ""), "epilogue = \"\"; sparse = true">,
    Refused<"extras-beside", (ins "f32[5,7]", "f32[7,18]", "", "f32[5,1]"),
            "epilogue = \"add(x0, x1)\"; sparse = false">,
    Refused<"epilogue-holds", (ins "f32[1,40]", "f32[40,3]", "", ""),
            "epilogue = \"add(x0, x1)\"; sparse = true">];
}

// The second matrix of a run as the model has it, with its columns as rows.
def CpuMatMulTransposed : CpuNode<"cpu_matmul_transposed",
    (ins "T[*b,n,k]":$lhs, "T[*b,m,k]":$rhs, "T[m]?":$bias, "T[*<=out]...":$extras),
    (outs "T[*b,n,m]":$out), (ins Formula:$epilogue)> {
  let summary = "products of matrices and transposed matrices plus a bias, and their epilogue";
  let types = (kinds Floats:$T);
  let requires = [Beside<"[*b, n, m]", 0>,
                  FormulaHolds<"epilogue", "count(extras) + 1", "epilogue-holds">];
  let factors = ["lhs", "rhs"];
  let hand = "cpuMatMulTransposed";
  let reason = "the epilogue is part of the program";
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    Sample<"layer", (ins "f32[9,23]", "f32[37,23]", "f32[37]", "f32[9,37]"),
           "epilogue = \"add(x0, x1); relu(t0)\"">,
    Sample<"few", (ins "f32[2,3,40]", "f32[2,18,40]", "", ""), "epilogue = \"\"">,
    Sample<"many", (ins "f32[2,11,7]", "f32[2,50,7]", "", "f32[1,1,50]"),
           "epilogue = \"mul(x0, x1)\"">,
    Refused<"extras-beside", (ins "f32[5,7]", "f32[18,7]", "", "f32[5,1]"),
            "epilogue = \"add(x0, x1)\"">,
    Refused<"epilogue-holds", (ins "f32[1,40]", "f32[3,40]", "", ""),
            "epilogue = \"add(x0, x1)\"">];
}

// Sums of products of bytes, or what an epilogue makes of them.
def SumsAndBytes : Kinds<["i32", "f32", "i8", "u8"]>;
def Weights : Kinds<["i8", "i16"]>;

// Bytes with the channels of a pixel side by side; without axes, rows of a matrix. The
// zero of the filter was taken from it, which may leave 9 bits. An epilogue reads sums
// as x0, then `extras`, then `bytes`.
def CpuConvInteger : CpuNode<"cpu_conv_integer",
    (ins "A[n,*x:0..3,c]":$in, "A[]":$inZero, "W[d,cg,*r:size(x)]":$filter, "i32[d]?":$bias,
     "f32[*<=out]...":$extras, "E[*<=out]...":$bytes),
    (outs "kind[n,*windowCount(x, r, strides, pads, dilations),d]":$out),
    (ins Ints:$strides, Ints:$pads, Ints:$dilations, Int:$group, Formula:$epilogue, Kind:$kind)> {
  let summary = "a convolution of in - inZero, where pixels of padding are inZero, plus a bias: as "
                "it is, or as the real x0 of an epilogue, which becomes the nearest of `kind`";
  let types = (kinds Bytes:$A, Weights:$W, Bytes:$E, SumsAndBytes:$kind);
  let requires = [
    Require<"window-attributes",
            "size(strides) == size(x) && size(dilations) == size(x) && size(pads) == 2 * size(x)",
            "strides {strides}, dilations {dilations} and pads {pads} must be of lengths "
            "{size(x)}, twice, and {2 * size(x)}">,
    Require<"stride-positive", "allAtLeast(strides, 1) && allAtLeast(dilations, 1)",
            "strides {strides} and dilations {dilations} must all be at least 1">,
    Require<"pads-not-negative", "allAtLeast(pads, 0)", "pads {pads} must all be at least 0">,
    Require<"group-divides", "group >= 1 && d % group == 0 && cg * group == c",
            "{group} groups of {cg} channels do not make {c} channels in, {d} out">,
    Require<"window-fits", "windowFits(x, r, pads, dilations)",
            "filter {r} is larger than the padded image {paddedExtent(x, pads)}">,
    Require<"sums-as-they-are", "isFloat(kind) || bitsOf(kind) == 8 || epilogue == \"\"",
            "sums of i32 have no epilogue, which here is {epilogue}">,
    Beside<"[n, *windowCount(x, r, strides, pads, dilations), d]", 0>,
    Require<"bytes-beside", [{areReadBeside(bytes, [n, *windowCount(x, r, strides, pads,
                              dilations), d], false)}],
            "each of the bytes must be of the result's shape, one element for each channel, or one "
            "number">,
    FormulaHolds<"epilogue", "count(extras) + count(bytes) + 1", "epilogue-holds", "A">];
  let factors = ["in", "filter"];
  let hand = "cpuConvInteger";
  let reason = "the epilogue is part of the program";
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    AsWritten<"requantized",
              (ins "u8[2,5,4,20]", "u8[] in 3..3", "i8[18,20,3,3]", "i32[18] in -99..99",
               "f32[1,1,1,18] in 0.001..0.001; f32[2,5,4,18]", "i8[2,5,4,18]"),
              [{strides = [1, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 1;
                epilogue = "mul(x0, x1); add(t0, x2); add(t1, x3); round(t2); add(t3, 5)";
                kind = u8}]>,
    AsWritten<"signs", (ins "i8[1,9,16]", "i8[] in -7..-7", "i8[40,16,1]", "",
                        "f32[1,1,40] in 0.01..0.01", ""),
              [{strides = [1]; pads = [0, 0]; dilations = [1]; group = 1;
                epilogue = "mul(x0, x1); round(t0)"; kind = i8}]>,
    AsWritten<"groups", (ins "i8[1,7,8]", "i8[] in -4..4", "i8[32,4,3]", "", "f32[1,1,1]", ""),
              [{strides = [2]; pads = [0, 1]; dilations = [1]; group = 2;
                epilogue = "mul(x0, x1)"; kind = f32}]>,
    AsWritten<"sums", (ins "i8[2,6,5,3]", "i8[] in -4..4", "i8[5,3,2,3]", "", "", ""),
           [{strides = [2, 1]; pads = [0, 0, 0, 0]; dilations = [1, 2]; group = 1; epilogue = "";
             kind = i32}]>,
    AsWritten<"solid", (ins "i8[2,4,5,6,8]", "i8[] in -4..4", "i8[18,8,3,2,3]",
                        "i32[18] in -99..99", "f32[1,1,1,1,18] in 0.001..0.001", "u8[2,4,2,4,18]"),
              [{strides = [1, 2, 1]; pads = [1, 0, 0, 1, 0, 0]; dilations = [1, 1, 1]; group = 1;
                epilogue = "mul(x0, x1); add(t0, x2); round(t1)"; kind = i8}]>,
    AsWritten<"solid-groups", (ins "u8[1,5,4,3,8]", "u8[] in 9..9", "i8[32,4,2,1,2]", "", "", ""),
              [{strides = [2, 1, 1]; pads = [0, 0, 0, 0, 0, 0]; dilations = [2, 1, 1]; group = 2;
                epilogue = ""; kind = i32}]>,
    AsWritten<"rows", (ins "i8[9,70]", "i8[] in -4..4", "i8[33,70]", "i32[33]", "", ""),
           "strides = []; pads = []; dilations = []; group = 1; epilogue = \"\"; kind = i32">,
    AsWritten<"wide", (ins "u8[1,6,5,20]", "u8[] in 7..7", "i16[17,20,3,3] in -255..255", "", "",
                       ""),
              [{strides = [1, 1]; pads = [1, 0, 0, 1]; dilations = [1, 1]; group = 1;
                epilogue = ""; kind = i32}]>,
    AsWritten<"depthwise", (ins "u8[2,6,9,21]", "u8[] in 7..7", "i8[21,1,3,3]",
                            "i32[21] in -999..999", "f32[1,1,1,1] in 0.01..0.01", "u8[2,3,9,21]"),
              [{strides = [2, 1]; pads = [1, 1, 1, 1]; dilations = [1, 1]; group = 21;
                epilogue = "mul(x0, x1); add(t0, x2); round(t1)"; kind = u8}]>,
    AsWritten<"solid-depthwise",
              (ins "i8[2,5,6,7,19]", "i8[] in -4..4", "i8[19,1,3,2,3]", "i32[19] in -999..999",
               "f32[1,1,1,1,1] in 0.01..0.01", ""),
              [{strides = [2, 1, 1]; pads = [1, 0, 1, 0, 1, 1]; dilations = [1, 2, 1]; group = 19;
                epilogue = "mul(x0, x1); round(t0)"; kind = i8}]>,
    Refused<"window-attributes", (ins "u8[1,5,4,3]", "u8[]", "i8[4,3,2,2]", "", "", ""),
           [{strides = [1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1; epilogue = "";
             kind = i32}]>,
    Refused<"stride-positive", (ins "u8[1,5,4,3]", "u8[]", "i8[4,3,2,2]", "", "", ""),
           [{strides = [1, 0]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1; epilogue = "";
             kind = i32}]>,
    Refused<"pads-not-negative", (ins "u8[1,5,4,3]", "u8[]", "i8[4,3,2,2]", "", "", ""),
           [{strides = [1, 1]; pads = [0, -1, 0, 0]; dilations = [1, 1]; group = 1;
             epilogue = ""; kind = i32}]>,
    Refused<"group-divides", (ins "u8[1,5,4,3]", "u8[]", "i8[4,3,2,2]", "", "", ""),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 2; epilogue = "";
             kind = i32}]>,
    Refused<"window-fits", (ins "u8[1,1,4,3]", "u8[]", "i8[4,3,2,2]", "", "", ""),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1; epilogue = "";
             kind = i32}]>,
    Refused<"sums-as-they-are", (ins "u8[1,5,4,3]", "u8[]", "i8[4,3,2,2]", "", "", ""),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1;
             epilogue = "relu(x0)"; kind = i32}]>,
    Refused<"extras-beside", (ins "u8[1,5,4,3]", "u8[]", "i8[4,3,2,2]", "", "f32[1,4,1,4]", ""),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1;
             epilogue = "add(x0, x1)"; kind = f32}]>,
    Refused<"bytes-beside", (ins "u8[1,5,4,3]", "u8[]", "i8[4,3,2,2]", "", "", "u8[1,4,1,4]"),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1;
             epilogue = "add(x0, x1)"; kind = f32}]>,
    Refused<"epilogue-holds", (ins "u8[1,5,4,3]", "u8[]", "i8[4,3,2,2]", "", "", ""),
           [{strides = [1, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1]; group = 1;
             epilogue = "relu(x1)"; kind = f32}]>];
}

#endif // GLOW_CPU_LAYERS
