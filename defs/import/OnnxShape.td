//===- OnnxShape.td - ONNX operators that move elements -------------------===//

#ifndef GLOW_IMPORT_ONNXSHAPE
#define GLOW_IMPORT_ONNXSHAPE

include "glow/functions/Kinds.td"
include "glow/functions/Windows.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Shape.td"
include "glow/nodes/Vision.td"

//===----------------------------------------------------------------------===//
// Constants and shapes as tensors
//===----------------------------------------------------------------------===//

def : OnnxImport<"Constant", 1, (ins),
    (ins MaybeTensor:$value, MaybeInt:$value_int, MaybeInts:$value_ints,
         MaybeReal:$value_float, MaybeReals:$value_floats), [{
  require(present(value) || present(value_int) || present(value_ints) || present(value_float) || present(value_floats),
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

// In which kind halves are computed is for the backend: none has less than f32.
// Integers of more bits than an f64 has digits are computed as integers.
def integerRange : Let<(ins Tensor:$start, Tensor:$limit, Tensor:$delta), [{
  from = realOf(start);
  step = realOf(delta);
  k = kind(start);
  count = stepsUntil(intOf(start), intOf(limit), intOf(delta));
  output = if(max(abs(from), abs(from + step * count)) < 9e15, Iota(from, step, 0, [count], k),
              Iota(0.0, 1.0, 0, [count], k) * Broadcast(Literal([intOf(delta)], [], k), [count])
              + Broadcast(Literal([intOf(start)], [], k), [count]));
}]>;
class OnnxRange<int since, dag attributes> : OnnxImport<"Range", since, (ins "start", "limit", "delta"), attributes, [{
  from = realOf(start);
  step = realOf(delta);
  require(step != 0.0, "delta must not be 0");
  n = (realOf(limit) - from) / step;
  require(abs(n) < 9.2e18, "{n} elements are not possible");
  output = if(isFloat(kind(start)), Iota(from, step, 0, [max(0, ceil(n))], kind(start)), integerRange(start, limit, delta));
}]>;
def : OnnxRange<11, (ins)>;
def : OnnxRange<27, (ins 1:$stash_type)>;
def : OnnxImport<"EyeLike", 9, (ins "input"), (ins MaybeInt:$dtype, 0:$k), [{
  require(rank(input) == 2, "the input must be a matrix");
  rows = shape(input)[0];
  columns = shape(input)[1];
  output = if(present(dtype), Eye(rows, columns, k, onnxKind(dtype)), Eye(rows, columns, k, kind(input)));
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
    "squeezed = Reshape(data, without(shape(data), listOr(axesOf(given, rank(data)), without1(shape(data)))));"> {
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
  output = Slice(data, sliceStarts(s, a, b, t), place(repeat(1, size(s)), a, t), sliceSizes(s, a, b, e, t));
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
def : OnnxImport<"Slice", 10, (ins "data", "starts", "ends", "axes?", "steps?"), (ins), [{
  b = ints(starts);
  output = sliceAlong(data, b, ints(ends), ints(axes), listOr(ints(steps), repeat(1, size(b))));
}]>;
}

// `p` are all begins, then all ends, of every axis; `v` the value around, or, where
// `exact`, an integer of more digits than a real number has, the tensor `value`. What
// is negative is cut off first.
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
  output = if(mode == "constant", if(exact, whole + Broadcast(Reshape(value, []), shape(whole)), whole), if(mode == "reflect", PadReflect(x, b, e),
           if(mode == "edge", PadEdge(x, b, e), PadWrap(x, b, e))));
}]>;
def : OnnxImport<"Pad", 2, (ins "data"),
    (ins Words<"constant">:$mode, RequiredInts:$pads, "0.0":$value),
    "output = padded(data, mode, pads, value, false, none);">;
def : OnnxImport<"Pad", 11, (ins "data", "pads", "constant_value?", "axes?"), (ins Words<"constant">:$mode), [{
  given = ints(pads);
  n = size(given) / 2;
  a = axesOf(listOr(ints(axes), range(0, rank(data))), rank(data));
  require(size(given) == 2 * size(a), "pads {given} must be {2 * size(a)} numbers");
  none0 = repeat(0, rank(data));
  p = concat(place(none0, a, take(given, n)), place(none0, a, drop(given, n)));
  v = realOf(constant_value);
  exact = mode == "constant" && !isFloat(kind(data)) && abs(v) > 9e15;
  output = padded(data, mode, p, v, exact, constant_value);
}]> {
  let movesElements = 1;
}

// The middle of what is too large, in the middle of what is too small.
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
  require(size(block) == n && n >= 1 && shape(input)[1] % max(prod(block), 1) == 0 && prod(places) == shape(input)[2],
          "blocks {block} of image {image} are not what the input has");
  channels = shape(input)[1] / max(prod(block), 1);
  output = SumPatches(Reshape(input, [shape(input)[0], channels, *block, *places]), image, step, around, apart);
}]>;
def : OnnxImport<"Trilu", 14, (ins "input", "k?"), (ins 1:$upper),
                 "output = Trilu(input, upper != 0, intOf(k));"> {
  let movesElements = 1;
}

//===----------------------------------------------------------------------===//
// Pixels
//===----------------------------------------------------------------------===//

let movesElements = 1 in {
def : OnnxImport<"DepthToSpace", 1, (ins "input"), (ins RequiredInt:$blocksize, Words<"DCR">:$mode), [{
  require(mode == "DCR" || mode == "CRD", "mode {mode} must be DCR or CRD");
  output = DepthToSpace(input, blocksize, mode == "CRD");
}]>;
def : OnnxImport<"SpaceToDepth", 1, (ins "input"), (ins RequiredInt:$blocksize),
                 "output = SpaceToDepth(input, blocksize);">;
def : OnnxImport<"SpaceToDepth", 28, (ins "input"), (ins RequiredInt:$blocksize, Words<"DCR">:$mode), [{
  require(mode == "DCR" || mode == "CRD", "mode {mode} must be DCR or CRD");
  output = SpaceToDepth(input, blocksize, mode == "CRD");
}]>;
}

// The first versions have few choices: pixels lie at multiples of the scale.
def plainResize : Let<(ins Tensor:$X, Reals:$factors, Text:$mode), [{
  require(mode == "nearest" || mode == "linear" || mode == "bilinear", "mode {mode} is not supported");
  require(length(factors) == rank(X), "scales {factors} must be one an axis");
  y = Resize(asBytes(X), scaled(shape(X), factors), factors, if(mode == "nearest", "nearest", "linear"), "asymmetric", "floor");
  Y = asKind(y, kind(X));
}]>;
def : OnnxImport<"Upsample", 7, (ins "X"), (ins Words<"nearest">:$mode, MaybeReals:$scales),
                 "Y = plainResize(X, scales, mode);">;
def : OnnxImport<"Upsample", 9, (ins "X", "scales"), (ins Words<"nearest">:$mode),
                 "Y = plainResize(X, reals(scales), mode);">;
def : OnnxImport<"Resize", 10, (ins "X", "scales"), (ins Words<"nearest">:$mode),
                 "Y = plainResize(X, reals(scales), mode);">;

// The weights of elements at distance `t`, in units of the kernel, so that each column's
// sum is 1; one that sums to 0, but for roundings, stays. Cubic ones are Keys', below 1
// and from there to 2.
def cubicNear : Let<(ins Tensor:$t, Real:$a), "((a + 2.0) * t - (a + 3.0)) * t * t + 1.0">;
def cubicFar : Let<(ins Tensor:$t, Real:$a), "((a * t - 5.0 * a) * t + 8.0 * a) * t - 4.0 * a">;
def interpolationWeights : Let<(ins Tensor:$t, Text:$mode, Real:$a), [{
  weights = if(mode == "linear", Clip(1.0 - t, 0.0, 1.0),
               Select(t <= 1.0, cubicNear(t, a), Select(t < 2.0, cubicFar(t, a), Splat(0.0, shape(t), kind(t)))));
  sums = ReduceSum(weights, [0], true);
  normal = weights / Broadcast(Select(Abs(sums) < 0.000001, Splat(1.0, shape(sums), kind(t)), sums), shape(t));
}]>;
// The elements along an axis, and `reach` on either side that are as the border is,
// times a matrix.
def mixedAlong : Let<(ins Tensor:$x, Tensor:$matrix, Int:$axis, Int:$reach), [{
  order = [*excluding(range(0, rank(x)), [axis]), axis];
  others = without(shape(x), [axis]);
  around = set(repeat(0, rank(x)), axis, reach);
  rows = Reshape(Transpose(PadEdge(x, around, around), order), [prod(others), shape(x)[axis] + 2 * reach]);
  y = Transpose(Reshape(MatMul(rows, Cast(matrix, kind(x))), [*others, shape(matrix)[1]]), inverse(order));
}]>;
// With antialias an element is the mean of those around it, by weights that reach
// further the smaller the result is, along an axis.
def antialiased : Let<(ins Tensor:$x, Int:$axis, Int:$to, Real:$factor, Text:$where, Text:$mode, Real:$a, Flag:$excludesOutside), [{
  n = shape(x)[axis];
  reach = if(excludesOutside, 0, ceil(if(mode == "cubic", 2.0, 1.0) / min(factor, 1.0)) + 1);
  window = [n + 2 * reach, to];
  step = if(where == "align_corners", if(to > 1, (real(n) - 1.0) / (real(n) * factor - 1.0), 0.0), 1.0 / factor);
  centre = 0.5 / factor - 0.5;
  begin = if(where == "align_corners" || where == "asymmetric" || where == "pytorch_half_pixel" && to == 1, 0.0,
          if(where == "tf_half_pixel_for_nn", 0.5 / factor,
          if(where == "half_pixel_symmetric", real(n) / 2.0 * (1.0 - real(to) / (factor * real(n))) + centre, centre)));
  c = elementKind("f32");
  t = Abs(Iota(real(-reach), 1.0, 0, window, c) - Iota(begin, step, 1, window, c)) * min(factor, 1.0);
  y = mixedAlong(x, interpolationWeights(t, mode, a), axis, reach);
}]>;
// A part of the tensor along an axis, from `begin` to `end` of the way from the first
// element to the last, in another resolution: elements of the result are at `first`,
// `first + step`... of the operand. What is made of places beyond it is `outside`. With
// antialias weights reach 1 / `near` times as far.
def croppedAlong : Let<(ins Tensor:$x, Int:$axis, Int:$to, Real:$begin, Real:$end, Real:$near, Text:$mode, Text:$rounding, Real:$a,
                            Flag:$excludesOutside, Real:$outside), [{
  wide = elementKind("f64");
  n = shape(x)[axis];
  last = real(n) - 1.0;
  span = (end - begin) * last;
  first = begin * last + if(to > 1, 0.0, span / 2.0);
  step = span / max(1.0, real(to) - 1.0);
  reach = if(excludesOutside || mode == "nearest" || mode == "linear" && near == 1.0, 0,
             ceil(if(mode == "cubic", 2.0, 1.0) / near) + 1);
  window = [n + 2 * reach, to];
  made = set(shape(x), axis, to);
  places = Iota(first, step, 0, [to], wide);
  nearest = if(rounding == "floor", Floor(places), if(rounding == "ceil", Ceil(places),
            if(rounding == "round_prefer_ceil", Floor(places + 0.5), Ceil(places - 0.5))));
  inside = Broadcast(Reshape(Equal(places, Clip(places, 0.0, last)), set(repeat(1, rank(x)), axis, to)), made);
  t = Abs(Iota(real(-reach), 1.0, 0, window, wide) - Iota(first, step, 1, window, wide)) * near;
  seen = if(mode == "nearest", Gather(x, Cast(Clip(nearest, 0.0, last), elementKind("i64")), axis),
            mixedAlong(x, interpolationWeights(t, mode, a), axis, reach));
  y = Select(inside, seen, Splat(outside, made, kind(x)));
}]>;
// `roi` has where the part begins along each axis, then where it ends.
def : OnnxImport<"Resize", 11, (ins "X", "roi?", "scales?", "sizes?"),
    (ins 0:$antialias, MaybeInts:$axes, Words<"half_pixel">:$coordinate_transformation_mode, "-0.75":$cubic_coeff_a,
         0:$exclude_outside, "0.0":$extrapolation_value, Words<"stretch">:$keep_aspect_ratio_policy,
         Words<"nearest">:$mode, Words<"round_prefer_floor">:$nearest_mode), [{
  policy = keep_aspect_ratio_policy;
  require(policy == "stretch" || policy == "not_larger" || policy == "not_smaller",
          "keep_aspect_ratio_policy {policy} must be stretch, not_larger or not_smaller");
  require(mode == "nearest" || mode == "linear" || mode == "cubic", "mode {mode} is not supported");
  where = coordinate_transformation_mode;
  require(where == "half_pixel" || where == "half_pixel_symmetric" || where == "tf_half_pixel_for_nn" || where == "pytorch_half_pixel" || where == "align_corners" || where == "asymmetric" || where == "tf_crop_and_resize",
          "coordinate_transformation_mode {where} is not supported");
  s = shape(X);
  a = axesOf(listOr(axes, range(0, size(s))), size(s));
  wanted = ints(sizes);
  given = reals(scales);
  require(size(wanted) > 0 || length(given) > 0, "neither scales nor sizes are given");
  require(size(wanted) == 0 || size(wanted) == size(a), "sizes {wanted} must be one an axis");
  require(size(wanted) > 0 || length(given) == size(a), "scales {given} must be one an axis");
  all = placeReals(repeatReal(1.0, size(s)), a, given);
  one = aspectScale(pick(s, a), wanted, policy == "not_larger");
  same = placeReals(repeatReal(1.0, size(s)), a, repeatReal(one, size(a)));
  dims = if(size(wanted) == 0, scaled(s, all), if(policy == "stretch", place(s, a, wanted), roundScaled(s, same)));
  factors = if(size(wanted) == 0, all, if(policy == "stretch", ratios(dims, s), same));
  isEmpty = elements(X) == 0 || prod(dims) == 0;
  crops = where == "tf_crop_and_resize" && !isEmpty;
  softens = antialias != 0 && mode != "nearest" && !isEmpty;
  smooths = softens && !crops;
  box = reals(roi);
  require(!crops || length(box) == 2 * size(a), "roi has {length(box)} numbers, but should have 2 for each of the axes {a}");
  begins = placeReals(repeatReal(0.0, size(s)), a, if(crops, pickReals(box, range(0, size(a))), repeatReal(0.0, size(a))));
  ends = placeReals(repeatReal(1.0, size(s)), a, if(crops, pickReals(box, range(size(a), 2 * size(a))), repeatReal(1.0, size(a))));
  bits = asBytes(X);
  exact = exclude_outside != 0;
  smooth = X;
  for axis in range(0, if(smooths, size(s), 0)) {
    smooth = if(s[axis] == dims[axis] && factors[axis] == 1.0, smooth,
                antialiased(smooth, axis, dims[axis], factors[axis], where, mode, cubic_coeff_a, exact));
  }
  crop = if(!crops || mode == "nearest" || isFloat(kind(X)), bits, Cast(bits, elementKind("f32")));
  for axis in range(0, if(crops, size(s), 0)) {
    crop = if(s[axis] == dims[axis] && begins[axis] == 0.0 && ends[axis] == 1.0, crop,
              croppedAlong(crop, axis, dims[axis], begins[axis], ends[axis], if(softens, min(factors[axis], 1.0), 1.0),
                           mode, nearest_mode, cubic_coeff_a, exact, extrapolation_value));
  }
  y = if(smooths, smooth, if(crops, crop,
         Resize(bits, dims, factors, mode, if(where == "tf_crop_and_resize", "asymmetric", where), nearest_mode, cubic_coeff_a, exact)));
  Y = asKind(y, kind(X));
}]>;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

let movesElements = 1 in {
def : OnnxImport<"Gather", 1, (ins "data", "indices"), (ins 0:$axis),
                 "output = Gather(data, indices, wrapAxis(axis, rank(data)));">;
def : OnnxImport<"GatherElements", 11, (ins "data", "indices"), (ins 0:$axis),
                 "output = GatherElements(data, indices, wrapAxis(axis, rank(data)));">;
def : OnnxImport<"GatherND", 11, (ins "data", "indices"), (ins 0:$batch_dims),
                 "output = GatherND(data, indices, batch_dims);">;
class OnnxScatter<string operator, int since>
    : OnnxImport<operator, since, (ins "data", "indices", "updates"),
                 (ins 0:$axis, Words<"none">:$reduction),
    "output = ScatterElements(data, indices, updates, wrapAxis(axis, rank(data)), reduction);">;
def : OnnxScatter<"Scatter", 9>;
def : OnnxScatter<"ScatterElements", 11>;
def : OnnxImport<"ScatterND", 11, (ins "data", "indices", "updates"), (ins Words<"none">:$reduction),
                 "output = ScatterND(data, indices, updates, reduction);">;
def : OnnxImport<"ReverseSequence", 10, (ins "input", "sequence_lens"), (ins 1:$batch_axis, 0:$time_axis), [{
  require(batch_axis + time_axis == 1 && batch_axis * time_axis == 0,
          "batch_axis {batch_axis} and time_axis {time_axis} must be 0 and 1 or 1 and 0");
  swap = [1, 0, *range(2, rank(input))];
  x = if(batch_axis == 0, input, Transpose(input, swap));
  y = ReverseSequence(x, sequence_lens);
  output = if(batch_axis == 0, y, Transpose(y, swap));
}]>;
// How many elements stay decides the shape.
def : OnnxImport<"Compress", 9, (ins "input", "condition"), (ins MaybeInt:$axis), [{
  flat = if(present(axis), input, Reshape(input, [elements(input)]));
  kept = nonzeros(ints(condition));
  output = Gather(flat, Literal(kept, [size(kept)], elementKind("i64")), if(present(axis), wrapAxis(axis, rank(input)), 0));
}]>;
def : OnnxImport<"OneHot", 9, (ins "indices", "depth", "values"), (ins -1:$axis), [{
  k = elementKind("i64");
  output = OneHot(if(kind(indices) == k, indices, Cast(indices, k)), values,
                  wrapAxis(axis, rank(indices) + 1), int(realOf(depth)));
}]>;
}

#endif // GLOW_IMPORT_ONNXSHAPE
