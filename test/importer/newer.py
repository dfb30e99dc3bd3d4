#!/usr/bin/env python3
"""Writes cases of operators that the packaged test data is too old for: newer.py
FOLDER, and of some that it has few of.

What they must give is computed here from ONNX's definitions, with numpy.
"""

import os
import sys

import numpy
from microsoft import F, L, W, attend, causal, heads, real, rows, sigmoid, softmax, turn
from quantization import write

random = numpy.random.RandomState(3)


def einsum():
    shapes = {"i": 2, "j": 3, "k": 4, "l": 5, "b": 2}
    for i, equation in enumerate(("ij,jk->ik", "ij,jk,kl->il", "ij,ij,ij,ij->j", "bij,bkj->bik", "ii->i", "iji->j",
                                  "ij->", "i,j->ji", "ij,kl", "bij,jk,bk->bi", "ijk->kij", "ii,ij->j")):
        terms = equation.split("->")[0].split(",")
        operands = [real(*(shapes[letter] for letter in term)) for term in terms]
        yield f"einsum_{i}", "Einsum", operands, [numpy.einsum(equation, *operands)], {"equation": equation}, 12
    x, y = real(2, 3, 4, 5), real(3, 5, 6)
    yield "einsum_dots", "Einsum", [x, y], [x @ y], {"equation": "...ij, ...jk -> ...ik"}, 12


def positions():
    q, k, v = real(2, 4, 3, 8), real(2, 2, 5, 8), real(2, 2, 5, 6)
    yield "attention_4d", "Attention", [q, k, v], [attend(q, k, v)], {}, 23
    yield "attention_causal", "Attention", [q, k, v], [
        attend(q, k, v, numpy.triu(numpy.full((3, 5), -1e30), 1), 0.5)], {"is_causal": 1, "scale": 0.5}, 23
    added = real(2, 1, 3, 5)
    yield "attention_added", "Attention", [q, k, v, added], [attend(q, k, v, added)], {}, 23
    seen = random.rand(3, 5) < 0.7
    seen[:, 0] = True
    hidden = numpy.where(seen, 0, -1e30)
    yield "attention_seen", "Attention", [q, k, v, seen], [attend(q, k, v, hidden)], {}, 23
    pk, pv = real(2, 2, 4, 8), real(2, 2, 4, 6)
    allk, allv = numpy.concatenate([pk, k], 2), numpy.concatenate([pv, v], 2)
    yield "attention_past", "Attention", [q, k, v, None, pk, pv], [
        attend(q, allk, allv, numpy.triu(numpy.full((3, 9), -1e30), 5)), allk, allv], {"is_causal": 1}, 23
    x, y, z = real(2, 3, 8), real(2, 5, 4), real(2, 5, 6)
    yield "attention_3d", "Attention", [x, y, z], [rows(attend(heads(x, 4), heads(y, 2), heads(z, 2)))], {
        "q_num_heads": 4, "kv_num_heads": 2}, 23
    raw = q @ k.repeat(2, 1).swapaxes(2, 3) / numpy.sqrt(8)
    capped = 2 * numpy.tanh(raw / 2)
    for mode, scores in enumerate((raw, capped, capped + added, softmax(capped + added))):
        yield f"attention_softcap_{mode}", "Attention", [q, k, v, added], [
            softmax(capped + added) @ v.repeat(2, 1), None, None, scores], {
                "softcap": 2.0, "qk_matmul_output_mode": mode}, 23
    count = numpy.array([3, 5], L)
    beyond = numpy.where(numpy.arange(5) < count[:, None], 0, -1e30)[:, None, None]
    yield "attention_count", "Attention", [q, k, v, None, None, None, count], [attend(q, k, v, beyond)], {}, 24

    table = random.uniform(-3, 3, (9, 2)).astype(F)
    c, s, order = numpy.cos(table), numpy.sin(table), numpy.array([[4, 0, 2], [1, 2, 3]], L)
    x, y = real(2, 2, 3, 6), real(2, 3, 8)
    for side in (0, 1):
        yield f"rotary_{side}", "RotaryEmbedding", [x, c, s, order], [turn(x, c[order], s[order], side)], {
            "interleaved": side, "rotary_embedding_dim": 4}, 23
    yield "rotary_3d", "RotaryEmbedding", [y, c[order], s[order]], [rows(turn(heads(y, 2), c[order], s[order]))], {
        "num_heads": 2}, 23
    cache, rows2, at = real(2, 3, 5, 4), real(2, 3, 2, 4), numpy.array([1, 4], L)
    whole = cache.copy()
    for b in range(2):
        for i in range(2):
            whole[b, :, (at[b] + i) % 5] = rows2[b, :, i]
    yield "scatter_circular", "TensorScatter", [cache, rows2, at], [whole], {"mode": "circular"}, 24
    x, w, b, past = real(2, 3, 5), real(3, 1, 3), real(3), real(2, 3, 2)
    both = numpy.concatenate([past, x], 2)
    y = sum(both[:, :, i:i + 5] * w[:, :, i] for i in range(3)) + b[:, None]
    yield "causal_conv", "CausalConvWithState", [x, w, b, past], [y * sigmoid(y), both[:, :, 5:]], {
        "activation": "silu"}, 27


def pixels():
    x = real(2, 5, 4)
    yield "swish", "Swish", [x], [x * sigmoid(F(0.5) * x)], {"alpha": 0.5}, 24
    yield "cumprod", "CumProd", [x, numpy.array(1, L)], [numpy.cumprod(x, 1)], {}, 26
    yield "cumprod_back", "CumProd", [x, numpy.array(-1, L)], [numpy.cumprod(x[..., ::-1], 2)[..., ::-1]], {"reverse": 1}, 26
    whole = numpy.zeros((2, 3, 6), F)
    whole[:, :, 1:5] = x[:, 1:4]
    yield "center", "CenterCropPad", [x, numpy.array([3, 6], L)], [whole], {"axes": [1, 2]}, 18
    blocks = real(1, 8, 9)
    image = numpy.zeros((1, 2, 6, 6), F)
    for i in range(9):
        y, z = i // 3, i % 3
        image[0, :, 2 * y:2 * y + 2, 2 * z:2 * z + 2] += blocks[0, :, i].reshape(2, 2, 2)
    yield "col2im", "Col2Im", [blocks, numpy.array([4, 4], L), numpy.array([2, 2], L)], [image[:, :, 1:5, 1:5]], {
        "pads": [1, 1, 1, 1], "strides": [2, 2]}, 18
    theta = real(2, 2, 3)
    for align in (0, 1):
        axis = lambda n: numpy.linspace(-1, 1, n) if align else (2 * numpy.arange(n) + 1) / n - 1
        y, z = numpy.meshgrid(axis(3), axis(4), indexing="ij")
        places = numpy.stack([z, y, numpy.ones_like(z)], -1)
        yield f"affine_{align}", "AffineGrid", [theta, numpy.array([2, 1, 3, 4], L)], [
            numpy.einsum("hwk,njk->nhwj", places, theta)], {"align_corners": align}, 20
    solid = real(1, 3, 4)
    axis = lambda n: (2 * numpy.arange(n) + 1) / n - 1
    d, y, z = numpy.meshgrid(axis(2), axis(3), axis(4), indexing="ij")
    places = numpy.stack([z, y, d, numpy.ones_like(z)], -1)
    yield "affine_solid", "AffineGrid", [solid, numpy.array([1, 1, 2, 3, 4], L)], [
        numpy.einsum("dhwk,njk->ndhwj", places, solid)], {}, 20

    x, w, b, offset, mask = real(1, 2, 4, 4), real(2, 2, 2, 2), real(2), real(1, 8, 3, 3), real(1, 4, 3, 3)

    def sample(channel, y, z):
        total = 0
        for i in (numpy.floor(y), numpy.floor(y) + 1):
            for j in (numpy.floor(z), numpy.floor(z) + 1):
                if 0 <= i < 4 and 0 <= j < 4:
                    total += channel[int(i), int(j)] * (1 - abs(y - i)) * (1 - abs(z - j))
        return total
    out = numpy.zeros((1, 2, 3, 3))
    for o, i, j in numpy.ndindex(2, 3, 3):
        out[0, o, i, j] = b[o] + sum(
            w[o, c, p, q] * mask[0, 2 * p + q, i, j] * sample(
                x[0, c], i + p + offset[0, 4 * p + 2 * q, i, j], j + q + offset[0, 4 * p + 2 * q + 1, i, j])
            for c in range(2) for p in range(2) for q in range(2))
    yield "deform", "DeformConv", [x, w, offset, b, mask], [out], {"kernel_shape": [2, 2]}, 19

    picture = real(1, 1, 4, 6)
    near = picture[:, :, [0, 1, 3]][..., [0, 1, 3, 5]] * 0
    yield "aspect", "Resize", [picture, None, None, numpy.array([2, 9], L)], [picture[:, :, ::2, ::2]], {
        "axes": [2, 3], "keep_aspect_ratio_policy": "not_larger", "mode": "nearest", "nearest_mode": "floor",
        "coordinate_transformation_mode": "asymmetric"}, 18
    values = numpy.arange(32, dtype=F).reshape(1, 2, 4, 4)
    regions = numpy.array([[0, 0, 0, 3, 3], [0, 1, 1, 2, 2]], F)
    yield "max_roi", "MaxRoiPool", [values, regions], [
        numpy.stack([values[0, :, [[1], [3]], [1, 3]].transpose(2, 0, 1), values[0, :, [[1], [2]], [1, 2]].transpose(2, 0, 1)])], {
            "pooled_shape": [2, 2]}, 1
    yield "lp", "GlobalLpPool", [values], [numpy.sqrt((values ** 2).sum((2, 3), keepdims=True))], {}, 2
    x = real(2, 6, 1)
    spectrum = numpy.fft.fft(x[..., 0], axis=1)
    yield "dft", "DFT", [x, None, numpy.array(1, L)], [numpy.stack([spectrum.real, spectrum.imag], -1)], {}, 20


if __name__ == "__main__":
    for cases in (einsum, positions, pixels):
        for name, operator, inputs, outputs, *rest in cases():
            outputs = [y if y is None or y.dtype != numpy.float64 else y.astype(F) for y in outputs]
            write(os.path.join(sys.argv[1], "test_" + name), operator, inputs, outputs, *rest)
