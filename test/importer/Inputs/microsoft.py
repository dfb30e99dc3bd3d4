#!/usr/bin/env python3
"""Writes cases of operators of com.microsoft: microsoft.py FOLDER.

What they must give is computed here from the pages of ONNX Runtime, with numpy.
"""

import os
import sys

import numpy
from quantization import F, W, write

random = numpy.random.RandomState(11)
L = numpy.int64


def real(*shape):
    return random.uniform(-2, 2, shape).astype(F)


erf = numpy.vectorize(__import__("math").erf)


def gelu(x):
    return (0.5 * x * (1 + erf(x / numpy.sqrt(2)))).astype(F)


def gelu_tanh(x):
    return 0.5 * x * (1 + numpy.tanh(0.7978845608028654 * (x + 0.044715 * x ** 3)))


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def softmax(x):
    power = numpy.exp(x - x.max(-1, keepdims=True))
    return power / power.sum(-1, keepdims=True)


def layer_norm(x, scale, bias, epsilon=1e-12):
    centred = x - x.mean(-1, keepdims=True)
    return centred / numpy.sqrt((centred ** 2).mean(-1, keepdims=True) + epsilon) * scale + bias


def rms_norm(x, scale, epsilon=1e-12):
    return x / numpy.sqrt((x ** 2).mean(-1, keepdims=True) + epsilon) * scale


def heads(x, count):
    return x.reshape(*x.shape[:2], count, -1).transpose(0, 2, 1, 3)


def rows(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def attend(q, k, v, added=0.0, scale=None, cap=0.0):
    """Scores may have fewer heads of keys than of queries."""
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat(group, 1), v.repeat(group, 1)
    scores = q @ k.swapaxes(2, 3) * (scale or 1 / numpy.sqrt(q.shape[3]))
    if cap:
        scores = cap * numpy.tanh(scores / cap)
    return softmax(scores + added) @ v


def causal(queries, keys):
    return numpy.triu(numpy.full((queries, keys), -1e30), 1 + keys - queries)


def turn(x, cosines, sines, side_by_side=False):
    """x: [batch, heads, rows, width]; angles [batch, rows, half]."""
    c, s = cosines[:, None], sines[:, None]
    half = c.shape[-1]
    one, two = (x[..., 0:2 * half:2], x[..., 1:2 * half:2]) if side_by_side else (
        x[..., :half], x[..., half:2 * half])
    first, second = one * c - two * s, one * s + two * c
    both = numpy.stack([first, second], -1).reshape(*first.shape[:-1], -1) if side_by_side else (
        numpy.concatenate([first, second], -1))
    return numpy.concatenate([both, x[..., 2 * half:]], -1)


def activations():
    x, b, ms = real(2, 3, 4), real(4), "com.microsoft."
    yield "fast_gelu", ms + "FastGelu", [x], [gelu_tanh(x)], {}, 1
    yield "fast_gelu_bias", ms + "FastGelu", [x, b], [gelu_tanh(x + b)], {}, 1
    yield "bias_gelu", ms + "BiasGelu", [x, b], [gelu(x + b)], {}, 1
    yield "gelu", ms + "Gelu", [x], [gelu(x)], {}, 1
    yield "quick_gelu", ms + "QuickGelu", [x], [x * sigmoid(1.5 * x)], {"alpha": 1.5}, 1
    p, q, c = real(3, 4), real(5, 4), real(5)
    yield "fused_matmul", ms + "FusedMatMul", [p, q], [0.5 * p @ q.T], {"alpha": 0.5, "transB": 1}, 1
    a, d = real(2, 4, 3), real(2, 4, 5)
    yield "fused_matmul_batch", ms + "FusedMatMul", [a, d], [a.swapaxes(1, 2) @ d], {"transA": 1}, 1
    product = 0.5 * p @ q.T + 2 * c
    yield "fused_gemm", ms + "FusedGemm", [p, q, c], [numpy.where(product < 0, F(0.2) * product, product)], {
        "alpha": 0.5, "beta": 2.0, "transB": 1, "activation": "LeakyRelu", "activation_alpha": 0.2}, 1
    image, filters, bias = real(1, 2, 4, 4), real(3, 2, 1, 1), real(3)
    sums = numpy.einsum("nchw,dc->ndhw", image, filters[:, :, 0, 0]) + bias[:, None, None]
    yield "fused_conv", ms + "FusedConv", [image, filters, bias], [numpy.clip(sums, -0.5, 0.75)], {
        "activation": "Clip", "activation_params": [-0.5, 0.75]}, 1
    more = real(1, 3, 4, 4)
    yield "fused_conv_sum", ms + "FusedConv", [image, filters, bias, more], [numpy.maximum(sums + more, 0)], {
        "activation": "Relu"}, 1


def normalizations():
    x, skip, scale, bias, more, ms = real(2, 3, 4), real(2, 3, 4), real(4), real(4), real(4), "com.microsoft."
    yield "simplified", "SimplifiedLayerNormalization", [x, scale], [rms_norm(x, scale, 1e-5)], {"epsilon": 1e-5}, 13
    yield "skip", ms + "SkipLayerNormalization", [x, skip, scale, bias], [layer_norm(x + skip, scale, bias)], {}, 1
    total = x + skip + more
    yield "skip_sum", ms + "SkipLayerNormalization", [x, skip, scale, bias, more], [
        layer_norm(total, scale, bias, 0.1), None, None, total], {"epsilon": 0.1}, 1
    yield "skip_plain", ms + "SkipLayerNormalization", [x, skip, scale], [layer_norm(x + skip, scale, 0)], {}, 1
    yield "skip_simplified", ms + "SkipSimplifiedLayerNormalization", [x, skip, scale, more], [
        rms_norm(total, scale), None, None, total], {}, 1
    ids, segments = random.randint(0, 6, (2, 3)).astype(W), random.randint(0, 2, (2, 3)).astype(W)
    words, places, parts, mask = real(6, 4), real(5, 4), real(2, 4), numpy.array([[1, 1, 0], [1, 1, 1]], W)
    total = words[ids] + places[:3] + parts[segments]
    yield "embed", ms + "EmbedLayerNormalization", [ids, segments, words, places, parts, scale, bias, mask], [
        layer_norm(total, scale, bias), mask.sum(1, dtype=W), total], {}, 1
    order = numpy.array([[2, 1, 0], [4, 3, 2]], W)
    yield "embed_places", ms + "EmbedLayerNormalization", [
        ids, None, words, places, None, scale, bias, None, order], [
            layer_norm(words[ids] + places[order], scale, bias), numpy.zeros(2, W)], {}, 1


def attention():
    name, n = "com.microsoft.Attention", {"num_heads": 2}
    x, w, b = real(2, 3, 4), real(4, 24), real(24)
    q, k, v = (heads(part, 2) for part in numpy.split(x @ w + b, 3, 2))
    yield "attention", name, [x, w, b], [rows(attend(q, k, v))], n, 1
    mask = numpy.array([[1, 1, 0], [1, 0, 1]], W)
    hidden = (1 - mask[:, None, None]) * F(-10000)
    yield "attention_mask", name, [x, w, b, mask], [rows(attend(q, k, v, hidden))], n, 1
    count = numpy.array([2, 3], W)
    beyond = (numpy.arange(3) >= count[:, None])[:, None, None] * F(-10000)
    yield "attention_count", name, [x, w, b, count], [rows(attend(q, k, v, beyond))], n, 1
    yield "attention_causal", name, [x, w, b], [rows(attend(q, k, v, causal(3, 3)))], {**n, "unidirectional": 1}, 1
    past, added = real(2, 2, 2, 5, 4), real(2, 2, 3, 8)
    k, v = numpy.concatenate([past[0], k], 2), numpy.concatenate([past[1], v], 2)
    yield "attention_past", name, [x, w, b, None, past], [
        rows(attend(q, k, v, causal(3, 8))), numpy.stack([k, v])], {**n, "unidirectional": 1}, 1

    name = "com.microsoft.MultiHeadAttention"
    q, k, v, b = real(2, 3, 8), real(2, 5, 8), real(2, 5, 12), real(28)
    each = lambda *xs: [heads(part, 2) for part in xs]
    yield "heads", name, [q, k, v], [rows(attend(*each(q, k, v)))], n, 1
    yield "heads_bias", name, [q, k, v, b], [
        rows(attend(*each(q + b[:8], k + b[8:16], v + b[16:]), scale=0.7))], {**n, "scale": 0.7}, 1
    mask, added = numpy.array([[1, 1, 0, 1, 0], [1, 0, 1, 1, 1]], W), real(1, 2, 3, 5)
    hidden = (1 - mask[:, None, None]) * F(-10000)
    yield "heads_mask", name, [q, k, v, None, mask, added], [rows(attend(*each(q, k, v), hidden + added))], n, 1
    p, s = real(2, 2, 4, 4), real(2, 2, 4, 4)
    v = real(2, 5, 8)
    hq, hk, hv = each(q, k, v)
    allk, allv = numpy.concatenate([p, hk], 2), numpy.concatenate([s, hv], 2)
    yield "heads_past", name, [q, k, v, None, None, None, p, s], [rows(attend(hq, allk, allv)), allk, allv], n, 1
    packed = numpy.stack([real(2, 3, 2, 4) for _ in range(3)], 3)
    # A cache with free rows: two of its four rows are filled, and the new ones follow.
    roomP, roomS = real(*p.shape[:2], 2 + k.shape[1] + 1, p.shape[3]), real(*s.shape[:2], 2 + k.shape[1] + 1, s.shape[3])
    filled = []
    for cache, new in ((roomP, heads(k, 2)), (roomS, heads(v, 2))):
        filled.append(cache.copy())
        filled[-1][:, :, 2:2 + k.shape[1]] = new
    seen = [cache[:, :, :2 + k.shape[1]] for cache in filled]
    yield "heads_shared", name, [q, k, v, None, None, None, roomP, roomS, numpy.array([2], W)], [
        rows(attend(hq, *seen)), *filled], n, 1
    yield "heads_packed", name, [packed], [
        rows(attend(*(packed[:, :, :, i].transpose(0, 2, 1, 3) for i in range(3))))], n, 1
    pair = packed[:, :, :, :2]
    yield "heads_pair", name, [q, pair], [
        rows(attend(hq, *(pair[:, :, :, i].transpose(0, 2, 1, 3) for i in range(2))))], n, 1


def rotated():
    x, table = real(2, 3, 8), random.uniform(-3, 3, (6, 2)).astype(F)
    c, s, order = numpy.cos(table), numpy.sin(table), numpy.array([[4, 0, 2], [1, 2, 3]], L)
    name = "com.microsoft.RotaryEmbedding"
    for side in (0, 1):
        yield f"rotary_{side}", name, [x, order, c, s], [
            rows(turn(heads(x, 2), c[order], s[order], side))], {"interleaved": side}, 1
        first = numpy.array([2], L)
        y = real(2, 2, 3, 4)
        yield f"rotary_from_{side}", name, [y, first, c, s], [
            turn(y, c[None, 2:5], s[None, 2:5], side)], {"interleaved": side}, 1


def grouped():
    name, n = "com.microsoft.GroupQueryAttention", {"num_heads": 4, "kv_num_heads": 2}
    q, k, v = real(2, 3, 64), real(2, 3, 32), real(2, 3, 32)
    hq, hk, hv = heads(q, 4), heads(k, 2), heads(v, 2)
    length, total = numpy.array([2, 2], W), numpy.array([3], W)
    prompt = [q, k, v, None, None, length, total]
    yield "grouped", name, prompt, [rows(attend(hq, hk, hv, causal(3, 3))), hk, hv], n, 1
    yield "grouped_cap", name, prompt, [
        rows(attend(hq, hk, hv, causal(3, 3), 0.4, 2.0)), hk, hv], {**n, "scale": 0.4, "softcap": 2.0}, 1
    near = causal(3, 3) + numpy.tril(numpy.full((3, 3), -1e30), -2)
    yield "grouped_window", name, prompt, [
        rows(attend(hq, hk, hv, near)), hk, hv], {**n, "local_window_size": 2}, 1
    # One more key, of score 0 or the head's own score, which has no value.
    scores = hq @ hk.repeat(2, 1).swapaxes(2, 3) / 4 + causal(3, 3)
    sink = real(4)
    for word, extra, given in (("smooth", numpy.zeros(4, F), {"smooth_softmax": 1}), ("sink", sink, {})):
        column = numpy.broadcast_to(extra[:, None, None], (2, 4, 3, 1))
        share = softmax(numpy.concatenate([scores, column], 3))[..., :3]
        more = [None] * 4 + [extra] if word == "sink" else []
        yield "grouped_" + word, name, prompt + more, [rows(share @ hv.repeat(2, 1)), hk, hv], {**n, **given}, 1
    packed = numpy.concatenate([q, k, v], 2)
    yield "grouped_packed", name, [packed, None, None, None, None, length, total], [
        rows(attend(hq, hk, hv, causal(3, 3))), hk, hv], n, 1
    table = random.uniform(-3, 3, (9, 8)).astype(F)
    c, s = numpy.cos(table), numpy.sin(table)
    for side in (0, 1):
        tq, tk = (turn(x, c[None, :3], s[None, :3], side) for x in (hq, hk))
        yield f"grouped_rotary_{side}", name, [*prompt, c, s], [
            rows(attend(tq, tk, hv, causal(3, 3))), tk, hv], {**n, "do_rotary": 1, "rotary_interleaved": side}, 1
    # One more row behind five and behind five again.
    q, k, v, pk, pv = real(2, 1, 64), real(2, 1, 32), real(2, 1, 32), real(2, 2, 5, 16), real(2, 2, 5, 16)
    hq, hk, hv = heads(q, 4), heads(k, 2), heads(v, 2)
    tq, tk = (turn(x, c[None, 5:6], s[None, 5:6]) for x in (hq, hk))
    allk, allv = numpy.concatenate([pk, tk], 2), numpy.concatenate([pv, hv], 2)
    yield "grouped_next", name, [q, k, v, pk, pv, numpy.array([5, 5], W), numpy.array([6], W), c, s], [
        rows(attend(tq, allk, allv)), allk, allv], {**n, "do_rotary": 1}, 1


if __name__ == "__main__":
    for cases in (activations, normalizations, attention, rotated, grouped):
        for name, operator, inputs, outputs, *rest in cases():
            outputs = [y if y is None or y.dtype != numpy.float64 else y.astype(F) for y in outputs]
            write(os.path.join(sys.argv[1], "test_" + name), operator, inputs, outputs, *rest)
