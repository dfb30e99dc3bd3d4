//===- OnnxVision.td - ONNX operators between pixels ----------------------===//

#ifndef GLOW_IMPORT_ONNXVISION
#define GLOW_IMPORT_ONNXVISION

include "glow/import/OnnxNetwork.td"
include "glow/nodes/Vision.td"

// A solid image, [n, c, d, h, w], at the places of a grid. Each slice that a place
// lies between is an image, and the place in it a region of its own.
def eachSlice : Let<(ins Tensor:$x), [{
  n = shape(x)[0];
  places = shape(x)[1];
  taps = shape(x)[2];
  each = Reshape(Broadcast(Reshape(x, [n, places, 1, taps]), [n, places, taps, taps]), [prod(shape(x)), 1, taps]);
}]>;
def sampleSolid : Let<(ins Tensor:$x, Tensor:$grid, Text:$mode, Text:$padding, Flag:$alignCorners), [{
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
  mixed = MixPixels(flat, images, eachSlice(rows), eachSlice(columns), eachSlice(rowWeights), eachSlice(columnWeights));
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
  require(m == "nearest" || m == "linear" || m == "cubic", "mode {mode} must be nearest, linear or cubic");
  require(padding_mode == "zeros" || padding_mode == "border" || padding_mode == "reflection",
          "padding_mode {padding_mode} is not supported");
  aligned = align_corners != 0;
  y = if(rank(x) == 5, sampleSolid(x, g, m, padding_mode, aligned), GridSample(x, g, m, padding_mode, aligned));
  Y = if(kind(X) == k, y, Cast(y, kind(X)));
}]>;

// Places from -1 to 1 along an axis of [d, h, w], for all of these.
def gridPlaces : Let<(ins Int:$axis, Ints:$dims, Kind:$k, Flag:$alignCorners), [{
  whole = real(dims[axis]);
  first = if(alignCorners, -1.0, 1.0 / whole - 1.0);
  step = if(alignCorners, 2.0 / max(whole - 1.0, 1.0), 2.0 / whole);
  places = Reshape(Iota(first, step, axis, dims, k), [prod(dims), 1]);
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
  one = Splat(1.0, [d * h * w, 1], k);
  places = if(solid, Concat([x, y, z, one], 1), Concat([x, y, one], 1));
  axes = if(solid, 3, 2);
  all = Broadcast(places, [n, d * h * w, axes + 1]);
  grid = Reshape(MatMul(all, Transpose(theta, [0, 2, 1])), if(solid, [n, d, h, w, 3], [n, h, w, 2]));
}]>;

// The two pixels around each place along an axis, 0 for rows, 1 for columns: moves,
// [n, taps, 2, height, width], added to where the window would lie.
def offsetAxis : Let<(ins Tensor:$moves, Int:$axis, Int:$length, Ints:$window, Ints:$strides, Ints:$pads, Ints:$dilations, Kind:$k), [{
  s = shape(moves);
  all = [s[0], *window, s[3], s[4]];
  last = real(length) - 1.0;
  at = Reshape(Slice(moves, [0, 0, axis, 0, 0], [1, 1, 1, 1, 1], set(s, 2, 1)), all)
       + Broadcast(Iota(-real(pads[axis]), real(strides[axis]), 0, [s[3 + axis]], k), all, axis: axis + 3)
       + Broadcast(Iota(0.0, real(dilations[axis]), 0, [window[axis]], k), all, axis: axis + 1);
  place = Reshape(at, [s[0], prod(drop(all, 1)), 1]);
  dims = set(shape(place), 2, 2);
  tap = Broadcast(Floor(place), dims) + Iota(0.0, 1.0, 2, dims, k);
  share = 1.0 - Abs(Broadcast(place, dims) - tap);
  weights = Select(Equal(tap, Clip(tap, 0.0, last)), share, Splat(0.0, dims, k));
  indices = Cast(Clip(tap, 0.0, last), elementKind("i64"));
}]> { let results = ["indices", "weights"]; }
def : OnnxImport<"DeformConv", 19, (ins "X", "W", "offset", "B?", "mask?"),
    (ins MaybeInts:$dilations, 1:$group, MaybeInts:$kernel_shape, 1:$offset_group, MaybeInts:$pads, MaybeInts:$strides), [{
  require(rank(X) == 4 && rank(W) == 4 && rank(offset) == 4, "X, W and offset must have 4 dimensions");
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
  require(group >= 1 && c % g == 0 && shape(offset)[1] == g * taps * 2 && shape(W)[1] * group == c && shape(W)[0] % max(group, 1) == 0,
          "{group} groups of filters and {g} of offsets do not suit {c} channels");
  moves = Reshape(offset, [n * g, taps, 2, oh, ow]);
  rows, rowWeights = offsetAxis(moves, 0, shape(X)[2], r, step, before, apart, k);
  columns, columnWeights = offsetAxis(moves, 1, shape(X)[3], r, step, before, apart, k);
  images = Iota(0.0, 1.0, 0, [n * g], elementKind("i64"));
  mixed = MixPixels(Reshape(X, [n * g, c / g, shape(X)[2], shape(X)[3]]), images, rows, columns, rowWeights, columnWeights);
  all = [n, g, c / g, taps, oh, ow];
  seen = if(present(mask), Reshape(mixed, all) * Broadcast(Reshape(mask, [n, g, 1, taps, oh, ow]), all), Reshape(mixed, all));
  depth = c / max(group, 1) * taps;
  filters = shape(W)[0] / max(group, 1);
  left = Broadcast(Reshape(W, [1, group, filters, depth]), [n, group, filters, depth]);
  sum = Reshape(MatMul(left, Reshape(seen, [n, group, depth, oh * ow])), [n, shape(W)[0], oh, ow]);
  Y = if(present(B), sum + Broadcast(B, shape(sum), axis: 1), sum);
}]>;

class OnnxRoiAlign<int since, string transformation>
    : OnnxImport<"RoiAlign", since, (ins "X", "rois", "batch_indices"),
    (ins Words<transformation>:$coordinate_transformation_mode, Words<"avg">:$mode, 1:$output_height,
         1:$output_width, 0:$sampling_ratio, "1.0":$spatial_scale), [{
  require(mode == "avg", "mode {mode} is for the host");
  require(sampling_ratio > 0, "sampling_ratio {sampling_ratio} lets the regions decide how many samples there are");
  Y = RoiAlign(X, rois, batch_indices, output_height, output_width, sampling_ratio, spatial_scale,
               coordinate_transformation_mode == "half_pixel");
}]>;
def : OnnxRoiAlign<10, "output_half_pixel">;
def : OnnxRoiAlign<16, "half_pixel">;

// A region is the number of its image, then left, top, right and bottom. The rows or
// columns in each of its bins, [regions, bins, length], of which neighbours share some.
def roiBins : Let<(ins Tensor:$rois, Int:$from, Int:$to, Int:$length, Int:$bins, Real:$scale), [{
  r = shape(rois)[0];
  k = kind(rois);
  first = Floor(Slice(rois, [0, from], [1, 1], [r, 1]) * scale + 0.5);
  last = Floor(Slice(rois, [0, to], [1, 1], [r, 1]) * scale + 0.5);
  each = Broadcast(Max(last - first + 1.0, 1.0) / real(bins), [r, bins]);
  begin = Floor(each * Iota(0.0, 1.0, 1, [r, bins], k)) + Broadcast(first, [r, bins]);
  end = Ceil(each * Iota(1.0, 1.0, 1, [r, bins], k)) + Broadcast(first, [r, bins]);
  all = [r, bins, length];
  at = Iota(0.0, 1.0, 2, all, k);
  inside = And(at >= Broadcast(Reshape(begin, [r, bins, 1]), all), at < Broadcast(Reshape(end, [r, bins, 1]), all));
}]>;
def : OnnxImport<"MaxRoiPool", 1, (ins "X", "rois"), (ins RequiredInts:$pooled_shape, "1.0":$spatial_scale), [{
  require(rank(X) == 4 && rank(rois) == 2 && shape(rois)[1] == 5, "X must have 4 axes, and rois be rows of 5 numbers");
  require(size(pooled_shape) == 2 && allAtLeast(pooled_shape, 1), "pooled_shape {pooled_shape} must be 2 numbers of at least 1");
  r = shape(rois)[0];
  rows = roiBins(rois, 2, 4, shape(X)[2], pooled_shape[0], spatial_scale);
  columns = roiBins(rois, 1, 3, shape(X)[3], pooled_shape[1], spatial_scale);
  images = Cast(Reshape(Slice(rois, [0, 0], [1, 1], [r, 1]), [r]), elementKind("i64"));
  pooled = MaxOfPixels(X, images, rows, columns);
  low = Splat(-infinity, shape(pooled), kind(X));
  Y = Select(Equal(pooled, low), Splat(0, shape(pooled), kind(X)), pooled);
}]>;

#endif // GLOW_IMPORT_ONNXVISION
