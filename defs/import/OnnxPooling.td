//===- OnnxPooling.td - ONNX values of windows ---------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXPOOLING
#define GLOW_IMPORT_ONNXPOOLING

include "glow/functions/Windows.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Pooling.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"
include "glow/nodes/Vision.td"

// The common parameters of all pools: strides, dilations, the pads as given, and the pads
// that include the last window.
def poolWindow : Let<(ins Tensor:$X, Text:$auto_pad, Int:$ceil_mode, Ints:$dilations,
                      Ints:$kernel_shape, Ints:$pads, Ints:$strides), [{
  x = drop(shape(X), 2);
  step = listOr(strides, repeat(1, size(x)));
  apart = listOr(dilations, repeat(1, size(x)));
  extents = windowExtent(kernel_shape, apart);
  given = windowPads(auto_pad, x, extents, step, pads);
  full = if(ceil_mode != 0, ceilPads(x, extents, step, given), given);
}]> { let results = ["step", "apart", "given", "full"]; }

def : OnnxImport<"MaxPool", 1, (ins "X"),
    (ins AutoPad:$auto_pad, 0:$ceil_mode, MaybeInts:$dilations, RequiredInts:$kernel_shape,
         MaybeInts:$pads, 0:$storage_order, MaybeInts:$strides), [{
  step, apart, given, full = poolWindow(X, auto_pad, ceil_mode, dilations, kernel_shape, pads,
                                        strides);
  x = drop(shape(X), 2);
  Y = MaxPool(X, kernel_shape, step, full, apart);
  n = shape(X)[0];
  c = shape(X)[1];
  k = elementKind("i64");
  count = Iota(0.0, 1.0, 0, [elements(X)], k);
  byColumn = Transpose(Reshape(count, [n, c, *reverse(x)]), [0, 1, *reverse(range(2, rank(X)))]);
  places = if(storage_order != 0, byColumn, Reshape(count, shape(X)));
  flat = [n, c, prod(drop(shape(Y), 2)), prod(kernel_shape)];
  patches = Reshape(Patches(X, kernel_shape, step, full, apart, lowestOf(kind(X))), flat);
  // The lowest number inside of the image is larger than the pads, which have it as well.
  padded = !(full == repeat(0, size(full)));
  same = Equal(patches, Broadcast(ReduceMax(patches, [3], true), flat));
  hit = if(isFloat(kind(X)), Or(same, IsNan(patches)), same);
  byte = elementKind("u8");
  inside = Reshape(Patches(Splat(1, shape(X), byte), kernel_shape, step, full, apart, 0.0), flat);
  which = ArgMax(if(padded, Cast(hit, byte) * inside, patches), 3, true, false);
  picked = GatherElements(Reshape(Patches(places, kernel_shape, step, full, apart, 0.0), flat),
                          which, 3);
  Indices = Reshape(picked, shape(Y));
}]> {
  let outputs = ["Y", "Indices?"];
}

// The indices are places in the whole result, before it is brought to
// `output_shape`.
def : OnnxImport<"MaxUnpool", 9, (ins "X", "I", "output_shape?"),
    (ins RequiredInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides), [{
  x = drop(shape(X), 2);
  n = size(x);
  step = listOr(strides, repeat(1, n));
  cut = listOr(pads, repeat(0, 2 * n));
  s = [*take(shape(X), 2), *((x - 1) * step + kernel_shape - take(cut, n) - drop(cut, n))];
  wanted = listOr(ints(output_shape), s);
  require(size(wanted) == size(s) && allAtLeast(wanted - s, 0),
          "output_shape {wanted} must not be smaller than {s}");
  flat = ScatterElements(Splat(0, [prod(s)], kind(X)), Reshape(I, [elements(I)]),
                         Reshape(X, [elements(X)]), 0, "none");
  output = Pad(Reshape(flat, s), repeat(0, size(s)), wanted - s, 0.0);
}]>;

// Counted pads are put around the image first; pads that the rounding up of
// sizes adds never count.
defvar AveragePoolAttributes =
    (ins AutoPad:$auto_pad, 0:$ceil_mode, 0:$count_include_pad, MaybeInts:$dilations,
         RequiredInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides);
def averagePool : Let<(ins Tensor:$X, Text:$auto_pad, Int:$ceil_mode, Flag:$countsPads,
                       Ints:$dilations, Ints:$kernel_shape, Ints:$pads, Ints:$strides), [{
  step, apart, given, full = poolWindow(X, auto_pad, ceil_mode, dilations, kernel_shape, pads,
                                        strides);
  n = size(kernel_shape);
  Y = if(countsPads && sum(given) > 0,
         AvgPool(Pad(X, [0, 0, *take(given, n)], [0, 0, *drop(given, n)], 0.0),
                 kernel_shape, step, [*repeat(0, n), *drop(full - given, n)], apart),
         AvgPool(X, kernel_shape, step, full, apart));
}]>;
def : OnnxImport<"AveragePool", 1, (ins "X"), AveragePoolAttributes,
    [{Y = averagePool(X, auto_pad, ceil_mode, count_include_pad != 0, dilations, kernel_shape,
      pads, strides);}]> {
  let later = [FromOpset<19, "dilations">];
}

def : OnnxImport<"LpPool", 2, (ins "X"),
    (ins AutoPad:$auto_pad, 0:$ceil_mode, MaybeInts:$dilations, RequiredInts:$kernel_shape,
         2:$p, MaybeInts:$pads, MaybeInts:$strides), [{
  step, apart, given, full = poolWindow(X, auto_pad, ceil_mode, dilations, kernel_shape, pads,
                                        strides);
  Y = LpPool(X, kernel_shape, step, full, apart, p);
}]> {
  let later = [FromOpset<18, "ceil_mode">, FromOpset<18, "dilations">];
}

def : OnnxImport<"GlobalLpPool", 2, (ins "X"), (ins 2:$p), [{
  x = widened(Abs(X));
  power = ReduceSum(Pow(x, Splat(real(p), shape(x), kind(x))), range(2, rank(x)), true);
  Y = asKind(Pow(power, Splat(1.0 / real(p), shape(power), kind(x))), kind(X));
}]>;
def : OnnxImport<"GlobalAveragePool", 1, (ins "X"), (ins),
                 "Y = ReduceMean(X, range(2, rank(X)), true);">;
def : OnnxImport<"GlobalMaxPool", 1, (ins "X"), (ins),
                 "Y = ReduceMax(X, range(2, rank(X)), true);">;

#endif // GLOW_IMPORT_ONNXPOOLING
