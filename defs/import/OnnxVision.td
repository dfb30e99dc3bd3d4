//===- OnnxVision.td - ONNX operators between pixels ----------------------===//

#ifndef GLOW_IMPORT_ONNXVISION
#define GLOW_IMPORT_ONNXVISION

include "glow/nodes/Vision.td"

// Of a solid image what GridAxis (nodes/Vision.td) is of a flat one. Nothing is
// built unless the image is `deep`.
class SolidAxis<string index, string weight, string part, string length> {
  string statements = !subst("kind(in)", "k", !strconcat([{
    last = real(}], length, [{) - 1.0;
    low = if(align_corners != 0, 0.0, -0.5);
    span = max(1.0, if(align_corners != 0, last, last + 1.0));
    given = if(deep, Reshape(Slice(g, [0, 0, 0, 0, }], part, [{], repeat(1, 5), [n, *around, 1]), [n, places, 1]), x);
    spot = if(deep, if(align_corners != 0, (given + 1.0) * (last / 2.0), ((given + 1.0) * (last + 1.0) - 1.0) / 2.0), x);
    exact = if(deep, if(padding_mode == "border", Clip(spot, 0.0, last),
        if(padding_mode == "reflection", }], Reflected<"spot">.value, [{, spot)), x);
    tap = if(deep, Broadcast(if(m == "nearest", Round(exact), Floor(exact) - real(taps / 2 - 1)), dims) + Iota(0.0, 1.0, 2, dims, k), x);
    away = if(deep, Abs(Broadcast(exact, dims) - tap), x);
    share = if(deep, if(m == "nearest", Splat(1.0, dims, k), if(m == "linear", 1.0 - away, }], CubicShare<"away">.value, [{)), x);
    }], weight, [{ = if(deep, if(padding_mode == "zeros", Select(Equal(tap, Clip(tap, 0.0, last)), share, Splat(0.0, dims, k)), share), x);
    }], index, [{ = if(deep, Cast(Clip(if(padding_mode == "reflection", }], Reflected<"tap">.value, [{, tap), 0.0, last), elementKind("i64")), x);
  }]));
}
// The same of each slice that a place lies between: a slice is an image, and a
// place in it a region of its own.
class EachSlice<string x> {
  string text = "Reshape(Broadcast(Reshape(" # x # ", [n, places, 1, taps]), [n, places, taps, taps]), [regions, 1, taps])";
}

// Before opset 20 the modes have other names.
def : OnnxImport<"GridSample", 16, (ins "X", "grid"),
    (ins 0:$align_corners, Words<"linear">:$mode, Words<"zeros">:$padding_mode), !strconcat([{
  same = kind(X) == kind(grid) && isFloat(kind(X));
  narrow = isFloat(kind(X)) && bitsOf(kind(X)) <= 32 && bitsOf(kind(grid)) <= 32;
  k = if(same, kind(X), if(narrow, elementKind("f32"), elementKind("f64")));
  x = if(kind(X) == k, X, Cast(X, k));
  g = if(kind(grid) == k, grid, Cast(grid, k));
  m = if(mode == "bilinear", "linear", if(mode == "bicubic", "cubic", mode));
  deep = rank(x) == 5;
  s = shape(x);
  field = shape(g);
  require(m == "nearest" || m == "linear" || m == "cubic", "mode {mode} must be nearest, linear or cubic");
  require(padding_mode == "zeros" || padding_mode == "border" || padding_mode == "reflection",
          "padding_mode {padding_mode} is not supported");
  require(!deep || size(field) == 5 && at(field, 0) == s[0] && at(field, 4) == 3 && allAtLeast(drop(s, 2), 1),
          "a grid of shape {field} does not suit an image of shape {s}");
  n = at(s, 0);
  around = slice(field, 1, 3);
  places = prod(around);
  taps = if(m == "nearest", 1, if(m == "linear", 2, 4));
  dims = [n, places, taps];
  regions = prod(dims);
}], SolidAxis<"slices", "sliceWeights", "2", "at(s, 2)">.statements,
    SolidAxis<"rows", "rowWeights", "1", "at(s, 3)">.statements,
    SolidAxis<"columns", "columnWeights", "0", "at(s, 4)">.statements, [{
  c = at(s, 1);
  images = if(deep, Reshape(slices + Iota(0.0, real(at(s, 2)), 0, dims, elementKind("i64")), [regions]), x);
  flat = if(deep, Reshape(Transpose(x, [0, 2, 1, 3, 4]), [n * at(s, 2), c, at(s, 3), at(s, 4)]), x);
  mixed = if(deep, MixPixels(flat, images, }], EachSlice<"rows">.text, ", ", EachSlice<"columns">.text, ", ",
          EachSlice<"rowWeights">.text, ", ", EachSlice<"columnWeights">.text, [{), x);
  all = [n, places, taps, c];
  y = if(deep, Reshape(Transpose(ReduceSum(Reshape(mixed, all) * Broadcast(Reshape(sliceWeights, [n, places, taps, 1]), all), [2]), [0, 2, 1]),
                       [n, c, *around]),
         GridSample(x, g, m, padding_mode, align_corners != 0));
  Y = if(kind(X) == k, y, Cast(y, kind(X)));
}])>;

// Places from -1 to 1 along an axis of `length`, for all of [d, h, w].
class GridPlaces<string result, string length, string axis> {
  string statements = !subst("LENGTH", length, [{
    whole = real(LENGTH);
    first = if(align_corners != 0, -1.0, 1.0 / whole - 1.0);
    step = if(align_corners != 0, 2.0 / max(whole - 1.0, 1.0), 2.0 / whole);
    }] # result # " = Reshape(Iota(first, step, " # axis # [{, [d, h, w], k), [d * h * w, 1]);
  }]);
}
def : OnnxImport<"AffineGrid", 20, (ins "theta", "size"), (ins 0:$align_corners), !strconcat([{
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
}], GridPlaces<"x", "w", "2">.statements, GridPlaces<"y", "h", "1">.statements, GridPlaces<"z", "d", "0">.statements, [{
  one = Splat(1.0, [d * h * w, 1], k);
  places = if(solid, Concat([x, y, z, one], 1), Concat([x, y, one], 1));
  axes = if(solid, 3, 2);
  all = Broadcast(places, [n, d * h * w, axes + 1]);
  grid = Reshape(MatMul(all, Transpose(theta, [0, 2, 1])), if(solid, [n, d, h, w, 3], [n, h, w, 2]));
}])>;

// The two pixels around each place along an axis: `part` of the offsets added to
// where the window would lie.
class OffsetAxis<string index, string weight, string part, string length, string steps, string window, string which> {
  string statements = !subst("LENGTH", length, !subst("WHICH", which, [{
    last = real(LENGTH) - 1.0;
    begin = -real(before[WHICH]);
    at = Reshape(Slice(moves, [0, 0, }] # part # [{, 0, 0], [1, 1, 1, 1, 1], [n * g, taps, 1, oh, ow]), [n * g, kh, kw, oh, ow])
         + Broadcast(Iota(begin, real(step[WHICH]), 0, [}] # steps # [{], k), [n * g, kh, kw, oh, ow], axis: WHICH + 3)
         + Broadcast(Iota(0.0, real(apart[WHICH]), 0, [}] # window # [{], k), [n * g, kh, kw, oh, ow], axis: WHICH + 1);
    place = Reshape(at, [n * g, taps * oh * ow, 1]);
    dims = [n * g, taps * oh * ow, 2];
    tap = Broadcast(Floor(place), dims) + Iota(0.0, 1.0, 2, dims, k);
    share = 1.0 - Abs(Broadcast(place, dims) - tap);
    }] # weight # [{ = Select(Equal(tap, Clip(tap, 0.0, last)), share, Splat(0.0, dims, k));
    }] # index # [{ = Cast(Clip(tap, 0.0, last), elementKind("i64"));
  }]));
}
def : OnnxImport<"DeformConv", 19, (ins "X", "W", "offset", "B?", "mask?"),
    (ins MaybeInts:$dilations, 1:$group, MaybeInts:$kernel_shape, 1:$offset_group, MaybeInts:$pads, MaybeInts:$strides), !strconcat([{
  require(rank(X) == 4 && rank(W) == 4 && rank(offset) == 4, "X, W and offset must have 4 dimensions");
  k = kind(X);
  n = shape(X)[0];
  c = shape(X)[1];
  g = max(offset_group, 1);
  r = drop(shape(W), 2);
  kh = r[0];
  kw = r[1];
  require(size(kernel_shape) == 0 || kernel_shape == r,
          "kernel_shape {kernel_shape} contradicts the filter, whose sizes are {r}");
  taps = kh * kw;
  oh = shape(offset)[2];
  ow = shape(offset)[3];
  step = listOr(strides, [1, 1]);
  apart = listOr(dilations, [1, 1]);
  before = listOr(pads, [0, 0, 0, 0]);
  require(group >= 1 && c % g == 0 && shape(offset)[1] == g * taps * 2 && shape(W)[1] * group == c && shape(W)[0] % max(group, 1) == 0,
          "{group} groups of filters and {g} of offsets do not suit {c} channels");
  moves = Reshape(offset, [n * g, taps, 2, oh, ow]);
}], OffsetAxis<"rows", "rowWeights", "0", "shape(X)[2]", "oh", "kh", "0">.statements,
    OffsetAxis<"columns", "columnWeights", "1", "shape(X)[3]", "ow", "kw", "1">.statements, [{
  images = Iota(0.0, 1.0, 0, [n * g], elementKind("i64"));
  mixed = MixPixels(Reshape(X, [n * g, c / g, shape(X)[2], shape(X)[3]]), images, rows, columns, rowWeights, columnWeights);
  all = [n, g, c / g, taps, oh, ow];
  seen = if(present(mask), Reshape(mixed, all) * Broadcast(Reshape(mask, [n, g, 1, taps, oh, ow]), all), Reshape(mixed, all));
  depth = c / max(group, 1) * taps;
  filters = shape(W)[0] / max(group, 1);
  left = Broadcast(Reshape(W, [1, group, filters, depth]), [n, group, filters, depth]);
  sum = Reshape(MatMul(left, Reshape(seen, [n, group, depth, oh * ow])), [n, shape(W)[0], oh, ow]);
  Y = if(present(B), sum + Broadcast(B, shape(sum), axis: 1), sum);
}])>;

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

// A region is the number of its image, then left, top, right and bottom. The
// rows and columns in each bin, of which neighbours share some.
class RoiBins<string inside, string from, string to, string length, string bins> {
  string statements = !subst("BINS", bins, !subst("LENGTH", length, [{
    first = Floor(Slice(rois, [0, }] # from # [{], [1, 1], [r, 1]) * spatial_scale + 0.5);
    last = Floor(Slice(rois, [0, }] # to # [{], [1, 1], [r, 1]) * spatial_scale + 0.5);
    bin = Max(last - first + 1.0, 1.0) / real(BINS);
    each = Broadcast(bin, [r, BINS]);
    begin = Floor(each * Iota(0.0, 1.0, 1, [r, BINS], k)) + Broadcast(first, [r, BINS]);
    end = Ceil(each * Iota(1.0, 1.0, 1, [r, BINS], k)) + Broadcast(first, [r, BINS]);
    all = [r, BINS, LENGTH];
    at = Iota(0.0, 1.0, 2, all, k);
    }] # inside # [{ = And(at >= Broadcast(Reshape(begin, [r, BINS, 1]), all), at < Broadcast(Reshape(end, [r, BINS, 1]), all));
  }]));
}
def : OnnxImport<"MaxRoiPool", 1, (ins "X", "rois"), (ins RequiredInts:$pooled_shape, "1.0":$spatial_scale), !strconcat([{
  require(rank(X) == 4 && rank(rois) == 2 && shape(rois)[1] == 5, "X must have 4 axes, and rois be rows of 5 numbers");
  require(size(pooled_shape) == 2 && allAtLeast(pooled_shape, 1), "pooled_shape {pooled_shape} must be 2 numbers of at least 1");
  r = shape(rois)[0];
  k = kind(rois);
}], RoiBins<"rows", "2", "4", "shape(X)[2]", "pooled_shape[0]">.statements,
    RoiBins<"columns", "1", "3", "shape(X)[3]", "pooled_shape[1]">.statements, [{
  images = Cast(Reshape(Slice(rois, [0, 0], [1, 1], [r, 1]), [r]), elementKind("i64"));
  pooled = MaxOfPixels(X, images, rows, columns);
  low = Splat(-infinity, shape(pooled), kind(X));
  Y = Select(Equal(pooled, low), Splat(0, shape(pooled), kind(X)), pooled);
}])>;

#endif // GLOW_IMPORT_ONNXVISION
