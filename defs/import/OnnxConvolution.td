//===- OnnxConvolution.td - ONNX windows times filters -------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXCONVOLUTION
#define GLOW_IMPORT_ONNXCONVOLUTION

include "glow/functions/Windows.td"
include "glow/import/OnnxActivation.td"
include "glow/nodes/Convolution.td"

// Strides, limited to the size of the padded image x, which changes no result: kernels
// reserve memory for one stride. A size that a run gives is no limit.
def cappedStrides : Let<(ins Ints:$x, Ints:$strides, Ints:$pads), [{
  padded = paddedExtent(x, listOr(pads, repeat(0, 2 * size(x))));
  capped = [if(isFixed(limit), min(step, max(limit, 1)), step) for step, limit in
            listOr(strides, repeat(1, size(x))), padded];
}]> { let results = ["capped"]; }

// The sizes of the filter, which `kernel_shape` of the model must not
// contradict.
def filterSizes : Let<(ins Tensor:$W, Ints:$kernel_shape), [{
  r = drop(shape(W), 2);
  require(size(kernel_shape) == 0 || kernel_shape == r,
          "kernel_shape {kernel_shape} contradicts the filter, whose sizes are {r}");
}]> { let results = ["r"]; }

// Strides, pads and dilations of the windows of a convolution.
def convWindow : Let<(ins Tensor:$X, Tensor:$W, Text:$auto_pad, Ints:$dilations, Ints:$kernel_shape,
                      Ints:$pads, Ints:$strides), [{
  x = drop(shape(X), 2);
  r = filterSizes(W, kernel_shape);
  step = cappedStrides(x, strides, pads);
  apart = listOr(dilations, repeat(1, size(x)));
  around = windowPads(auto_pad, x, windowExtent(r, apart), step, pads);
}]> { let results = ["step", "around", "apart"]; }

def : OnnxImport<"Conv", 1, (ins "X", "W", "B?"),
    (ins AutoPad:$auto_pad, MaybeInts:$dilations, 1:$group,
         MaybeInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides), [{
  step, around, apart = convWindow(X, W, auto_pad, dilations, kernel_shape, pads, strides);
  Y = Conv(X, W, B, step, around, apart, group);
}]> {
  let bf16From = 22;
}

def : OnnxImport<"ConvTranspose", 1, (ins "X", "W", "B?"),
    (ins AutoPad:$auto_pad, MaybeInts:$dilations, 1:$group,
         MaybeInts:$kernel_shape, MaybeInts:$output_padding, MaybeInts:$output_shape,
         MaybeInts:$pads, MaybeInts:$strides), [{
  x = drop(shape(X), 2);
  r = filterSizes(W, kernel_shape);
  step = listOr(strides, repeat(1, size(x)));
  apart = listOr(dilations, repeat(1, size(x)));
  more = listOr(output_padding, repeat(0, size(x)));
  same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  full = spreadExtent(x, r, step, apart, more);
  wanted = listOr(drop(output_shape, size(output_shape) - size(x)), if(same, x * step, []));
  Y = ConvTranspose(X, W, B, step, transposePads(auto_pad, full, wanted, pads), apart, more, group);
}]> {
  let bf16From = 22;
}

let domain = "com.microsoft" in {
def : OnnxImport<"FusedConv", 1, (ins "X", "W", "B?", "Z?"),
    (ins MaybeText:$activation, MaybeReals:$activation_params, AutoPad:$auto_pad,
     MaybeInts:$dilations,
         1:$group, MaybeInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides), [{
  step, around, apart = convWindow(X, W, auto_pad, dilations, kernel_shape, pads, strides);
  product = Conv(X, W, B, step, around, apart, group);
  Y = activated(if(present(Z), product + Z, product), activation, activation_params);
}]>;
}

#endif // GLOW_IMPORT_ONNXCONVOLUTION
