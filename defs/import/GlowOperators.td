//===- GlowOperators.td - operators that ONNX has no name for -------------===//
// SPDX-License-Identifier: MIT
//
// Nodes as the operators of our own domain: losses, tables, bags.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_GLOWOPERATORS
#define GLOW_IMPORT_GLOWOPERATORS

include "glow/functions/Kinds.td"
include "glow/nodes/Embedding.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/Loss.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Pooling.td"
include "glow/nodes/Quantization.td"
include "glow/nodes/Vision.td"

// One vector for each example, as the only one of several.
def stackedVectors : Let<(ins Tensor:$x), "Reshape(x, [shape(x)[0], 1, at(shape(x), 1)])">;

let domain = "ai.glow" in {

//===----------------------------------------------------------------------===//
// Layers and losses
//===----------------------------------------------------------------------===//

def : OnnxImport<"FullyConnected", 1, (ins "X", "W", "B?"), (ins), "Y = FullyConnected(X, W, B);">;
def : OnnxImport<"AdaptiveAvgPool", 1, (ins "X"), (ins RequiredInts:$output_size),
                 "Y = AdaptiveAvgPool(X, output_size);">;
def : OnnxImport<"Regression", 1, (ins "X", "expected"), (ins), "Y = Regression(X, expected);">;
def : OnnxImport<"SigmoidCrossEntropyWithLogits", 1, (ins "logits", "targets"), (ins),
                 "Y = SigmoidCrossEntropyWithLogits(logits, targets);">;
def : OnnxImport<"BinaryCrossEntropyWithLogits", 1, (ins "X", "target", "weight?", "pos_weight?"),
    (ins Words<"mean", ["none", "mean", "sum"]>:$reduction),
    "Y = BinaryCrossEntropyWithLogits(X, target, weight, pos_weight, reduction);">;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

def : OnnxImport<"RescaleQuantized", 1,
                 (ins "X", "x_scale", "x_zero_point", "y_scale", "y_zero_point"), (ins 1:$axis),
                 "Y = RescaleQuantized(X, x_scale, x_zero_point, y_scale, y_zero_point, axis);">;
def : OnnxImport<"IntLookupTable", 1, (ins "X", "mapping"), (ins),
                 "Y = IntLookupTable(X, mapping);">;
def : OnnxImport<"Bucketize", 1, (ins "X", "boundaries"), (ins 6:$dtype),
                 "Y = Bucketize(X, boundaries, onnxKind(dtype));">;
def : OnnxImport<"BatchOneHot", 1, (ins "data", "lengths", "values"), (ins),
                 "Y = BatchOneHot(data, lengths, values);">;

//===----------------------------------------------------------------------===//
// Bags
//===----------------------------------------------------------------------===//

def : OnnxImport<"Embedding", 1, (ins "weights", "indices"), (ins -1:$padding_idx),
                 "Y = Embedding(weights, indices, padding_idx);">;
def : OnnxImport<"LengthsSum", 1, (ins "data", "lengths"), (ins), "Y = LengthsSum(data, lengths);">;
def : OnnxImport<"SparseLengthsSum", 1, (ins "data", "indices", "lengths"), (ins),
                 "Y = SparseLengthsSum(data, indices, lengths, none);">;
def : OnnxImport<"SparseLengthsWeightedSum", 1, (ins "data", "weights", "indices", "lengths"),
                 (ins),
                 "Y = SparseLengthsSum(data, indices, lengths, weights);">;
def : OnnxImport<"EmbeddingBag", 1, (ins "data", "weights?", "indices", "offsets"),
                 (ins 0:$has_end_offset),
                 "Y = EmbeddingBag(data, indices, offsets, weights, has_end_offset != 0);">;
def : OnnxImport<"RowwiseQuantizedSparseLengthsWeightedSum", 1,
    (ins "data", "scales", "offsets", "weights?", "indices", "lengths"), (ins),
    "Y = RowwiseQuantizedSparseLengthsSum(data, scales, offsets, indices, lengths, weights);">;
def : OnnxImport<"FusedRowwiseQuantizedSparseLengthsWeightedSum", 1,
                 (ins "data", "weights?", "indices", "lengths"),
    (ins 8:$bits, 1:$dtype, 0:$half_parameters),
    [{Y = FusedRowwiseQuantizedSparseLengthsSum(data, indices, lengths, weights, bits,
      half_parameters != 0, onnxKind(dtype));}]>;
def : OnnxImport<"BatchedUnaryEmbeddingsBags", 1,
                 (ins "weights", "table_offsets", "offsets", "indices"), (ins),
                 "Y = BatchedUnaryEmbeddingsBags(weights, table_offsets, offsets, indices);">;

def : OnnxImport<"SplitEmbeddingBags", 1,
                 (ins "weights", "weights_offsets", "D_offsets", "indices", "offsets",
                  "indice_weights?"),
    (ins RequiredInt:$total_D, Words<"sum", ["sum", "mean"]>:$pooling_mode),
    [{ Y = SplitEmbeddingBags(weights, weights_offsets, D_offsets, indices, offsets, indice_weights,
                              total_D, pooling_mode == "mean"); }]>;

// Tables are in one of two lists, by their placement: 0 is the first.
def : OnnxImport<"IntNBitSplitEmbeddingBags", 1,
    (ins "dev_weights", "uvm_weights", "weights_placements", "weights_offsets", "weights_tys",
     "D_offsets", "indices", "offsets", "indice_weights?"),
    (ins 1:$output_dtype, 0:$pooling_mode, 16:$row_alignment, RequiredInt:$total_D), [{
  require(pooling_mode == 0 || pooling_mode == 1, "pooling_mode {pooling_mode} must be 0 or 1");
  i = elementKind("i64");
  t = elements(weights_placements);
  second = Not(Equal(Cast(weights_placements, i), Splat(0.0, [t], i)));
  first = Splat(real(elements(dev_weights)), [t], i);
  begins = Cast(weights_offsets, i) + Select(second, first, Splat(0.0, [t], i));
  all = Concat([dev_weights, uvm_weights], 0);
  Y = SplitNBitEmbeddingBags(all, begins, weights_tys, D_offsets, indices, offsets, indice_weights,
                             total_D, onnxKind(output_dtype), pooling_mode == 1, row_alignment);
}]>;

def : OnnxImport<"BatchedPairwiseDotProduct", 1, (ins "inputs..."), (ins), [{
  require(count(inputs) >= 1 && rank(inputs[0]) == 2, "vectors must be rows of a matrix");
  Y = BatchedPairwiseDotProduct(Concat([stackedVectors(x) for x in inputs], 1));
}]>;
// A vector is multiplied by the gradients of its pairs; a vector with itself is no pair.
def : OnnxImport<"BatchedPairwiseDotProductGrad", 1, (ins "output_grad", "inputs..."), (ins), [{
  require(count(inputs) >= 1 && rank(inputs[0]) == 2, "vectors must be rows of a matrix");
  n = count(inputs);
  b = shape(inputs[0])[0];
  k = shape(inputs[0])[1];
  pairs = n * (n - 1) / 2;
  require(shape(output_grad) == [b, pairs], "output_grad must be of shape {[b, pairs]}");
  vectors = Concat([stackedVectors(x) for x in inputs], 1);
  padded = Concat([output_grad, Splat(0.0, [b, 1], kind(output_grad))], 1);
  places = [if(e / n > e % n, (e / n) * (e / n - 1) / 2 + e % n,
               if(e / n < e % n, (e % n) * (e % n - 1) / 2 + e / n, pairs))
            for e in range(0, n * n)];
  each = Gather(padded, Literal(places, [n * n], elementKind("i64")), 1);
  all = MatMul(Reshape(each, [b, n, n]), vectors);
  results = [Reshape(x, [b, k]) for x in Split(all, 1, repeat(1, n))];
}]>;

// The columns of table `permute[t]` become the block t. The inverse lists serve gradients alone.
def : OnnxImport<"PermutePooledEmbeddings", 1,
                 (ins "pooled", "offset_dims", "permute", "inv_offset_dims?", "inv_permute?"),
                 (ins), [{
  from = ints(offset_dims);
  order = ints(permute);
  n = size(order);
  s = shape(pooled);
  width = at(s, 1);
  require(size(s) == 2 && size(from) == n + 1 && from[0] == 0 && from[n] == width,
          "offset_dims {from} are not the first columns of {n} tables, and the end {width}");
  require(n >= 1 && allAtLeast(order, 0) && allBelow(order, n) && distinct(order),
          "permute {order} is no order of {n} tables");
  widths = drop(from, 1) - take(from, n);
  blocks = Split(pooled, 1, widths);
  Y = Concat([blocks[p] for p in order], 1);
}]>;

def : OnnxImport<"LengthsToRanges", 1, (ins "lengths"), (ins), "Y = LengthsToRanges(lengths);">;
def : OnnxImport<"LengthsRangeFill", 1, (ins "lengths"), (ins RequiredInt:$count),
                 "Y = LengthsRangeFill(lengths, count);">;
def : OnnxImport<"GatherRanges", 1, (ins "data", "ranges"), (ins RequiredInt:$count),
                 "Y, lengths = GatherRanges(data, ranges, count);"> {
  let outputs = ["Y", "lengths?"];
}
def : OnnxImport<"SparseToDense", 1, (ins "indices", "values"), (ins RequiredInt:$count),
                 "Y = SparseToDense(values, indices, count);">;
def : OnnxImport<"SparseToDenseMask", 1, (ins "indices", "values", "default_value", "lengths"),
                 (ins RequiredInts:$mask),
                 "Y = SparseToDenseMask(values, indices, default_value, lengths, mask);">;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

def : OnnxImport<"BBoxTransform", 1, (ins "rois", "deltas", "im_info"),
    (ins 1:$apply_scale, "4.135166556742356":$clip, 0:$legacy_plus_one, MaybeReals:$weights), [{
  boxes, counts = BBoxTransform(rois, deltas, im_info,
                                if(length(weights) == 0, [1.0, 1.0, 1.0, 1.0], weights),
                                clip, apply_scale != 0, legacy_plus_one != 0);
}]> {
  let outputs = ["boxes", "counts?"];
}

}

#endif // GLOW_IMPORT_GLOWOPERATORS
