//===- Pooling.td - one value of each window of an image ------------------===//
// SPDX-License-Identifier: MIT
//
// Images are [batch, channels, rows...]; windows are given as for convolution.
// Elements outside of the image do not count.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_POOLING
#define GLOW_NODES_POOLING

include "glow/nodes/Convolution.td"
include "glow/nodes/Shape.td"

class Pool<string mnemonic, code compute_, Kinds of, dag more = (ins)>
    : Node<mnemonic, (ins "T[n,c,*x:1..3]":$in),
    (outs "T[n,c,*windowCount(x, window, strides, pads, dilations)]":$out),
    !con((ins Ints:$window, Ints:$strides, Ints:$pads, Ints:$dilations), more)> {
  let types = (kinds of:$T);
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
    // Else a window may be so large that nothing ever ends.
    Require<"window-of-image", "allAtLeast(x + 1024 - window, 0)",
            "window {window} is larger than the image {x} by more than 1024">,
    Require<"window-fits", "windowFits(x, window, pads, dilations)",
            "window {window} is larger than the padded image {paddedExtent(x, pads)}">,
  ];
  let compute = compute_;
  let samples = [
    Sample<"padded", (ins "f32[1,2,5,5]"),
           "window = [3, 3]; strides = [2, 2]; pads = [1, 1, 1, 1]; dilations = [1, 1]">,
    Sample<"row", (ins "f32[1,2,7]"),
           "window = [2]; strides = [1]; pads = [0, 0]; dilations = [2]">,
    Refused<"window-attributes", (ins "f32[1,2,5,5]"),
            "window = [3]; strides = [2, 2]; pads = [1, 1, 1, 1]; dilations = [1, 1]">,
    Refused<"stride-positive", (ins "f32[1,2,5,5]"),
            "window = [3, 3]; strides = [0, 2]; pads = [1, 1, 1, 1]; dilations = [1, 1]">,
    Refused<"pads-not-negative", (ins "f32[1,2,5,5]"),
            "window = [3, 3]; strides = [2, 2]; pads = [1, -1, 1, 1]; dilations = [1, 1]">,
    Refused<"window-of-image", (ins "f32[1,2,5,5]"),
            "window = [3, 2000]; strides = [1, 1]; pads = [1, 2000, 1, 2000]; dilations = [1, 1]">,
    Refused<"window-fits", (ins "f32[1,2,2,2]"),
            "window = [3, 3]; strides = [2, 2]; pads = [0, 0, 0, 0]; dilations = [1, 1]">,
  ];
}

def MaxPool : Pool<"max_pool", [{
    out[n,c,*y] max= in[n,c,*(windowElement(y, k, strides, pads, dilations))] over *k < window;
  }], Numbers> {
  let summary = "the largest element of each window";
  let integers = [Integers<"in">];
  let keepsRange = 1;
  let rescales = 1;
}
def AvgPool : Pool<"avg_pool", [{
    out[n,c,*y] mean= in[n,c,*(windowElement(y, k, strides, pads, dilations))] over *k < window;
  }], Floats> {
  let summary = "the mean of each window";
  let integers = [Integers<"in">];
  let rescales = 1;
  // Each pixel gets its share of every window that holds it; how many share in
  // a window, a convolution of ones counts.
  let gradient = [{
    left = windowSlack(x, window, pads, dilations) % strides;
    pixels = Splat(1.0, [1, 1, *x], kind(in));
    counts = Conv(pixels, Splat(1.0, [1, 1, *window], kind(in)), none, strides, pads, dilations);
    share = d.out / Broadcast(counts, shape(d.out));
    d.in = ConvTranspose(share, Splat(1.0, [c, 1, *window], kind(in)), none, strides, pads,
                         dilations, left, c);
  }];
}
def LpPool : Pool<"lp_pool", [{
    out[n,c,*y] += pow(abs(in[n,c,*(windowElement(y, k, strides, pads, dilations))]),
                       p) over *k < window;
    out[n,c,*y] = pow(out[n,c,*y], 1.0 / p);
  }], Floats, (ins Int:$p)> {
  let sampleValues = "p = 2";
  let summary = "the p-norm of each window";
  // d|x|^p = p |x|^(p-1) sign(x), and the p-th root's slope is out^(1-p) / p.
  let gradient = [{
    left = windowSlack(x, window, pads, dilations) % strides;
    slope = d.out * Pow(out, Splat(1.0 - p, shape(out), kind(out)));
    all = ConvTranspose(slope, Splat(1.0, [c, 1, *window], kind(in)), none, strides, pads,
                        dilations, left, c);
    d.in = all * Pow(Abs(in), Splat(p - 1.0, shape(in), kind(in))) * Sign(in);
  }];
}

// Even windows of `x` elements that become `o`: their begins, and their sizes.
def sharesBegin : Let<(ins Ints:$y, Ints:$x, Ints:$o), "y * x / o">;
def sharesExtent : Let<(ins Ints:$y, Ints:$x, Ints:$o), "((y + 1) * x + o - 1) / o - y * x / o">;

class AdaptivePool<string mnemonic>
    : Node<mnemonic, (ins "T[n,c,*x:1..3]":$in), (outs "T[n,c,*dims]":$out), (ins Ints:$dims)> {
  let types = (kinds Floats:$T);
  let requires = [
    Require<"sizes-fit", "size(dims) == size(x) && allAtLeast(dims, 1)",
            "sizes {dims} must be {size(x)} numbers of at least 1">];
  let samples = [Sample<"image", (ins "f32[2,3,5,7]"), "dims = [2, 3]">,
                 Sample<"larger", (ins "f32[1,2,3]"), "dims = [5]">,
                 Refused<"sizes-fit", (ins "f32[2,3,5,7]"), "dims = [2]">];
}
// The index of a term beyond the window is moved outside of the image.
def AdaptiveSumPool : AdaptivePool<"adaptive_sum_pool"> {
  let summary = "the sum of each of so many windows that cover an image evenly, and overlap where "
                "they must";
  let compute = [{
    out[n,c,*y] += in[n,c,*(sharesBegin(y, x, dims) + k + k / sharesExtent(y, x, dims) * x)]
        over *k < (x + dims - 1) / dims + 1;
  }];
}
def AdaptiveAvgPool : AdaptivePool<"adaptive_avg_pool"> {
  let summary = "the mean of each of so many windows that cover an image evenly, and overlap where "
                "they must";
  let tier = 1;
  let lowering = [{
    counts = AdaptiveSumPool(Splat(1.0, [1, 1, *x], kind(in)), dims);
    out = AdaptiveSumPool(in, dims) / Broadcast(counts, [n, c, *dims]);
  }];
}

#endif // GLOW_NODES_POOLING
