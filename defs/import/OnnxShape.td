//===- OnnxShape.td - ONNX operators that move elements -------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXSHAPE
#define GLOW_IMPORT_ONNXSHAPE

include "glow/functions/Kinds.td"
include "glow/functions/Shapes.td"
include "glow/functions/Windows.td"
include "glow/import/ComputedSizes.td"
include "glow/nodes/Shape.td"
include "glow/nodes/Vision.td"

//===----------------------------------------------------------------------===//
// Constants and shapes as tensors
//===----------------------------------------------------------------------===//

def : OnnxImport<"Constant", 1, (ins),
    (ins MaybeTensor:$value, MaybeInt:$value_int, MaybeInts:$value_ints,
         MaybeReal:$value_float, MaybeReals:$value_floats), [{
  require(present(value) || present(value_int) || present(value_ints) || present(value_float)
          || present(value_floats),
          "only a dense tensor of numbers is supported as its value");
  output = if(present(value), value,
           if(present(value_int), Literal([value_int], [], elementKind("i64")),
           if(present(value_ints), Literal(value_ints, [size(value_ints)], elementKind("i64")),
           if(present(value_float), RealLiteral([value_float], [], elementKind("f32")),
              RealLiteral(value_floats, [length(value_floats)], elementKind("f32"))))));
}]>;
def : OnnxImport<"ConstantOfShape", 9, (ins "input"), (ins MaybeTensor:$value), [{
  output = if(present(value), Broadcast(Reshape(value, []), ints(input)),
              Splat(0, ints(input), elementKind("f32")));
}]>;
let movesElements = 1 in {
def : OnnxImport<"Shape", 1, (ins "data"), (ins 0:$start, MaybeInt:$end), [{
  r = rank(data);
  last = if(present(end), end, r);
  from = sliceStarts([r], [0], [start], [1]);
  count = sliceSizes([r], [0], [start], [last], [1]);
  output = Literal(slice(shape(data), from[0], count[0]), count, elementKind("i64"));
}]>;
def : OnnxImport<"Size", 1, (ins "data"), (ins),
                 "output = Literal([elements(data)], [], elementKind(\"i64\"));">;
}

// The backend chooses the computation kind of halves, which is at least f32.
// Integers of more bits than an f64 has digits are computed as integers.
def integerRange : Let<(ins Tensor:$start, Tensor:$limit, Tensor:$delta), [{
  from = intOf(start);
  step = intOf(delta);
  require(step != 0, "delta must not be 0");
  k = kind(start);
  count = stepsUntil(from, intOf(limit), step);
  last = max(abs(from), abs(from + step * count));
  output = if(isFixed(from) && last < 9000000000000000,
              Iota(real(from), real(step), 0, [count], k),
              Iota(0.0, 1.0, 0, [count], k) * Broadcast(Literal([step], [], k), [count])
              + Broadcast(Literal([from], [], k), [count]));
}]>;
def realRange : Let<(ins Tensor:$start, Tensor:$limit, Tensor:$delta), [{
  from = realOf(start);
  step = realOf(delta);
  require(step != 0.0, "delta must not be 0");
  n = (realOf(limit) - from) / step;
  require(abs(n) < 9.2e18, "{n} elements are not possible");
  output = Iota(from, step, 0, [max(0, ceil(n))], kind(start));
}]>;
// A run gives the numbers, and the user a greatest size. A delta of 0 has a size of -1.
def rangeOfRun : Let<(ins Tensor:$start, Tensor:$limit, Tensor:$delta, Int:$most), [{
  k = elementKind("i64");
  c = if(isFloat(kind(start)), elementKind("f64"), k);
  from = asKind(Reshape(start, []), c);
  step = asKind(Reshape(delta, []), c);
  distance = asKind(Reshape(limit, []), c) - from;
  toward = Select(step > 0.0, step - 1.0, step + 1.0);
  some = if(isFloat(c), Cast(Ceil(Div(distance, step)), k), Div(distance + toward, step));
  nothing = Splat(0.0, [], k);
  count = Select(Equal(step, Splat(0.0, [], c)), nothing - 1.0, Max(some, nothing));
  found = asKind(counted(Iota(0.0, 1.0, 0, [most], k), count, most), c);
  y = asKind(found * Broadcast(step, shape(found)) + Broadcast(from, shape(found)), kind(start));
}]>;
class OnnxRange<int since, dag attributes>
    : OnnxImport<"Range", since, (ins "start", "limit", "delta"), attributes, [{
  isOpen = mostOf(0) >= 0 && (isOfRun(start) || isOfRun(limit) || isOfRun(delta));
  output = if(isOpen, rangeOfRun(start, limit, delta, mostOf(0)),
              if(isFloat(kind(start)), realRange(start, limit, delta),
                 integerRange(start, limit, delta)));
}]> {
  let written = (ins "dims":$limit);
}
def : OnnxRange<11, (ins)>;
def : OnnxRange<27, (ins 1:$stash_type)>;
def : OnnxImport<"EyeLike", 9, (ins "input"), (ins MaybeInt:$dtype, 0:$k), [{
  require(rank(input) == 2, "the input must be a matrix");
  rows = shape(input)[0];
  columns = shape(input)[1];
  output = if(present(dtype), Eye(rows, columns, k, onnxKind(dtype)),
              Eye(rows, columns, k, kind(input)));
}]>;

//===----------------------------------------------------------------------===//
// Other shapes
//===----------------------------------------------------------------------===//

def : OnnxImport<"Identity", 1, (ins "input"), (ins), "output = input;">;
let movesElements = 1 in {
def : OnnxImport<"Reshape", 5, (ins "data", "shape"), (ins 0:$allowzero),
    "reshaped = Reshape(data, resolveReshape(shape(data), ints(shape), allowzero != 0));">;
def : OnnxImport<"Flatten", 1, (ins "input"), (ins 1:$axis), [{
  r = rank(input);
  a = wrapAxis(axis, r);
  require(a >= 0 && a <= r, "axis {axis} does not lie before or behind one of {r} axes");
  output = Reshape(input, [prod(take(shape(input), a)), prod(drop(shape(input), a))]);
}]>;
// Axes were attributes at first, and are inputs from opset 13 on.
class OnnxSqueeze<int since, dag inputs, dag attributes, string axes>
    : OnnxImport<"Squeeze", since, inputs, attributes,
    [{a = axesOf(given, rank(data));
      ones = if(size(a) == 0, without1(shape(data)), a);
      squeezed = Reshape(data, without(shape(data), ones));}]> {
  let with = (bind axes:$given);
}
def : OnnxSqueeze<1, (ins "data"), (ins MaybeInts:$axes), "axes">;
def : OnnxSqueeze<13, (ins "data", "axes?"), (ins), "ints(axes)">;
class OnnxUnsqueeze<int since, dag inputs, dag attributes, string axes>
    : OnnxImport<"Unsqueeze", since, inputs, attributes, [{
  a = given;
  expanded = Reshape(data, unsqueezed(shape(data), axesOf(a, rank(data) + size(a))));
}]> {
  let with = (bind axes:$given);
}
def : OnnxUnsqueeze<1, (ins "data"), (ins RequiredInts:$axes), "axes">;
def : OnnxUnsqueeze<13, (ins "data", "axes"), (ins), "ints(axes)">;
def : OnnxImport<"Transpose", 1, (ins "data"), (ins MaybeInts:$perm),
    "transposed = Transpose(data, listOr(perm, reverse(range(0, rank(data)))));">;
def : OnnxImport<"Expand", 8, (ins "input", "shape"), (ins), [{
  from = shape(input);
  to = ints(shape);
  require(canBroadcast(from, to), "shapes {from} and {to} do not broadcast");
  output = Broadcast(input, broadcastShape(from, to));
}]>;
def : OnnxImport<"Tile", 6, (ins "input", "repeats"), (ins),
                 "output = Tile(input, ints(repeats));">;
}

// `b` and `e` are the bounds along the axes `given`, `t` the steps.
def sliceAlong : Let<(ins Tensor:$data, Ints:$b, Ints:$e, Ints:$given, Ints:$t), [{
  a = axesOf(listOr(given, range(0, size(b))), rank(data));
  require(size(b) == size(a) && size(e) == size(a) && size(t) == size(a),
          "starts {b}, ends {e} and steps {t} must be one number each for axes {a}");
  require(!contains(t, 0), "steps {t} must not be 0");
  s = shape(data);
  output = Slice(data, sliceStarts(s, a, b, t), place(repeat(1, size(s)), a, t),
                 sliceSizes(s, a, b, e, t));
}]>;

// The same for bounds that a run gives.
def slicesOfRun : Let<(ins Tensor:$data, Tensor:$starts, Tensor:$ends, Ints:$axes, Ints:$steps), [{
  require(size(steps) == size(axes) && elements(ends) == size(axes) && !contains(steps, 0),
          "starts, ends and steps must be one number each for axes {axes}, and no step 0");
  y = data;
  for i in range(0, size(axes)) {
    y = sliceOfRun(y, numberAt(starts, i), numberAt(ends, i), axes[i], steps[i]);
  }
  output = y;
}]>;

//===----------------------------------------------------------------------===//
// Parts and wholes
//===----------------------------------------------------------------------===//

let movesElements = 1 in {
def : OnnxImport<"Concat", 4, (ins "inputs..."), (ins RequiredInt:$axis), [{
  require(count(inputs) >= 1, "there is nothing to concatenate");
  concat_result = Concat(inputs, wrapAxis(axis, rank(inputs[0])));
}]>;

class OnnxSplit<int since, dag inputs, dag attributes, string sizes>
    : OnnxImport<"Split", since, inputs, attributes, [{
  a = wrapAxis(axis, rank(input));
  outputs = Split(input, a, listOr(given, equalParts(at(shape(input), a), outputs)));
}]> {
  let with = (bind sizes:$given);
}
def : OnnxSplit<2, (ins "input"), (ins 0:$axis, MaybeInts:$split), "split">;
def : OnnxSplit<13, (ins "input", "split?"), (ins 0:$axis), "ints(split)">;
def : OnnxSplit<18, (ins "input", "split?"), (ins 0:$axis, MaybeInt:$num_outputs), "ints(split)">;

def : OnnxImport<"Slice", 1, (ins "data"),
    (ins MaybeInts:$axes, RequiredInts:$ends, RequiredInts:$starts),
    "output = sliceAlong(data, starts, ends, axes, repeat(1, size(starts)));">;
// The end of elements that go down to the first lies before it: it is written as one
// that is counted from the last, and beyond the first.
let written = (ins "[if(end < 0, end - n, end) for end, n in starts + steps * sizes, s]":$ends) in
def : OnnxImport<"Slice", 10, (ins "data", "starts", "ends", "axes?", "steps?"), (ins), [{
  known = repeat(1, elements(starts));
  output = if(isOfRun(starts) || isOfRun(ends),
              slicesOfRun(data, starts, ends,
                          axesOf(listOr(ints(axes), range(0, size(known))), rank(data)),
                          listOr(ints(steps), known)),
              sliceAlong(data, ints(starts), ints(ends), ints(axes), listOr(ints(steps), known)));
}]>;
}

// `p` are all begins, then all ends, of every axis. `v` is the value of the padding. If
// `exact`, the padding is the tensor `value` instead: an integer of more digits than a
// real number has. Negative pads are cut off first.
def padded : Let<(ins Tensor:$data, Text:$mode, Ints:$p, Real:$v, Flag:$exact, Tensor:$value), [{
  require(mode == "constant" || mode == "reflect" || mode == "edge" || mode == "wrap",
          "mode {mode} is not supported");
  r = rank(data);
  require(size(p) == 2 * r, "pads {p} must be {2 * r} numbers");
  zero = repeat(0, r);
  b = maximum(take(p, r), zero);
  e = maximum(drop(p, r), zero);
  before = b - take(p, r);
  after = e - drop(p, r);
  x = if(allAtLeast(p, 0), data, Slice(data, before, repeat(1, r), shape(data) - before - after));
  // Differences of integers wrap around, and back.
  moved = if(exact, x - Broadcast(Reshape(value, []), shape(x)), x);
  whole = if(mode == "constant", Pad(moved, b, e, if(exact, 0.0, v)), x);
  output = if(mode == "constant",
              if(exact, whole + Broadcast(Reshape(value, []), shape(whole)), whole),
              if(mode == "reflect", PadReflect(x, b, e),
           if(mode == "edge", PadEdge(x, b, e), PadWrap(x, b, e))));
}]>;
def : OnnxImport<"Pad", 2, (ins "data"),
    (ins Words<"constant">:$mode, RequiredInts:$pads, "0.0":$value),
    "output = padded(data, mode, pads, value, false, none);">;
def withPads : Let<(ins Tensor:$data, Text:$mode, Ints:$given, Ints:$a, Real:$v,
                             Tensor:$value), [{
  n = size(given) / 2;
  require(size(given) == 2 * size(a), "pads {given} must be {2 * size(a)} numbers");
  none0 = repeat(0, rank(data));
  p = [*place(none0, a, take(given, n)), *place(none0, a, drop(given, n))];
  exact = mode == "constant" && !isFloat(kind(data)) && abs(v) > 9e15;
  output = padded(data, mode, p, v, exact, value);
}]>;
def paddedByRun : Let<(ins Tensor:$data, Text:$mode, Tensor:$pads, Ints:$a, Ints:$most,
                           Tensor:$value), [{
  n = elements(pads);
  require(n == 2 * size(a), "{n} pads must be {2 * size(a)} numbers");
  y = data;
  for i in range(0, size(a)) {
    y = padOfRun(y, numberAt(pads, i), numberAt(pads, size(a) + i), a[i], most[i], mode, value);
  }
  output = y;
}]>;
def : OnnxImport<"Pad", 11, (ins "data", "pads", "constant_value?", "axes?"),
                 (ins Words<"constant">:$mode), [{
  a = axesOf(listOr(ints(axes), range(0, rank(data))), rank(data));
  most = [mostOf(i) for i in a];
  isOpen = isOfRun(pads) && allAtLeast(most, 0);
  output = if(isOpen,
              paddedByRun(data, mode, pads, a, most,
                          if(present(constant_value), constant_value,
                             Splat(0.0, [], kind(data)))),
              withPads(data, mode, ints(pads), a, realOf(constant_value), constant_value));
}]> {
  let later = [FromOpset<18, "axes">, FromOpset<19, "mode", "wrap">];
  let movesElements = 1;
}

// Crops axes that are too large, and pads axes that are too small, around the
// centre.
def : OnnxImport<"CenterCropPad", 18, (ins "input_data", "shape"), (ins MaybeInts:$axes), [{
  s = shape(input_data);
  a = listOr(axesOf(axes, rank(input_data)), range(0, rank(input_data)));
  wanted = ints(shape);
  require(size(wanted) == size(a), "shape {wanted} must be one size for each of axes {a}");
  to = place(s, a, wanted);
  kept = minimum(s, to);
  middle = Slice(input_data, (s - kept) / 2, repeat(1, size(s)), kept);
  begins = (to - kept) / 2;
  output_data = Pad(middle, begins, to - kept - begins, 0.0);
}]> {
  let movesElements = 1;
}
def : OnnxImport<"Col2Im", 18, (ins "input", "image_shape", "block_shape"),
    (ins MaybeInts:$dilations, MaybeInts:$pads, MaybeInts:$strides), [{
  require(rank(input) == 3, "the input must have 3 dimensions");
  image = ints(image_shape);
  block = ints(block_shape);
  n = size(image);
  step = listOr(strides, repeat(1, n));
  apart = listOr(dilations, repeat(1, n));
  around = listOr(pads, repeat(0, 2 * n));
  places = windowCount(image, block, step, around, apart);
  require(size(block) == n && n >= 1 && shape(input)[1] % max(prod(block),
      1) == 0 && prod(places) == shape(input)[2],
          "blocks {block} of image {image} are not what the input has");
  channels = shape(input)[1] / max(prod(block), 1);
  output = SumPatches(Reshape(input, [shape(input)[0], channels, *block, *places]), image, step,
                      around, apart);
}]>;
def : OnnxImport<"Trilu", 14, (ins "input", "k?"), (ins 1:$upper),
                 "output = Trilu(input, upper != 0, intOf(k));"> {
  let movesElements = 1;
}

// The border is left, top, right, bottom; the scale, height and width of what stays.
let isWritten = 0 in
def : OnnxImport<"Crop", 1, (ins "input"), (ins RequiredInts:$border, MaybeInts:$scale), [{
  require(rank(input) == 4 && size(border) == 4 && (size(scale) == 0 || size(scale) == 2),
          "the input must have 4 dimensions, border {border} 4 numbers, and scale {scale} 2");
  s = shape(input);
  h = if(size(scale) == 2, at(scale, 0), s[2] - border[1] - border[3]);
  w = if(size(scale) == 2, at(scale, 1), s[3] - border[0] - border[2]);
  output = Slice(input, [0, 0, border[1], border[0]], [1, 1, 1, 1], [s[0], s[1], h, w]);
}]>;

#endif // GLOW_IMPORT_ONNXSHAPE
