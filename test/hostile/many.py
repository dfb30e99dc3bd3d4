#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models of very many parts: many.py CASE COUNT FILE."""

import sys

import numpy

from cases import BOOL, array, graph, model, node, value

SHAPE = [2, 16]


def row(op, first, last, count, more=""):
    """Nodes in a row."""
    names = [first] + [f"{last}_{i}" for i in range(1, count)] + [last]
    return [node(op, f"{a} {more}".strip(), b, name=f"{last}_n{i}")
            for i, (a, b) in enumerate(zip(names, names[1:]))]


def whole(nodes, weights=(), inputs=("x",)):
    return model(nodes, [value(name, SHAPE) for name in inputs], [value("y", SHAPE)], weights)


def adds(count):
    return whole(row("Add", "x", "y", count, "w"), [array("w", numpy.full(SHAPE, 1e-5))])


def tanhs(count):
    return whole(row("Tanh", "x", "y", count))


def softmaxes(count):
    return whole(row("Softmax", "x", "y", count))


def products(count):
    return whole(row("MatMul", "x", "y", count, "w"), [array("w", numpy.eye(16))])


def truths(count):
    """Each is needed twice: a formula of all would have 2^count calls."""
    names = [f"b{i}" for i in range(count + 1)]
    return whole([node("Greater", "x z", "b0")] +
                 [node("Xor" if i % 2 else "And", f"{a} {a}", b, name=b)
                  for i, (a, b) in enumerate(zip(names, names[1:]))] +
                 [node("Where", f"{names[-1]} x z", "y")], inputs=("x", "z"))


def branches(count):
    """No two are equal, and all are there at one time."""
    ends = " ".join(f"b{i}" for i in range(count))
    made = [node("Softmax", f"a{i}", f"b{i}", name=f"n{i}") for i in range(count)]
    made += [node("Mul", f"x w{i}", f"a{i}", name=f"m{i}") for i in range(count)]
    return whole(made + [node("Concat", ends, "all", axis=0), node("Slice", "all zero two", "y")],
                 [array("zero", [0], "int64"), array("two", [2], "int64")] +
                 [array(f"w{i}", i / count) for i in range(count)])


def constants(count):
    """All of one name, which a model may have for its nodes."""
    nodes, last = [], "x"
    for i in range(count):
        value_of = array("", numpy.full(SHAPE, i))
        nodes += [node("Constant", "", f"c{i}", name="same", value=value_of),
                  node("Min", f"{last} c{i}", f"m{i}", name="same")]
        last = f"m{i}"
    return whole(nodes + [node("Identity", last, "y")])


def joined(count):
    inputs = [value(f"x{i}", [1, 4]) for i in range(count)]
    return model([node("Concat", " ".join(i.name for i in inputs), "y", axis=0)], inputs,
                 [value("y", [count, 4])])


def body(count):
    def one(name):
        return graph(row("Tanh", "x", name, count), [], [value(name, SHAPE)])
    return model([node("If", "on", "y", then_branch=one("t"), else_branch=one("e"))],
                 [value("on", [], BOOL), value("x", SHAPE)], [value("y", SHAPE)])


def main():
    case, count, path = sys.argv[1:]
    made = (empty if case in ("input", "node", "text") else globals()[case])
    made = made(int(count), case) if made is empty else made(int(count))
    with open(path, "wb") as file:
        file.write(made if isinstance(made, bytes) else made.SerializeToString())


def empty(count, field):
    """Messages, or texts of one, that have nothing in them."""
    made = whole([node("Relu", "x", "y")])
    def framed(tag, content):
        size, length = len(content), b""
        while size > 0x7f:
            length += bytes([size & 0x7f | 0x80])
            size >>= 7
        return bytes([tag << 3 | 2]) + length + bytes([size]) + content
    tag = {"input": 11, "node": 1, "text": 1}[field]
    more = bytes([tag << 3 | 2, 0]) * count
    if field == "text": # inputs of a node
        more = framed(1, more)
    rest = made.graph.SerializeToString()
    made.ClearField("graph")
    return made.SerializeToString() + framed(7, rest + more)


main()
