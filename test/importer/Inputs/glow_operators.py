#!/usr/bin/env python3
"""Writes cases of operators of our own domain: glow_operators.py FOLDER.

What they must give is computed here with numpy.
"""

import os
import sys

import numpy
from quantization import F, I, U, W, dequantize, quantize, write

random = numpy.random.RandomState(20)
L, H = numpy.int64, numpy.float16


def real(*shape):
    return random.uniform(-2, 2, shape).astype(F)


def losses():
    x, t = real(3, 4), random.uniform(0, 1, (3, 4)).astype(F)
    log = lambda z: numpy.log(1 / (1 + numpy.exp(-z)))
    each = lambda positive: -(positive * t * log(x) + (1 - t) * log(-x))
    yield "regression", "Regression", [x, t], [(x - t) ** 2 / 2], {}
    yield "sigmoid_entropy", "SigmoidCrossEntropyWithLogits", [x, t], [each(1).mean(1)], {}
    far = F([[-300, 300]])
    yield "sigmoid_entropy_far", "SigmoidCrossEntropyWithLogits", [far, F([[0.5, 0.25]])], [F([187.5])], {}
    weight, positive = random.uniform(0.5, 2, (3, 1)).astype(F), random.uniform(0.5, 2, 4).astype(F)
    name = "BinaryCrossEntropyWithLogits"
    yield "binary_entropy", name, [x, t], [each(1).mean()], {}
    yield "binary_entropy_each", name, [x, t, weight], [weight * each(1)], {"reduction": "none"}
    yield "binary_entropy_sum", name, [x, t, None, positive], [each(positive).sum()], {"reduction": "sum"}
    yield "binary_entropy_both", name, [x, t, weight, positive], [(weight * each(positive)).mean()], {}


def layers():
    x, w, b = real(2, 3, 2), real(6, 4), real(4)
    yield "fully_connected", "FullyConnected", [x, w, b], [x.reshape(2, 6) @ w + b], {}
    yield "fully_connected_plain", "FullyConnected", [x.reshape(2, 6), w], [x.reshape(2, 6) @ w], {}
    image = real(2, 3, 5, 7)
    cut = lambda n, count: [slice(i * n // count, -(-(i + 1) * n // count)) for i in range(count)]
    for sizes in ((2, 3), (1, 1), (7, 5)):
        pooled = numpy.array([[image[:, :, a, c].mean((2, 3)) for c in cut(7, sizes[1])] for a in cut(5, sizes[0])])
        yield "pool_%d_%d" % sizes, "AdaptiveAvgPool", [image], [pooled.transpose(2, 3, 0, 1)], {"output_size": sizes}


def integers():
    x = random.randint(-128, 128, (3, 4)).astype(I)
    given, wanted = (F(0.5), I(3)), (F(0.75), U(9))
    yield "rescale", "RescaleQuantized", [x, *given, *wanted], [quantize(dequantize(x, *given), *wanted)], {}
    table = random.randint(0, 256, 256).astype(U)
    yield "lookup_signed", "IntLookupTable", [x, table], [table[x.astype(W) + 128]], {}
    yield "lookup", "IntLookupTable", [x.view(U), table], [table[x.view(U)]], {}
    bounds, y = F([-1, 0, 0.5, 1]), numpy.append(real(9), F([0.5, -1, 9]))
    yield "bucketize", "Bucketize", [y, bounds], [numpy.searchsorted(bounds, y).astype(W)], {}
    yield "bucketize_wide", "Bucketize", [y, bounds], [numpy.searchsorted(bounds, y).astype(L)], {"dtype": 7}
    data, lengths, values = random.randint(0, 3, (4, 3)).astype(W), W([2, 0, 3]), W([0, 1, 2, 1, 0])
    hot = (data[:, numpy.repeat(range(3), lengths)] == values).astype(W)
    yield "batch_one_hot", "BatchOneHot", [data, lengths, values], [hot], {}


def bags():
    table, rows, lengths = real(6, 3), L([1, 5, 0, 2, 2, 4, 3]), W([3, 0, 2, 2])
    weights, ends = real(7), numpy.cumsum([3, 0, 2, 2])
    each = lambda picked: numpy.array([part.sum(0) for part in numpy.split(picked, ends[:-1])])
    plain, weighted = each(table[rows]), each(table[rows] * weights[:, None])
    yield "embedding", "Embedding", [table, rows.reshape(7, 1)], [
        table[rows.reshape(7, 1)] * (rows != 2)[:, None, None]], {"padding_idx": 2}
    yield "lengths_sum", "LengthsSum", [weights, lengths], [each(weights)], {}
    yield "sparse_sum", "SparseLengthsSum", [table, rows, lengths], [plain], {}
    yield "sparse_weighted", "SparseLengthsWeightedSum", [table, weights, rows, lengths], [weighted], {}
    offsets = L([0, 3, 3, 5])
    yield "embedding_bag", "EmbeddingBag", [table, None, rows, offsets], [plain], {}
    yield "embedding_bag_end", "EmbeddingBag", [table, weights, rows, numpy.append(offsets, 7)], [weighted], {
        "has_end_offset": 1}
    bytes_, scales, zeros = random.randint(0, 256, (6, 4)).astype(U), real(6), real(6)
    whole = lambda s, z: bytes_ * s[:, None] + z[:, None]
    yield "rowwise", "RowwiseQuantizedSparseLengthsWeightedSum", [bytes_, scales, zeros, weights, rows, lengths], [
        each(whole(scales, zeros)[rows] * weights[:, None])], {}
    name = "FusedRowwiseQuantizedSparseLengthsWeightedSum"
    fused = lambda data, kind: numpy.concatenate([data, numpy.stack([scales, zeros], 1).astype(kind).view(U)], 1)
    yield "fused_bytes", name, [fused(bytes_, F), None, rows, lengths], [each(whole(scales, zeros)[rows])], {}
    half = [scales.astype(H).astype(F), zeros.astype(H).astype(F)]
    yield "fused_bytes_half", name, [fused(bytes_, H), weights, rows, lengths], [
        each(whole(*half)[rows] * weights[:, None])], {"half_parameters": 1}
    nibbles = numpy.stack([bytes_ & 15, bytes_ >> 4], 2).reshape(6, 8)
    yield "fused_nibbles", name, [fused(bytes_, H), weights, rows, lengths], [
        each((nibbles * half[0][:, None] + half[1][:, None])[rows] * weights[:, None])], {
            "bits": 4, "half_parameters": 1}
    # Two tables of 2 and 4 rows, two bags of each.
    tables = real(3, 6)
    sums = lambda task: [[task[0] + task[1], 0], [task[3], task[5] + task[2]]]
    expected = numpy.array([sums(task) for task in tables]).transpose(0, 2, 1)
    yield "unary_bags", "BatchedUnaryEmbeddingsBags", [tables, L([0, 2, 6]), L([0, 2, 2, 3, 5]), L([0, 1, 1, 3, 0])], [
        expected], {}
    # Tables of 3 rows of 2 columns and of 2 rows of 3, two bags of each.
    flat, most = real(12), {"total_D": 5}
    first, second, share = flat[:6].reshape(3, 2), flat[6:].reshape(2, 3), real(5)
    picked = lambda w: [[first[2] * w[0] + first[0] * w[1], first[1] * w[2]], [0 * second[0], second[1] * w[3] + second[0] * w[4]]]
    joined = lambda w: numpy.stack([numpy.concatenate(bags) for bags in zip(*picked(w))]).astype(F)
    split = [flat, L([0, 6]), W([0, 2, 5]), L([2, 0, 1, 1, 0]), L([0, 2, 3, 3, 5])]
    yield "split_bags", "SplitEmbeddingBags", split, [joined(numpy.ones(5))], most
    yield "split_weighted", "SplitEmbeddingBags", [*split, share], [joined(share)], most
    yield "split_means", "SplitEmbeddingBags", split, [joined(1 / F([2, 2, 1, 2, 2]))], {**most, "pooling_mode": "mean"}


def rows_of_bits(kind, rows, width):
    """The bytes of a table, in rows of a multiple of 16, and its numbers; the kind is 0 for f32, 1 for f16, and 2
    to 4 for integers of 8, 4 and 2 bits."""
    if kind < 2:
        numbers = real(rows, width).astype([F, H][kind])
        bytes_ = numpy.ascontiguousarray(numbers).view(U)
    else:
        bits = [8, 4, 2][kind - 2]
        codes, low = random.randint(0, 2 ** bits, (rows, width)).astype(U), real(rows, 2).astype(H)
        numbers = codes * low[:, :1].astype(F) + low[:, 1:].astype(F)
        each = 8 // bits
        spread = numpy.zeros((rows, -(-width // each) * each), U)
        spread[:, :width] = codes
        packed = sum(spread[:, i::each] << bits * i for i in range(each)).astype(U)
        bytes_ = numpy.concatenate([low.view(U), packed], 1)
    padded = numpy.zeros((rows, -(-bytes_.shape[1] // 16) * 16), U)
    padded[:, :bytes_.shape[1]] = bytes_
    return padded.ravel(), numbers.astype(F)


def few_bits():
    kinds, widths, rows = [2, 0, 3, 1, 4], [5, 2, 6, 3, 7], 4
    tables = [rows_of_bits(kind, rows, width) for kind, width in zip(kinds, widths)]
    place, begins, lists = W([0, 1, 0, 1, 0]), [], [[], []]
    for (bytes_, _), which in zip(tables, place):
        begins.append(sum(map(len, lists[which])))
        lists[which].append(bytes_)
    lengths = numpy.array([2, 1, 0, 3, 1, 1, 2, 0, 1, 2])
    offsets, picked = numpy.concatenate([[0], lengths.cumsum()]), random.randint(0, rows, lengths.sum())
    share = real(len(picked))
    inputs = [*(numpy.concatenate(part) for part in lists), place, L(begins), U(kinds),
              W(numpy.concatenate([[0], numpy.cumsum(widths)])), L(picked), L(offsets)]

    def sums(weights, means=False):
        return numpy.concatenate([numpy.array([
            (tables[h][1][picked[offsets[bag]:offsets[bag + 1]]] * weights[offsets[bag]:offsets[bag + 1], None]).sum(0)
            / (max(lengths[bag], 1) if means else 1) for bag in (2 * h, 2 * h + 1)]) for h in range(5)], 1)

    most, name = {"total_D": sum(widths)}, "IntNBitSplitEmbeddingBags"
    yield "few_bits", name, inputs, [sums(numpy.ones(len(picked)))], most
    yield "few_bits_weighted", name, [*inputs, share], [sums(share)], most
    yield "few_bits_means", name, inputs, [sums(numpy.ones(len(picked)), True)], {**most, "pooling_mode": 1}


def pairs():
    vectors, given = real(4, 2, 3), real(2, 6)
    all_pairs = [(i, j) for i in range(4) for j in range(i)]
    yield "pairs", "BatchedPairwiseDotProduct", list(vectors), [
        numpy.stack([(vectors[i] * vectors[j]).sum(1) for i, j in all_pairs], 1)], {}
    gradients = numpy.zeros_like(vectors)
    for p, (i, j) in enumerate(all_pairs):
        gradients[i] += given[:, p, None] * vectors[j]
        gradients[j] += given[:, p, None] * vectors[i]
    yield "pairs_gradient", "BatchedPairwiseDotProductGrad", [given, *vectors], list(gradients), {}


def pooled():
    columns, moved = real(3, 7), L([0, 2, 3, 7])
    yield "permute_pooled", "PermutePooledEmbeddings", [columns, moved, L([2, 0, 1])], [
        columns[:, [3, 4, 5, 6, 0, 1, 2]]], {}


def ranges():
    lengths = W([3, 0, 2])
    yield "to_ranges", "LengthsToRanges", [lengths], [W([[0, 3], [3, 0], [3, 2]])], {}
    yield "range_fill", "LengthsRangeFill", [lengths], [W([0, 1, 2, 0, 1])], {"count": 5}
    data, parts = real(6, 2), W([[[0, 1], [2, 2]], [[4, 1], [5, 0]]])
    yield "gather_ranges", "GatherRanges", [data, parts], [data[[0, 2, 3, 4]], W([3, 1])], {"count": 4}
    rows = real(4, 2)
    yield "to_dense", "SparseToDense", [L([1, 3, 1, 0]), rows], [
        numpy.stack([rows[3], rows[0] + rows[2], F([0, 0]), rows[1]])], {"count": 4}
    absent, ids = real(2), L([7, 2, 2, 5])
    yield "to_dense_mask", "SparseToDenseMask", [ids, rows, absent, W([3, 1])], [
        numpy.array([[absent, rows[2]], [rows[3], absent]])], {"mask": [5, 2]}


def boxes():
    begins, info = random.uniform(0, 10, (3, 2)), F([[20, 30, 2], [16, 12, 1]])
    plain = numpy.concatenate([begins, begins + random.uniform(1, 9, (3, 2))], 1).astype(F)
    deltas, weights = real(3, 8), F([2, 2, 1, 1])
    for several, scaled, edge in ((0, 1, 0), (1, 0, 1)):
        image = numpy.array([0, 1, 1]) * several
        scale = info[image, 2][:, None]
        box, limit = plain / scale, numpy.floor(info[image, :2] / scale + 0.5) - edge
        extent = box[:, 2:] - box[:, :2] + edge
        moved = (deltas.reshape(3, 2, 4) / weights).transpose(1, 0, 2)
        middle = box[:, :2] + extent / 2 + moved[..., :2] * extent
        half = numpy.exp(numpy.minimum(moved[..., 2:], 1)) * extent / 2
        sides = numpy.concatenate([middle - half, middle + half - edge], 2)
        kept = numpy.clip(sides, 0, limit[:, [1, 0, 1, 0]]) * (scale if scaled else 1)
        given = numpy.concatenate([image[:, None].astype(F), plain], 1) if several else plain
        counts = F([1, 2]) if several else F([3])
        yield f"boxes_{several}", "BBoxTransform", [given, deltas, info if several else info[:1]], [
            kept.transpose(1, 0, 2).reshape(3, 8), counts], {
                "weights": weights, "clip": 1.0, "apply_scale": scaled, "legacy_plus_one": edge}


def refused():
    yield "too_long", "SparseLengthsSum", [real(6, 3), L([1, 2, 3]), W([2, 2])], [real(2, 3)], {}
    yield "split_outside", "SplitEmbeddingBags", [real(4), L([0]), W([0, 2]), L([0, 1]), L([0, 3])], [real(1, 2)], {
        "total_D": 2}
    yield "too_short", "SparseLengthsSum", [real(6, 3), L([1, 2, 3]), W([1, 1])], [real(2, 3)], {}
    yield "no_row", "SparseLengthsSum", [real(6, 3), L([1, 6, 3]), W([1, 2])], [real(2, 3)], {}


if __name__ == "__main__":
    for cases in [refused] if "refused" in sys.argv else (
            losses, layers, integers, bags, few_bits, pairs, pooled, ranges, boxes):
        for name, operator, inputs, outputs, attributes in cases():
            outputs = [numpy.asarray(y).astype(F) if numpy.asarray(y).dtype == numpy.float64 else y for y in outputs]
            write(os.path.join(sys.argv[1], "test_" + name), "ai.glow." + operator, inputs, outputs, attributes, 1)
