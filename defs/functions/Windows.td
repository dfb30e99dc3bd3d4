//===- Windows.td - sizes of windows --------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Windows of `r` elements an axis, `dilations` apart, every `strides` elements
// of an image of sizes `x`. Pads are all begins, then all ends.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FUNCTIONS_WINDOWS
#define GLOW_FUNCTIONS_WINDOWS

include "glow/functions/Lists.td"

def paddedExtent : Let<(ins Ints:$x, Ints:$pads), "x + take(pads, size(x)) + drop(pads, size(x))"> {
  let summary = "the sizes of an image with its padding";
}
def croppedExtent : Let<(ins Ints:$x, Ints:$pads),
                        "x - take(pads, size(x)) - drop(pads, size(x))"> {
  let summary = "the sizes of a padded image without its padding";
}

def windowExtent : Let<(ins Ints:$r, Ints:$dilations), "dilations * (r - 1) + 1"> {
  let summary = "the extent of a window, from its first to its last element";
}

def windowSlack : Let<(ins Ints:$x, Ints:$r, Ints:$pads, Ints:$dilations),
                      "paddedExtent(x, pads) - windowExtent(r, dilations)"> {
  let summary = "the sizes of the padded image minus one window; negative if no window fits";
}
def windowCount : Let<(ins Ints:$x, Ints:$r, Ints:$strides, Ints:$pads, Ints:$dilations),
                      "windowSlack(x, r, pads, dilations) / strides + 1"> {
  let summary = "the number of windows along each axis";
}
// Whether extents can be those of an image. Sums that do not fit into 64 bits saturate,
// and the bytes of larger extents would not fit.
def isCountable : Let<(ins Ints:$extent), "allBelow(extent, 281474976710656)"> {
  let summary = "whether extents can be those of an image";
}

def windowFits : Let<(ins Ints:$x, Ints:$r, Ints:$pads, Ints:$dilations), [{
  fits = allAtLeast(windowSlack(x, r, pads, dilations), 0) && isCountable(paddedExtent(x, pads)) &&
         isCountable(windowExtent(r, dilations));
}]> {
  let summary = "whether a window fits into the padded image";
}

def windowElement : Let<(ins Ints:$y, Ints:$k, Ints:$strides, Ints:$pads, Ints:$dilations),
                        "y * strides + k * dilations - take(pads, size(strides))"> {
  let summary = "the element of the image that is element `k` of window `y`";
}

// The extent of windows side by side, one for each of x elements, as in a
// transposed convolution.
def spreadExtent : Let<(ins Ints:$x, Ints:$r, Ints:$strides, Ints:$dilations, Ints:$outputPadding),
                       "strides * (x - 1) + outputPadding + windowExtent(r, dilations)"> {
  let summary = "the extent of as many windows side by side, as in a transposed convolution";
}

//===----------------------------------------------------------------------===//
// Pads, from ONNX's attributes; extents include the dilation
//===----------------------------------------------------------------------===//

def sharedPads : Let<(ins Ints:$total, Flag:$lower), [{
  pads = if(lower, [*(total - total / 2), *(total / 2)], [*(total / 2), *(total - total / 2)]);
}]> {
  let summary = "pads that are `total` together; the odd element is at the begin if `lower`";
}

def windowPads : Let<(ins Text:$mode, Ints:$x, Ints:$extents, Ints:$strides, Ints:$pads), [{
  // As many windows as strides in the image, the last one not full.
  reach = ((x + strides - 1) / strides - 1) * strides + extents;
  // Not negative where windows leave no gaps, also for a size that a run gives.
  missing = [if(extent >= stride, amount, max(amount, 0))
             for amount, extent, stride in reach - x, extents, strides];
  same = sharedPads(missing, mode == "SAME_LOWER");
  given = if(size(pads) == 0 || mode == "VALID", repeat(0, 2 * size(x)), pads);
  result = if(mode == "SAME_UPPER" || mode == "SAME_LOWER", same, given);
}]> {
  let summary = "the pads of a window; `mode` is ONNX's auto_pad";
}

// Pads with more at the end, so that the last window that begins in the image or the
// pad before it is full.
def ceilPads : Let<(ins Ints:$x, Ints:$extents, Ints:$strides, Ints:$pads), [{
  begins = take(pads, size(x));
  rest = paddedExtent(x, pads) - extents;
  // The last window must not begin behind the image.
  steps = [if(n * stride >= length + begin, n - 1, n)
           for n, stride, length, begin in (rest + strides - 1) / strides, strides, x, begins];
  more = maximum(steps * strides - rest, repeat(0, size(x)));
  result = [*begins, *(drop(pads, size(x)) + more)];
}]> {
  let summary = "pads with more at the end, until the last window is full";
}

def transposePads : Let<(ins Text:$mode, Ints:$full, Ints:$wanted, Ints:$pads), [{
  given = if(size(pads) == 0 || mode != "NOTSET", repeat(0, 2 * size(full)), pads);
  result = if(size(wanted) > 0, sharedPads(full - wanted, mode != "SAME_UPPER"), given);
}]> {
  let summary = "the pads of a transposed convolution; `full` are its sizes without pads";
}

//===----------------------------------------------------------------------===//
// Sizes, from ONNX's scales
//===----------------------------------------------------------------------===//

def scaled : Let<(ins Ints:$shape, Reals:$scales),
                 "[floorOfProduct(x, scale) for x, scale in shape, scales]"> {
  let summary = "the sizes times the scales, rounded down";
}
def roundScaled : Let<(ins Ints:$shape, Reals:$scales),
                      "[floor(x * scale + 0.5) for x, scale in shape, scales]"> {
  let summary = "the sizes times the scales, rounded to the nearest; halves upwards";
}

def ratios : Let<(ins Ints:$a, Ints:$b),
                 "[if(y != 0, ratio(x, y), if(x != 0, 0.0, 1.0)) for x, y in a, b]"> {
  let summary = "the quotients; 1 for 0 / 0, 0 for another division by 0";
}

def aspectScale : Let<(ins Ints:$sizes, Ints:$wanted, Flag:$atMost), [{
  all = [real(to) / max(from, 1) for from, to in sizes, wanted];
  scale = if(atMost, least(all), greatest(all));
}]> {
  let summary = "the scale by which sizes become at most, or at least, the wanted ones";
}

#endif // GLOW_FUNCTIONS_WINDOWS
