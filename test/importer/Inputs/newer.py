#!/usr/bin/env python3
"""Writes cases of operators that the packaged test data is too old for: newer.py
FOLDER, and of some that it has few of.

What they must give is computed here from ONNX's definitions, with numpy.
"""

import math
import os
import sys

import numpy
from onnx import TensorProto, helper
from microsoft import F, L, W, attend, causal, heads, real, rows, sigmoid, softmax, turn
from quantization import write, write_graph

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


def visible(queries, keys, past, given):
    """Which keys a query sees, by where it stands."""
    apart = numpy.arange(keys) - (past + numpy.arange(queries)[:, None])
    left, right = given.get("left_window_size", -1), given.get("right_window_size", -1)
    seen = (left < 0) | (-apart <= left)
    return seen & ((right < 0) | (apart <= right)) & (not given.get("is_causal") or apart <= 0)


def attend_places(q, k, v, seen):
    """A query that sees nothing gives 0."""
    return numpy.where(seen.any(-1)[..., None], attend(q, k, v, numpy.where(seen, 0, -1e30)), 0).astype(F)


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

    for name, given, opset in (("left", {"left_window_size": 1}, 25), ("right", {"right_window_size": 2}, 25),
                               ("both", {"left_window_size": 0, "right_window_size": 1}, 25),
                               ("causal", {"left_window_size": 1, "right_window_size": 2, "is_causal": 1}, 25)):
        yield f"attention_window_{name}", "Attention", [q, k, v], [attend_places(q, k, v, visible(3, 5, 0, given))], given, opset
    given = {"left_window_size": 2, "is_causal": 1}
    yield "attention_window_past", "Attention", [q, k, v, None, pk, pv], [
        attend_places(q, allk, allv, visible(3, 9, 4, given)), allk, allv], given, 25
    # With an external cache, the last query is at the last valid key; the first query of one image sees no key.
    count = numpy.array([2, 5], L)
    places = numpy.stack([visible(3, 5, n - 3, {"is_causal": 1}) for n in count])[:, None]
    yield "attention_cache", "Attention", [q, k, v, None, None, None, count], [
        attend_places(q, k, v, places)], {"is_causal": 1}, 24
    places = numpy.stack([visible(3, 5, n - 3, {"left_window_size": 1, "is_causal": 1}) for n in count])[:, None]
    yield "attention_cache_window", "Attention", [q, k, v, None, None, None, count], [
        attend_places(q, k, v, places)], {"left_window_size": 1, "is_causal": 1}, 25
    blind = numpy.ones((3, 5), bool)
    blind[1] = False
    yield "attention_blind", "Attention", [q, k, v, blind], [attend_places(q, k, v, blind)], {}, 23
    yield "attention_blind_added", "Attention", [q, k, v, numpy.where(blind, F(0), F(-numpy.inf))], [
        attend_places(q, k, v, blind)], {}, 23
    masked = numpy.where(numpy.tril(numpy.ones((3, 5), bool)), raw, F(-numpy.inf))
    yield "attention_masked_scores", "Attention", [q, k, v], [
        attend_places(q, k, v, numpy.tril(numpy.ones((3, 5), bool))), None, None, masked], {"is_causal": 1, "qk_matmul_output_mode": 2}, 23
    # Scores that f16 holds; of their softmax it does not hold the sum of powers.
    half = [x.astype(numpy.float16) for x in (q.round(), k.round(), v)]
    # Results are rounded once: the product reads shares that are not rounded.
    share = softmax(0.25 * half[0].astype(F) @ half[1].astype(F).repeat(2, 1).swapaxes(2, 3))
    yield "attention_precision", "Attention", half, [
        (share @ half[2].astype(F).repeat(2, 1)).astype(numpy.float16), None, None, share.astype(numpy.float16)], {
            "scale": 0.25, "softmax_precision": 1, "qk_matmul_output_mode": 3}, 23

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
    line = real(2, 5, 4)
    for alpha in (1.0, 1.5):
        yield f"swiglu_{alpha}", "SwiGLU", [x, line], [x * sigmoid(F(alpha) * x) * line], {"alpha": alpha}, 28
    blocks = real(1, 3, 4, 6)
    cut = blocks.reshape(1, 3, 2, 2, 3, 2)
    for mode, order in (("DCR", (0, 3, 5, 1, 2, 4)), ("CRD", (0, 1, 3, 5, 2, 4))):
        yield "to_depth_" + mode, "SpaceToDepth", [blocks], [cut.transpose(order).reshape(1, 12, 2, 3)], {
            "blocksize": 2, "mode": mode}, 28
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


def kernel(t, cubic):
    a, t = -0.75, abs(t)
    if not cubic:
        return max(0, 1 - t)
    return ((a + 2) * t - (a + 3)) * t * t + 1 if t <= 1 else ((a * t - 5 * a) * t + 8 * a) * t - 4 * a if t < 2 else 0


def smoothed(x, axis, to, scale, cubic=False, where=lambda o, s: (o + 0.5) / s - 0.5, inside=False):
    """Each element of the result a mean of those around, the border going on outside."""
    size, near, reach = x.shape[axis], min(scale, 1), int(2 / min(scale, 1)) + 3
    matrix = numpy.zeros((to, size))
    for o in range(to):
        at = where(o, scale)
        for i in range(int(at) - reach, int(at) + reach + 2):
            if not inside or 0 <= i < size:
                matrix[o, min(max(i, 0), size - 1)] += kernel((i - at) * near, cubic)
        matrix[o] /= matrix[o].sum()
    return numpy.moveaxis(numpy.tensordot(x, matrix, (axis, 1)), -1, axis)


def resized():
    x = real(1, 2, 7, 9)
    half = numpy.array([1, 1, 0.6, 0.5], F)
    both = lambda *more, **rest: smoothed(smoothed(x, 2, 4, F(0.6), *more, **rest), 3, 4, 0.5, *more, **rest)
    yield "antialias", "Resize", [x, None, half], [both()], {"antialias": 1, "mode": "linear"}, 18
    yield "antialias_cubic", "Resize", [x, None, half], [both(True)], {"antialias": 1, "mode": "cubic"}, 18
    yield "antialias_inside", "Resize", [x, None, half], [both(True, inside=True)], {
        "antialias": 1, "mode": "cubic", "exclude_outside": 1}, 18
    yield "antialias_asymmetric", "Resize", [x, None, half], [both(where=lambda o, s: o / s)], {
        "antialias": 1, "mode": "linear", "coordinate_transformation_mode": "asymmetric"}, 18
    yield "antialias_corners", "Resize", [x, None, None, numpy.array([4, 12], L)], [
        smoothed(smoothed(x, 2, 4, 4 / 7, where=lambda o, s: o * 2.0), 3, 12, 12 / 9, where=lambda o, s: o * 8 / 11)], {
            "antialias": 1, "mode": "linear", "axes": [2, 3], "coordinate_transformation_mode": "align_corners"}, 18


def cropped(x, axis, to, begin, end, mode, nearest=None, inside=False, other=0.0, antialias=False):
    """Elements at even distances on the way from `begin` to `end` of an axis."""
    last = x.shape[axis] - 1
    near = min(to / (last + 1), 1) if antialias else 1
    reach = int(2 / near) + 2
    parts = []
    for o in range(to):
        way = (o / (to - 1)) if to > 1 else 0.5
        at = (begin + way * (end - begin)) * last
        total, weight = 0.0, 0.0
        for i in ([nearest(at)] if mode == "nearest" else range(int(at) - reach, int(at) + reach + 2)):
            share = 1.0 if mode == "nearest" else kernel((i - at) * near, mode == "cubic")
            if not inside or 0 <= i <= last:
                total = total + share * numpy.take(x, int(min(max(i, 0), last)), axis)
                weight += share
        parts.append(total / weight if 0 <= at <= last else numpy.full_like(total, other))
    return numpy.stack(parts, axis)


def crops():
    x = real(3, 5, 6)
    box = numpy.array([0.1, 0.2, -0.1, 1.0, 0.9, 0.8], F)
    common = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 2.5}
    to = [2, 4, 5]

    def all_axes(**more):
        y = x.astype(numpy.float64)
        for axis in range(3):
            y = cropped(y, axis, to[axis], float(box[axis]), float(box[3 + axis]), other=2.5, **more)
        return y
    for mode, inside in ("linear", 0), ("cubic", 0), ("cubic", 1):
        yield f"crop_{mode}{inside}", "Resize", [x, box, None, numpy.array(to, L)], [all_axes(mode=mode, inside=inside)], {
            "mode": mode, "exclude_outside": inside, **common}, 19
    for name, rule in {"floor": math.floor, "ceil": math.ceil, "round_prefer_floor": lambda at: math.ceil(at - 0.5),
                       "round_prefer_ceil": lambda at: math.floor(at + 0.5)}.items():
        yield f"crop_{name}", "Resize", [x, box, None, numpy.array(to, L)], [all_axes(mode="nearest", nearest=rule)], {
            "mode": "nearest", "nearest_mode": name, **common}, 19
    for mode, inside in ("linear", 0), ("linear", 1), ("cubic", 0), ("cubic", 1):
        yield f"crop_antialias_{mode}{inside}", "Resize", [x, box, None, numpy.array(to, L)], [
            all_axes(mode=mode, inside=inside, antialias=True)], {
                "mode": mode, "exclude_outside": inside, "antialias": 1, **common}, 19
    deep = real(1, 2, 1, 2, 3, 1, 2, 6)
    yield "crop_last_of_eight", "Resize", [deep, numpy.array([0.1, 0.9], F), None, numpy.array([4], L)], [
        cropped(deep, 7, 4, float(F(0.1)), float(F(0.9)), "linear")], {"mode": "linear", "axes": [7], **common}, 19
    yield "antialias_last_of_eight", "Resize", [deep, None, numpy.array([0.5], F)], [smoothed(deep, 7, 3, 0.5)], {
        "mode": "linear", "axes": [7], "antialias": 1}, 19
    part = numpy.array([0.25, 0.5], F)
    yield "crop_one_axis", "Resize", [x, part, None, numpy.array([1], L)], [
        cropped(x, 1, 1, 0.25, 0.5, "linear")], {"mode": "linear", "axes": [1], **common}, 19


def mirrored(at, low, high):
    while not low <= at <= high:
        at = 2 * low - at if at < low else 2 * high - at
    return at


def solid():
    x, grid = real(2, 3, 3, 4, 5), random.uniform(-1.3, 1.3, (2, 2, 3, 2, 3)).astype(F)

    def sample(image, spot, mode, padding, align):
        places = []
        for g, size in zip(spot[::-1], image.shape[1:]):
            at = (g + 1) * (size - 1) / 2 if align else ((g + 1) * size - 1) / 2
            if padding == "border":
                at = min(max(at, 0), size - 1)
            if padding == "reflection":
                at = mirrored(at, 0, size - 1) if align else mirrored(at, -0.5, size - 0.5)
            first = numpy.floor(at) - (mode == "cubic")
            pixels = [numpy.rint(at)] if mode == "nearest" else [first + i for i in range(4 if mode == "cubic" else 2)]
            shares = [1] if mode == "nearest" else [kernel(at - i, mode == "cubic") for i in pixels]
            if padding == "reflection":
                pixels = [mirrored(i, 0, size - 1) if align else mirrored(i, -0.5, size - 0.5) for i in pixels]
            places.append(list(zip(pixels, shares)))
        total = 0
        for d, u in places[0]:
            for h, v in places[1]:
                for w, t in places[2]:
                    spot = [int(d), int(h), int(w)]
                    outside = any(not 0 <= i < n for i, n in zip(spot, image.shape[1:]))
                    if padding != "zeros" or not outside:
                        total = total + image[(slice(None), *(min(max(i, 0), n - 1) for i, n in zip(spot, image.shape[1:])))] * (u * v * t)
        return total if isinstance(total, numpy.ndarray) else numpy.zeros(3, F)

    for mode, padding, align in (("linear", "zeros", 0), ("linear", "border", 1), ("linear", "reflection", 0),
                                 ("nearest", "zeros", 1), ("nearest", "reflection", 1),
                                 ("cubic", "zeros", 0), ("cubic", "border", 1), ("cubic", "reflection", 0)):
        out = numpy.zeros((2, 3, 2, 3, 2), F)
        for n, d, h, w in numpy.ndindex(2, 2, 3, 2):
            out[n, :, d, h, w] = sample(x[n], grid[n, d, h, w].astype(float), mode, padding, align)
        yield f"solid_{mode}_{padding}", "GridSample", [x, grid], [out], {
            "mode": mode, "padding_mode": padding, "align_corners": align}, 20


def largest():
    """Of the samples of a region, where pixels are at whole numbers."""
    columns = numpy.tile(numpy.arange(4, dtype=F), (1, 1, 4, 1))
    yield "roi_max", "RoiAlign", [columns, F([[0, 0, 4, 2]]), L([0])], [F([[[[1, 3]]]])], {
        "output_width": 2, "mode": "max"}, 16


def states():
    q, k, v = real(2, 5, 12), real(2, 5, 6), real(2, 5, 8)
    past, decay, wide, beta = real(2, 2, 3, 4), -abs(real(2, 5, 2)), -abs(real(2, 5, 6)), sigmoid(real(2, 5, 2))
    for rule, gate, rate, start in (("linear", None, None, None), ("gated", decay, None, past), ("gated", wide, None, None),
                                    ("delta", None, beta, past), ("gated_delta", wide, beta[..., :1], past)):
        state = numpy.zeros((2, 2, 3, 4)) if start is None else start.astype(float)
        out = numpy.zeros((2, 5, 4, 4))
        for t in range(5):
            row_q, row_k, row_v = q[:, t].reshape(2, 2, 2, 3), k[:, t].reshape(2, 2, 3, 1), v[:, t].reshape(2, 2, 1, 4)
            if gate is not None:
                state = state * numpy.exp(gate[:, t].reshape(2, 2, -1, 1))
            if rate is not None:
                row_v = rate[:, t].reshape(2, -1, 1, 1) * (row_v - row_k.swapaxes(2, 3) @ state)
            state = state + row_k @ row_v
            out[:, t] = (row_q @ state / numpy.sqrt(3)).reshape(2, 4, 4)
        yield f"state_{rule}_{'wide' if gate is wide else 'head'}", "LinearAttention", [q, k, v, start, gate, rate], [
            out.reshape(2, 5, 16), state], {"q_num_heads": 4, "kv_num_heads": 2, "update_rule": rule}, 27


def bits():
    x = real(2, 3)
    yield "bits", "BitCast", [x], [x.view(numpy.int32)], {"to": 6}, 26
    yield "bits_back", "BitCast", [x.view(numpy.uint32)], [x], {"to": 1}, 26
    yield "bits_small", "BitCast", [numpy.array([1, 200], numpy.uint8)], [numpy.array([1, -56], numpy.int8)], {"to": 3}, 26
    yield "bits_truth", "BitCast", [numpy.array([0, 1, 2], numpy.uint8)], [numpy.array([False, True, True])], {"to": 9}, 26
    for kind in (numpy.int8, numpy.int32, numpy.int64):
        x, n = numpy.array([-8, -1, 100, -128, 5, -3, 7], kind), numpy.array([1, 3, 2, 70, 66, -1, -2], kind)
        outside = (n < 0) | (n > 63)
        yield f"shift_right_{kind.__name__}", "BitShift", [x, n], [numpy.where(outside, numpy.where(x < 0, -1, 0), x >> numpy.where(outside, 0, n)).astype(kind)], {
            "direction": "RIGHT"}, 28
        yield f"shift_left_{kind.__name__}", "BitShift", [x, n], [numpy.where(outside, 0, x << numpy.where(outside, 0, n)).astype(kind)], {
            "direction": "LEFT"}, 28
    halves = real(4).astype(numpy.float16)
    yield "bits_halves", "BitCast", [halves], [halves.view(numpy.uint16)], {"to": 4}, 26
    ends = [numpy.array(x, numpy.float16) for x in (1, 3, 0.25)]
    yield "range_halves", "Range", ends, [numpy.arange(1, 3, 0.25, numpy.float16)], {"stash_type": 1}, 27
    a, b, c, d, e = real(2, 3), real(3, 2), real(2), real(3, 3), real(2, 2)
    yield "einsum_five", "Einsum", [a, b, c, d, e], [numpy.einsum("ij,jk,k,jj,ik->i", a, b, c, d, e)], {
        "equation": "ij,jk,k,jj,ik->i"}, 28
    eight = [real(2) for _ in range(8)]
    equation = ",".join("abcdabcd") + "->da"
    yield "einsum_eight", "Einsum", eight, [numpy.einsum(equation, *eight)], {"equation": equation}, 28
    p, q = real(2, 3, 3), real(2, 4)
    yield "einsum_diagonal", "Einsum", [p, q], [numpy.einsum("...ii,...j->...ij", p, q)], {"equation": "...ii,...j->...ij"}, 28


def widened(folder):
    """Opset 28 has the operators below for bfloat16 too, which numpy has not: they stand between casts,
    and the numbers are such that nothing is rounded."""
    x, y = numpy.array([[3, -5, 7], [-2, 4, 6]], F), numpy.array([[2, 2, -4], [2, -8, 4]], F)
    names = numpy.array([2, 0], L)
    for op, inputs, result, given in (
            ("Einsum", [x, y], numpy.einsum("ij,kj->ik", x, y), {"equation": "ij,kj->ik"}),
            ("Mod", [x, y], numpy.fmod(x, y), {"fmod": 1}),
            ("Celu", [abs(x)], abs(x), {"alpha": 2.0}),
            ("OneHot", [names, numpy.array(3, L), numpy.array([-1, 8], F)], numpy.where(names[:, None] == range(3), F(8), F(-1)), {}),
            ("ReverseSequence", [x, names], numpy.stack([x[0, [1, 0, 2]], x[1]]), {"batch_axis": 0, "time_axis": 1})):
        nodes, operands = [], []
        for i, array in enumerate(inputs):
            operands.append(f"x{i}" if array.dtype != F else f"b{i}")
            if array.dtype == F:
                nodes.append(helper.make_node("Cast", [f"x{i}"], [f"b{i}"], to=TensorProto.BFLOAT16))
        nodes += [helper.make_node(op, operands, ["b"], **given), helper.make_node("Cast", ["b"], ["y0"], to=1)]
        write_graph(os.path.join(folder, "test_widened_" + op.lower()), op, nodes, [(f"x{i}", a) for i, a in enumerate(inputs)],
                    [("y0", result)], "", 28)


if __name__ == "__main__":
    widened(sys.argv[1])
    for cases in (einsum, positions, pixels, resized, crops, solid, largest, states, bits):
        for name, operator, inputs, outputs, *rest in cases():
            outputs = [y if y is None or y.dtype != numpy.float64 else y.astype(F) for y in outputs]
            write(os.path.join(sys.argv[1], "test_" + name), operator, inputs, outputs, *rest)
