#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models whose loops are index notation, with the results of numpy: scans.py DIR."""

import os
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stages"))
# pylint: disable=wrong-import-position
from make import BOOL, I64, array, graph, model, node, numbers, save, value


def selective(steps=7, width=6, states=5):
    """A state space with coefficients of its input; its rows are read in a sum."""
    body = graph(
        [node("Mul", "delta a", "da"), node("Exp", "da", "decay"), node("Mul", "s decay", "kept"),
         node("Mul", "delta row", "dx"), node("Mul", "dx b", "new"),
         node("Add", "kept new", "s1"), node("Mul", "s1 c", "sc"),
         node("ReduceSum", "sc last", "out", keepdims=0)],
        [value("s", [width, states]), value("row", [width, 1]), value("delta", [width, 1]),
         value("b", [1, states]), value("c", [1, states])],
        [value("s1", [width, states]), value("out", [width])])
    a = -numpy.abs(numbers(width, states))
    x = numbers(steps, width, 1)
    deltas, b, c = numpy.abs(x) / 9, x[:, :1] * numbers(1, 1, states), numbers(steps, 1, states)
    s, ys = numpy.zeros((width, states), "f"), []
    for t in range(steps):
        s = s * numpy.exp(deltas[t] * a) + deltas[t] * x[t] * b[t]
        ys.append((s * c[t]).sum(1))
    return model(
        [node("Scan", "s0 x deltas bs cs", "s y", body=body, num_scan_inputs=4)],
        [value("x", x.shape), value("deltas", deltas.shape), value("bs", b.shape),
         value("cs", c.shape)],
        [value("s", s.shape), value("y", [steps, width])],
        [array("a", a), array("s0", numpy.zeros(s.shape)), array("last", [1], numpy.int64)],
    ), {"x": x, "deltas": deltas, "bs": b, "cs": c}, {"s": s, "y": numpy.stack(ys)}


def gathered():
    """The number of the trip selects rows, and is a number."""
    body = graph(
        [node("Gather", "xs i", "row"), node("Cast", "i", "n", to=1), node("Mul", "row n", "part"),
         node("Add", "h part", "next"), node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [3])],
        [value("again", [], BOOL), value("next", [3]), value("next", [3])])
    xs, h = numbers(5, 3), numbers(3)
    ys = [h := h + xs[i] * numpy.float32(i) for i in range(5)]
    return model(
        [node("Loop", "five - h0", "y all", body=body)], [value("xs", [5, 3]), value("h0", [3])],
        [value("y", [3]), value("all", [5, 3])], [array("five", 5, numpy.int64)],
    ), {"xs": xs, "h0": numbers(3)}, {"y": h, "all": numpy.stack(ys)}


def kept_rows(steps=6, width=512):
    """A mask keeps rows of a wide state, which threads share; a value is taken before its change."""
    body = graph(
        [node("Tanh", "x", "t"), node("Add", "h t", "sum"), node("Where", "m sum h", "next"),
         node("Identity", "h", "before")],
        [value("h", [width]), value("x", [width]), value("m", [1], BOOL)],
        [value("next", [width]), value("before", [width])])
    xs, h = numbers(steps, width), numbers(width)
    mask = numpy.arange(steps)[:, None] % 3 != 1
    before = []
    for t in range(steps):
        before.append(h)
        h = numpy.where(mask[t], h + numpy.tanh(xs[t]), h)
    return model(
        [node("Scan", "h0 xs ms", "h b", body=body, num_scan_inputs=2)],
        [value("h0", [width]), value("xs", xs.shape), value("ms", mask.shape, BOOL)],
        [value("h", [width]), value("b", xs.shape)],
    ), {"h0": numbers(width), "xs": xs, "ms": mask}, {"h": h, "b": numpy.stack(before)}


def wide(steps=9, width=2048):
    """Nothing but a wide state, in parts."""
    body = graph([node("Mul", "h w", "a"), node("Add", "a x", "next")],
                 [value("h", [width]), value("x", [width])], [value("next", [width])])
    xs, h, w = numbers(steps, width), numbers(width), numbers(width) / 4
    for t in range(steps):
        h = h * w + xs[t]
    return model(
        [node("Scan", "h0 xs", "h", body=body, num_scan_inputs=1, scan_input_directions=[0])],
        [value("h0", [width]), value("xs", xs.shape)], [value("h", [width])],
        [array("w", w)]), {"h0": numbers(width), "xs": xs}, {"h": h}


def turned():
    """Values that change places, another element of the state, a small product, views."""
    body = graph(
        [node("Transpose", "h", "turned", perm=[1, 0]), node("MatMul", "turned k", "p"),
         node("Reshape", "x shape", "column"), node("Add", "p column", "q"),
         node("ReduceMax", "q", "most", axes=[1]), node("Sub", "q most", "soft"),
         node("Identity", "h", "old")],
        [value("h", [3, 3]), value("k", [3, 3]), value("x", [9])],
        [value("soft", [3, 3]), value("old", [3, 3]), value("q", [3, 3])])
    xs, h, k = numbers(4, 9), numbers(3, 3), numbers(3, 3) + 1
    start, ys = (h, k), []
    for x in xs:
        q = h.T @ k + x.reshape(3, 3)
        h, k = q - q.max(1, keepdims=True), h
        ys.append(q)
    return model(
        [node("Scan", "h0 k0 xs", "h k y", body=body, num_scan_inputs=1,
              scan_input_directions=[1])],
        [value("h0", [3, 3]), value("k0", [3, 3]), value("xs", [4, 9])],
        [value("h", [3, 3]), value("k", [3, 3]), value("y", [4, 3, 3])],
        [array("shape", [3, 3], numpy.int64)],
    ), {"h0": start[0], "k0": start[1], "xs": xs[::-1].copy()}, {
        "h": h, "k": k, "y": numpy.stack(ys)}


if __name__ == "__main__":
    for case in (selective, gathered, kept_rows, wide, turned):
        save(f"{sys.argv[1]}/{case.__name__}", *case())
