#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models with sequences: sequences.py GOOD HOST WRONG, three folders for models that are
programs, models that need the host, and models that are refused."""

import os
import sys

import numpy
from onnx import TensorProto, helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stages"))
# pylint: disable=wrong-import-position
from make import BOOL, I64, array, graph, model, node, numbers, save, value


def number(name, one):
    return array(name, one, numpy.int64)


def split_and_concat():
    x = numbers(3, 7)
    halves = [x[:, :3], x[:, 3:6], x[:, 6:]]
    return model(
        [node("SplitToSequence", "x three", "s", axis=-1), node("SequenceAt", "s last", "tail"),
         node("SequenceErase", "s first", "rest"), node("SequenceInsert", "rest tail first", "t"),
         node("Identity", "t", "u"),
         node("ConcatFromSequence", "u", "y0", axis=1), node("SequenceLength", "u", "n"),
         node("Cast", "n", "count", to=1), node("Mul", "y0 count", "y")],
        [value("x", [3, 7])], [value("y", [3, 5])],
        [number("three", 3), number("last", -1), number("first", 0)],
    ), {"x": x}, {"y": numpy.concatenate([halves[2], halves[1], halves[2]], 1) * 3}


def unbound():
    """Elements without the axis, stacked along another one."""
    x = numbers(4, 2, 3)
    return model(
        [node("SplitToSequence", "x", "s", axis=0, keepdims=0), node("SequenceErase", "s", "t"),
         node("ConcatFromSequence", "t", "y", axis=-1, new_axis=1)],
        [value("x", [4, 2, 3])], [value("y", [2, 3, 3])],
    ), {"x": x}, {"y": numpy.stack(list(x[:3]), -1)}


def sizes():
    """Parts of different sizes, of which one has no elements."""
    x = numbers(6, 2)
    return model(
        [node("SplitToSequence", "x parts", "s", axis=0), node("SequenceAt", "s two", "a"),
         node("SequenceAt", "s one", "b"), node("Concat", "a b", "y", axis=0)],
        [value("x", [6, 2])], [value("y", [4, 2])],
        [array("parts", [2, 0, 4], numpy.int64), number("two", 2), number("one", 1)],
    ), {"x": x}, {"y": x[2:]}


def grown():
    x, z = numbers(2, 3), numbers(2, 3)
    return model(
        [node("SequenceEmpty", "", "e"), node("SequenceInsert", "e x", "f"),
         node("SequenceInsert", "f z zero", "g"), node("SequenceInsert", "g x last", "h"),
         node("ConcatFromSequence", "h", "y", axis=0)],
        [value("x", [2, 3]), value("z", [2, 3])], [value("y", [6, 3])],
        [number("zero", 0), number("last", -1)],
    ), {"x": x, "z": z}, {"y": numpy.concatenate([z, x, x])}


def in_branches():
    """Branches of a choice of a run read a sequence around them, and have their own."""
    then = graph([node("SequenceAt", "s zero", "t")], [], [value("t", [2, 3])])
    other = graph([node("SequenceInsert", "s x", "more"), node("SequenceAt", "more two", "m"),
                   node("Neg", "m", "o")], [], [value("o", [2, 3])])
    x, z = numbers(2, 3), numbers(2, 3)
    return model(
        [node("Exp", "z", "w"), node("SequenceConstruct", "w z", "s"),
         node("If", "c", "y", then_branch=then, else_branch=other)],
        [value("x", [2, 3]), value("z", [2, 3]), value("c", [], BOOL)], [value("y", [2, 3])],
        [number("zero", 0), number("two", 2)],
    ), {"x": x, "z": z, "c": numpy.array(False)}, {"y": -x}


def in_loop():
    """A body that makes a sequence of its own in each trip."""
    body = graph(
        [node("SplitToSequence", "h", "s", axis=0, keepdims=0), node("SequenceAt", "s one", "b"),
         node("SequenceAt", "s zero", "a"), node("SequenceConstruct", "b a", "turned"),
         node("ConcatFromSequence", "turned", "c", axis=0, new_axis=1),
         node("Add", "c h", "next"), node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [2, 3])],
        [value("again", [], BOOL), value("next", [2, 3])])
    h = numbers(2, 3)
    y = h
    for _ in range(3):
        y = y[::-1] + y
    return model(
        [node("Loop", "n - h0", "y", body=body)], [value("h0", [2, 3]), value("n", [], I64)],
        [value("y", [2, 3])], [number("zero", 0), number("one", 1)],
    ), {"h0": h, "n": numpy.array(3)}, {"y": y}


def mapped():
    body = graph([node("Mul", "e f", "p"), node("Add", "p extra", "q"), node("Neg", "e", "r")],
                 [value("e", [2]), value("f", [2]), value("extra", [2])],
                 [value("q", [2]), value("r", [2])])
    x, z, extra = numbers(3, 2), numbers(3, 2), numbers(2)
    return model(
        [node("SplitToSequence", "x", "s", axis=0, keepdims=0),
         node("SplitToSequence", "z", "t", axis=0, keepdims=0),
         node("SequenceMap", "s t extra", "u v", body=body),
         node("ConcatFromSequence", "u", "a", axis=0, new_axis=1),
         node("ConcatFromSequence", "v", "b", axis=0, new_axis=1), node("Add", "a b", "y")],
        [value("x", [3, 2]), value("z", [3, 2]), value("extra", [2])], [value("y", [3, 2])],
    ), {"x": x, "z": z, "extra": extra}, {"y": x * z + extra - x}


def erased(position=1, **inputs):
    """Operators alone that no opset changes."""
    x = numbers(3, 2)
    i = numpy.array(position)
    return model(
        [node("SplitToSequence", "x", "s", axis=0), node("SequenceErase", "s i", "t"),
         node("ConcatFromSequence", "t", "y", axis=0)],
        [value("x", [3, 2])] + ([value("i", [], I64)] if inputs else []), [value("y", [2, 2])],
        [] if inputs else [number("i", position)],
    ), {"x": x, **({"i": i} if inputs else {})}, {"y": numpy.delete(x, position, 0)}


def erased_host():
    return erased(i=True)


def position_host():
    x = numbers(3, 2)
    return model(
        [node("SplitToSequence", "x", "s", axis=0, keepdims=0), node("SequenceAt", "s i", "y")],
        [value("x", [3, 2]), value("i", [], I64)], [value("y", [2])],
    ), {"x": x, "i": numpy.array(1)}, {"y": x[1]}


def several(name):
    return helper.make_tensor_sequence_value_info(name, TensorProto.FLOAT, None)


def appending(nodes, count, constants=(), inputs=(), arrays=(), y=None):
    """A loop that squares a vector, and appends it to a sequence in each trip."""
    body = graph(
        [node("Mul", "h h", "next"), *nodes, node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [2]), several("all")],
        [value("again", [], BOOL), value("next", [2]), several("more")])
    h = numbers(2)
    powers = [h ** 2, h ** 4, h ** 8]
    return model(
        [node("SequenceEmpty", "", "empty"),
         node("Loop", f"{count} - h0 empty", "last all", body=body),
         node("ConcatFromSequence", "all", "y", axis=0, new_axis=1)],
        [value("h0", [2]), *inputs], [value("y", [None, None])],
        [number("three", 3), *constants],
    ), {"h0": h, **dict(arrays)}, {"y": numpy.stack(powers) if y is None else y(powers)}


def appended():
    return appending([node("SequenceInsert", "all next", "more")], "three")


def appended_twice():
    return appending([node("SequenceInsert", "all h", "some"),
                      node("SequenceInsert", "some next", "more")], "three",
                     y=lambda all: numpy.stack([numbers(2), all[0], all[0], all[1], all[1], all[2]]))


def appended_to_some():
    """Two sequences beside a tensor and a slice; one has elements before the loop."""
    body = graph(
        [node("Add", "h x", "next"), node("SequenceInsert", "a next", "a1"),
         node("Neg", "next", "less"), node("ReduceSum", "next", "sum", keepdims=0),
         node("SequenceInsert", "b less", "b1"), node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), several("a"), value("h", [2]), several("b")],
        [value("again", [], BOOL), several("a1"), value("next", [2]), several("b1"), value("sum", [])])
    h, x = numbers(2), numbers(2) + 1
    rows = [h + x * numpy.float32(i + 1) for i in range(3)]
    return model(
        [node("SequenceConstruct", "x", "a0"), node("SequenceEmpty", "", "b0"),
         node("Loop", "three - a0 h0 b0", "all last less sums", body=body),
         node("ConcatFromSequence", "all", "p", axis=0, new_axis=1),
         node("ConcatFromSequence", "less", "q", axis=0), node("SequenceLength", "all", "n"),
         node("Cast", "n", "count", to=1), node("Add", "sums count", "s")],
        [value("h0", [2]), value("x", [2])],
        [value("p", [4, 2]), value("q", [6]), value("s", [3]), value("last", [2])],
        [number("three", 3)],
    ), {"h0": h, "x": x}, {"p": numpy.stack([x, *rows]), "q": -numpy.concatenate(rows),
                           "s": numpy.stack(rows).sum(1) + 4, "last": rows[-1]}


def appended_in_loops():
    """A loop in a loop appends to the sequence of the outer one."""
    inner = graph(
        [node("Add", "g x", "more_g"), node("SequenceInsert", "b more_g", "b1"),
         node("Identity", "c", "c1")],
        [value("j", [], I64), value("c", [], BOOL), value("g", [2]), several("b")],
        [value("c1", [], BOOL), value("more_g", [2]), several("b1")])
    body = graph(
        [node("SequenceInsert", "a h", "a0"), node("Loop", "two - h a0", "next a1", body=inner),
         node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [2]), several("a")],
        [value("again", [], BOOL), value("next", [2]), several("a1")])
    h, x = numbers(2), numbers(2) + 1
    rows = []
    state = h
    for _ in range(3):
        rows.append(state)
        for _ in range(2):
            state = state + x
            rows.append(state)
    return model(
        [node("SequenceEmpty", "", "empty"), node("Loop", "three - h0 empty", "last all", body=body),
         node("ConcatFromSequence", "all", "y", axis=0, new_axis=1)],
        [value("h0", [2]), value("x", [2])], [value("y", [9, 2])],
        [number("three", 3), number("two", 2)],
    ), {"h0": h, "x": x}, {"y": numpy.stack(rows)}


def exchanged_host():
    """Sequences that change places are no lists that grow."""
    body = graph(
        [node("Add", "h x", "next"), node("SequenceInsert", "a next", "b1"),
         node("SequenceInsert", "b h", "a1"), node("Identity", "going", "again")],
        [value("i", [], I64), value("going", [], BOOL), value("h", [2]), several("a"), several("b")],
        [value("again", [], BOOL), value("next", [2]), several("a1"), several("b1")])
    h, x = numbers(2), numbers(2) + 1
    a, b, state = [], [], h
    for _ in range(3):
        a, b, state = b + [state], a + [state + x], state + x
    return model(
        [node("SequenceEmpty", "", "e"), node("SequenceEmpty", "", "f"),
         node("Loop", "three - h0 e f", "last a2 b2", body=body),
         node("ConcatFromSequence", "a2", "p", axis=0, new_axis=1),
         node("ConcatFromSequence", "b2", "q", axis=0, new_axis=1)],
        [value("h0", [2]), value("x", [2])], [value("p", [None, 2]), value("q", [None, 2])],
        [number("three", 3)],
    ), {"h0": h, "x": x}, {"p": numpy.stack(a), "q": numpy.stack(b)}


def no_trip_host():
    return appending([node("SequenceInsert", "all next", "more")], "m", inputs=[value("m", [], I64)],
                     arrays={"m": numpy.array(3)}.items())


def inserted_host():
    return appending([node("SequenceInsert", "all next zero", "more")], "three",
                     [number("zero", 0)], y=lambda all: numpy.stack(all[::-1]))


def read_host():
    return appending([node("SequenceInsert", "all next", "some"), node("SequenceLength", "some", "n"),
                      node("Cast", "n", "k", to=1), node("Mul", "next k", "times"),
                      node("SequenceInsert", "all times", "more")], "three",
                     y=lambda all: numpy.stack([all[0], all[1] * 2, all[2] * 3]))


def wrong(nodes, constants=(), sizes=(3, 2)):
    return model(nodes, [value("x", list(sizes))], [value("y", [2])], list(constants))


REFUSED = {
    "outside": lambda: wrong([node("SequenceConstruct", "x x", "s"),
                              node("SequenceAt", "s two", "y")], [number("two", 2)]),
    "tensor": lambda: wrong([node("SequenceAt", "x two", "y")], [number("two", 2)]),
    "kinds": lambda: wrong([node("Cast", "x", "i", to=7), node("SequenceConstruct", "x i", "s"),
                            node("SequenceAt", "s two", "y")], [number("two", 0)]),
    "nested": lambda: wrong([node("SequenceConstruct", "x", "s"),
                             node("SequenceConstruct", "s", "t"),
                             node("SequenceAt", "t two", "y")], [number("two", 0)]),
    "empty": lambda: wrong([node("SequenceEmpty", "", "s"),
                            node("ConcatFromSequence", "s", "y", axis=0)]),
    "sum": lambda: wrong([node("SplitToSequence", "x two", "s", axis=0),
                          node("SequenceAt", "s one", "y")],
                         [array("two", [2, 2], numpy.int64), number("one", 1)]),
    "ranks": lambda: wrong([node("ReduceSum", "x", "r", keepdims=0),
                            node("SequenceConstruct", "x r", "s"),
                            node("ConcatFromSequence", "s", "y", axis=0)]),
    "sequence": lambda: wrong([node("SequenceConstruct", "x", "s"), node("Neg", "s", "y")]),
}
GOOD = [split_and_concat, unbound, sizes, grown, in_branches, in_loop, mapped, erased, appended,
        appended_twice, appended_to_some, appended_in_loops]
HOST = [position_host, erased_host, no_trip_host, inserted_host, read_host,
        exchanged_host]


def main(good, host, refused):
    for folder, cases in (good, GOOD), (host, HOST):
        for case in cases:
            save(os.path.join(folder, case.__name__), *case())
    for name, make in REFUSED.items():
        x = numbers(3, 2)
        save(os.path.join(refused, name), make(), {"x": x}, {"y": x[0]})


main(*sys.argv[1:])
