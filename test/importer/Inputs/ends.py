#!/usr/bin/env python3
"""Writes cases at the ends of what kinds hold: ends.py FOLDER.

Infinities, the least and the largest numbers of each kind, and axes of size 0.
Expected results are computed here, with numpy, from ONNX's text.
"""

import os
import sys

import numpy
from quantization import write

random = numpy.random.RandomState(4)
L = numpy.int64
FLOATS = numpy.float32, numpy.float16, numpy.float64
WHOLE = tuple(numpy.dtype(code).type for code in ("i1", "u1", "i4", "i8", "u4", "u8"))
INF = numpy.inf


def least(kind):
    return -INF if kind in FLOATS else numpy.iinfo(kind).min


def most(kind):
    return INF if kind in FLOATS else numpy.iinfo(kind).max


def ends(kind):
    """Rows of one end, of both, and of either among others."""
    info = numpy.finfo(kind) if kind in FLOATS else numpy.iinfo(kind)
    low, high, below, above = kind(info.min), kind(info.max), kind(least(kind)), kind(most(kind))
    some = random.randint(0, 5, (8, 5)).astype(kind)
    some[0], some[1], some[2], some[3] = below, above, low, high
    some[4, 1], some[5, 2], some[6, 3] = below, above, low
    some[7] = low, high, below, above, 0
    return some


def log_sum_exp(x, axis):
    """Of an infinite row the sum of powers is that of what is not lost."""
    largest = x.max(axis, keepdims=True, initial=-INF)
    shift = numpy.where(numpy.isfinite(largest), largest, 0)
    return numpy.log(numpy.exp(x - shift).sum(axis)) + shift.squeeze(axis)


def reductions(kind):
    x = ends(kind)
    for name, function in ("ReduceMax", numpy.max), ("ReduceMin", numpy.min):
        yield name, name, [x], [function(x, 1)], {"axes": [1], "keepdims": 0}, 13
        yield name + "_outer", name, [x], [function(x, 0, keepdims=True)], {"axes": [0]}, 13
    if kind in FLOATS:
        wide = x.astype(numpy.float64)
        yield "log_sum_exp", "ReduceLogSumExp", [x], [log_sum_exp(wide, 1).astype(kind)], {"axes": [1], "keepdims": 0}, 13
        finite = x[4:7]
        yield "sum", "ReduceSum", [finite, L([1])], [finite.sum(1)], {"keepdims": 0}, 13
        yield "sum_square", "ReduceSumSquare", [x[:2]], [(x[:2] * x[:2]).sum(1)], {"axes": [1], "keepdims": 0}, 13
    for name in "ArgMax", "ArgMin":
        place = getattr(numpy, name.lower())(x, 1)
        yield name, name, [x], [place], {"axis": 1, "keepdims": 0}, 13
    for largest in 1, 0:
        wide = x.astype(object)
        order = [sorted(range(5), key=lambda i: (-row[i] if largest else row[i], i))[:3] for row in wide]
        order = L(order)
        yield f"TopK_{largest}", "TopK", [x, L([3])], [numpy.take_along_axis(x, order, 1), order], {"largest": largest}, 11


def empty(kind):
    """Reductions over an axis without elements are the identity elements."""
    x = numpy.zeros((2, 0, 3), kind)
    full = lambda value: numpy.full((2, 3), value, kind)
    cases = {"ReduceMax": full(least(kind)), "ReduceMin": full(most(kind)), "ReduceSumSquare": full(0),
             "ReduceProd": full(1), "ReduceL1": full(0)}
    if kind in FLOATS:
        cases.update({"ReduceL2": full(0), "ReduceLogSum": full(-INF), "ReduceLogSumExp": full(-INF)})
    for name, result in cases.items():
        yield name, name, [x], [result], {"axes": [1], "keepdims": 0}, 13
    yield "ReduceSum", "ReduceSum", [x, L([1])], [full(0)], {"keepdims": 0}, 13


def pooled(x, pads, order):
    """The largest of each window of 2x3, and its place in the whole tensor."""
    kind = x.dtype.type
    n, c, h, w = x.shape
    padded = numpy.full((n, c, h + 2 * pads, w + 2 * pads), least(kind), kind)
    places = numpy.full(padded.shape, -1)
    inside = (..., slice(pads, pads + h), slice(pads, pads + w))
    padded[inside] = x
    count = numpy.arange(x.size).reshape(n, c, w, h).swapaxes(2, 3) if order else numpy.arange(x.size).reshape(x.shape)
    places[inside] = count
    y = numpy.zeros((n, c, (h + 2 * pads - 2) // 2 + 1, (w + 2 * pads - 3) // 2 + 1), kind)
    index = numpy.zeros(y.shape, L)
    for at in numpy.ndindex(y.shape):
        i, j = 2 * at[2], 2 * at[3]
        window = (at[0], at[1], slice(i, i + 2), slice(j, j + 3))
        values, where = padded[window].ravel(), places[window].ravel()
        values, where = values[where >= 0], where[where >= 0]
        y[at], index[at] = values.max(), where[values.argmax()]
    return y, index


def pools(kind):
    if kind not in FLOATS and kind not in (numpy.int8, numpy.uint8):
        return
    lowest = numpy.full((2, 3, 4, 5), least(kind), kind)
    some = random.randint(0, 2, (2, 3, 4, 5)).astype(kind)
    some[:, 0] = numpy.where(some[:, 0], kind(least(kind)), some[:, 0])
    some[:, 1] = numpy.where(some[:, 1], kind(most(kind)), some[:, 1])
    for name, x in ("lowest", lowest), ("some", some):
        for pads in 0, 1:
            for order in 0, 1:
                y, index = pooled(x, pads, order)
                given = {"kernel_shape": [2, 3], "strides": [2, 2], "pads": [pads] * 4, "storage_order": order}
                yield f"MaxPool_{name}_{pads}_{order}", "MaxPool", [x], [y, index], given, 12


def elementwise(kind):
    x, y = ends(kind), ends(kind)[::-1].copy()
    zero = kind(0)
    unsigned = numpy.dtype(kind).kind == "u"
    yield "Max", "Max", [x, y], [numpy.maximum(x, y)], {}, 13
    yield "Min", "Min", [x, y], [numpy.minimum(x, y)], {}, 13
    yield "Clip", "Clip", [x, zero, kind(3)], [numpy.clip(x, 0, kind(3))], {}, 13
    if kind not in (numpy.uint8, numpy.uint32, numpy.uint64):
        yield "Abs", "Abs", [x], [abs(x)], {}, 13
        yield "Sign", "Sign", [x], [numpy.sign(x)], {}, 13
        yield "Relu", "Relu", [x], [numpy.maximum(x, zero)], {}, 14
    if not unsigned:
        yield "Neg", "Neg", [x], [-x], {}, 13
    yield "Less", "Less", [x, y], [x < y], {}, 13
    yield "Equal", "Equal", [x, y], [x == y], {}, 13
    if kind in FLOATS:
        wide = x.astype(numpy.longdouble)
        for name, result in {
                "Softplus": numpy.where(wide > 0, wide, 0) + numpy.log1p(numpy.exp(-abs(wide))),
                "Elu": numpy.where(wide < 0, numpy.expm1(wide), wide), "Sigmoid": 1 / (1 + numpy.exp(-wide)),
                "Exp": numpy.exp(wide), "Tanh": numpy.tanh(wide),
                "HardSigmoid": numpy.clip(wide * numpy.float32(0.2) + 0.5, 0, 1)}.items():
            yield name, name, [x], [result.astype(kind)], {}, 13


if __name__ == "__main__":
    with numpy.errstate(all="ignore"):
        for cases in (reductions, empty, pools, elementwise):
            for kind in FLOATS + WHOLE:
                for name, *case in cases(kind):
                    write(os.path.join(sys.argv[1], f"test_{cases.__name__}_{name.lower()}_{kind.__name__}"), *case)
