#!/usr/bin/env python3
"""Writes cases with NaN among their elements: not_numbers.py FOLDER.

What they must give is computed here, with numpy, from ONNX's text. Where it says
nothing, the largest and the smallest of elements are NaN when one is, and among
elements in order NaN comes first.
"""

import os
import sys

import numpy
from quantization import write

random = numpy.random.RandomState(9)
KINDS = numpy.float32, numpy.float16, numpy.float64
L, NAN = numpy.int64, numpy.nan


def some(kind, *shape):
    """Halves, so that no kind rounds; NaN in each part of a vector, and at the ends."""
    x = random.randint(-6, 7, shape).astype(kind) / 2
    x.flat[[0, 7, 18, -1]] = NAN
    return x


def elementwise(kind):
    x, y = some(kind, 3, 37), some(kind, 3, 37)
    y[1] = x[1]
    one = kind(1)
    for name, result in {
            "Relu": numpy.maximum(x, 0), "Abs": abs(x), "Neg": -x, "Sign": numpy.sign(x), "Floor": numpy.floor(x),
            "Ceil": numpy.ceil(x), "Round": numpy.rint(x), "IsNaN": numpy.isnan(x),
            # Neither above nor below a bound.
            "ThresholdedRelu": numpy.where(x > 1, x, 0), "Shrink": numpy.where(x < -0.5, x, numpy.where(x > 0.5, x, 0)),
            "LeakyRelu": numpy.where(x < 0, x * kind(0.5), x), "HardSigmoid": numpy.clip(x * kind(0.5) + kind(0.5), 0, 1),
            "Elu": numpy.where(x < 0, numpy.expm1(x), x), "Tanh": numpy.tanh(x), "Exp": numpy.exp(x)}.items():
        given = {"LeakyRelu": {"alpha": 0.5}, "HardSigmoid": {"alpha": 0.5}, "ThresholdedRelu": {"alpha": 1.0}}.get(name, {})
        yield name.lower(), name, [x], [result.astype(bool if name == "IsNaN" else kind)], given, 13
    for name, result in {"Max": numpy.maximum(x, y), "Min": numpy.minimum(x, y), "PRelu": numpy.where(x < 0, x * y, x)}.items():
        yield name.lower(), name, [x, y], [result.astype(kind)], {}, 13
    yield "pow", "Pow", [x, numpy.zeros_like(x)], [(x ** 0).astype(kind)], {}, 13
    for name, result in {"Equal": x == y, "Less": x < y, "LessOrEqual": x <= y, "Greater": x > y, "GreaterOrEqual": x >= y}.items():
        yield name.lower(), name, [x, y], [result], {}, 16
    yield "clip", "Clip", [x, -one, one], [numpy.clip(x, -one, one)], {}, 13
    yield "clip_low", "Clip", [x, -one], [numpy.maximum(x, -one)], {}, 13
    yield "clip_early", "Clip", [x], [numpy.clip(x, -one, one)], {"min": -1.0, "max": 1.0}, 6
    yield "where", "Where", [x > y, x, y], [numpy.where(x > y, x, y)], {}, 16
    yield "truth", "Cast", [x], [x.astype(bool)], {"to": 9}, 13


def among(kind):
    """The place and value of each of `x` along the last axis, in order."""
    x = some(kind, 2, 3, 37)
    for name, result in {"ReduceMax": x.max(2), "ReduceMin": x.min(2), "ReduceSum": x.sum(2)}.items():
        operands = [x] if name != "ReduceSum" else [x, L([2])]
        yield name.lower(), name, operands, [result], {"keepdims": 0, **({} if len(operands) > 1 else {"axes": [2]})}, 13
    yield "reduce_outer", "ReduceMax", [x], [x.max((0, 1))], {"keepdims": 0, "axes": [0, 1]}, 13
    yield "argmax", "ArgMax", [x], [x.argmax(2)], {"axis": 2, "keepdims": 0}, 13
    yield "argmin", "ArgMin", [x], [x.argmin(2)], {"axis": 2, "keepdims": 0}, 13
    # Of equals the last one counts, but of NaN the first.
    for name, first, last in ("ArgMax", x.argmax(2), x[..., ::-1].argmax(2)), ("ArgMin", x.argmin(2), x[..., ::-1].argmin(2)):
        yield f"{name.lower()}_last", name, [x], [numpy.where(numpy.isnan(x).any(2), first, 36 - last)], {
            "axis": 2, "keepdims": 0, "select_last_index": 1}, 13
    for largest in (1, 0):
        key = numpy.where(numpy.isnan(x), -numpy.inf, -x if largest else x)
        places = numpy.argsort(key, 2, kind="stable")[..., :11]
        yield f"topk_{largest}", "TopK", [x, L([11])], [numpy.take_along_axis(x, places, 2), places], {
            "axis": 2, "largest": largest}, 11
    power = numpy.exp(x - x.max(2, keepdims=True))
    yield "softmax", "Softmax", [x], [(power / power.sum(2, keepdims=True)).astype(kind)], {"axis": 2}, 13


def pools(kind):
    x = some(kind, 2, 18, 7, 9)
    yield "max_pool", "MaxPool", [x], [
        numpy.stack([numpy.stack([x[:, :, i:i + 2, j:j + 3].max((2, 3)) for j in range(7)], -1) for i in range(6)], 2)], {
            "kernel_shape": [2, 3]}, 12
    yield "max_pool_apart", "MaxPool", [x], [
        numpy.stack([numpy.stack([x[:, :, i:i + 2, j:j + 3].max((2, 3)) for j in (0, 3, 6)], -1) for i in (0, 2, 4)], 2)], {
            "kernel_shape": [2, 3], "strides": [2, 3]}, 12
    yield "global_max_pool", "GlobalMaxPool", [x], [x.max((2, 3), keepdims=True)], {}, 1
    row = some(kind, 1, 3, 20)
    yield "max_pool_row", "MaxPool", [row], [numpy.stack([row[..., i:i + 3].max(2) for i in range(18)], 2)], {"kernel_shape": [3]}, 12


if __name__ == "__main__":
    for cases in (elementwise, among, pools):
        for kind in KINDS:
            for name, *case in cases(kind):
                write(os.path.join(sys.argv[1], f"test_{name}_{kind.__name__}"), *case)
