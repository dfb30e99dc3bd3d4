//===- OnnxDataDependent.td - results of data-dependent size --------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXDATADEPENDENT
#define GLOW_IMPORT_ONNXDATADEPENDENT

include "glow/HostOperator.td"
include "glow/import/ComputedSizes.td"
include "glow/nodes/Vision.td"

// Where the nodes of a program may compute sizes, these operators are imported. Elsewhere they
// run on the host.

// The coordinates along an axis of elements, of which `places` has the indices.
def coordinates : Let<(ins Tensor:$places, Ints:$s, Int:$axis), [{
  m = shape(places);
  k = elementKind("i64");
  inner = prod([s[i] for i in range(axis + 1, size(s))]);
  whole = if(inner == 1, places, Div(places, sizeTensor(inner, m, k)));
  row = Reshape(if(axis == 0, whole, Mod(whole, sizeTensor(s[axis], m, k))), [1, *m]);
}]>;

def : OnnxImport<"NonZero", 9, (ins "X"), (ins), [{
  n = elements(X);
  s = shape(X);
  require(size(s) > 0, "a tensor without axes is for the host");
  found = nonZeroPlaces(Reshape(X, [n]), n);
  Y = Concat([coordinates(found, s, axis) for axis in range(0, size(s))], 0);
}]>;
def : OnnxImport<"Compress", 9, (ins "input", "condition"), (ins MaybeInt:$axis), [{
  flat = if(present(axis), input, Reshape(input, [elements(input)]));
  along = if(present(axis), wrapAxis(axis, rank(input)), 0);
  n = elements(condition);
  require(n <= at(shape(flat), along), "a longer condition is for the host");
  output = Gather(flat, nonZeroPlaces(Reshape(condition, [n]), n), along);
}]>;
def : OnnxImport<"NonMaxSuppression", 10,
                 (ins "boxes", "scores", "max_output_boxes_per_class?", "iou_threshold?",
                      "score_threshold?"), (ins 0:$center_point_box), [{
  kept, count = NonMaxSuppression(boxes, scores, intOf(max_output_boxes_per_class),
                                  realOf(iou_threshold), realOf(score_threshold),
                                  present(score_threshold), center_point_box != 0);
  selected_indices = counted(kept, count, at(shape(kept), 0));
}]>;

// The places of elements in ascending order; NaN is the last.
def sortedPlaces : Let<(ins Tensor:$x, Int:$n), [{
  k = elementKind("i64");
  order = ArgSort(x, 0, false);
  isFirst = if(isFloat(kind(x)), Cast(IsNan(x), k), order);
  moved = Mod(Iota(0.0, 1.0, 0, [n], k) + Broadcast(ReduceSum(isFirst, [0]), [n]),
              sizeTensor(max(n, 1), [n], k));
  places = if(isFloat(kind(x)), Gather(order, moved, 0), order);
}]>;
// Whether neighbours in an order are different; NaN equals NaN.
def startsGroup : Let<(ins Tensor:$x, Int:$n), [{
  k = elementKind("i64");
  now = Iota(0.0, 1.0, 0, [n], k);
  last = Gather(x, Select(now > 0.0, now - 1.0, now), 0);
  isOther = Not(Equal(x, last));
  isReal = isFloat(kind(x));
  y = if(isReal, And(isOther, Not(And(IsNan(x), IsNan(last)))), isOther);
}]>;
// Columns of a matrix, from the last to the first, order its rows: sorting keeps the order of
// equals.
def orderOfRows : Let<(ins Tensor:$x, Int:$n, Int:$m), [{
  order = Iota(0.0, 1.0, 0, [n], elementKind("i64"));
  for c in range(0, m) {
    column = Reshape(Slice(x, [0, m - 1 - c], [1, 1], [n, 1]), [n]);
    order = Gather(order, sortedPlaces(Gather(column, order, 0), n), 0);
  }
  y = order;
}]>;
def startsRow : Let<(ins Tensor:$x, Tensor:$order, Int:$n, Int:$m), [{
  starts = Equal(Iota(0.0, 1.0, 0, [n], elementKind("i64")), Splat(0.0, [n], elementKind("i64")));
  for c in range(0, m) {
    column = Reshape(Slice(x, [0, c], [1, 1], [n, 1]), [n]);
    starts = Or(starts, startsGroup(Gather(column, order, 0), n));
  }
  y = starts;
}]>;
// Groups of equal rows are numbered in ascending order, or as their first rows come.
def : OnnxImport<"Unique", 11, (ins "X"), (ins MaybeInt:$axis, 1:$sorted), [{
  k = elementKind("i64");
  flat = if(present(axis), X, Reshape(X, [elements(X)]));
  a = if(present(axis), wrapAxis(axis, rank(X)), 0);
  r = rank(flat);
  require(a >= 0 && a < r, "axis {axis} is not one of the {r} of the input");
  n = at(shape(flat), a);
  turned = if(a == 0, flat,
              Transpose(flat, [a, *range(0, a), *range(a + 1, rank(flat))]));
  m = prod(drop(shape(turned), 1));
  require(isFixed(m) && m >= 1 && m <= 16,
          "slices of {m} elements, where more than 16 are for the host");
  numbers = if(isBool(kind(X)), Cast(turned, elementKind("u8")), turned);
  rows = Reshape(numbers, [n, m]);
  order = orderOfRows(rows, n, m);
  starts = startsRow(rows, order, n, m);
  ascending = CumSum(Cast(starts, k), 0) - 1.0;
  zeros = Splat(0.0, [n], k);
  firsts = ScatterElements(Splat(9223372036854775807.0, [n], k), ascending, order, 0, "min");
  isFirst = ScatterElements(zeros, order, Cast(starts, k), 0, "none");
  coming = Gather(CumSum(isFirst, 0) - 1.0, Gather(firsts, ascending, 0), 0);
  group = if(sorted != 0, ascending, coming);
  byRow = ScatterElements(zeros, order, group, 0, "none");
  found = nonZeroPlaces(if(sorted != 0, starts, isFirst), n);
  indices = if(sorted != 0, Gather(order, found, 0), found);
  Y = Gather(flat, indices, a);
  inverse_indices = byRow;
  all = ScatterElements(zeros, group, Splat(1.0, [n], k), 0, "add");
  counts = Slice(all, [0], [1], shape(found));
}]> {
  let outputs = ["Y", "indices?", "inverse_indices?", "counts?"];
}

def : HostOperator<"NonZero", 9, (ins "X"), [], SizeByValue, "nonZero"> {
  let movesElements = 1;
}
def : HostOperator<"Compress", 9, (ins "input", "condition"), ["axis"], SizeByValue, "compress"> {
  let unlessConstant = 1;
  let movesElements = 1;
}
def : HostOperator<"Unique", 11, (ins "X"), ["axis", "sorted"], SizeByValue, "unique"> {
  let movesElements = 1;
}
def : HostOperator<"NonMaxSuppression", 10,
                   (ins "boxes", "scores", "max_output_boxes_per_class?", "iou_threshold?",
                        "score_threshold?"),
                   ["center_point_box"], SizeByValue, "nonMaxSuppression">;

// With a sampling_ratio of 0, or for the largest of the samples.
class RegionsOfHost<int since, list<string> more>
    : HostOperator<"RoiAlign", since, (ins "X", "rois", "batch_indices"),
                   !listconcat(["mode", "output_height", "output_width", "sampling_ratio",
                                "spatial_scale"], more),
                   SamplesByValue, "roiAlign">;
def : RegionsOfHost<10, []>;
def : RegionsOfHost<16, ["coordinate_transformation_mode"]>;

def : HostOperator<"ImageDecoder", 20, (ins "encoded_stream"), ["pixel_format"], SizeByValue,
                   "imageDecoder">;

// In a loop, a slice begins at another position in each iteration.
def : HostOperator<"Slice", 10, (ins "data", "starts", "ends", "axes?", "steps?"), [],
                   MovesByValue, "slice"> {
  let movesElements = 1;
}

#endif // GLOW_IMPORT_ONNXDATADEPENDENT
