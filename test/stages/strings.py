#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cases of operators that move strings: strings.py FOLDER.

numpy moves the same objects.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper
from make import F32, I64, TEXT, graph, node, save, value

KINDS = {"O": TEXT, "l": I64, "f": F32, "?": TensorProto.BOOL}


def words(*shape):
    return numpy.array([f"w{i}" for i in range(numpy.prod(shape, dtype=int))], object).reshape(shape)


def whole(*numbers):
    return numpy.array(numbers, numpy.int64)


X, Y = words(2, 3), words(4, 3)
MASK = numpy.array([[True, False, True], [False, False, True]])
ROWS = numpy.array([[2, 0, 1], [0, 0, 2]])

FRUIT = numpy.array(["pear", "", "pear", "fig", ""], object)
UNIQUE = [part if i == 0 else part.astype(numpy.int64) for i, part in enumerate(numpy.unique(FRUIT, True, True, True))]

# Operator, inputs, outputs, attributes; a name where there are several.
CASES = [
    ("Reshape", [X, whole(3, -1)], [X.reshape(3, 2)], {}),
    ("Flatten", [words(2, 3, 2)], [words(2, 6)], {}),
    ("Transpose", [X], [X.T], {}),
    ("Squeeze", [words(1, 3, 1), whole(0)], [words(3, 1)], {}),
    ("Unsqueeze", [X, whole(1)], [X[:, None]], {}),
    ("Expand", [words(3, 1), whole(2, 3, 4)], [numpy.broadcast_to(words(3, 1), (2, 3, 4))], {}),
    ("Tile", [X, whole(2, 1)], [numpy.tile(X, (2, 1))], {}),
    ("Concat", [X, Y, X], [numpy.concatenate([X, Y, X])], {"axis": 0}),
    ("Split", [words(5, 2), whole(1, 4)], [words(5, 2)[:1], words(5, 2)[1:]], {}),
    ("Slice", [Y, whole(3), whole(0), whole(0), whole(-2)], [Y[3:0:-2]], {}),
    ("Gather", [Y, numpy.array([[3, 0]])], [Y[[[3, 0]]]], {}),
    ("GatherElements", [X, ROWS], [numpy.take_along_axis(X, ROWS, 1)], {"axis": 1}),
    ("GatherND", [Y, numpy.array([[3, 1], [0, 2]])], [Y[[3, 0], [1, 2]]], {}),
    ("ScatterND", [Y, numpy.array([[2], [0]]), X], [numpy.stack([X[1], Y[1], X[0], Y[3]])], {}),
    ("Where", [MASK, X, Y[3]], [numpy.where(MASK, X, Y[3])], {}),
    ("Compress", [Y, numpy.array([True, False, True])], [Y[[0, 2]]], {"axis": 0}),
    ("ReverseSequence", [X, whole(3, 1)], [numpy.stack([X[0, ::-1], X[1]])], {"batch_axis": 0, "time_axis": 1}),
    ("OneHot", [whole(1, 0), numpy.array(3), numpy.array(["off", "on"], object)],
     [numpy.array([["off", "on", "off"], ["on", "off", "off"]], object)], {}),
    ("Pad", [X, whole(0, 1, 1, 0), numpy.array("p", object)], [numpy.pad(X, ((0, 1), (1, 0)), constant_values="p")], {}),
    ("Pad", [X, whole(0, 0, 0, 2)], [numpy.pad(X, ((0, 0), (0, 2)), constant_values="")], {"name": "empty"}),
    ("Pad", [X, whole(0, 1, 0, 1)], [numpy.pad(X, ((0, 0), (1, 1)), mode="reflect")], {"mode": "reflect", "name": "reflect"}),
    ("Trilu", [X], [numpy.where(numpy.tri(2, 3, -1, bool), "", X)], {}),
    ("Unique", [FRUIT], [*UNIQUE], {}),
    ("Unique", [FRUIT], [numpy.array(["pear", "", "fig"], object), whole(0, 1, 3), whole(0, 1, 0, 2, 1), whole(2, 2, 1)],
     {"sorted": 0, "name": "unsorted"}),
    ("NonZero", [FRUIT], [whole(0, 2, 3)[None]], {}),
    ("DepthToSpace", [words(1, 4, 1, 1)], [words(1, 1, 2, 2)], {"blocksize": 2}),
    ("Shape", [X], [whole(2, 3)], {}),
    ("Size", [X], [numpy.array(6)], {}),
]


def port(name, array):
    return value(name, array.shape, KINDS[array.dtype.char])


def write_case(folder, nodes, inputs, outputs, constants=(), opset=17):
    """Of the inputs, those of `constants` are initializers."""
    names = {f"x{i}": array for i, array in enumerate(inputs)}
    weights = [helper.make_tensor(f"x{i}", KINDS[inputs[i].dtype.char], inputs[i].shape,
                                  [t.encode() if isinstance(t, str) else t for t in inputs[i].ravel()])
               for i in constants]
    given = {name: array for i, (name, array) in enumerate(names.items()) if i not in constants}
    made = {f"y{i}": array for i, array in enumerate(outputs)}
    the_graph = graph(nodes, [port(*pair) for pair in given.items()], [port(*pair) for pair in made.items()], weights)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.ml", 2)]
    save(folder, helper.make_model(the_graph, opset_imports=opsets), given, made)


def main(folder):
    for op, inputs, outputs, attributes in CASES:
        of = " ".join(f"x{i}" for i in range(len(inputs)))
        attributes = dict(attributes)
        name = "_".join([op.lower(), *filter(None, [attributes.pop("name", None)])])
        nodes = [node(op, of, " ".join(f"y{i}" for i in range(len(outputs))), **attributes)]
        write_case(os.path.join(folder, name), nodes, inputs, outputs)
        # Numbers that the file has need no program for each; strings of the file move as well.
        constants = [i for i in range(len(inputs)) if i != 0 or len(inputs) == 1]
        if len(inputs) > 1:
            write_case(os.path.join(folder, name + "_constant"), nodes, inputs, outputs, constants)
    write_case(os.path.join(folder, "of_the_file"), [node("Gather", "x0 x1", "y0")], [Y, whole(2, 0)], [Y[[2, 0]]], [0])
    # By way of sequences, and from one to the next.
    write_case(os.path.join(folder, "sequences"), [
        node("SplitToSequence", "x0", "s", axis=1), node("ConcatFromSequence", "s", "c", axis=0),
        node("Identity", "c", "d"), node("Unsqueeze", "d x1", "y0")],
        [X, whole(0)], [X.T.reshape(1, 6, 1)])
    write_case(os.path.join(folder, "labels"), [node("ArrayFeatureExtractor", "x0 x1", "y0", domain="ai.onnx.ml")],
               [words(3), whole(2, 2, 0)], [words(3)[None, [2, 2, 0]]], [0])


def on_the_host(folder):
    """What takes strings as they are."""
    text = numpy.array(["a", "b"], object)
    constant = node("Constant", "", "y0", value=helper.make_tensor("", TEXT, [2], [b"a", b"b"]))
    write_case(os.path.join(folder, "constant"), [constant], [], [text])
    write_case(os.path.join(folder, "equal"), [node("Equal", "x0 x1", "y0")], [text, text[::-1]], [text == text[::-1]], [], 19)
    write_case(os.path.join(folder, "match"), [node("RegexFullMatch", "x0", "y0", pattern="[b-d]+")], [text], [text == "b"], [], 20)
    write_case(os.path.join(folder, "encoder"), [
        node("LabelEncoder", "x0", "y0", keys_strings=["b", "c"], values_int64s=[5, 6], default_int64=-1, domain="ai.onnx.ml")],
        [text], [whole(-1, 5)])
    port_of = lambda name: value(name, [2], TEXT)
    then, other = (graph([node("Identity", name, "out_" + name)], [], [port_of("out_" + name)]) for name in ("x1", "x2"))
    write_case(os.path.join(folder, "if"), [node("If", "x0", "y0", then_branch=then, else_branch=other)],
               [numpy.array(False), text, text[::-1]], [text[::-1]])
    body = graph([node("Identity", "go", "going"), node("Identity", "x", "next")],
                 [value("i", [], I64), value("go", [], TensorProto.BOOL), port_of("x")],
                 [value("going", [], TensorProto.BOOL), port_of("next")])
    write_case(os.path.join(folder, "loop"), [node("Loop", "x0 - x1", "y0", body=body)], [numpy.array(3), text], [text])


if __name__ == "__main__":
    main(sys.argv[1])
    on_the_host(sys.argv[1])
