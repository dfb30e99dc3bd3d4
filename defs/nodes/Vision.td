//===- Vision.td - pixels between pixels ----------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_NODES_VISION
#define GLOW_NODES_VISION

include "glow/functions/Lists.td"
include "glow/nodes/Elementwise.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

def Patches : Node<"patches", (ins "T[n,c,*x:1..3]":$in),
    (outs "T[n,c,*windowCount(x, window, strides, pads, dilations),*window]":$out),
    (ins Ints:$window, Ints:$strides, Ints:$pads, Ints:$dilations, Default<Real, "0.0">:$value)> {
  let summary = "the elements of each window of an image, with `value` around the image";
  let types = (kinds Numbers:$T);
  let requires = [
    Require<"window-attributes",
            [{size(window) == size(x) && size(strides) == size(x) && size(dilations) == size(x)
              && size(pads) == 2 * size(x)}],
            "window {window}, strides {strides}, dilations {dilations} and pads {pads} must be of "
            "lengths {size(x)}, thrice, and {2 * size(x)}">,
    Require<"stride-positive",
            [{allAtLeast(window, 1) && allAtLeast(strides, 1) && allAtLeast(dilations, 1)
              && allAtLeast(pads, 0)}],
            "window {window}, strides {strides} and dilations {dilations} must all be at least 1, "
            "pads {pads} at least 0">,
    Require<"window-fits", "windowFits(x, window, pads, dilations)",
            "window {window} is larger than the padded image {paddedExtent(x, pads)}">];
  let compute = [{
    out[n,c,*y,*k] = in[n,c,*(windowElement(y, k, strides, pads, dilations))] else value;
  }];
  let samples = [
    Sample<"padded", (ins "f32[1,2,4,4]"),
           [{window = [3, 3]; strides = [2, 1]; pads = [1, 0, 1, 1]; dilations = [1, 1];
             value = 0.5}]>,
    Sample<"row", (ins "f32[1,2,7]"),
           "window = [2]; strides = [1]; pads = [0, 0]; dilations = [2]; value = 0.0">,
    Refused<"window-attributes", (ins "f32[1,2,4,4]"),
            "window = [3]; strides = [2, 1]; pads = [1, 0, 1, 1]; dilations = [1, 1]; value = 0.0">,
    Refused<"stride-positive", (ins "f32[1,2,4,4]"),
            [{window = [3, 3]; strides = [0, 1]; pads = [1, 0, 1, 1]; dilations = [1, 1];
              value = 0.0}]>,
    Refused<"window-fits", (ins "f32[1,2,2,2]"),
            [{window = [3, 3]; strides = [2, 1]; pads = [0, 0, 0, 0]; dilations = [1, 1];
              value = 0.0}]>];
}

def SumPatches : Node<"sum_patches", (ins "T[n,c,*k:size(image),*y]":$in),
                      (outs "T[n,c,*image]":$out),
    (ins Ints:$image, Ints:$strides, Ints:$pads, Ints:$dilations)> {
  let summary = "images of which each element is the sum of those that were taken from there as "
                "patches";
  let types = (kinds Numbers:$T);
  let requires = [
    Require<"window-attributes",
            [{size(image) >= 1 && size(strides) == size(image) && size(dilations) == size(image)
              && size(pads) == 2 * size(image)}],
            "image {image}, strides {strides}, dilations {dilations} and pads {pads} must be of "
            "lengths {size(image)}, twice, and {2 * size(image)}">,
    Require<"stride-positive",
            "allAtLeast(strides, 1) && allAtLeast(dilations, 1) && allAtLeast(pads, 0)",
            "strides {strides} and dilations {dilations} must all be at least 1, pads {pads} at "
            "least 0">,
    Require<"patches-fit", [{windowFits(image, k, pads, dilations)
                             && y == windowCount(image, k, strides, pads, dilations)}],
            "there are {y} patches of {k} elements, which is not what images of {image} have">];
  let compute = [{
    out[n,c,*(windowElement(o, e, strides, pads, dilations))] += in[n,c,*e,*o];
  }];
  // Patches have the places before the window.
  let gradient = [{
    r = size(image);
    d.in = Transpose(Patches(d.out, k, strides, pads, dilations, 0.0),
                     [0, 1, *range(2 + r, 2 + 2 * r), *range(2, 2 + r)]);
  }];
  let samples = [
    Sample<"padded", (ins "f32[1,2,3,3,2,4]"),
           "image = [4, 4]; strides = [2, 1]; pads = [1, 0, 1, 2]; dilations = [1, 1]">,
    Refused<"window-attributes", (ins "f32[1,2,3,3,2,4]"),
            "image = [4, 4]; strides = [2]; pads = [1, 0, 1, 2]; dilations = [1, 1]">,
    Refused<"stride-positive", (ins "f32[1,2,3,3,2,4]"),
            "image = [4, 4]; strides = [2, 0]; pads = [1, 0, 1, 2]; dilations = [1, 1]">,
    Refused<"patches-fit", (ins "f32[1,2,3,3,2,4]"),
            "image = [4, 5]; strides = [2, 1]; pads = [1, 0, 1, 2]; dilations = [1, 1]">];
}

def MixPixels : Node<"mix_pixels",
    (ins "T[n,c,h,w]":$in, "I[r]":$images, "I[r,p,u]":$rows, "I[r,p,v]":$columns,
         "T[r,p,u]":$rowWeights, "T[r,p,v]":$columnWeights),
    (outs "T[r,c,p]":$out)> {
  let summary = "for each place p of region r the sum of pixels of an image, those in `rows` and "
                "`columns`, "
                "each times the weights of its row and its column";
  let types = (kinds Floats:$T, Indices:$I);
  let compute = [{
    out[r,c,p] += in[images[r], c, rows[r,p,u],
                     columns[r,p,v]] * rowWeights[r,p,u] * columnWeights[r,p,v];
  }];
  let samples = [
    Sample<"small", (ins "f32[2,2,3,4]", "i64[3] in 0..1", "i64[3,2,2] in 0..2",
                     "i64[3,2,2] in 0..3",
                         "f32[3,2,2]", "f32[3,2,2]"), "">];
}

//===----------------------------------------------------------------------===//
// Samples at the coordinates of a grid
//===----------------------------------------------------------------------===//

// A coordinate `at`, reflected at the borders until it lies between them.
def reflected : Let<(ins Tensor:$at, Real:$low, Real:$span),
    "(low + span) - Abs(Mod(at - low, Splat(2.0 * span, shape(at), kind(at))) - span)">;
// The weight of a pixel so far away, by cubic convolution with -3/4.
def cubicShare : Let<(ins Tensor:$away), [{
  Select(away <= 1.0, (1.25 * away - 2.25) * away * away + 1.0,
         ((-0.75 * away + 3.75) * away - 6.0) * away + 3.0)
}]>;
// Indices and weights of the pixels along one axis of the image, which is `length`
// long; `part` of the grid, [n, *around, axes], has the places, between -1 and 1.
def gridAxis : Let<(ins Tensor:$grid, Int:$part, Int:$length, Text:$mode, Text:$padding,
                    Flag:$alignCorners), [{
    field = shape(grid);
    r = size(field);
    n = field[0];
    places = prod(slice(field, 1, r - 2));
    taps = if(mode == "nearest", 1, if(mode == "linear", 2, 4));
    dims = [n, places, taps];
    k = kind(grid);
    last = real(length) - 1.0;
    low = if(alignCorners, 0.0, -0.5);
    span = max(1.0, if(alignCorners, last, last + 1.0));
    given = Reshape(Slice(grid, set(repeat(0, r), r - 1, part), repeat(1, r), set(field, r - 1, 1)),
                    [n, places, 1]);
    at = if(alignCorners, (given + 1.0) * (last / 2.0), ((given + 1.0) * (last + 1.0) - 1.0) / 2.0);
    place = if(padding == "border", Clip(at, 0.0, last),
               if(padding == "reflection", reflected(at, low, span), at));
    first = if(mode == "nearest", Round(place), Floor(place) - real(taps / 2 - 1));
    tap = Broadcast(first, dims) + Iota(0.0, 1.0, 2, dims, k);
    away = Abs(Broadcast(place, dims) - tap);
    share = if(mode == "nearest", Splat(1.0, dims, k),
               if(mode == "linear", 1.0 - away, cubicShare(away)));
    weights = if(padding == "zeros",
                 Select(Equal(tap, Clip(tap, 0.0, last)), share, Splat(0.0, dims, k)), share);
    inside = Clip(if(padding == "reflection", reflected(tap, low, span), tap), 0.0, last);
    indices = Cast(inside, elementKind("i64"));
}]> { let results = ["indices", "weights"]; }

// The values outside of an image.
def BorderMode : Choice<["zeros", "border", "reflection"]>;

def GridSample : Node<"grid_sample", (ins "T[n,c,h,w]":$in, "T[n,p,q,2]":$grid),
                      (outs "T[n,c,p,q]":$out),
    (ins Interpolation:$mode, BorderMode:$padding,
         Default<Flag, "false">:$alignCorners)> {
  let summary = "the image at the places that the grid names: x and y, from -1 at one border to 1 "
                "at the other; "
                "the borders are the outermost pixels' middles if `alignCorners`, else their edges";
  let types = (kinds Floats:$T);
  let requires = [Require<"not-empty", "h >= 1 && w >= 1",
                          "an image of {h} x {w} pixels is empty">];
  let tier = 2;
  let lowering = [{
    rows, rowWeights = gridAxis(grid, 1, h, mode, padding, alignCorners);
    columns, columnWeights = gridAxis(grid, 0, w, mode, padding, alignCorners);
    images = Iota(0.0, 1.0, 0, [n], elementKind("i64"));
    out = Reshape(MixPixels(in, images, rows, columns, rowWeights, columnWeights), [n, c, p, q]);
  }];
  let tolerance = "f32: 1e-4, f16: 1e-1, bf16: 1";
  let samples = [
    Sample<"linear", (ins "f32[2,2,3,4]", "f32[2,2,3,2] in -1.2..1.2"),
           "mode = \"linear\"; padding = \"zeros\"; alignCorners = false">,
    Sample<"cubic", (ins "f32[1,2,4,5]", "f32[1,3,2,2] in -1.2..1.2"),
           "mode = \"cubic\"; padding = \"border\"; alignCorners = true">,
    Sample<"reflected", (ins "f32[1,2,4,5]", "f32[1,3,2,2] in -1.4..1.4"),
           "mode = \"linear\"; padding = \"reflection\"; alignCorners = false">,
    Refused<"not-empty", (ins "f32[1,1,0,3]", "f32[1,2,3,2]"),
            "mode = \"linear\"; padding = \"zeros\"; alignCorners = false">];
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

// The same along one axis of the image for a region from the `from`-th to the
// `to`-th number of `boxes`, of which `count` places are looked at.
def regionAxis : Let<(ins Tensor:$boxes, Int:$from, Int:$to, Int:$length, Int:$count, Real:$scale,
                      Flag:$halfPixel), [{
    r = shape(boxes)[0];
    k = kind(boxes);
    shift = if(halfPixel, 0.5, 0.0);
    last = real(length) - 1.0;
    begin = Slice(boxes, [0, from], [1, 1], [r, 1]) * scale - shift;
    whole = Slice(boxes, [0, to], [1, 1], [r, 1]) * scale - shift - begin;
    extent = if(halfPixel, whole, Clip(whole, 1.0, infinity));
    steps = Iota(0.5, 1.0, 1, [r, count], k) / real(count);
    at = Broadcast(begin, [r, count]) + Broadcast(extent, [r, count]) * steps;
    place = Reshape(Clip(at, 0.0, last), [r, count, 1]);
    dims = [r, count, 2];
    tap = Broadcast(Floor(place), dims) + Iota(0.0, 1.0, 2, dims, k);
    share = 1.0 - Abs(Broadcast(place, dims) - tap);
    touches = Broadcast(Reshape(Equal(at, Clip(at, -1.0, last + 1.0)), [r, count, 1]), dims);
    weights = Select(touches, share, Splat(0.0, dims, k));
    pixels = Clip(tap, 0.0, last);
}]> { let results = ["pixels", "weights"]; }

def RoiAlign : Node<"roi_align", (ins "T[n,c,h,w]":$in, "T[r,4]":$boxes, "I[r]":$images),
    (outs "T[r,c,height,width]":$out),
    (ins Int:$height, Int:$width, Int:$samples, Real:$scale, Default<Flag, "true">:$halfPixel)> {
  let summary = "regions of images, left, top, right and bottom times `scale`, in bins, of which "
                "each is the mean "
                "of `samples` x `samples` places; pixels have their middle at 0.5 if `halfPixel`";
  let types = (kinds Floats:$T, Indices:$I);
  let requires = [
    Require<"bins-positive", "height >= 1 && width >= 1 && samples >= 1",
            "{height} x {width} bins of {samples} x {samples} samples must all be at least 1">,
    Require<"not-empty", "h >= 1 && w >= 1", "an image of {h} x {w} pixels is empty">];
  let tier = 2;
  let lowering = [{
    a = height * samples;
    b = width * samples;
    top, rowWeights = regionAxis(boxes, 1, 3, h, a, scale, halfPixel);
    left, columnWeights = regionAxis(boxes, 0, 2, w, b, scale, halfPixel);
    rows = Cast(top, kind(images));
    columns = Cast(left, kind(images));
    all = [r, a, b, 2];
    flat = [r, a * b, 2];
    mixed = MixPixels(in, images,
        Reshape(Broadcast(Reshape(rows, [r, a, 1, 2]), all), flat),
        Reshape(Broadcast(Reshape(columns, [r, 1, b, 2]), all), flat),
        Reshape(Broadcast(Reshape(rowWeights, [r, a, 1, 2]), all), flat),
        Reshape(Broadcast(Reshape(columnWeights, [r, 1, b, 2]), all), flat));
    out = ReduceMean(Reshape(mixed, [r, c, height, samples, width, samples]), [3, 5]);
  }];
  let tolerance = "f32: 1e-4, f16: 1e-1, bf16: 1";
  let samples = [
    Sample<"half-pixel", (ins "f32[2,2,5,6]", "f32[3,4] in 0..5", "i64[3] in 0..1"),
           "height = 2; width = 3; samples = 2; scale = 0.9; halfPixel = true">,
    Sample<"whole-pixel", (ins "f32[1,1,5,6]", "f32[2,4] in 0..5", "i32[2] in 0..0"),
           "height = 2; width = 2; samples = 1; scale = 1.0; halfPixel = false">,
    Refused<"bins-positive", (ins "f32[1,1,5,6]", "f32[2,4]", "i64[2] in 0..0"),
            "height = 0; width = 2; samples = 1; scale = 1.0; halfPixel = true">,
    Refused<"not-empty", (ins "f32[1,1,0,6]", "f32[2,4]", "i64[2] in 0..0"),
            "height = 2; width = 2; samples = 1; scale = 1.0; halfPixel = true">];
}

def NonMaxSuppression : Node<"non_max_suppression",
    (ins "T[b,n,4]":$boxes, "T[b,c,n]":$scores),
    (outs "i64[b * c * min(most, n),3]":$kept, "i64[]":$count),
    (ins Int:$most, Real:$overlap, Real:$score, Default<Flag, "true">:$isLimited,
         Default<Flag, "false">:$byCentre)> {
  let summary = "of each class and image the boxes, best score first, that no better one overlaps "
                "by more than `overlap` of their union: image, class and box of `count` of them, "
                "then zeros; at most `most` of a class, and, if `isLimited`, of scores above "
                "`score`; of equal scores the first box is the better one";
  let types = (kinds Floats:$T);
  let requires = [Require<"most-positive", "most >= 0", "{most} boxes of a class are too few">];
  let hand = "nonMaxSuppression";
  let reason = "whether a box is kept depends on all that were kept before it";
  let gradient = [{ none("boxes are chosen, and not computed") }];
  let samples = [
    Sample<"corners", (ins "f32[2,9,4] in 0..4", "f32[2,2,9]"),
           "most = 4; overlap = 0.3; score = 0.1; isLimited = true; byCentre = false">,
    Sample<"centres", (ins "f32[1,12,4] in 1..3", "f32[1,3,12]"),
           "most = 20; overlap = 0.5; score = 0.0; isLimited = false; byCentre = true">,
    Sample<"none", (ins "f32[1,5,4]", "f32[1,1,5]"),
           "most = 0; overlap = 0.5; score = 0.0; isLimited = true; byCentre = false">,
    Refused<"most-positive", (ins "f32[1,5,4]", "f32[1,1,5]"),
            "most = -1; overlap = 0.5; score = 0.0; isLimited = true; byCentre = false">];
}

def MaxOfPixels : Node<"max_of_pixels",
    (ins "T[n,c,h,w]":$in, "I[r]":$images, "I[r,p,2]":$rows, "I[r,q,2]":$columns),
    (outs "T[r,c,p,q]":$out)> {
  let summary = "for each region r of an image and each of its bins the largest pixel from its "
                "first row and column "
                "up to its ends, or minus infinity when there is none";
  let types = (kinds Floats:$T, Indices:$I);
  let compute = [{
    out[r,c,p,q] max= in[images[r],c,y,x] over rows[r,p,0] <= y < rows[r,p,1],
    columns[r,q,0] <= x < columns[r,q,1];
  }];
  let gradient = [{ none("which of the pixels was the largest is not kept") }];
  let samples = [
    Sample<"small", (ins "f32[2,2,3,4]", "i64[3] in 0..1", "i64[3,2,2] in 0..3",
                     "i64[3,2,2] in 0..4")>];
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

// One side of boxes, along x or y (0 or 1), for each class: moved and stretched by its
// deltas, and kept inside of `limit`. Boxes are begins, then ends; each has one of `edge`.
def movedSide : Let<(ins Tensor:$box, Tensor:$deltas, Tensor:$limit, Int:$along, Reals:$weights,
                     Real:$clip, Real:$edge), [{
  n = shape(box)[0];
  all = [n, shape(deltas)[1] / 4];
  begin = Broadcast(Slice(box, [0, along], [1, 1], [n, 1]), all);
  end = Broadcast(Slice(box, [0, along + 2], [1, 1], [n, 1]), all);
  extent = end - begin + edge;
  centre = begin + 0.5 * extent + Slice(deltas, [0, along], [1, 4], all) / weights[along] * extent;
  growth = Slice(deltas, [0, along + 2], [1, 4], all) / weights[along + 2];
  half = 0.5 * Exp(Min(growth, Splat(clip, all, kind(box)))) * extent;
  most = Broadcast(limit, all);
  zero = Splat(0.0, all, kind(box));
  low = Min(Max(centre - half, zero), most);
  high = Min(Max(centre + half - edge, zero), most);
}]> { let results = ["low", "high"]; }

def BBoxTransform : Node<"bbox_transform",
                         (ins "T[n,r]":$boxes, "T[n,m]":$deltas, "T[b,3]":$images),
    (outs "T[n,m]":$out, "T[b]":$counts),
    (ins Reals:$weights, Real:$clip, Default<Flag, "true">:$applyScale,
     Default<Flag, "false">:$plusOne)> {
  let summary = "for each class boxes moved by deltas of their middles, and stretched by the power "
                "of e of deltas of their "
                "sides, of at most `clip`, all by `weights`, and kept inside of their images; "
                "a row of images is height, width "
                "and the scale of boxes, which is left out of the result unless `applyScale`; "
                "the image of a box stands before "
                "its begins and ends, if there is more than one; "
                "`counts` is the number of boxes of each image";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"sides-complete", "(r == 5 || r == 4 && b == 1) && m % 4 == 0 && length(weights) == 4",
            "boxes of {r} numbers, of {b} images, {m} deltas and {length(weights)} weights must be "
            "4, or 5 of several images, a multiple of 4, and 4">];
  let tier = 1;
  let lowering = [{
    wide = elementKind("i64");
    image = if(r == 5, Cast(Reshape(Slice(boxes, [0, 0], [1, 1], [n, 1]), [n]), wide),
               Splat(0.0, [n], wide));
    each = Gather(images, image, 0);
    scale = Slice(each, [0, 2], [1, 1], [n, 1]);
    box = Slice(boxes, [0, r - 4], [1, 1], [n, 4]) / Broadcast(scale, [n, 4]);
    edge = if(plusOne, 1.0, 0.0);
    sizes = Floor(Slice(each, [0, 0], [1, 1], [n, 2]) / Broadcast(scale, [n, 2]) + 0.5) - edge;
    left, right = movedSide(box, deltas, Slice(sizes, [0, 1], [1, 1], [n, 1]), 0, weights, clip,
                            edge);
    top, bottom = movedSide(box, deltas, Slice(sizes, [0, 0], [1, 1], [n, 1]), 1, weights, clip,
                            edge);
    column = [n, m / 4, 1];
    sides = Concat([Reshape(left, column), Reshape(top, column), Reshape(right, column),
                    Reshape(bottom, column)], 2);
    flat = Reshape(sides, [n, m]);
    out = if(applyScale, flat * Broadcast(scale, [n, m]), flat);
    own = Equal(Broadcast(Reshape(image, [n, 1]), [n, b]), Iota(0.0, 1.0, 1, [n, b], wide));
    counts = ReduceSum(Cast(own, kind(boxes)), [0]);
  }];
  let samples = [
    Sample<"one", (ins "f32[3,4] in 1..9", "f32[3,8]", "f32[1,3] in 8..9"),
           "weights = [1.0, 1.0, 2.0, 2.0]; clip = 4.0; applyScale = true; plusOne = false">,
    Sample<"several", (ins "f32[3,5] in 1.5..1.5", "f32[3,4]", "f32[2,3] in 2..3"),
           "weights = [1.0, 1.0, 1.0, 1.0]; clip = 4.0; applyScale = false; plusOne = false">,
    Refused<"sides-complete", (ins "f32[3,4]", "f32[3,8]", "f32[2,3]"),
            "weights = [1.0, 1.0, 1.0, 1.0]; clip = 4.0; applyScale = true; plusOne = false">];
}

#endif // GLOW_NODES_VISION
