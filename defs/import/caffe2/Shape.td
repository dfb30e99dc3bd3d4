//===- Shape.td - Caffe2 operators that move elements ---------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_CAFFE2_SHAPE
#define GLOW_IMPORT_CAFFE2_SHAPE

include "glow/import/caffe2/Convolution.td"
include "glow/import/caffe2/MatMul.td"
include "glow/import/OnnxIndexing.td"
include "glow/import/OnnxShape.td"

// A negative bound counts from behind, and -1 is the end. Axes without bounds are whole.
def caffe2Bound : Let<(ins Int:$bound, Int:$length),
                      "max(0, min(if(bound < 0, length + 1 + bound, bound), length))">;

// Channels of each group are taken in turns.
def shuffled : Let<(ins Tensor:$x, Int:$group), [{
  n = shape(x)[0];
  c = shape(x)[1];
  rest = drop(shape(x), 2);
  g = max(group, 1);
  require(group >= 1 && c % g == 0, "{group} groups do not divide {c} channels");
  y = Reshape(Transpose(Reshape(x, [n, g, c / g, prod(rest)]), [0, 2, 1, 3]), [n, c, *rest]);
}]>;

let movesElements = 1 in {

//===----------------------------------------------------------------------===//
// Another shape
//===----------------------------------------------------------------------===//

// The second output is the shape before.
def : Caffe2Import<"Reshape", (ins "data", "new_shape?"), (ins MaybeInts:$shape), [{
  reshaped = Reshape(data, resolveReshape(shape(data), if(present(new_shape), ints(new_shape),
                                                          shape), false));
  old_shape = Literal(shape(data), [rank(data)], elementKind("i64"));
}]> {
  let outputs = ["reshaped", "old_shape?"];
  let kinds = (ins "i64":$new_shape);
}
def : Caffe2Import<"ResizeLike", (ins "X", "Y"), (ins), "Z = Reshape(X, shape(Y));">;
def : Caffe2Import<"Flatten", (ins "X"), (ins 1:$axis), "Y = flattened(X, axis);">;
def : Caffe2Import<"FlattenToVec", (ins "X"), (ins), "Y = Reshape(X, [elements(X)]);">;
// The first axis as two, of which the first has the size of the argument; and two axes as one.
def : Caffe2Import<"PrependDim", (ins "X"), (ins RequiredInt:$dim_size), [{
  n = at(shape(X), 0);
  require(rank(X) >= 1 && dim_size >= 1 && n % max(dim_size, 1) == 0,
          "dim_size {dim_size} does not divide {n} elements of the first axis");
  Y = Reshape(X, [dim_size, n / max(dim_size, 1), *drop(shape(X), 1)]);
}]>;
def : Caffe2Import<"MergeDim", (ins "X"), (ins), [{
  require(rank(X) >= 2, "there are no two axes to merge");
  Y = Reshape(X, [shape(X)[0] * shape(X)[1], *drop(shape(X), 2)]);
}]>;
def : Caffe2Import<"Squeeze", (ins "X"), (ins RequiredInts:$dims),
                   "Y = Reshape(X, without(shape(X), axesOf(dims, rank(X))));">;
def : Caffe2Import<"ExpandDims", (ins "X"), (ins RequiredInts:$dims),
                   "Y = Reshape(X, unsqueezed(shape(X), axesOf(dims, rank(X) + size(dims))));">;
def : Caffe2Import<"Expand", (ins "X", "new_shape?"), (ins MaybeInts:$shape), [{
  to = if(present(new_shape), ints(new_shape), shape);
  from = shape(X);
  require(canBroadcast(from, to), "shapes {from} and {to} do not broadcast");
  Y = Broadcast(X, broadcastShape(from, to));
}]> { let kinds = (ins "i64":$new_shape); }
def : Caffe2Import<"Shape", (ins "X"), (ins MaybeInts:$axes), [{
  all = listOr(axesOf(axes, rank(X)), range(0, rank(X)));
  Y = Literal(pick(shape(X), all), [size(all)], elementKind("i64"));
}]>;
def : Caffe2Import<"Size", (ins "X"), (ins),
                   "Y = Literal([elements(X)], [], elementKind(\"i64\"));">;

//===----------------------------------------------------------------------===//
// Another order
//===----------------------------------------------------------------------===//

def : Caffe2Import<"Transpose", (ins "X"), (ins MaybeInts:$axes),
                   "Y = Transpose(X, listOr(axes, reverse(range(0, rank(X)))));">;
def : Caffe2Import<"NCHW2NHWC", (ins "X"), (ins), [{ Y = inOrder(X, "NHWC"); }]>;
def : Caffe2Import<"NHWC2NCHW", (ins "X"), (ins), [{ Y = channelsSecond(X, "NHWC"); }]>;
def : Caffe2Import<"ChannelShuffle", (ins "X"),
                   (ins RequiredInt:$group, MaybeInt:$kernel, AxisOrder:$order),
                   "Y = inOrder(shuffled(channelsSecond(X, order), group), order);">;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

// The axis of the channels, unless there is another one.
class Caffe2Concat<string operator, dag attributes, string axis, string adds>
    : Caffe2Import<operator, (ins "inputs..."), attributes, [{
  require(count(inputs) >= 1, "there is nothing to concatenate");
  r = rank(inputs[0]) + if(adds, 1, 0);
  a = wrapAxis(along, r);
  all = [if(adds, Reshape(x, unsqueezed(shape(x), [a])), x) for x in inputs];
  concat_result = Concat(all, a);
  sizes = [shape(x)[a] for x in all];
  split_info = Literal(sizes, [size(sizes)], elementKind("i32"));
}]> {
  let with = (bind axis:$along, adds:$adds);
  let outputs = ["concat_result", "split_info?"];
}
def : Caffe2Concat<"Concat", (ins 0:$add_axis, MaybeInt:$axis, AxisOrder:$order),
    [{if(present(axis), axis, channelAxis(rank(inputs[0]), order))}], "add_axis != 0">;
def : Caffe2Concat<"DepthConcat", (ins AxisOrder:$order),
                   "channelAxis(rank(inputs[0]), order)", "false">;

// Without sizes the parts are equal.
def : Caffe2Import<"Split", (ins "input", "sizes?"),
    (ins 0:$add_axis, MaybeInt:$axis, AxisOrder:$order, MaybeInts:$split), [{
  a = if(present(axis), wrapAxis(axis, rank(input)), channelAxis(rank(input), order));
  given = if(present(sizes), ints(sizes), split);
  parts = Split(input, a, listOr(given, equalParts(at(shape(input), a), outputs)));
  results = [if(add_axis != 0, Reshape(x, without(shape(x), [a])), x) for x in parts];
}]> { let kinds = (ins "i32":$sizes); }

def : Caffe2Import<"Slice", (ins "X", "begin?", "end?"), (ins MaybeInts:$ends, MaybeInts:$starts),
                   [{
  s = shape(X);
  b = if(present(begin), ints(begin), starts);
  e = if(present(end), ints(end), ends);
  require(size(b) == size(e) && size(b) <= size(s),
          "starts {b} and ends {e} must be one number each for the first axes of shape {s}");
  from = [caffe2Bound(x, n) for x, n in b, s];
  to = [caffe2Bound(x, n) for x, n in e, s];
  r = size(s);
  n = size(b);
  Y = Slice(X, [*from, *repeat(0, r - n)], repeat(1, r),
            [*maximum(to - from, repeat(0, n)), *drop(s, n)]);
}]> { let kinds = (ins "i32":$begin, "i32":$end); }
def : Caffe2Import<"Tile", (ins "X", "tile_count?", "tile_axis?"), (ins 0:$axis, 1:$tiles), [{
  a = wrapAxis(if(present(tile_axis), intOf(tile_axis), axis), rank(X));
  n = if(present(tile_count), intOf(tile_count), tiles);
  Y = Tile(X, set(repeat(1, rank(X)), a, n));
}]> { let kinds = (ins "i32":$tile_count, "i32":$tile_axis); }

//===----------------------------------------------------------------------===//
// Rows by their numbers
//===----------------------------------------------------------------------===//

def : Caffe2Import<"Gather", (ins "DATA", "INDICES"),
                   (ins 0:$axis, 0:$match_outer, 0:$wrap_indices), [{
  require(match_outer == 0, "match_outer {match_outer} is not supported");
  Y = Gather(DATA, INDICES, wrapAxis(axis, rank(DATA)));
}]> { let kinds = (ins "f32":$DATA, "i64":$INDICES); }
def : Caffe2Import<"BatchGather", (ins "DATA", "INDICES"), (ins 0:$match_outer),
                   [{
  require(match_outer == 0, "match_outer {match_outer} is not supported");
  Y = Gather(DATA, INDICES, 1);
}]> { let kinds = (ins "f32":$DATA, "i64":$INDICES); }
def : Caffe2Import<"GatherND", (ins "DATA", "INDICES"), (ins 0:$batch_dims),
                   "Y = GatherND(DATA, INDICES, batch_dims);"> {
  let kinds = (ins "f32":$DATA, "i64":$INDICES);
}
// Rows of a copy are replaced.
def : Caffe2Import<"ScatterAssign", (ins "DATA", "INDICES", "SLICES"), (ins), [{
  Y = ScatterND(DATA, Reshape(INDICES, [elements(INDICES), 1]), SLICES, "none");
}]> { let kinds = (ins "f32":$DATA, "i64":$INDICES); }
}

#endif // GLOW_IMPORT_CAFFE2_SHAPE
