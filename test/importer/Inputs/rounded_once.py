#!/usr/bin/env python3
"""Writes cases of f16 whose steps build on each other: rounded_once.py FOLDER.

A node keeps the digits of its steps: what it gives is rounded once, from numbers that are
computed here in f64.
"""

import os
import sys

import numpy
from quantization import write

random = numpy.random.RandomState(12)
H, D = numpy.float16, numpy.float64


def some(*shape, low=-1.0, high=1.0):
    return random.uniform(low, high, shape).astype(H)


def linear_attention():
    """ONNX's four rules, a hundred steps of two heads."""
    b, t, h, k, v = 2, 100, 2, 8, 6
    for rule in "linear", "gated", "delta", "gated_delta":
        q, key, value = some(b, t, h, k), some(b, t, h, k, low=-0.4, high=0.4), some(b, t, h, v)
        decay, rate = some(b, t, h, low=-0.1, high=0.0), some(b, t, h, low=0.0)
        state = some(b, h, k, v)
        s, out = state.astype(D), numpy.zeros((b, t, h, v))
        for i in range(t):
            if rule.startswith("gated"):
                s = s * numpy.exp(decay[:, i].astype(D))[..., None, None]
            new = value[:, i].astype(D)
            if rule.endswith("delta"):
                new = rate[:, i, :, None] * (new - numpy.einsum("bhk,bhkv->bhv", key[:, i].astype(D), s))
            s = s + key[:, i].astype(D)[..., None] * new[:, :, None]
            out[:, i] = numpy.einsum("bhk,bhkv->bhv", q[:, i].astype(D), s) / numpy.sqrt(k)
        flat = lambda x: x.reshape(b, t, -1)
        inputs = [flat(q), flat(key), flat(value), state, decay if rule.startswith("gated") else None,
                  rate if rule.endswith("delta") else None]
        while inputs[-1] is None:
            inputs.pop()
        yield rule, "LinearAttention", inputs, [flat(out).astype(H), s.astype(H)], {
            "q_num_heads": h, "kv_num_heads": h, "update_rule": rule}, 27


def sums():
    """Of many terms, which are added to what a place holds."""
    data, updates = numpy.zeros((4, 3), H), some(500, 3, low=0.0)
    places = random.randint(0, 4, (500, 1))
    total = data.astype(D)
    numpy.add.at(total, places[:, 0], updates.astype(D))
    yield "scatter", "ScatterND", [data, places, updates], [total.astype(H)], {"reduction": "add"}, 16
    x = some(3, 300, low=0.0)
    yield "cumulative", "CumSum", [x, numpy.int64(1)], [x.astype(D).cumsum(1).astype(H)], {}, 14


def means():
    """Of sums, and powers, that f16 does not hold."""
    x = [some(4, 5, low=33000.0, high=40000.0) for _ in range(3)]
    yield "mean", "Mean", x, [(sum(a.astype(D) for a in x) / 3).astype(H)], {}, 13
    x[2] = -x[2]
    yield "sum", "Sum", x, [sum(a.astype(D) for a in x).astype(H)], {}, 13
    x = some(2, 3, 4, 5, low=60.0, high=300.0)
    for p in 1, 2, 3:
        power = (x.astype(D) ** p).sum((2, 3), keepdims=True)
        yield f"global_{p}", "GlobalLpPool", [x], [(power ** (1 / p)).astype(H)], {"p": p}, 2


if __name__ == "__main__":
    for cases in linear_attention, sums, means:
        for name, *case in cases():
            write(os.path.join(sys.argv[1], f"test_{cases.__name__}_{name}"), *case)
