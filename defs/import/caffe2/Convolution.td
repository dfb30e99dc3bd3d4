//===- Convolution.td - Caffe2 windows of images --------------------------===//
// SPDX-License-Identifier: MIT
//
// The order of an image's axes is an argument, NCHW or NHWC. Nodes have channels
// first: an image of the other order is turned, and the result is turned back.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_CAFFE2_CONVOLUTION
#define GLOW_IMPORT_CAFFE2_CONVOLUTION

include "glow/import/OnnxConvolution.td"
include "glow/import/OnnxPooling.td"

def AxisOrder : Words<"NCHW", ["NCHW", "NHWC"]>;

def channelsSecond : Let<(ins Tensor:$x, Text:$order), [{
  y = if(order == "NHWC" && rank(x) > 2, Transpose(x, [0, rank(x) - 1, *range(1, rank(x) - 1)]), x);
}]>;
def inOrder : Let<(ins Tensor:$x, Text:$order), [{
  y = if(order == "NHWC" && rank(x) > 2, Transpose(x, [0, *range(2, rank(x)), 1]), x);
}]>;
def channelAxis : Let<(ins Int:$rank, Text:$order), [{ if(order == "NHWC", rank - 1, 1) }]>;

// Arguments of windows: one number for both axes, a list, or a number by its name.
defvar Caffe2Window =
    (ins MaybeInt:$dilation, MaybeInt:$dilation_h, MaybeInt:$dilation_w, MaybeInts:$dilations,
         MaybeInt:$kernel, MaybeInt:$kernel_h, MaybeInt:$kernel_w, MaybeInts:$kernels,
         0:$legacy_pad, AxisOrder:$order, MaybeInt:$pad, MaybeInt:$pad_b, MaybeInt:$pad_l,
         MaybeInt:$pad_r, MaybeInt:$pad_t, MaybeInts:$pads, MaybeInt:$stride,
         MaybeInt:$stride_h, MaybeInt:$stride_w, MaybeInts:$strides);

// The pads that `legacy_pad` asks for: 1 has none, 2 has as many windows as strides in the
// image, 3 has more at the end until the last window is full, as Caffe's pools.
def legacyPads : Let<(ins Int:$legacy, Ints:$x, Ints:$extents, Ints:$step, Ints:$pads), [{
  require(legacy >= 0 && legacy <= 3, "legacy_pad {legacy} must be 0 to 3");
  begins = take(pads, size(x));
  around = if(legacy == 3, ceilPads(x, extents, step, [*begins, *begins]),
              windowPads(if(legacy == 2, "SAME_UPPER", if(legacy == 1, "VALID", "NOTSET")), x,
                         extents, step, pads));
}]>;

// The names `window`, `step`, `apart` and `given` in the body are the sizes of a window, its
// strides, its dilations, and the pads that are given. Without sizes `window` is empty.
defvar Caffe2WindowNames = (bind
    "rank(X) - 2":$axes,
    [{listOr(kernels, if(present(kernel_h), [kernel_h, kernel_w],
             if(present(kernel), repeat(kernel, axes), [])))}]:$window,
    [{listOr(strides, if(present(stride_h), [stride_h, stride_w],
             repeat(if(present(stride), stride, 1), axes)))}]:$step,
    [{listOr(dilations, if(present(dilation_h), [dilation_h, dilation_w],
             repeat(if(present(dilation), dilation, 1), axes)))}]:$apart,
    [{listOr(pads, if(present(pad_t), [pad_t, pad_l, pad_b, pad_r],
             repeat(pad, 2 * axes)))}]:$given);
class Caffe2Windowed<string operator, dag inputs, dag attributes, code body>
    : Caffe2Import<operator, inputs, !con(Caffe2Window, attributes), body> {
  let with = Caffe2WindowNames;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

def caffe2Conv : Let<(ins Tensor:$X, Tensor:$W, Tensor:$B, Text:$order, Ints:$window, Ints:$step,
                      Ints:$apart, Int:$legacy, Ints:$given, Int:$group), [{
  x = channelsSecond(X, order);
  w = channelsSecond(W, order);
  image = drop(shape(x), 2);
  r = filterSizes(w, window);
  around = legacyPads(legacy, image, windowExtent(r, apart), step, given);
  y = inOrder(Conv(x, w, B, cappedStrides(image, step, around), around, apart, group), order);
}]>;
class Caffe2Conv<string operator, code body>
    : Caffe2Windowed<operator, (ins "X", "filter", "bias?"), (ins 1:$group), body>;
def : Caffe2Conv<"Conv", [{
  Y = caffe2Conv(X, filter, bias, order, window, step, apart, legacy_pad, given, group);
}]>;
def : Caffe2Conv<"ConvRelu", [{
  Y = Relu(caffe2Conv(X, filter, bias, order, window, step, apart, legacy_pad, given, group));
}]>;

// `adj` is more at the end. The filter has its inputs first.
def : Caffe2Windowed<"ConvTranspose", (ins "X", "filter", "bias?"),
    (ins MaybeInt:$adj, MaybeInt:$adj_h, MaybeInt:$adj_w, MaybeInts:$adjs, 1:$group), [{
  require(legacy_pad == 0, "legacy_pad {legacy_pad} is not supported");
  x = channelsSecond(X, order);
  w = channelsSecond(filter, order);
  r = filterSizes(w, window);
  more = listOr(adjs, if(present(adj_h), [adj_h, adj_w], repeat(adj, axes)));
  Y = inOrder(ConvTranspose(x, w, bias, step, given, apart, more, group), order);
}]>;

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

// Without a kernel, or with global_pooling, the window is the image.
def caffe2Pool : Let<(ins Tensor:$x, Flag:$global, Ints:$window, Ints:$step, Ints:$apart,
                      Int:$legacy, Ints:$given), [{
  image = drop(shape(x), 2);
  n = size(image);
  r = if(global, image, listOr(window, image));
  steps = if(global, repeat(1, n), step);
  around = if(global, repeat(0, 2 * n),
              legacyPads(legacy, image, windowExtent(r, apart), steps, given));
}]> { let results = ["r", "steps", "around"]; }
class Caffe2Pool<string operator, Node node_>
    : Caffe2Windowed<operator, (ins "X"), (ins 0:$count_include_pad, 0:$global_pooling), [{
  x = channelsSecond(X, order);
  r, steps, around = caffe2Pool(x, global_pooling != 0, window, step, apart, legacy_pad, given);
  n = size(r);
  counts = count_include_pad != 0 && sum(around) > 0;
  padded = if(counts, Pad(x, [0, 0, *take(around, n)], [0, 0, *drop(around, n)], 0.0), x);
  Y = inOrder(node(padded, r, steps, if(counts, repeat(0, 2 * n), around), apart), order);
}]> {
  let with = !con(Caffe2WindowNames, (bind node_:$node));
}
def : Caffe2Pool<"MaxPool", MaxPool>;
def : Caffe2Pool<"AveragePool", AvgPool>;

#endif // GLOW_IMPORT_CAFFE2_CONVOLUTION
