//===- OnnxVision.td - ONNX operators between pixels ----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXVISION
#define GLOW_IMPORT_ONNXVISION

include "glow/functions/Kinds.td"
include "glow/import/OnnxConvolution.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Shape.td"
include "glow/nodes/Vision.td"

// A solid image, [n, c, d, h, w], at the places of a grid. Each slice that a place
// lies between is an image, and the place in it a region of its own.
def eachSlice : Let<(ins Tensor:$x), [{
  n = shape(x)[0];
  places = shape(x)[1];
  taps = shape(x)[2];
  each = Reshape(Broadcast(Reshape(x, [n, places, 1, taps]), [n, places, taps, taps]),
                 [prod(shape(x)), 1, taps]);
}]>;
def sampleSolid : Let<(ins Tensor:$x, Tensor:$grid, Text:$mode, Text:$padding, Flag:$alignCorners),
                      [{
  s = shape(x);
  field = shape(grid);
  require(size(field) == 5 && field[0] == s[0] && field[4] == 3 && allAtLeast(drop(s, 2), 1),
          "a grid of shape {field} does not suit an image of shape {s}");
  slices, sliceWeights = gridAxis(grid, 2, s[2], mode, padding, alignCorners);
  rows, rowWeights = gridAxis(grid, 1, s[3], mode, padding, alignCorners);
  columns, columnWeights = gridAxis(grid, 0, s[4], mode, padding, alignCorners);
  dims = shape(slices);
  images = Reshape(slices + Iota(0.0, real(s[2]), 0, dims, elementKind("i64")), [prod(dims)]);
  flat = Reshape(Transpose(x, [0, 2, 1, 3, 4]), [s[0] * s[2], s[1], s[3], s[4]]);
  mixed = MixPixels(flat, images, eachSlice(rows), eachSlice(columns), eachSlice(rowWeights),
                    eachSlice(columnWeights));
  all = [*dims, s[1]];
  sum = ReduceSum(Reshape(mixed, all) * Broadcast(Reshape(sliceWeights, [*dims, 1]), all), [2]);
  y = Reshape(Transpose(sum, [0, 2, 1]), [s[0], s[1], *slice(field, 1, 3)]);
}]>;

// Before opset 20 the modes have other names.
def : OnnxImport<"GridSample", 16, (ins "X", "grid"),
    (ins 0:$align_corners, Words<"linear">:$mode, Words<"zeros">:$padding_mode), [{
  same = kind(X) == kind(grid) && isFloat(kind(X));
  narrow = isFloat(kind(X)) && bitsOf(kind(X)) <= 32 && bitsOf(kind(grid)) <= 32;
  k = if(same, kind(X), if(narrow, elementKind("f32"), elementKind("f64")));
  x = if(kind(X) == k, X, Cast(X, k));
  g = if(kind(grid) == k, grid, Cast(grid, k));
  m = if(mode == "bilinear", "linear", if(mode == "bicubic", "cubic", mode));
  require(m == "nearest" || m == "linear" || m == "cubic",
          "mode {mode} must be nearest, linear or cubic");
  require(padding_mode == "zeros" || padding_mode == "border" || padding_mode == "reflection",
          "padding_mode {padding_mode} is not supported");
  aligned = align_corners != 0;
  y = if(rank(x) == 5, sampleSolid(x, g, m, padding_mode, aligned),
         GridSample(x, g, m, padding_mode, aligned));
  Y = if(kind(X) == k, y, Cast(y, kind(X)));
}]> {
  let later = [FromOpset<20, "mode", "linear">, FromOpset<20, "mode", "cubic">];
}

// Places from -1 to 1 along an axis of [d, h, w], for all of these.
def gridPlaces : Let<(ins Int:$axis, Ints:$dims, Kind:$k, Flag:$alignCorners), [{
  whole = real(dims[axis]);
  first = if(alignCorners, -1.0, 1.0 / whole - 1.0);
  step = if(alignCorners, 2.0 / max(whole - 1.0, 1.0), 2.0 / whole);
  places = Reshape(Iota(first, step, axis, dims, k), [1, prod(dims)]);
}]>;
def : OnnxImport<"AffineGrid", 20, (ins "theta", "size"), (ins 0:$align_corners), [{
  wanted = ints(size);
  n = at(wanted, 0);
  solid = size(wanted) == 5;
  given = shape(theta);
  require(solid && given == [n, 3, 4] || size(wanted) == 4 && given == [n, 2, 3],
          "theta of shape {given} does not suit size {wanted}");
  k = kind(theta);
  d = if(solid, at(wanted, 2), 1);
  h = at(wanted, size(wanted) - 2);
  w = at(wanted, size(wanted) - 1);
  x = gridPlaces(2, [d, h, w], k, align_corners != 0);
  y = gridPlaces(1, [d, h, w], k, align_corners != 0);
  z = gridPlaces(0, [d, h, w], k, align_corners != 0);
  one = Splat(1.0, [1, d * h * w], k);
  // Long rows: a product of few columns leaves most lanes of a vector empty.
  places = if(solid, Concat([x, y, z, one], 0), Concat([x, y, one], 0));
  axes = if(solid, 3, 2);
  all = Broadcast(places, [n, axes + 1, d * h * w]);
  grid = Reshape(Transpose(MatMul(theta, all), [0, 2, 1]),
                 if(solid, [n, d, h, w, 3], [n, h, w, 2]));
}]>;

// The two pixels around each place along an axis, 0 for rows, 1 for columns: moves,
// [n, taps, 2, height, width], added to where the window would lie.
def offsetAxis : Let<(ins Tensor:$moves, Int:$axis, Int:$length, Ints:$window, Ints:$strides,
                      Ints:$pads, Ints:$dilations, Kind:$k), [{
  s = shape(moves);
  all = [s[0], *window, s[3], s[4]];
  last = real(length) - 1.0;
  at = Reshape(Slice(moves, [0, 0, axis, 0, 0], [1, 1, 1, 1, 1], set(s, 2, 1)), all)
       + Broadcast(Iota(-real(pads[axis]), real(strides[axis]), 0, [s[3 + axis]], k), all,
                   axis: axis + 3)
       + Broadcast(Iota(0.0, real(dilations[axis]), 0, [window[axis]], k), all, axis: axis + 1);
  place = Reshape(at, [s[0], prod(drop(all, 1)), 1]);
  dims = set(shape(place), 2, 2);
  tap = Broadcast(Floor(place), dims) + Iota(0.0, 1.0, 2, dims, k);
  share = 1.0 - Abs(Broadcast(place, dims) - tap);
  weights = Select(Equal(tap, Clip(tap, 0.0, last)), share, Splat(0.0, dims, k));
  indices = Cast(Clip(tap, 0.0, last), elementKind("i64"));
}]> { let results = ["indices", "weights"]; }
def : OnnxImport<"DeformConv", 19, (ins "X", "W", "offset", "B?", "mask?"),
    (ins MaybeInts:$dilations, 1:$group, MaybeInts:$kernel_shape, 1:$offset_group, MaybeInts:$pads,
     MaybeInts:$strides), [{
  require(rank(X) == 4 && rank(W) == 4 && rank(offset) == 4,
          "X, W and offset must have 4 dimensions");
  k = kind(X);
  n = shape(X)[0];
  c = shape(X)[1];
  g = max(offset_group, 1);
  r = filterSizes(W, kernel_shape);
  taps = prod(r);
  oh = shape(offset)[2];
  ow = shape(offset)[3];
  step = listOr(strides, [1, 1]);
  apart = listOr(dilations, [1, 1]);
  before = listOr(pads, [0, 0, 0, 0]);
  require(group >= 1 && c % g == 0 && shape(offset)[1] == g * taps * 2 && shape(W)[1] * group == c
          && shape(W)[0] % max(group, 1) == 0,
          "{group} groups of filters and {g} of offsets do not suit {c} channels");
  moves = Reshape(offset, [n * g, taps, 2, oh, ow]);
  rows, rowWeights = offsetAxis(moves, 0, shape(X)[2], r, step, before, apart, k);
  columns, columnWeights = offsetAxis(moves, 1, shape(X)[3], r, step, before, apart, k);
  images = Iota(0.0, 1.0, 0, [n * g], elementKind("i64"));
  mixed = MixPixels(Reshape(X, [n * g, c / g, shape(X)[2], shape(X)[3]]), images, rows, columns,
                    rowWeights, columnWeights);
  all = [n, g, c / g, taps, oh, ow];
  seen = if(present(mask),
            Reshape(mixed, all) * Broadcast(Reshape(mask, [n, g, 1, taps, oh, ow]), all),
            Reshape(mixed, all));
  depth = c / max(group, 1) * taps;
  filters = shape(W)[0] / max(group, 1);
  left = Broadcast(Reshape(W, [1, group, filters, depth]), [n, group, filters, depth]);
  sum = Reshape(MatMul(left, Reshape(seen, [n, group, depth, oh * ow])), [n, shape(W)[0], oh, ow]);
  Y = if(present(B), sum + Broadcast(B, shape(sum), axis: 1), sum);
}]>;

class OnnxRoiAlign<int since, string transformation>
    : OnnxImport<"RoiAlign", since, (ins "X", "rois", "batch_indices"),
    (ins Words<transformation>:$coordinate_transformation_mode, Words<"avg">:$mode,
     1:$output_height,
         1:$output_width, 0:$sampling_ratio, "1.0":$spatial_scale), [{
  require(mode == "avg", "mode {mode} is for the host");
  require(sampling_ratio > 0,
          "sampling_ratio {sampling_ratio} lets the regions decide how many samples there are");
  where = coordinate_transformation_mode;
  require(where == "half_pixel" || where == "output_half_pixel",
          "coordinate_transformation_mode {where} must be half_pixel or output_half_pixel");
  Y = if(where == "half_pixel",
         RoiAlign(X, rois, batch_indices, output_height, output_width, sampling_ratio,
                  spatial_scale, true),
         RoiAlign(X, rois, batch_indices, output_height, output_width, sampling_ratio,
                  spatial_scale, false));
}]>;
def : OnnxRoiAlign<10, "output_half_pixel">;
def : OnnxRoiAlign<16, "half_pixel">;

// A region is the number of its image, then left, top, right and bottom. The first row or
// column of each of its bins and the end, [regions, bins, 2]; neighbours share some.
def roiBins : Let<(ins Tensor:$rois, Int:$from, Int:$to, Int:$length, Int:$bins, Real:$scale), [{
  r = shape(rois)[0];
  k = kind(rois);
  first = Floor(Slice(rois, [0, from], [1, 1], [r, 1]) * scale + 0.5);
  last = Floor(Slice(rois, [0, to], [1, 1], [r, 1]) * scale + 0.5);
  each = Broadcast(Max(last - first + 1.0, 1.0) / real(bins), [r, bins]);
  begin = Floor(each * Iota(0.0, 1.0, 1, [r, bins], k)) + Broadcast(first, [r, bins]);
  end = Ceil(each * Iota(1.0, 1.0, 1, [r, bins], k)) + Broadcast(first, [r, bins]);
  i = elementKind("i64");
  inside = Concat([Reshape(Cast(Clip(begin, 0.0, real(length)), i), [r, bins, 1]),
                   Reshape(Cast(Clip(end, 0.0, real(length)), i), [r, bins, 1])], 2);
}]>;
// The largest pixels of the bins of regions, each the number of its image and its corners.
def pooledRegions : Let<(ins Tensor:$X, Tensor:$rois, Ints:$pooled_shape, Real:$spatial_scale), [{
  require(rank(X) == 4 && rank(rois) == 2 && shape(rois)[1] == 5,
          "X must have 4 axes, and rois be rows of 5 numbers");
  require(size(pooled_shape) == 2 && allAtLeast(pooled_shape, 1),
          "pooled_shape {pooled_shape} must be 2 numbers of at least 1");
  r = shape(rois)[0];
  rows = roiBins(rois, 2, 4, shape(X)[2], pooled_shape[0], spatial_scale);
  columns = roiBins(rois, 1, 3, shape(X)[3], pooled_shape[1], spatial_scale);
  images = Cast(Reshape(Slice(rois, [0, 0], [1, 1], [r, 1]), [r]), elementKind("i64"));
  pooled = MaxOfPixels(X, images, rows, columns);
  low = Splat(-infinity, shape(pooled), kind(X));
  Y = Select(Equal(pooled, low), Splat(0, shape(pooled), kind(X)), pooled);
}]>;
def : OnnxImport<"MaxRoiPool", 1, (ins "X", "rois"),
                 (ins RequiredInts:$pooled_shape, "1.0":$spatial_scale),
                 "Y = pooledRegions(X, rois, pooled_shape, spatial_scale);">;

//===----------------------------------------------------------------------===//
// Blocks of pixels and other resolutions
//===----------------------------------------------------------------------===//

let movesElements = 1 in {
def : OnnxImport<"DepthToSpace", 1, (ins "input"), (ins RequiredInt:$blocksize, Words<"DCR">:$mode),
                 [{
  require(mode == "DCR" || mode == "CRD", "mode {mode} must be DCR or CRD");
  output = DepthToSpace(input, blocksize, mode == "CRD");
}]>;
def : OnnxImport<"SpaceToDepth", 1, (ins "input"), (ins RequiredInt:$blocksize),
                 "output = SpaceToDepth(input, blocksize);">;
def : OnnxImport<"SpaceToDepth", 28, (ins "input"),
                 (ins RequiredInt:$blocksize, Words<"DCR">:$mode), [{
  require(mode == "DCR" || mode == "CRD", "mode {mode} must be DCR or CRD");
  output = SpaceToDepth(input, blocksize, mode == "CRD");
}]>;
}

// The sizes that scales give. An axis of elements keeps some, which scales of 0 or less, NaN,
// and scales below a single element do not give; s / s is 1, and 0 where s is.
def scaledSizes : Let<(ins Ints:$s, Reals:$factors), [{
  y = scaled(s, factors);
  require(allAtLeast(y - s / s, 0),
          "scales {factors} of shape {s} must be above 0, and leave an element of each axis");
  result = y;
}]>;
// The first versions have few choices: pixels lie at multiples of the scale.
def plainResize : Let<(ins Tensor:$X, Reals:$factors, Text:$mode), [{
  require(mode == "nearest" || mode == "linear" || mode == "bilinear",
          "mode {mode} is not supported");
  require(length(factors) == rank(X), "scales {factors} must be one an axis");
  y = Resize(asBytes(X), scaledSizes(shape(X), factors), factors,
             if(mode == "nearest", "nearest", "linear"), "asymmetric", "floor");
  Y = asKind(y, kind(X));
}]>;
let isWritten = 0 in {
def : OnnxImport<"Upsample", 7, (ins "X"), (ins Words<"nearest">:$mode, MaybeReals:$scales),
                 "Y = plainResize(X, scales, mode);">;
def : OnnxImport<"Upsample", 9, (ins "X", "scales"), (ins Words<"nearest">:$mode),
                 "Y = plainResize(X, reals(scales), mode);"> {
  let successor = "Resize";
}
}
def : OnnxImport<"Resize", 10, (ins "X", "scales"), (ins Words<"nearest">:$mode),
                 "Y = plainResize(X, reals(scales), mode);">;

// The weights of elements at distance `t`, in units of the kernel. Each column is scaled
// to the sum 1, unless its sum is 0 up to rounding. Cubic weights are Keys' functions,
// below distance 1 and from 1 to 2.
def interpolationWeights : Let<(ins Tensor:$t, Text:$mode, Real:$a), [{
  weights = if(mode == "linear", Clip(1.0 - t, 0.0, 1.0),
               Select(t <= 1.0, cubicNear(t, a),
                      Select(t < 2.0, cubicFar(t, a), Splat(0.0, shape(t), kind(t)))));
  sums = ReduceSum(weights, [0], true);
  normal = weights / Broadcast(Select(Abs(sums) < 0.000001, Splat(1.0, shape(sums), kind(t)), sums),
                               shape(t));
}]>;
// The elements along an axis times a matrix, with `reach` copies of the border on either
// side.
def mixedAlong : Let<(ins Tensor:$x, Tensor:$matrix, Int:$axis, Int:$reach), [{
  order = [*excluding(range(0, rank(x)), [axis]), axis];
  others = without(shape(x), [axis]);
  around = set(repeat(0, rank(x)), axis, reach);
  rows = Reshape(Transpose(PadEdge(x, around, around), order),
                 [prod(others), shape(x)[axis] + 2 * reach]);
  y = Transpose(Reshape(MatMul(rows, Cast(matrix, kind(x))), [*others, shape(matrix)[1]]),
                inverse(order));
}]>;
// With antialias, an element is a weighted mean of its neighbours along an axis. The
// weights reach further the smaller the result is.
def antialiased : Let<(ins Tensor:$x, Int:$axis, Int:$to, Real:$factor, Text:$where, Text:$mode,
                       Real:$a, Flag:$excludesOutside), [{
  n = shape(x)[axis];
  reach = if(excludesOutside, 0, ceil(if(mode == "cubic", 2.0, 1.0) / min(factor, 1.0)) + 1);
  window = [n + 2 * reach, to];
  step = if(where == "align_corners", if(to > 1, (real(n) - 1.0) / (real(n) * factor - 1.0), 0.0),
            1.0 / factor);
  centre = 0.5 / factor - 0.5;
  begin = if(where == "align_corners" || where == "asymmetric" || where == "pytorch_half_pixel"
             && to == 1, 0.0,
          if(where == "tf_half_pixel_for_nn", 0.5 / factor,
          if(where == "half_pixel_symmetric",
             real(n) / 2.0 * (1.0 - real(to) / (factor * real(n))) + centre, centre)));
  c = elementKind("f32");
  t = Abs(Iota(real(-reach), 1.0, 0, window, c) - Iota(begin, step, 1, window, c)) * min(factor,
      1.0);
  y = mixedAlong(x, interpolationWeights(t, mode, a), axis, reach);
}]>;
// Resizes a part of the tensor along an axis, from `begin` to `end`, which are fractions
// of the way from the first element to the last. Elements of the result are at `first`,
// `first + step`... of the operand; an element beyond it is `outside`. With antialias,
// weights reach 1 / `near` times as far.
def croppedAlong : Let<(ins Tensor:$x, Int:$axis, Int:$to, Real:$begin, Real:$end, Real:$near,
                        Text:$mode, Text:$rounding, Real:$a,
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
  inside = Broadcast(Reshape(Equal(places, Clip(places, 0.0, last)),
                             set(repeat(1, rank(x)), axis, to)), made);
  t = Abs(Iota(real(-reach), 1.0, 0, window, wide) - Iota(first, step, 1, window, wide)) * near;
  seen = if(mode == "nearest", Gather(x, Cast(Clip(nearest, 0.0, last), elementKind("i64")), axis),
            mixedAlong(x, interpolationWeights(t, mode, a), axis, reach));
  y = Select(inside, seen, Splat(outside, made, kind(x)));
}]>;
// `roi` has where the part begins along each axis, then where it ends.
def : OnnxImport<"Resize", 11, (ins "X", "roi?", "scales?", "sizes?"),
    (ins 0:$antialias, MaybeInts:$axes, Words<"half_pixel">:$coordinate_transformation_mode,
     "-0.75":$cubic_coeff_a,
         0:$exclude_outside, "0.0":$extrapolation_value, Words<"stretch">:$keep_aspect_ratio_policy,
         Words<"nearest">:$mode, Words<"round_prefer_floor">:$nearest_mode), [{
  policy = keep_aspect_ratio_policy;
  require(policy == "stretch" || policy == "not_larger" || policy == "not_smaller",
          "keep_aspect_ratio_policy {policy} must be stretch, not_larger or not_smaller");
  require(mode == "nearest" || mode == "linear" || mode == "cubic", "mode {mode} is not supported");
  where = coordinate_transformation_mode;
  require(where == "half_pixel" || where == "half_pixel_symmetric" ||
          where == "tf_half_pixel_for_nn" || where == "pytorch_half_pixel" ||
          where == "align_corners" || where == "asymmetric" || where == "tf_crop_and_resize",
          "coordinate_transformation_mode {where} is not supported");
  s = shape(X);
  a = axesOf(listOr(axes, range(0, size(s))), size(s));
  wanted = ints(sizes);
  given = reals(scales);
  require(size(wanted) > 0 || length(given) > 0, "neither scales nor sizes are given");
  require(size(wanted) == 0 || size(wanted) == size(a), "sizes {wanted} must be one an axis");
  require(size(wanted) > 0 || length(given) == size(a), "scales {given} must be one an axis");
  all = placeReals(repeatReal(1.0, size(s)), a, given);
  one = if(policy == "stretch", 1.0, aspectScale(pick(s, a), wanted, policy == "not_larger"));
  same = placeReals(repeatReal(1.0, size(s)), a, repeatReal(one, size(a)));
  dims = if(size(wanted) == 0, scaledSizes(s, all),
            if(policy == "stretch", place(s, a, wanted), roundScaled(s, same)));
  factors = if(size(wanted) == 0, all, if(policy == "stretch", ratios(dims, s), same));
  isEmpty = elements(X) == 0 || prod(dims) == 0;
  crops = where == "tf_crop_and_resize" && !isEmpty;
  softens = antialias != 0 && mode != "nearest" && !isEmpty;
  smooths = softens && !crops;
  box = reals(roi);
  require(!crops || length(box) == 2 * size(a),
          "roi has {length(box)} numbers, but should have 2 for each of the axes {a}");
  begins = placeReals(repeatReal(0.0, size(s)), a,
                      if(crops, pickReals(box, range(0, size(a))), repeatReal(0.0, size(a))));
  ends = placeReals(repeatReal(1.0, size(s)), a,
                    if(crops, pickReals(box, range(size(a), 2 * size(a))),
                       repeatReal(1.0, size(a))));
  bits = asBytes(X);
  exact = exclude_outside != 0;
  smooth = X;
  for axis in range(0, if(smooths, size(s), 0)) {
    smooth = if(s[axis] == dims[axis] && factors[axis] == 1.0, smooth,
                antialiased(smooth, axis, dims[axis], factors[axis], where, mode, cubic_coeff_a,
                            exact));
  }
  crop = if(!crops || mode == "nearest" || isFloat(kind(X)), bits, Cast(bits, elementKind("f32")));
  for axis in range(0, if(crops, size(s), 0)) {
    crop = if(s[axis] == dims[axis] && begins[axis] == 0.0 && ends[axis] == 1.0, crop,
              croppedAlong(crop, axis, dims[axis], begins[axis], ends[axis],
                           if(softens, min(factors[axis], 1.0), 1.0),
                           mode, nearest_mode, cubic_coeff_a, exact, extrapolation_value));
  }
  y = if(smooths, smooth, if(crops, crop,
         Resize(bits, dims, factors, mode, if(where == "tf_crop_and_resize", "asymmetric", where),
                nearest_mode, cubic_coeff_a, exact)));
  Y = asKind(y, kind(X));
}]> {
  let later = [FromOpset<18, "antialias">, FromOpset<18, "axes">,
               FromOpset<18, "keep_aspect_ratio_policy">,
               FromOpset<19, "coordinate_transformation_mode", "half_pixel_symmetric">];
}

#endif // GLOW_IMPORT_ONNXVISION
