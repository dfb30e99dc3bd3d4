//===- Embedding.td - sums of rows of tables, of as many as lengths say ---===//
//
// Bags are parts of a list that follow each other: `lengths` says how many elements
// each has, or `offsets` where each begins. Together they are the whole list; where
// they lead out of it, a run ends with an error.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_EMBEDDING
#define GLOW_NODES_EMBEDDING

include "glow/functions/Kinds.td"
include "glow/nodes/Indexing.td"

//===----------------------------------------------------------------------===//
// Sums by places
//===----------------------------------------------------------------------===//

// Each row is read and added once, wherever its place is.
class AddedRows<string mnemonic, dag rows, dag outputs, dag more, dag kinds_, code compute_> : Node<mnemonic, rows, outputs, !con((ins Int:$count), more)> {
  let types = kinds_;
  let requires = [Require<"count-not-negative", "count >= 0", "{count} rows must be at least 0">];
  let compute = compute_;
}

def SparseToDense : AddedRows<"sparse_to_dense", (ins "T[n,*d]":$in, "I[n]":$rows), (outs "T[count,*d]":$out), (ins),
                              (kinds Numbers:$T, Indices:$I), "out[rows[j],*x] += in[j,*x]"> {
  let summary = "each row added to that of its number, of `count` that are 0 at first";
  let samples = [Sample<"small", (ins "f32[5,2]", "i64[5] in 0..3"), "count = 4">,
                 Refused<"count-not-negative", (ins "f32[5,2]", "i64[5] in 0..3"), "count = -1">];
}

def AddRows : AddedRows<"add_rows", (ins "T[v,*d]":$table, "I[n]":$rows, "J[n]":$places, "T[n]":$weights),
                        (outs "T[count,*d]":$out), (ins), (kinds Numbers:$T, Indices:$I, Indices:$J),
                        "out[places[j],*x] += table[rows[j],*x] * weights[j]"> {
  let summary = "rows of a table, times weights, added to those of their places, of `count` that are 0 at first";
  let samples = [
    Sample<"small", (ins "f32[5,2]", "i64[6] in 0..4", "i32[6] in 0..2", "f32[6]"), "count = 3">,
    Refused<"count-not-negative", (ins "f32[5,2]", "i64[6] in 0..4", "i32[6] in 0..2", "f32[6]"), "count = -1">];
}

// Of numbers of 4 bits the first is the lower half of a byte.
def AddScaledRows : AddedRows<"add_scaled_rows",
    (ins "u8[v,m]":$table, "I[n]":$rows, "J[n]":$places, "T[n]":$scales, "T[n]":$offsets, "T[n]":$weights),
    (outs "T[count,width]":$out), (ins Int:$width, Int:$bits), (kinds Floats:$T, Indices:$I, Indices:$J), [{
    byte = table[rows[j],x * bits / 8];
    high = floor(byte / 16);
    number = if(bits == 8, byte, if(x % 2 == 0, byte - 16 * high, high));
    out[places[j],x] += (number * scales[j] + offsets[j]) * weights[j];
  }]> {
  let summary = "as add_rows, of the first `width` numbers of 8 or 4 bits of each row of the table, times a scale plus an offset";
  let requires = [
    Require<"count-not-negative", "count >= 0", "{count} rows must be at least 0">,
    Require<"bits-known", "bits == 4 || bits == 8", "numbers of {bits} bits must be of 4 or 8">,
    Require<"row-holds", "width >= 0 && (width * bits + 7) / 8 <= m", "rows of {m} bytes do not hold {width} numbers of {bits} bits">];
  let samples = [
    Sample<"bytes", (ins "u8[5,4]", "i64[6] in 0..4", "i64[6] in 0..2", "f32[6]", "f32[6]", "f32[6]"), "count = 3; width = 3; bits = 8">,
    Sample<"halves", (ins "u8[5,4] in 0..255", "i32[6] in 0..4", "i32[6] in 0..2", "f32[6]", "f32[6]", "f32[6]"), "count = 3; width = 8; bits = 4">,
    Refused<"count-not-negative", (ins "u8[5,4]", "i64[6]", "i64[6]", "f32[6]", "f32[6]", "f32[6]"), "count = -1; width = 3; bits = 8">,
    Refused<"bits-known", (ins "u8[5,4]", "i64[6]", "i64[6]", "f32[6]", "f32[6]", "f32[6]"), "count = 3; width = 3; bits = 2">,
    Refused<"row-holds", (ins "u8[5,4]", "i64[6]", "i64[6]", "f32[6]", "f32[6]", "f32[6]"), "count = 3; width = 9; bits = 4">];
}

//===----------------------------------------------------------------------===//
// Sums of bags
//===----------------------------------------------------------------------===//

def LengthsSum : Node<"lengths_sum", (ins "T[n,*d]":$in, "I[b]":$lengths), (outs "T[b,*d]":$out)> {
  let summary = "the sum of the rows of each bag";
  let types = (kinds Numbers:$T, Indices:$I);
  let tier = 1;
  let lowering = [{ out = SparseToDense(in, bagOf(lengths, n), b); }];
  let samples = [Sample<"rows", (ins "f32[6,4]", "i64[3] in 2..2")>,
                 Sample<"numbers", (ins "f32[6]", "i32[2] in 3..3")>];
}

def weightsOr1 : Let<(ins Tensor:$weights, Int:$n, Kind:$k), "if(present(weights), weights, Splat(1.0, [n], k))">;

def SparseLengthsSum : Node<"sparse_lengths_sum",
    (ins "T[v,*d]":$table, "I[n]":$rows, "J[b]":$lengths, "T[n]?":$weights), (outs "T[b,*d]":$out)> {
  let summary = "the sum of rows of a table, times their weights, that each bag names";
  let types = (kinds Numbers:$T, Indices:$I, Indices:$J);
  let tier = 1;
  let lowering = [{ out = AddRows(table, rows, bagOf(lengths, n), weightsOr1(weights, n, kind(table)), b); }];
  let samples = [Sample<"plain", (ins "f32[5,4]", "i64[6] in 0..4", "i32[3] in 2..2", "")>,
                 Sample<"weighted", (ins "f32[5,4]", "i32[6] in 0..4", "i64[2] in 3..3", "f32[6]")>];
}

def EmbeddingBag : Node<"embedding_bag",
    (ins "T[v,*d]":$table, "I[n]":$rows, "J[o]":$offsets, "T[n]?":$weights), (outs "T[if(hasEnd, o - 1, o), *d]":$out),
    (ins Default<Flag, "false">:$hasEnd)> {
  let summary = "the sum of rows of a table, times their weights, that each bag names; bags begin at the offsets, and "
                "the last offset may be where the last one ends";
  let types = (kinds Numbers:$T, Indices:$I, Indices:$J);
  let requires = [Require<"has-end", "!hasEnd || o >= 1", "{o} offsets have no end">];
  let tier = 2;
  let lowering = [{ out = SparseLengthsSum(table, rows, lengthsOf(offsets, n, hasEnd), weights); }];
  let samples = [
    Sample<"plain", (ins "f32[5,4]", "i64[6] in 0..4", "i64[1] in 0..0", ""), "hasEnd = false">,
    Sample<"weighted", (ins "f32[5,4]", "i32[6] in 0..4", "i32[3] in 0..0", "f32[6]"), "hasEnd = false">,
    Refused<"has-end", (ins "f32[5,4]", "i64[6] in 0..4", "i64[0] in 0..0", ""), "hasEnd = true">];
}

//===----------------------------------------------------------------------===//
// Tables of integers
//===----------------------------------------------------------------------===//

def RowwiseQuantizedSparseLengthsSum : Node<"rowwise_quantized_sparse_lengths_sum",
    (ins "u8[v,*d]":$table, "T[v]":$scales, "T[v]":$offsets, "I[n]":$rows, "J[b]":$lengths, "T[n]?":$weights),
    (outs "T[b,*d]":$out)> {
  let summary = "as sparse_lengths_sum, where elements of a row of the table stand for row times scale plus offset";
  let types = (kinds Floats:$T, Indices:$I, Indices:$J);
  let tier = 1;
  let lowering = [{
    sums = AddScaledRows(Reshape(table, [v, prod(d)]), rows, bagOf(lengths, n), Gather(scales, rows, 0), Gather(offsets, rows, 0),
                         weightsOr1(weights, n, kind(scales)), b, prod(d), 8);
    out = Reshape(sums, [b, *d]);
  }];
  let samples = [
    Sample<"plain", (ins "u8[5,4]", "f32[5]", "f32[5]", "i64[6] in 0..4", "i32[3] in 2..2", "")>,
    Sample<"weighted", (ins "u8[5,4]", "f32[5]", "f32[5]", "i32[6] in 0..4", "i64[2] in 3..3", "f32[6]")>];
}

// Bytes, the least first, as numbers of a float kind.
def fromBytes : Let<(ins Tensor:$x, Kind:$k), [{
  wide = elementKind("u32");
  n = bitsOf(k) / 8;
  s = [shape(x)[0], shape(x)[1] / n, n];
  weights = Literal(take([1, 256, 65536, 16777216], n), [n], wide);
  whole = ReduceSum(Reshape(Cast(x, wide), s) * Broadcast(weights, s), [2]);
  y = BitCast(if(n == 2, Cast(whole, elementKind("u16")), whole), k);
}]>;
// How many bytes of a row are its elements.
def rowBytes : Let<(ins Int:$all, Flag:$halves), "all - if(halves, 4, 8)">;

def FusedRowwiseQuantizedSparseLengthsSum : Node<"fused_rowwise_quantized_sparse_lengths_sum",
    (ins "u8[v,m]":$table, "I[n]":$rows, "J[b]":$lengths, "kind[n]?":$weights),
    (outs "kind[b, rowBytes(m, halves) * 8 / max(bits, 1)]":$out), (ins Int:$bits, Flag:$halves, Kind:$kind)> {
  let summary = "as rowwise_quantized_sparse_lengths_sum, where a row of the table has elements of 8 or 4 bits and "
                "behind them its scale and offset, in f32 or `halves`";
  let types = (kinds Floats:$kind, Indices:$I, Indices:$J);
  let requires = [
    Require<"bits-known", "bits == 4 || bits == 8", "elements of {bits} bits must be of 4 or 8">,
    Require<"row-holds", "rowBytes(m, halves) >= 0", "rows of {m} bytes do not hold a scale and an offset of {if(halves, 2, 4)} bytes each">];
  let tier = 1;
  let lowering = [{
    w = rowBytes(m, halves);
    behind = Gather(Slice(table, [0, w], [1, 1], [v, m - w]), rows, 0);
    numbers = asKind(fromBytes(behind, if(halves, elementKind("f16"), elementKind("f32"))), kind);
    scales = Reshape(Slice(numbers, [0, 0], [1, 1], [n, 1]), [n]);
    offsets = Reshape(Slice(numbers, [0, 1], [1, 1], [n, 1]), [n]);
    out = AddScaledRows(table, rows, bagOf(lengths, n), scales, offsets, weightsOr1(weights, n, kind), b, w * 8 / bits, bits);
  }];
  let gradient = [{ none("the table has no elements of a float kind") }];
  let samples = [
    AsWritten<"bytes", (ins "u8[5,12] in 1..60", "i64[6] in 0..4", "i32[3] in 2..2", ""), "bits = 8; halves = false; kind = f32">,
    AsWritten<"halves", (ins "u8[5,8] in 1..60", "i32[6] in 0..4", "i64[2] in 3..3", "f32[6]"), "bits = 4; halves = true; kind = f32">,
    Refused<"bits-known", (ins "u8[5,12]", "i64[6] in 0..4", "i32[3] in 2..2", ""), "bits = 2; halves = false; kind = f32">,
    Refused<"row-holds", (ins "u8[5,7]", "i64[6] in 0..4", "i32[3] in 2..2", ""), "bits = 8; halves = false; kind = f32">];
}

//===----------------------------------------------------------------------===//
// Several tables at once
//===----------------------------------------------------------------------===//

def BatchedUnaryEmbeddingsBags : Node<"batched_unary_embeddings_bags",
    (ins "T[n,v]":$tables, "I[t]":$tableOffsets, "I[o]":$offsets, "I[k]":$rows), (outs "T[n, (o - 1) / (t - 1), t - 1]":$out)> {
  let summary = "for each of n tasks the sum of the numbers that each bag names in each of t - 1 tables, which follow "
                "each other; the bags of a table follow those of the one before";
  let types = (kinds Numbers:$T, Indices:$I);
  let requires = [
    Require<"bags-fit", "t >= 2 && o >= 1 && (o - 1) % max(t - 1, 1) == 0", "{o} offsets are not those of as many bags of each of {t - 1} tables, and an end">];
  let tier = 2;
  let lowering = [{
    bags = (o - 1) / (t - 1);
    lengths = lengthsOf(offsets, k, true);
    table = bagOf(lengths, k) / Splat(real(max(bags, 1)), [k], elementKind("i64"));
    places = Cast(rows, elementKind("i64")) + Cast(Gather(tableOffsets, table, 0), elementKind("i64"));
    sums = LengthsSum(Transpose(Gather(tables, places, 1), [1, 0]), lengths);
    out = Transpose(Reshape(sums, [t - 1, bags, n]), [2, 1, 0]);
  }];
  let samples = [
    Sample<"one", (ins "f32[2,5]", "i64[2] in 0..0", "i64[2] in 0..0", "i64[0]")>,
    Refused<"bags-fit", (ins "f32[2,5]", "i64[3] in 0..0", "i64[4] in 0..0", "i64[4] in 0..2")>];
}

//===----------------------------------------------------------------------===//
// Lengths and ranges
//===----------------------------------------------------------------------===//

def LengthsToRanges : Node<"lengths_to_ranges", (ins "I[b]":$lengths), (outs "I[b,2]":$out)> {
  let summary = "where each bag begins, and how many elements it has";
  let types = (kinds Indices:$I);
  let tier = 1;
  let lowering = [{
    out = Concat([Reshape(CumSum(lengths, 0, true), [b, 1]), Reshape(lengths, [b, 1])], 1);
  }];
  let samples = [Sample<"small", (ins "i32[4] in 0..3")>];
}

def LengthsRangeFill : Node<"lengths_range_fill", (ins "I[b]":$lengths), (outs "I[count]":$out), (ins Int:$count)> {
  let summary = "of each element of the bags, which have `count` together, its number in its bag";
  let types = (kinds Indices:$I);
  let requires = [Require<"count-not-negative", "count >= 0", "{count} elements must be at least 0">];
  let tier = 1;
  let lowering = [{
    begins = Gather(CumSum(lengths, 0, true), bagOf(lengths, count), 0);
    out = Iota(0.0, 1.0, 0, [count], kind(lengths)) - begins;
  }];
  let samples = [Sample<"small", (ins "i32[3] in 2..2"), "count = 6">,
                 Refused<"count-not-negative", (ins "i32[3] in 2..2"), "count = -1">];
}

def GatherRanges : Node<"gather_ranges", (ins "T[n,*d]":$in, "I[b,r,2]":$ranges),
    (outs "T[count,*d]":$out, "I[b]":$lengths), (ins Int:$count)> {
  let summary = "the rows of ranges, each a begin and a length, which are `count` together, and how many there are of each of b";
  let types = (kinds Indices:$I);
  let requires = [Require<"count-not-negative", "count >= 0", "{count} rows must be at least 0">];
  let tier = 2;
  let lowering = [{
    flat = Reshape(ranges, [b * r, 2]);
    begins = Reshape(Slice(flat, [0, 0], [1, 1], [b * r, 1]), [b * r]);
    many = Reshape(Slice(flat, [0, 1], [1, 1], [b * r, 1]), [b * r]);
    places = Gather(begins, bagOf(many, count), 0) + LengthsRangeFill(many, count);
    out = Gather(in, places, 0);
    lengths = ReduceSum(Reshape(many, [b, r]), [1]);
  }];
  let samples = [Sample<"small", (ins "f32[6,2]", "i32[2,2,2] in 2..2"), "count = 8">,
                 Refused<"count-not-negative", (ins "f32[6,2]", "i32[2,2,2] in 2..2"), "count = -1">];
}

//===----------------------------------------------------------------------===//
// Dense from sparse
//===----------------------------------------------------------------------===//

// What is not in the mask goes to a row behind the last, which is left out.
def SparseToDenseMask : Node<"sparse_to_dense_mask",
    (ins "T[n,*d]":$in, "I[n]":$ids, "T[*d]":$absent, "J[b]":$lengths), (outs "T[b, size(mask), *d]":$out), (ins Ints:$mask)> {
  let summary = "of each bag the row of each number in the mask, the last where there are several, and `absent` where there is none";
  let types = (kinds NumbersAndBool:$T, Indices:$I, Indices:$J);
  let requires = [
    Require<"mask-distinct", "size(mask) >= 1 && distinct(mask)", "mask {mask} must be different numbers, and at least one">];
  let tier = 2;
  let lowering = [{
    m = size(mask);
    i64 = elementKind("i64");
    all = [n, m];
    hit = Cast(Equal(Broadcast(Reshape(Cast(ids, i64), [n, 1]), all), Broadcast(Literal(mask, [m], i64), all)), i64);
    column = ReduceSum(hit * Broadcast(Iota(0.0, 1.0, 0, [m], i64), all), [1]);
    place = Select(ReduceSum(hit, [1]) > 0, bagOf(lengths, n) * m + column, Splat(real(b * m), [n], i64));
    full = [b * m + 1, *d];
    written = ScatterND(Broadcast(absent, full), Reshape(place, [n, 1]), in, "none");
    out = Reshape(Slice(written, repeat(0, size(full)), repeat(1, size(full)), [b * m, *d]), [b, m, *d]);
  }];
  let samples = [
    Sample<"small", (ins "f32[6,2]", "i64[6] in 0..4", "f32[2]", "i32[3] in 2..2"), "mask = [3, 0, 1]">,
    Refused<"mask-distinct", (ins "f32[6,2]", "i64[6] in 0..4", "f32[2]", "i32[3] in 2..2"), "mask = [3, 3]">];
}

#endif // GLOW_NODES_EMBEDDING
