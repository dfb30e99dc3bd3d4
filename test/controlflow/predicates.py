#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A batch of sequences of different lengths in a recurrent net: predicates.py FOLDER.

Each step of a Scan or of a Loop computes a new state of the whole batch, and a Where keeps the
state of each sequence that has ended. Inputs behind the end of a sequence are NaN. The outputs
are those of numpy, for the sequences one by one.
"""

import os
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stages"))
# pylint: disable=wrong-import-position
from make import BOOL, I64, array, graph, model, node, numbers, save, value

STEPS, ROWS, INPUTS, STATES = 7, 6, 24, 64


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


class Net:
    """The weights of a GRU with one product for all gates, and its inputs."""

    def __init__(self, lengths):
        random = numpy.random.default_rng(3)

        def drawn(*shape):
            return random.standard_normal(shape).astype(numpy.float32) / numpy.float32(8)
        self.w, self.r, self.b = (drawn(INPUTS, 2 * STATES), drawn(STATES, 2 * STATES),
                                  drawn(2 * STATES))
        self.lengths = numpy.array(lengths)
        self.xs = drawn(STEPS, ROWS, INPUTS) * 8
        for row, length in enumerate(lengths):
            self.xs[length:, row] = numpy.nan
        self.h0 = drawn(ROWS, STATES)

    def constants(self):
        return [array("w", self.w), array("r", self.r), array("b", self.b), array("one", 1),
                array("last", [1], numpy.int64)]

    def expected(self):
        states = self.h0.copy()
        for row, length in enumerate(self.lengths):
            for x in self.xs[:length, row]:
                gates = sigmoid(x @ self.w + states[row] @ self.r + self.b)
                z, new = gates[:STATES], gates[STATES:]
                states[row] = z * states[row] + (1 - z) * numpy.tanh(new)
        return states


def step():
    """The nodes of a step; `active` has a truth for each row."""
    return [
        node("MatMul", "x w", "xw"), node("MatMul", "h r", "hr"), node("Add", "xw hr", "sum"),
        node("Add", "sum b", "biased"), node("Sigmoid", "biased", "gates"),
        node("Split", "gates", "z new", axis=1), node("Tanh", "new", "n"),
        node("Mul", "z h", "kept"), node("Sub", "one z", "rest"), node("Mul", "rest n", "added"),
        node("Add", "kept added", "changed"), node("Unsqueeze", "active last", "column"),
        node("Where", "column changed h", "next")]


def as_scan(lengths):
    net = Net(lengths)
    body = graph(
        [node("Less", "t lengths", "active"), *step(), node("Add", "t one_i", "t1")],
        [value("t", [], I64), value("h", [ROWS, STATES]), value("x", [ROWS, INPUTS])],
        [value("t1", [], I64), value("next", [ROWS, STATES])])
    return model(
        [node("Scan", "zero h0 xs", "end y", body=body, num_scan_inputs=1)],
        [value("h0", [ROWS, STATES]), value("xs", [STEPS, ROWS, INPUTS]),
         value("lengths", [ROWS], I64)], [value("y", [ROWS, STATES])],
        net.constants() + [array("zero", 0, numpy.int64), array("one_i", 1, numpy.int64)],
    ), {"h0": net.h0, "xs": net.xs, "lengths": net.lengths}, {"y": net.expected()}


def as_loop(lengths):
    """The loop ends with the longest sequence. Its Where has the sides the other way round."""
    net = Net(lengths)
    nodes = step()
    nodes[-1] = node("Where", "column h changed", "next")
    body = graph(
        [node("Gather", "xs t", "x", axis=0), node("LessOrEqual", "lengths t", "active"),
         *nodes, node("Add", "t one_i", "t1"), node("Less", "t1 longest", "again")],
        [value("t", [], I64), value("going", [], BOOL), value("h", [ROWS, STATES])],
        [value("again", [], BOOL), value("next", [ROWS, STATES])])
    return model(
        [node("ReduceMax", "lengths", "longest", keepdims=0),
         node("Greater", "longest zero", "any"),
         node("Loop", "- any h0", "y", body=body)],
        [value("h0", [ROWS, STATES]), value("xs", [STEPS, ROWS, INPUTS]),
         value("lengths", [ROWS], I64)], [value("y", [ROWS, STATES])],
        net.constants() + [array("zero", 0, numpy.int64), array("one_i", 1, numpy.int64)],
    ), {"h0": net.h0, "xs": net.xs, "lengths": net.lengths}, {"y": net.expected()}


def given(rows):
    """A predicate that a run gives, in front of two layers; the other rows are zeros."""
    random = numpy.random.default_rng(4)
    x = random.standard_normal((8, 96)).astype(numpy.float32)
    w, v = (random.standard_normal(shape).astype(numpy.float32) for shape in ((96, 80), (80, 5)))
    chosen = numpy.array(rows)
    y = numpy.where(chosen, numpy.maximum(x @ w, 0) @ v, 0)
    x[~chosen[:, 0]] = numpy.nan
    return model(
        [node("MatMul", "x w", "a"), node("Relu", "a", "h"), node("MatMul", "h v", "b"),
         node("Where", "p b zeros", "y")],
        [value("x", [8, 96]), value("p", [8, 1], BOOL)], [value("y", [8, 5])],
        [array("w", w), array("v", v), array("zeros", numpy.zeros((8, 5)))],
    ), {"x": x, "p": chosen}, {"y": y}


def mixed():
    """The mean over the rows needs all of them."""
    x = numbers(6, 80)
    w = numbers(80, 90)
    chosen = numpy.array([[True], [False]] * 3)
    h = numpy.tanh(x @ w)
    y = numpy.where(chosen, h - h.mean(0), h)
    return model(
        [node("MatMul", "x w", "a"), node("Tanh", "a", "h"),
         node("ReduceMean", "h", "m", axes=[0], keepdims=1), node("Sub", "h m", "c"),
         node("Where", "p c h", "y")],
        [value("x", [6, 80]), value("p", [6, 1], BOOL)], [value("y", [6, 90])],
        [array("w", w)],
    ), {"x": x, "p": chosen}, {"y": y}


CASES = {
    "scan": lambda: as_scan([3, 7, 0, 5, 1, 7]), "loop": lambda: as_loop([3, 6, 0, 5, 1, 2]),
    "ended": lambda: as_scan([0] * ROWS), "full": lambda: as_loop([STEPS] * ROWS),
    "given": lambda: given([[i % 3 == 1] for i in range(8)]),
    "none": lambda: given([[False]] * 8), "all": lambda: given([[True]] * 8), "mixed": mixed,
}


def main():
    for name, make in CASES.items():
        save(f"{sys.argv[1]}/{name}", *make())


if __name__ == "__main__":
    main()
