#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models with branches and loops that become programs: make.py CASE DIR.

A case is a function below that gives a model, its inputs and its outputs, which numpy
computed. `all` writes each case into a folder of its own.
"""

import os
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stages"))
# pylint: disable=wrong-import-position
from make import BOOL, I64, array, graph, model, node, numbers, save, value



def choice(x, weight=1.0):
    """A branch that multiplies by a matrix, and one that reads another value around it."""
    w = numbers(4, 3)
    then = graph([node("MatMul", "h w", "t")], [], [value("t", [2, 3])])
    other = graph([node("Slice", "h zero three one", "s"), node("Add", "s bias", "e")], [],
                  [value("e", [2, 3])])
    h = numpy.maximum(x, 0)
    y = h @ w if x.sum() > 0 else h[:, :3] + weight
    return model(
        [node("ReduceSum", "x", "sum", keepdims=0), node("Greater", "sum nothing", "positive"),
         node("Relu", "x", "h"), node("Mul", "weight one_f", "bias"),
         node("If", "positive", "y0", then_branch=then, else_branch=other),
         node("Neg", "y0", "y")],
        [value("x", [2, 4]), value("weight", [])], [value("y", [2, 3])],
        [array("nothing", 0), array("w", w), array("zero", [0], numpy.int64),
         array("three", [3], numpy.int64), array("one", [1], numpy.int64), array("one_f", 1)],
    ), {"x": x, "weight": numpy.float32(weight)}, {"y": -y}


def branch_taken():
    return choice(numpy.abs(numbers(2, 4)))


def branch_other():
    return choice(-numpy.abs(numbers(2, 4)), 2.5)


def branches_in_branches():
    """The inner choice reads a value of the outermost graph, which no branch itself reads."""
    inner_then = graph([node("Add", "x outer", "i")], [], [value("i", [3])])
    inner_else = graph([node("Sub", "x outer", "j")], [], [value("j", [3])])
    then = graph([node("If", "b", "k", "inner", then_branch=inner_then, else_branch=inner_else)],
                 [], [value("k", [3])])
    other = graph([node("Identity", "x", "l")], [], [value("l", [3])])
    x = numbers(3)
    return model(
        [node("Exp", "x", "outer"), node("If", "a", "y", then_branch=then, else_branch=other)],
        [value("x", [3]), value("a", [], BOOL), value("b", [1], BOOL)], [value("y", [3])],
    ), {"x": x, "a": numpy.array(True), "b": numpy.array([False])}, {"y": x - numpy.exp(x)}


def while_loop():
    """Doubles until the sum is large; the trip count is not known before."""
    body = graph(
        [node("Add", "h h", "next"), node("ReduceSum", "next", "sum", keepdims=0),
         node("Less", "sum limit", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [5])],
        [value("again", [], BOOL), value("next", [5])])
    h = numpy.abs(numbers(5)) + numpy.float32(0.5)
    y = h
    while True:
        y = y + y
        if y.sum() >= 100:
            break
    return model([node("Loop", "- - h0", "y", body=body)], [value("h0", [5])],
                 [value("y", [5])], [array("limit", 100)]), {"h0": h}, {"y": y}


def counted_loop(trips=5, name="m"):
    """A trip count of a run, the number of the trip, and a value around the loop."""
    body = graph(
        [node("Cast", "i", "n", to=1), node("Mul", "n scale", "part"),
         node("Add", "h part", "next"), node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [3])],
        [value("again", [], BOOL), value("next", [3])])
    h, scale = numbers(3), numbers(3) + 1
    y = h
    for i in range(trips):
        y = y + numpy.float32(i) * (scale * 2)
    return model(
        [node("Add", "s s", "scale"), node("Loop", f"{name} - h0", "y", body=body)],
        [value("m", [], I64), value("h0", [3]), value("s", [3])], [value("y", [3])],
    ), {"m": numpy.array(trips), "h0": h, "s": scale}, {"y": y}


def one_trip():
    return counted_loop(1)


def no_trip():
    return counted_loop(0)


def negative_trips():
    return counted_loop(-7)


def many_trips():
    return counted_loop(100)


def stacked():
    """A slice of each trip, of a known number of trips."""
    body = graph(
        [node("Mul", "h two", "next"), node("ReduceMax", "next", "most", keepdims=0),
         node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [2, 2])],
        [value("again", [], BOOL), value("next", [2, 2]), value("next", [2, 2]),
         value("most", [])])
    h = numbers(2, 2)
    steps = numpy.stack([h * numpy.float32(2) ** (i + 1) for i in range(4)])
    return model(
        [node("Loop", "count - h0", "y all most", body=body)], [value("h0", [2, 2])],
        [value("y", [2, 2]), value("all", [4, 2, 2]), value("most", [4])],
        [array("count", 4, numpy.int64), array("two", 2)],
    ), {"h0": h}, {"y": steps[-1], "all": steps, "most": steps.max(axis=(1, 2))}


def early_end():
    """The body ends the loop before its trip count: only the slices of trips that were done."""
    body = graph(
        [node("Add", "h one", "next"), node("Less", "next four", "again"),
         node("Mul", "next next", "square")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [])],
        [value("again", [], BOOL), value("next", []), value("square", [])])
    return model(
        [node("Loop", "count - h0", "y all", body=body), node("Neg", "all", "negative")],
        [value("h0", [])], [value("y", []), value("negative", ["k"])],
        [array("count", 100, numpy.int64), array("one", 1), array("four", 4)],
    ), {"h0": numpy.float32(0.5)}, {
        "y": numpy.float32(4.5),
        "negative": -numpy.array([1.5, 2.5, 3.5, 4.5], numpy.float32) ** 2}


def exchanged():
    """Carried values change places, and one of them never changes."""
    body = graph(
        [node("Identity", "b", "p"), node("Add", "a fixed", "q"), node("Identity", "fixed", "r"),
         node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("a", [4]), value("b", [4]),
         value("fixed", [4])],
        [value("again", [], BOOL), value("p", [4]), value("q", [4]), value("r", [4])])
    a, b, fixed = numbers(4), numbers(4, 1)[:, 0], numbers(2, 4)[0]
    x, y = a, b
    for _ in range(7):
        x, y = y, x + fixed
    return model(
        [node("Loop", "m - a0 b0 c0", "x y z", body=body)],
        [value("m", [], I64), value("a0", [4]), value("b0", [4]), value("c0", [4])],
        [value("x", [4]), value("y", [4]), value("z", [4])],
    ), {"m": numpy.array(7), "a0": a, "b0": b, "c0": fixed}, {"x": x, "y": y, "z": fixed}


def loop_in_loop():
    """The inner loop reads a value of the model and one of the outer trip; its count is the
    number of the outer trip."""
    inner = graph(
        [node("Add", "s outer", "t"), node("Mul", "t shrink", "s1"), node("Identity", "g", "g1")],
        [value("j", [], I64), value("g", [], BOOL), value("s", [2])],
        [value("g1", [], BOOL), value("s1", [2])])
    body = graph(
        [node("Mul", "h shrink", "outer"), node("Loop", "i - h", "next", "inner", body=inner),
         node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [2])],
        [value("again", [], BOOL), value("next", [2])])
    h = numbers(2)
    shrink = numpy.array([0.5, 0.75], numpy.float32)
    y = h
    for i in range(6):
        outer = y * shrink
        for _ in range(i):
            y = (y + outer) * shrink
    return model(
        [node("Loop", "m - h0", "y", body=body)], [value("m", [], I64), value("h0", [2]),
                                                  value("shrink", [2])], [value("y", [2])],
    ), {"m": numpy.array(6), "h0": h, "shrink": shrink}, {"y": y}


def branch_in_loop():
    """The Collatz sequence, as numbers of 64 bits."""
    even = graph([node("Div", "n two", "half")], [], [value("half", [], I64)])
    odd = graph([node("Mul", "n three", "n3"), node("Add", "n3 one", "more")], [],
                [value("more", [], I64)])
    body = graph(
        [node("Mod", "n two", "rest"), node("Equal", "rest zero", "is_even"),
         node("If", "is_even", "next", then_branch=even, else_branch=odd),
         node("Equal", "next one", "ends"), node("Not", "ends", "again"),
         node("Add", "count one", "counted")],
        [value("i", [], I64), value("going", [], BOOL), value("n", [], I64),
         value("count", [], I64)],
        [value("again", [], BOOL), value("next", [], I64), value("counted", [], I64)])
    numbers_ = [array(name, number, numpy.int64)
                for name, number in (("zero", 0), ("one", 1), ("two", 2), ("three", 3))]
    return model(
        [node("Loop", "- - n0 zero", "n steps", body=body)], [value("n0", [], I64)],
        [value("n", [], I64), value("steps", [], I64)], numbers_,
    ), {"n0": numpy.array(27)}, {"n": numpy.array(1), "steps": numpy.array(111)}


def updated_rows():
    """A table of which each trip replaces a row."""
    body = graph(
        [node("Unsqueeze", "i axis", "places"), node("Gather", "table i", "row"),
         node("Tanh", "row", "new"), node("Unsqueeze", "new axis", "news"),
         node("Unsqueeze", "places axis", "indices"),
         node("ScatterND", "table indices news", "next"), node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("table", [6, 4])],
        [value("again", [], BOOL), value("next", [6, 4])])
    table = numbers(6, 4)
    y = table.copy()
    y[:3] = numpy.tanh(y[:3])
    return model(
        [node("Loop", "m - t0", "y", body=body)], [value("m", [], I64), value("t0", [6, 4])],
        [value("y", [6, 4])], [array("axis", [0], numpy.int64)], opset=18,
    ), {"m": numpy.array(3), "t0": table}, {"y": y}


def recurrence():
    """A Scan as exporters write a recurrent net: weights, a state, and its outputs."""
    body = graph(
        [node("MatMul", "x w", "xw"), node("MatMul", "h u", "hu"), node("Add", "xw hu", "sum"),
         node("Tanh", "sum", "next"), node("Identity", "next", "out")],
        [value("h", [2, 4]), value("x", [2, 3])], [value("next", [2, 4]), value("out", [2, 4])])
    w, u, h, xs = numbers(3, 4), numbers(4, 4) / 2, numbers(2, 4), numbers(5, 2, 3)
    state, outs = h, []
    for x in xs:
        state = numpy.tanh(x @ w + state @ u)
        outs.append(state)
    return model(
        [node("Scan", "h0 xs", "h ys", body=body, num_scan_inputs=1)],
        [value("h0", [2, 4]), value("xs", [5, 2, 3])], [value("h", [2, 4]),
                                                        value("ys", [5, 2, 4])],
        [array("w", w), array("u", u)],
    ), {"h0": h, "xs": xs}, {"h": state, "ys": numpy.stack(outs)}


def scan_directions():
    """Slices along other axes, and from the end on."""
    body = graph(
        [node("Add", "h a", "g"), node("Mul", "g b", "next"), node("Identity", "next", "p"),
         node("Neg", "next", "q")],
        [value("h", [2]), value("a", [2]), value("b", [2])],
        [value("next", [2]), value("p", [2]), value("q", [2])])
    h, a, b = numbers(2), numbers(2, 4), numbers(4, 2)
    state, ps, qs = h, [], []
    for i in range(4):
        state = (state + a[:, i]) * b[3 - i]
        ps.append(state)
        qs.insert(0, -state)
    return model(
        [node("Scan", "h0 a b", "h p q", body=body, num_scan_inputs=2, scan_input_axes=[1, -2],
              scan_input_directions=[0, 1], scan_output_axes=[1, 0],
              scan_output_directions=[0, 1])],
        [value("h0", [2]), value("a", [2, 4]), value("b", [4, 2])],
        [value("h", [2]), value("p", [2, 4]), value("q", [4, 2])],
    ), {"h0": h, "a": a, "b": b}, {"h": state, "p": numpy.stack(ps, 1), "q": numpy.stack(qs)}


def scan_alone():
    """A Scan without a state."""
    body = graph([node("ReduceSum", "row", "sum", keepdims=0)], [value("row", [3])],
                 [value("sum", [])])
    x = numbers(4, 3)
    return model([node("Scan", "x", "y", body=body, num_scan_inputs=1)], [value("x", [4, 3])],
                 [value("y", [4])]), {"x": x}, {"y": x.sum(axis=1)}


def open_rows():
    """A carried value with a size that a run gives."""
    body = graph(
        [node("MatMul", "h w", "a"), node("Tanh", "a", "next"), node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", ["N", 4])],
        [value("again", [], BOOL), value("next", ["N", 4])])
    h, w = numbers(3, 4), numbers(4, 4)
    y = h
    for _ in range(5):
        y = numpy.tanh(y @ w)
    return model(
        [node("Loop", "m - h0", "y", body=body)], [value("m", [], I64), value("h0", ["N", 4])],
        [value("y", ["N", 4])], [array("w", w)]), {"m": numpy.array(5), "h0": h}, {"y": y}


def open_steps():
    """As many trips as a run gives slices."""
    body = graph([node("Add", "h x", "next"), node("Identity", "next", "out")],
                 [value("h", [2]), value("x", [2])], [value("next", [2]), value("out", [2])])
    xs = numbers(5, 2)
    return model(
        [node("Scan", "h0 xs", "h ys", body=body, num_scan_inputs=1)],
        [value("h0", [2]), value("xs", ["T", 2])], [value("h", [2]), value("ys", ["T", 2])],
    ), {"h0": numpy.zeros(2, numpy.float32), "xs": xs}, {"h": xs.sum(0),
                                                         "ys": numpy.cumsum(xs, 0)}


OPEN = (open_rows, open_steps)
CASES = (branch_taken, branch_other, branches_in_branches, while_loop, counted_loop, one_trip,
         no_trip, negative_trips, many_trips, stacked, early_end, exchanged, loop_in_loop,
         branch_in_loop, updated_rows, recurrence, scan_directions, scan_alone)


def main():
    case, folder = sys.argv[1:]
    for one in CASES + OPEN:
        if case == "all" and one in CASES:
            save(f"{folder}/{one.__name__}", *one())
        elif case == one.__name__:
            save(folder, *one())


if __name__ == "__main__":
    main()
