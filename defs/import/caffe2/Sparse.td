//===- Sparse.td - Caffe2 operators on lists of features ------------------===//
// SPDX-License-Identifier: MIT
//
// An example has a list of numbers of rows. The lists follow each other, and `LENGTHS` has the
// number of elements of each.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_CAFFE2_SPARSE
#define GLOW_IMPORT_CAFFE2_SPARSE

include "glow/functions/Kinds.td"
include "glow/nodes/Embedding.td"
include "glow/nodes/Indexing.td"

// Sums of bags by the number of elements of each; the mean of none is 0.
def bagMeans : Let<(ins Tensor:$sums, Tensor:$lengths), [{
  y = sums / Broadcast(Cast(Max(lengths, 1), kind(sums)), shape(sums), axis: 0);
}]>;

//===----------------------------------------------------------------------===//
// Sums of rows
//===----------------------------------------------------------------------===//

let kinds = (ins "i64":$INDICES, "i32":$LENGTHS) in {
class Caffe2Bags<string operator, dag inputs, string result>
    : Caffe2Import<operator, inputs, (ins), "Y = result;"> {
  let with = (bind result:$result);
}
def : Caffe2Bags<"SparseLengthsSum", (ins "DATA", "INDICES", "LENGTHS"),
                 "SparseLengthsSum(DATA, INDICES, LENGTHS, none)">;
def : Caffe2Bags<"SparseLengthsMean", (ins "DATA", "INDICES", "LENGTHS"),
                 "bagMeans(SparseLengthsSum(DATA, INDICES, LENGTHS, none), LENGTHS)">;
def : Caffe2Bags<"SparseLengthsWeightedSum", (ins "DATA", "WEIGHT", "INDICES", "LENGTHS"),
                 "SparseLengthsSum(DATA, INDICES, LENGTHS, WEIGHT)">;
def : Caffe2Bags<"SparseLengthsWeightedMean", (ins "DATA", "WEIGHT", "INDICES", "LENGTHS"),
                 "bagMeans(SparseLengthsSum(DATA, INDICES, LENGTHS, WEIGHT), LENGTHS)">;
// A weight for each place in a list.
def : Caffe2Bags<"SparseLengthsPositionalWeightedSum",
    (ins "DATA", "WEIGHT", "INDICES", "LENGTHS"),
    [{SparseLengthsSum(DATA, INDICES, LENGTHS,
                       Gather(WEIGHT, LengthsRangeFill(LENGTHS, elements(INDICES)), 0))}]>;
}
let kinds = (ins "i32":$LENGTHS) in {
def : Caffe2Bags<"LengthsSum", (ins "DATA", "LENGTHS"), "LengthsSum(DATA, LENGTHS)">;
def : Caffe2Bags<"LengthsMean", (ins "DATA", "LENGTHS"),
                 "bagMeans(LengthsSum(DATA, LENGTHS), LENGTHS)">;
def : Caffe2Bags<"LengthsWeightedSum", (ins "DATA", "WEIGHT", "LENGTHS"),
                 "LengthsSum(DATA * Broadcast(WEIGHT, shape(DATA), axis: 0), LENGTHS)">;
}

// Tables of integers. Rows of 8 bits have a scale and an offset each in a table of its own, or
// as f32 behind the elements; rows of 4 bits as f16.
let kinds = (ins "u8":$DATA, "i64":$INDICES, "i32":$LENGTHS) in {
class Caffe2RowwiseBags<string operator, dag weight, string weights, string result>
    : Caffe2Import<operator, !con((ins "DATA"), weight, (ins "INDICES", "LENGTHS", "scale_bias")),
                   (ins), [{
  v = shape(scale_bias)[0];
  scales = Reshape(Slice(scale_bias, [0, 0], [1, 1], [v, 1]), [v]);
  offsets = Reshape(Slice(scale_bias, [0, 1], [1, 1], [v, 1]), [v]);
  sums = RowwiseQuantizedSparseLengthsSum(DATA, scales, offsets, INDICES, LENGTHS, weights);
  Y = result;
}]> {
  let with = (bind weights:$weights, result:$result);
}
def : Caffe2RowwiseBags<"SparseLengthsSum8BitsRowwise", (ins), "none", "sums">;
def : Caffe2RowwiseBags<"SparseLengthsMean8BitsRowwise", (ins), "none", "bagMeans(sums, LENGTHS)">;
def : Caffe2RowwiseBags<"SparseLengthsWeightedSum8BitsRowwise", (ins "WEIGHT"), "WEIGHT", "sums">;
def : Caffe2RowwiseBags<"SparseLengthsWeightedMean8BitsRowwise", (ins "WEIGHT"), "WEIGHT",
                        "bagMeans(sums, LENGTHS)">;

class Caffe2FusedBags<string operator, dag weight, string weights, int width, string halves,
                      string result>
    : Caffe2Import<operator, !con((ins "DATA"), weight, (ins "INDICES", "LENGTHS")), (ins), [{
  sums = FusedRowwiseQuantizedSparseLengthsSum(DATA, INDICES, LENGTHS, weights, width, areHalves,
                                               elementKind("f32"));
  Y = result;
}]> {
  let with = (bind weights:$weights, width:$width, halves:$areHalves, result:$result);
}
foreach n = [8, 4] in {
  defvar halves = !if(!eq(n, 8), "false", "true");
  defvar suffix = "Fused" # n # "BitRowwise";
  def : Caffe2FusedBags<"SparseLengthsSum" # suffix, (ins), "none", n, halves, "sums">;
  def : Caffe2FusedBags<"SparseLengthsMean" # suffix, (ins), "none", n, halves,
                        "bagMeans(sums, LENGTHS)">;
  def : Caffe2FusedBags<"SparseLengthsWeightedSum" # suffix, (ins "WEIGHT"), "WEIGHT", n, halves,
                        "sums">;
  def : Caffe2FusedBags<"SparseLengthsWeightedMean" # suffix, (ins "WEIGHT"), "WEIGHT", n, halves,
                        "bagMeans(sums, LENGTHS)">;
}
}

//===----------------------------------------------------------------------===//
// Lengths and ranges
//===----------------------------------------------------------------------===//

def : Caffe2Import<"LengthsToRanges", (ins "LENGTHS"), (ins), "Y = LengthsToRanges(LENGTHS);"> {
  let kinds = (ins "i32":$LENGTHS);
}
// The number of elements decides the shape of the result, and is known when the model is compiled.
def : Caffe2Import<"LengthsRangeFill", (ins "LENGTHS"), (ins),
                   "Y = LengthsRangeFill(LENGTHS, sum(ints(LENGTHS)));"> {
  let kinds = (ins "i32":$LENGTHS);
}
def : Caffe2Import<"GatherRanges", (ins "DATA", "RANGES"), (ins), [{
  all = ints(RANGES);
  count = sum([all[2 * i + 1] for i in range(0, size(all) / 2)]);
  Y, lengths = GatherRanges(DATA, RANGES, count);
}]> {
  let outputs = ["Y", "lengths?"];
  let kinds = (ins "f32":$DATA, "i32":$RANGES);
}
// Ranges are a begin and a length. A range that is too long keeps its begin.
def : Caffe2Import<"ClipRanges", (ins "RANGES"), (ins RequiredInt:$max_length), [{
  s = shape(RANGES);
  require(size(s) >= 1 && s[size(s) - 1] == 2, "ranges of shape {s} must end in 2");
  flat = Reshape(RANGES, [prod(s) / 2, 2]);
  begins = Slice(flat, [0, 0], [1, 1], [prod(s) / 2, 1]);
  lengths = Slice(flat, [0, 1], [1, 1], [prod(s) / 2, 1]);
  most = Min(lengths, Splat(real(max_length), shape(lengths), kind(lengths)));
  Y = Reshape(Concat([begins, most], 1), s);
}]> { let kinds = (ins "i32":$RANGES); }

//===----------------------------------------------------------------------===//
// Dense from sparse
//===----------------------------------------------------------------------===//

// The number of rows is that of a third input, or the largest index and one more.
def : Caffe2Import<"SparseToDense", (ins "INDICES", "VALUES", "like?"), (ins), [{
  largest = if(present(like), 0, greatest(reals(INDICES)) + 1.0);
  Y = SparseToDense(VALUES, INDICES, if(present(like), shape(like)[0], int(largest)));
}]> { let kinds = (ins "i64":$INDICES); }
def : Caffe2Import<"SparseToDenseMask", (ins "INDICES", "VALUES", "DEFAULT_VALUE", "LENGTHS?"),
    (ins RequiredInts:$mask, MaybeInt:$max_skipped_indices, 0:$return_presence_mask), [{
  n = elements(INDICES);
  given = if(present(LENGTHS), LENGTHS, Literal([n], [1], elementKind("i64")));
  dense = SparseToDenseMask(VALUES, INDICES, DEFAULT_VALUE, given, mask);
  Y = if(present(LENGTHS), dense, Reshape(dense, drop(shape(dense), 1)));
}]> { let kinds = (ins "i64":$INDICES, "i32":$LENGTHS); }
// Each bag is a row, with its values at their indices. The width is an argument, or that of a
// fourth input.
def : Caffe2Import<"BatchSparseToDense", (ins "LENGTHS", "INDICES", "VALUES", "like?"),
    (ins "0.0":$default_value, -1:$dense_last_dim), [{
  b = elements(LENGTHS);
  n = elements(INDICES);
  width = if(present(like), at(shape(like), 1), dense_last_dim);
  require(width >= 1, "dense_last_dim {width} must be at least 1");
  require(!present(like) || dense_last_dim == -1 || dense_last_dim == width,
          "dense_last_dim {dense_last_dim} is not {width}, that of the fourth input");
  i = elementKind("i64");
  place = Cast(bagOf(LENGTHS, n), i) * width + Cast(INDICES, i);
  filled = Splat(default_value, [b * width], kind(VALUES));
  Y = Reshape(ScatterND(filled, Reshape(place, [n, 1]), VALUES, "none"), [b, width]);
}]> { let kinds = (ins "i64":$LENGTHS, "i64":$INDICES); }
// The next row of the data where the indicator is not 0, and zeros elsewhere.
def : Caffe2Import<"FillExamplesWithIndicator", (ins "DATA", "INDICATOR"), (ins), [{
  b = elements(INDICATOR);
  i = elementKind("i64");
  on = Not(Equal(Cast(INDICATOR, i), Splat(0.0, [b], i)));
  row = Max(CumSum(Cast(on, i), 0) - 1, Splat(0.0, [b], i));
  filled = Gather(DATA, row, 0);
  s = shape(filled);
  Y = Select(Broadcast(on, s, axis: 0), filled, Splat(0.0, s, kind(DATA)));
}]> { let kinds = (ins "f32":$DATA, "i32":$INDICATOR); }
def : Caffe2Import<"BatchOneHot", (ins "DATA", "LENGTHS", "VALUES"), (ins),
                   "Y = BatchOneHot(DATA, LENGTHS, VALUES);"> {
  let kinds = (ins "i64":$DATA, "i32":$LENGTHS, "i64":$VALUES);
}
def : Caffe2Import<"OneHot", (ins "INDICES", "SIZE"), (ins), [{
  n = intOf(SIZE);
  Y = OneHot(INDICES, RealLiteral([0.0, 1.0], [2], elementKind("f32")), 1, n) > 0.5;
}]> { let kinds = (ins "i64":$INDICES, "i64":$SIZE); }

#endif // GLOW_IMPORT_CAFFE2_SPARSE
