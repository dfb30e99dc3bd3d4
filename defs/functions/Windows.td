//===- Windows.td - sizes of what windows see and give --------------------===//
//
// Windows of `r` elements an axis, `dilations` apart, every `strides` elements
// of an image of sizes `x`. Pads are all begins, then all ends.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_FUNCTIONS_WINDOWS
#define GLOW_FUNCTIONS_WINDOWS

include "glow/Base.td"

// The image with its padding, and without.
def paddedExtent : Let<(ins Ints:$x, Ints:$pads), "x + take(pads, size(x)) + drop(pads, size(x))">;
def croppedExtent : Let<(ins Ints:$x, Ints:$pads), "x - take(pads, size(x)) - drop(pads, size(x))">;

// From the first element of a window to its last.
def windowExtent : Let<(ins Ints:$r, Ints:$dilations), "dilations * (r - 1) + 1">;

// What is left of the padded image beside one window; negative if none fits.
def windowSlack : Let<(ins Ints:$x, Ints:$r, Ints:$pads, Ints:$dilations),
                      "paddedExtent(x, pads) - windowExtent(r, dilations)">;
def windowCount : Let<(ins Ints:$x, Ints:$r, Ints:$strides, Ints:$pads, Ints:$dilations),
                      "windowSlack(x, r, pads, dilations) / strides + 1">;
def windowFits : Let<(ins Ints:$x, Ints:$r, Ints:$pads, Ints:$dilations),
                     "allAtLeast(windowSlack(x, r, pads, dilations), 0)">;

// The element of the image that is the k-th of window y.
def windowElement : Let<(ins Ints:$y, Ints:$k, Ints:$strides, Ints:$pads, Ints:$dilations),
                        "y * strides + k * dilations - take(pads, size(strides))">;

// What windows side by side cover when each of x elements becomes one, as a
// transposed convolution has it.
def spreadExtent : Let<(ins Ints:$x, Ints:$r, Ints:$strides, Ints:$dilations, Ints:$outputPadding),
                       "strides * (x - 1) + outputPadding + windowExtent(r, dilations)">;

#endif // GLOW_FUNCTIONS_WINDOWS
