//===- Embedding.td - sums of rows of tables ------------------------------===//
// SPDX-License-Identifier: MIT
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
include "glow/nodes/MatMul.td"

def SparseToDense : Node<"sparse_to_dense", (ins "T[n,*d]":$in, "I[n]":$rows),
                         (outs "T[count,*d]":$out), (ins Int:$count)> {
  let summary = "each row added to that of its number, of `count` that are 0 at first";
  let types = (kinds Numbers:$T, Indices:$I);
  let requires = [Require<"count-not-negative", "count >= 0", "{count} rows must be at least 0">];
  let compute = "out[rows[j],*x] += in[j,*x]";
  let samples = [Sample<"small", (ins "f32[5,2]", "i64[5] in 0..3"), "count = 4">,
                 Refused<"count-not-negative", (ins "f32[5,2]", "i64[5] in 0..3"), "count = -1">];
}

//===----------------------------------------------------------------------===//
// Sums of bags
//===----------------------------------------------------------------------===//

// The begin of a bag. The first bag must begin with the list, and the last one must end
// with it: any other offset leads out of the list, which is an error of the run.
def bagBegin : Let<(ins Int:$bag, Int:$begin), "if(bag == 0, -abs(begin), begin)">;
def bagEnd : Let<(ins Int:$bag, Int:$bags, Int:$end, Int:$n),
                 "if(bag == bags - 1, n + abs(n - end), end)">;

def RangeSums : Node<"range_sums", (ins "T[n,*d]":$in, "I[b]":$begins, "I[b]":$ends),
                     (outs "T[b,*d]":$out)> {
  let summary = "the sum of the rows of each bag, from where it begins up to where it ends";
  let types = (kinds Numbers:$T, Indices:$I);
  let compute = "out[i,*x] += in[j,*x] over bagBegin(i, begins[i]) <= j < bagEnd(i, b, ends[i], n)";
  let samples = [Sample<"rows", (ins "f32[6,4]", "i64[3] in 0..0", "i64[3] in 6..6")>];
}

def BagSums : Node<"bag_sums",
                   (ins "T[v,*d]":$table, "I[n]":$rows, "J[b]":$begins, "J[b]":$ends,
                    "T[n]?":$weights), (outs "T[b,*d]":$out)> {
  let summary = "the sum of the rows of a table that each bag names, times weights";
  let types = (kinds Numbers:$T, Indices:$I, Indices:$J);
  let compute = [{
    out[i,*x] += table[rows[j],*x] * if(present(weights), weights[j], 1)
      over bagBegin(i, begins[i]) <= j < bagEnd(i, b, ends[i], n);
  }];
  let samples = [
    Sample<"plain", (ins "f32[5,2]", "i64[6] in 0..4", "i32[3] in 0..0", "i32[3] in 6..6", "")>,
    Sample<"weighted", (ins "f32[5,2]", "i64[6] in 0..4", "i32[3] in 0..0", "i32[3] in 6..6",
                        "f32[6]")>];
}

// The begins and ends of bags from their lengths, or from offsets; an additional offset
// may give the end of the last bag.
def bagsOfLengths : Let<(ins Tensor:$lengths), [{
  wide = asKind(lengths, elementKind("i64"));
  ends = CumSum(wide, 0);
  begins = ends - wide;
}]> { let results = ["begins", "ends"]; }
def bagsOfOffsets : Let<(ins Tensor:$offsets, Int:$n, Flag:$hasEnd), [{
  all = if(hasEnd, offsets, Concat([offsets, Splat(real(n), [1], kind(offsets))], 0));
  b = shape(all)[0] - 1;
  begins = Slice(all, [0], [1], [b]);
  ends = Slice(all, [1], [1], [b]);
}]> { let results = ["begins", "ends"]; }

def LengthsSum : Node<"lengths_sum", (ins "T[n,*d]":$in, "I[b]":$lengths), (outs "T[b,*d]":$out)> {
  let summary = "the sum of the rows of each bag";
  let types = (kinds Numbers:$T, Indices:$I);
  let tier = 1;
  let lowering = [{
    begins, ends = bagsOfLengths(lengths);
    out = RangeSums(in, begins, ends);
  }];
  let samples = [Sample<"rows", (ins "f32[6,4]", "i64[3] in 2..2")>,
                 Sample<"numbers", (ins "f32[6]", "i32[2] in 3..3")>];
}

def SparseLengthsSum : Node<"sparse_lengths_sum",
    (ins "T[v,*d]":$table, "I[n]":$rows, "J[b]":$lengths, "T[n]?":$weights),
    (outs "T[b,*d]":$out)> {
  let summary = "the sum of rows of a table, times their weights, that each bag names";
  let types = (kinds Numbers:$T, Indices:$I, Indices:$J);
  let tier = 1;
  let lowering = [{
    begins, ends = bagsOfLengths(lengths);
    out = BagSums(table, rows, begins, ends, weights);
  }];
  let samples = [Sample<"plain", (ins "f32[5,4]", "i64[6] in 0..4", "i32[3] in 2..2", "")>,
                 Sample<"weighted", (ins "f32[5,4]", "i32[6] in 0..4", "i64[2] in 3..3",
                                     "f32[6]")>];
}

def EmbeddingBag : Node<"embedding_bag",
    (ins "T[v,*d]":$table, "I[n]":$rows, "J[o]":$offsets, "T[n]?":$weights),
    (outs "T[if(hasEnd, o - 1, o), *d]":$out),
    (ins Default<Flag, "false">:$hasEnd)> {
  let summary = "the sum of rows of a table, times their weights, that each bag names; "
                "bags begin at the offsets, and "
                "the last offset may be where the last one ends";
  let types = (kinds Numbers:$T, Indices:$I, Indices:$J);
  let requires = [Require<"has-end", "!hasEnd || o >= 1", "{o} offsets have no end">];
  let tier = 1;
  let lowering = [{
    begins, ends = bagsOfOffsets(offsets, n, hasEnd);
    out = BagSums(table, rows, begins, ends, weights);
  }];
  let samples = [
    Sample<"plain", (ins "f32[5,4]", "i64[6] in 0..4", "i64[1] in 0..0", ""), "hasEnd = false">,
    Sample<"weighted", (ins "f32[5,4]", "i32[6] in 0..4", "i32[3] in 0..0", "f32[6]"),
           "hasEnd = false">,
    Refused<"has-end", (ins "f32[5,4]", "i64[6] in 0..4", "i64[0] in 0..0", ""), "hasEnd = true">];
}

//===----------------------------------------------------------------------===//
// Tables of integers
//===----------------------------------------------------------------------===//

def RowwiseBagSums : Node<"rowwise_bag_sums",
    (ins "u8[v,*d]":$table, "T[v]":$scales, "T[v]":$offsets, "I[n]":$rows, "J[b]":$begins,
     "J[b]":$ends, "T[n]?":$weights),
    (outs "T[b,*d]":$out)> {
  let summary = "as bag_sums, where elements of a row of the table stand for row times scale plus "
                "offset";
  let types = (kinds Floats:$T, Indices:$I, Indices:$J);
  let compute = [{
    out[i,*x] += (table[rows[j],*x] * scales[rows[j]] + offsets[rows[j]]) * if(present(weights),
        weights[j], 1)
      over bagBegin(i, begins[i]) <= j < bagEnd(i, b, ends[i], n);
  }];
  let samples = [
    Sample<"plain", (ins "u8[5,4]", "f32[5]", "f32[5]", "i64[6] in 0..4", "i64[3] in 0..0",
                     "i64[3] in 6..6", "")>,
    Sample<"weighted", (ins "u8[5,4]", "f32[5]", "f32[5]", "i64[6] in 0..4", "i64[3] in 0..0",
                        "i64[3] in 6..6", "f32[6]")>];
}

def RowwiseQuantizedSparseLengthsSum : Node<"rowwise_quantized_sparse_lengths_sum",
    (ins "u8[v,*d]":$table, "T[v]":$scales, "T[v]":$offsets, "I[n]":$rows, "J[b]":$lengths,
     "T[n]?":$weights),
    (outs "T[b,*d]":$out)> {
  let summary = "as sparse_lengths_sum, where elements of a row of the table stand for row times "
                "scale plus offset";
  let types = (kinds Floats:$T, Indices:$I, Indices:$J);
  let tier = 1;
  let lowering = [{
    begins, ends = bagsOfLengths(lengths);
    out = RowwiseBagSums(table, scales, offsets, rows, begins, ends, weights);
  }];
  let samples = [
    Sample<"plain", (ins "u8[5,4]", "f32[5]", "f32[5]", "i64[6] in 0..4", "i32[3] in 2..2", "")>,
    Sample<"weighted", (ins "u8[5,4]", "f32[5]", "f32[5]", "i32[6] in 0..4", "i64[2] in 3..3",
                        "f32[6]")>];
}

// The number of a row's bytes that are elements; the other bytes are two numbers, the
// lowest byte of each first.
def rowBytes : Let<(ins Int:$all, Flag:$halves), "all - if(halves, 4, 8)">;

class FusedRows<string mnemonic, dag operands, dag results>
    : Node<mnemonic, operands, results, (ins Int:$bits, Flag:$halves, Kind:$kind)> {
  let types = (kinds Floats:$kind, Indices:$I, Indices:$J);
  let requires = [
    Require<"bits-known", "bits == 4 || bits == 8", "elements of {bits} bits must be of 4 or 8">,
    Require<"row-holds", "rowBytes(m, halves) >= 0",
            "rows of {m} bytes do not hold a scale and an offset of {if(halves, 2, 4)} bytes "
            "each">];
  let gradient = [{ none("the table has no elements of a float kind") }];
}

// Of numbers of 4 bits the first is the lower half of a byte.
def FusedRowwiseBagSums : FusedRows<"fused_rowwise_bag_sums",
    (ins "u8[v,m]":$table, "I[n]":$rows, "J[b]":$begins, "J[b]":$ends, "kind[n]?":$weights),
    (outs "kind[b, rowBytes(m, halves) * 8 / max(bits, 1)]":$out)> {
  let summary = "as bag_sums, where a row of the table has elements of 8 or 4 bits and behind them "
                "its scale and offset, "
                "in f32 or `halves`";
  let compute = [{
    w = rowBytes(m, halves);
    behind = w + if(halves, 0, 4);
    byte = table[rows[j],x * bits / 8];
    high = floor(byte / 16);
    number = if(bits == 8, byte, if(x % 2 == 0, byte - 16 * high, high));
    scale = if(halves, halfOf(table[rows[j],w] + 256 * table[rows[j],w + 1]),
               singleOf(table[rows[j],w] + 256 * table[rows[j],w + 1],
                        table[rows[j],w + 2] + 256 * table[rows[j],w + 3]));
    offset = if(halves, halfOf(table[rows[j],w + 2] + 256 * table[rows[j],w + 3]),
                singleOf(table[rows[j],behind] + 256 * table[rows[j],behind + 1],
                         table[rows[j],behind + 2] + 256 * table[rows[j],behind + 3]));
    out[i,x] += (number * scale + offset) * if(present(weights), weights[j], 1)
      over bagBegin(i, begins[i]) <= j < bagEnd(i, b, ends[i], n);
  }];
  let samples = [
    AsWritten<"bytes", (ins "u8[5,12] in 1..60", "i64[6] in 0..4", "i64[3] in 0..0",
                        "i64[3] in 6..6", ""), "bits = 8; halves = false; kind = f32">,
    AsWritten<"halves", (ins "u8[5,8] in 1..60", "i32[6] in 0..4", "i64[3] in 0..0",
                         "i64[3] in 6..6", "f32[6]"), "bits = 4; halves = true; kind = f32">,
    AsWritten<"doubles", (ins "u8[5,8] in 1..60", "i32[6] in 0..4", "i64[3] in 0..0",
                          "i64[3] in 6..6", "f64[6]"), "bits = 4; halves = true; kind = f64">,
    Refused<"bits-known", (ins "u8[5,12]", "i64[6] in 0..4", "i64[3] in 0..0", "i64[3] in 6..6",
                           ""), "bits = 2; halves = false; kind = f32">,
    Refused<"row-holds", (ins "u8[5,7]", "i64[6] in 0..4", "i64[3] in 0..0", "i64[3] in 6..6", ""),
            "bits = 8; halves = false; kind = f32">];
}

def FusedRowwiseQuantizedSparseLengthsSum : FusedRows<"fused_rowwise_quantized_sparse_lengths_sum",
    (ins "u8[v,m]":$table, "I[n]":$rows, "J[b]":$lengths, "kind[n]?":$weights),
    (outs "kind[b, rowBytes(m, halves) * 8 / max(bits, 1)]":$out)> {
  let summary = "as rowwise_quantized_sparse_lengths_sum, where a row of the table has elements of "
                "8 or 4 bits and "
                "behind them its scale and offset, in f32 or `halves`";
  let tier = 1;
  let lowering = [{
    begins, ends = bagsOfLengths(lengths);
    out = FusedRowwiseBagSums(table, rows, begins, ends, weights, bits, halves, kind);
  }];
  let samples = [
    AsWritten<"bytes", (ins "u8[5,12] in 1..60", "i64[6] in 0..4", "i32[3] in 2..2", ""),
              "bits = 8; halves = false; kind = f32">,
    AsWritten<"halves", (ins "u8[5,8] in 1..60", "i32[6] in 0..4", "i64[2] in 3..3", "f32[6]"),
              "bits = 4; halves = true; kind = f32">,
    Refused<"bits-known", (ins "u8[5,12]", "i64[6] in 0..4", "i32[3] in 2..2", ""),
            "bits = 2; halves = false; kind = f32">,
    Refused<"row-holds", (ins "u8[5,7]", "i64[6] in 0..4", "i32[3] in 2..2", ""),
            "bits = 8; halves = false; kind = f32">];
}

//===----------------------------------------------------------------------===//
// Several tables at once
//===----------------------------------------------------------------------===//

def BatchedUnaryEmbeddingsBags : Node<"batched_unary_embeddings_bags",
    (ins "T[n,v]":$tables, "I[t]":$tableOffsets, "I[o]":$offsets, "I[k]":$rows),
    (outs "T[n, (o - 1) / (t - 1), t - 1]":$out)> {
  let summary = "for each of n tasks the sum of the numbers that each bag names in each of t - 1 "
                "tables, which follow "
                "each other; the bags of a table follow those of the one before";
  let types = (kinds Numbers:$T, Indices:$I);
  let requires = [
    Require<"bags-fit", "t >= 2 && o >= 1 && (o - 1) % max(t - 1, 1) == 0",
            "{o} offsets are not those of as many bags of each of {t - 1} tables, and an end">];
  let compute = [{
    bag = h * ((o - 1) / (t - 1)) + c;
    out[i,c,h] += tables[i,rows[j] + tableOffsets[h]]
      over h < t - 1, bagBegin(bag, offsets[bag]) <= j < bagEnd(bag, o - 1, offsets[bag + 1], k);
  }];
  let samples = [
    Sample<"one", (ins "f32[2,5]", "i64[2] in 0..0", "i64[2] in 0..0", "i64[0]")>,
    Refused<"bags-fit", (ins "f32[2,5]", "i64[3] in 0..0", "i64[4] in 0..0", "i64[4] in 0..2")>];
}

def SplitEmbeddingBags : Node<"split_embedding_bags",
    (ins "T[e]":$tables, "I[t]":$tableOffsets, "J[s]":$columns, "K[n]":$rows, "K[o]":$offsets,
     "T[n]?":$weights),
    (outs "T[(o - 1) / max(t, 1), width]":$out), (ins Int:$width, Default<Flag, "false">:$mean)> {
  let summary = "for each of t tables of different widths, which begin in one list at their "
                "offsets, the sums of the rows, "
                "times weights, or their means, that its bags name, in the columns of the result "
                "from one number of "
                "`columns` to the next; the bags of a table follow those of the one before";
  let types = (kinds Floats:$T, Indices:$I, Indices:$J, Indices:$K);
  let requires = [
    Require<"bags-fit", "t >= 1 && s == t + 1 && o >= 1 && (o - 1) % max(t, 1) == 0 && width >= 0",
            "{o} offsets are not those of as many bags of each of {t} tables, and an end, or {s} "
            "columns not theirs in {width}">];
  let compute = [{
    bag = h * ((o - 1) / max(t, 1)) + i;
    many = columns[h + 1] - columns[h];
    out[i,columns[h] + x] += tables[tableOffsets[h] + rows[j] * many + x] * if(present(weights),
        weights[j], 1)
                             / if(mean, offsets[bag + 1] - offsets[bag], 1)
      over h < t, offsets[bag] <= j < offsets[bag + 1], x < width, 0 <= x < many;
  }];
  let samples = [
    Sample<"sums", (ins "f32[12]", "i64[1] in 0..0", "i32[2] in 0..3", "i64[6] in 0..2",
                    "i64[4] in 0..6", ""), "width = 3; mean = false">,
    Sample<"means", (ins "f32[12]", "i64[2] in 0..3", "i32[3] in 0..3", "i64[6] in 0..1",
                     "i64[5] in 0..6", "f32[6]"), "width = 3; mean = true">,
    Refused<"bags-fit", (ins "f32[12]", "i64[2] in 0..0", "i32[2] in 0..3", "i64[6] in 0..2",
                         "i64[4] in 0..6", ""), "width = 3; mean = false">];
}

// The bytes of a row of `columns` elements of a type: 0 is f32, 1 is f16, and 2 to 4 are
// integers of 8, 4 and 2 bits, which stand behind their scale and offset in f16.
def splitRowBytes : Let<(ins Int:$type, Int:$columns, Int:$alignment), [{
  bytes = if(type == 0, 4 * columns, if(type == 1, 2 * columns,
             4 + if(type == 2, columns, if(type == 3, (columns + 1) / 2, (columns + 3) / 4))));
  y = (bytes + alignment - 1) / alignment * alignment;
}]>;
def splitByte : Let<(ins Int:$type, Int:$x),
    [{if(type == 0, 4 * x, if(type == 1, 2 * x,
         4 + if(type == 2, x, if(type == 3, x / 2, x / 4))))}]>;

def SplitNBitEmbeddingBags : Node<"split_n_bit_embedding_bags",
    (ins "u8[e]":$tables, "I[t]":$tableOffsets, "Q[t]":$elements, "J[s]":$columns, "K[n]":$rows,
     "K[o]":$offsets, "kind[n]?":$weights),
    (outs "kind[(o - 1) / max(t, 1), width]":$out),
    (ins Int:$width, Kind:$kind, Default<Flag, "false">:$mean,
     Default<Int, "16">:$alignment)> {
  let summary = "as split_embedding_bags, where tables are bytes, and the elements of each have a "
                "type: 0 is f32, 1 is f16, and 2, 3 and 4 are integers of 8, 4 and 2 bits behind "
                "the scale and the offset of their row in f16; rows are multiples of `alignment`";
  let types = (kinds Floats:$kind, Indices:$I, Kinds<["u8", "i32", "i64"]>:$Q, Indices:$J,
                     Indices:$K);
  let requires = [
    Require<"bags-fit", "t >= 1 && s == t + 1 && o >= 1 && (o - 1) % max(t, 1) == 0 && width >= 0",
            "{o} offsets are not those of as many bags of each of {t} tables, and an end, or {s} "
            "columns not theirs in {width}">,
    Require<"alignment-positive", "alignment >= 1", "alignment {alignment} must be at least 1">];
  let gradient = [{ none("the tables have no elements of a float kind") }];
  let compute = [{
    bag = h * ((o - 1) / max(t, 1)) + i;
    many = columns[h + 1] - columns[h];
    begin = tableOffsets[h] + rows[j] * splitRowBytes(elements[h], many, alignment);
    place = begin + splitByte(elements[h], x);
    scale = halfOf(tables[begin] + 256 * tables[min(begin + 1, e - 1)]);
    offset = halfOf(tables[min(begin + 2, e - 1)] + 256 * tables[min(begin + 3, e - 1)]);
    low = tables[place] + 256 * tables[min(place + 1, e - 1)];
    high = tables[min(place + 2, e - 1)] + 256 * tables[min(place + 3, e - 1)];
    byte = tables[place];
    shifted = floor(byte / if(elements[h] == 3, if(x % 2 == 0, 1, 16),
                              if(x % 4 == 0, 1, if(x % 4 == 1, 4, if(x % 4 == 2, 16, 64)))));
    codes = if(elements[h] == 3, 16, 4);
    code = if(elements[h] == 2, byte, shifted - codes * floor(shifted / codes));
    number = if(elements[h] == 0, singleOf(low, high),
                if(elements[h] == 1, halfOf(low), code * scale + offset));
    out[i,columns[h] + x] += number * if(present(weights), weights[j], 1)
                             / if(mean, offsets[bag + 1] - offsets[bag], 1)
      over h < t, offsets[bag] <= j < offsets[bag + 1], x < width, 0 <= x < many;
  }];
  let samples = [
    AsWritten<"bytes", (ins "u8[48] in 1..60", "i64[1] in 0..0", "u8[1] in 2..2", "i32[2] in 0..5",
                        "i64[6] in 0..2", "i64[4] in 0..6", ""),
              "width = 5; kind = f32; mean = false; alignment = 16">,
    AsWritten<"nibbles", (ins "u8[24] in 1..60", "i64[1] in 0..0", "i32[1] in 3..3",
                          "i32[2] in 0..6", "i64[6] in 0..2", "i64[4] in 0..6", "f32[6]"),
              "width = 6; kind = f32; mean = true; alignment = 8">,
    Refused<"bags-fit", (ins "u8[48]", "i64[2] in 0..0", "u8[2] in 2..2", "i32[2] in 0..3",
                         "i64[6] in 0..2", "i64[4] in 0..6", ""),
            "width = 3; kind = f32; mean = false; alignment = 16">,
    Refused<"alignment-positive", (ins "u8[48]", "i64[1] in 0..0", "u8[1] in 2..2",
                                   "i32[2] in 0..3", "i64[6] in 0..2", "i64[4] in 0..6", ""),
            "width = 3; kind = f32; mean = false; alignment = 0">];
}

// Vectors lie in the rows of each example.
def pairPlaces : Let<(ins Int:$n), "nonzeros([if(e / n > e % n, 1, 0) for e in range(0, n * n)])">;
def BatchedPairwiseDotProduct : Node<"batched_pairwise_dot_product", (ins "T[b,n,k]":$in),
                                     (outs "T[b, n * (n - 1) / 2]":$out)> {
  let summary = "of n vectors the products of all pairs: each vector with those before it";
  let types = (kinds Floats:$T);
  let tier = 2;
  let lowering = [{
    products = Reshape(MatMul(in, Transpose(in, [0, 2, 1])), [b, n * n]);
    all = pairPlaces(n);
    out = Gather(products, Literal(all, [size(all)], elementKind("i64")), 1);
  }];
  let samples = [Sample<"vectors", (ins "f32[2,4,3]")>, Sample<"one", (ins "f32[2,1,3]")>];
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

def LengthsRangeFill : Node<"lengths_range_fill", (ins "I[b]":$lengths), (outs "I[count]":$out),
                            (ins Int:$count)> {
  let summary = "of each element of the bags, which have `count` together, its number in its bag";
  let types = (kinds Indices:$I);
  let requires = [Require<"count-not-negative", "count >= 0",
                          "{count} elements must be at least 0">];
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
  let summary = "the rows of ranges, each a begin and a length, which are `count` together, and "
                "how many there are of each of b";
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
                 Refused<"count-not-negative", (ins "f32[6,2]", "i32[2,2,2] in 2..2"),
                         "count = -1">];
}

//===----------------------------------------------------------------------===//
// Dense from sparse
//===----------------------------------------------------------------------===//

// Rows that are not in the mask go to a row behind the last, which is left out.
def SparseToDenseMask : Node<"sparse_to_dense_mask",
    (ins "T[n,*d]":$in, "I[n]":$ids, "T[*d]":$absent, "J[b]":$lengths),
    (outs "T[b, size(mask), *d]":$out), (ins Ints:$mask)> {
  let summary = "of each bag the row of each number in the mask, the last where there are several, "
                "and `absent` where there is none";
  let types = (kinds NumbersAndBool:$T, Indices:$I, Indices:$J);
  let requires = [
    Require<"mask-distinct", "size(mask) >= 1 && distinct(mask)",
            "mask {mask} must be different numbers, and at least one">];
  let tier = 2;
  let lowering = [{
    m = size(mask);
    i64 = elementKind("i64");
    all = [n, m];
    hit = Cast(Equal(Broadcast(Reshape(Cast(ids, i64), [n, 1]), all),
                     Broadcast(Literal(mask, [m], i64), all)), i64);
    column = ReduceSum(hit * Broadcast(Iota(0.0, 1.0, 0, [m], i64), all), [1]);
    place = Select(ReduceSum(hit, [1]) > 0, bagOf(lengths, n) * m + column,
                   Splat(real(b * m), [n], i64));
    full = [b * m + 1, *d];
    written = ScatterND(Broadcast(absent, full), Reshape(place, [n, 1]), in, "none");
    out = Reshape(Slice(written, repeat(0, size(full)), repeat(1, size(full)), [b * m, *d]),
                  [b, m, *d]);
  }];
  let samples = [
    Sample<"small", (ins "f32[6,2]", "i64[6] in 0..4", "f32[2]", "i32[3] in 2..2"),
           "mask = [3, 0, 1]">,
    Refused<"mask-distinct", (ins "f32[6,2]", "i64[6] in 0..4", "f32[2]", "i32[3] in 2..2"),
            "mask = [3, 3]">];
}

#endif // GLOW_NODES_EMBEDDING
