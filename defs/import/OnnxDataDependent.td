//===- OnnxDataDependent.td - results of data-dependent size --------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXDATADEPENDENT
#define GLOW_IMPORT_ONNXDATADEPENDENT

include "glow/HostOperator.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"
include "glow/nodes/Vision.td"

// Where the nodes of a program may compute sizes, these operators are imported. Elsewhere they
// run on the host.

// A size, as a tensor of shape `dims`.
def sizeTensor : Let<(ins Int:$size, Ints:$dims),
                     [{Broadcast(Literal([size], [], elementKind("i64")), dims)}]>;

// The first slices of a tensor that has `most` of them, as many as the number in `count`.
def counted : Let<(ins Tensor:$x, Tensor:$count, Int:$most), [{
  length = computedLength(count, most);
  s = shape(x);
  found = if(isConstant(count),
             Slice(x, repeat(0, size(s)), repeat(1, size(s)), set(s, 0, length)),
             Prefix(x, count, [length]));
}]>;

// The indices, in order, of the elements that are not 0 in a list of `n` elements.
def nonZeroPlaces : Let<(ins Tensor:$x, Int:$n), [{
  k = elementKind("i64");
  isMarked = if(kind(x) == elementKind("bool"), x, Not(Equal(x, Splat(0.0, [n], kind(x)))));
  marks = Cast(isMarked, k);
  places = Select(isMarked, CumSum(marks, 0) - 1, sizeTensor(n, [n]));
  // An element that is 0 writes behind all others.
  order = ScatterElements(Splat(0.0, [n + 1], k), places, Iota(0.0, 1.0, 0, [n], k), 0, "none");
  count = ReduceSum(marks, [0]);
  found = counted(order, count, n);
}]>;

// The coordinates along an axis of elements, of which `places` has the indices.
def coordinates : Let<(ins Tensor:$places, Ints:$s, Int:$axis), [{
  m = shape(places);
  whole = Div(places, sizeTensor(prod([s[i] for i in range(axis + 1, size(s))]), m));
  row = Reshape(Mod(whole, sizeTensor(s[axis], m)), [1, *m]);
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
