#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models whose sizes or structure only a run knows: make.py CASE DIR.

A case is a function below that gives a model, its inputs, and, unless the test is
about a failure, its outputs, which numpy computed.
"""

import os
import sys

import numpy
from google.protobuf.message import Message
from onnx import TensorProto, helper, numpy_helper

F32, I64, BOOL, TEXT = (TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL,
                        TensorProto.STRING)


def value(name, shape, kind=F32):
    return helper.make_tensor_value_info(name, kind, shape)


def node(op, inputs, outputs, name=None, **attributes):
    # "-" is an input that is absent.
    names = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(op, names, outputs.split(),
                            name=name or f"the_{op.lower()}", **attributes)


def array(name, values, kind=numpy.float32):
    return numpy_helper.from_array(numpy.array(values, kind), name)


def graph(nodes, inputs, outputs, weights=()):
    return helper.make_graph(nodes, "graph", inputs, outputs, list(weights))


def model(*parts, opset=17):
    return helper.make_model(graph(*parts), opset_imports=[
        helper.make_opsetid("", opset), helper.make_opsetid("com.vendor", 1)])


def numbers(*shape):
    random = numpy.random.default_rng(len(shape))
    return random.standard_normal(shape).astype(numpy.float32)


def unique():
    """A stage, an operator of the host, and a stage of what it found: the different rows, which
    are too long for a program."""
    x = numbers(3, 5)
    w = numbers(20, 2)
    y = numpy.unique(numpy.tile(numpy.maximum(x, 0), (1, 4)), axis=0)[:, None] @ w
    return model(
        [node("Relu", "x", "kept"), node("Tile", "kept times", "long"),
         node("Unique", "long", "found", axis=0), node("Unsqueeze", "found one", "c"),
         node("MatMul", "c w", "y")],
        [value("x", ["n", 5])], [value("y", ["k", 1, 2])],
        [array("times", [1, 4], numpy.int64), array("one", [1], numpy.int64), array("w", w)],
    ), {"x": x}, {"y": y.astype(numpy.float32)}


def nonzero():
    """A program that computes a size."""
    x = numbers(3, 5)
    kept = numpy.maximum(x, 0)
    y = kept.ravel()[kept.ravel() != 0].reshape(-1, 1) * [[2, 3]]
    return model(
        [node("Relu", "x", "kept"), node("Reshape", "kept flat_shape", "flat"),
         node("NonZero", "flat", "places"), node("Squeeze", "places zero", "rows"),
         node("Gather", "flat rows", "found"), node("Unsqueeze", "found one", "c"),
         node("MatMul", "c w", "y")],
        [value("x", ["n", 5])], [value("y", ["k", 2])],
        [array("flat_shape", [-1], numpy.int64), array("zero", [0], numpy.int64),
         array("one", [1], numpy.int64), array("w", [[2, 3]])],
    ), {"x": x}, {"y": y.astype(numpy.float32)}


def whole():
    """A program for each size, without a host."""
    x = numbers(3, 5)
    return model([node("Add", "x x", "y")], [value("x", ["n", 5])],
                 [value("y", ["n", 5])]), {"x": x}, {"y": x + x}


def nonzero_constant():
    """What is constant is found while the model is imported."""
    x = numbers(4)
    return model(
        [node("NonZero", "mask", "places"), node("Squeeze", "places zero", "rows"),
         node("Gather", "x rows", "y")],
        [value("x", [4])], [value("y", [2])],
        [array("mask", [1, 0, 0, 1]), array("zero", [0], numpy.int64)],
    ), {"x": x}, {"y": x[[0, 3]]}


def branches():
    """The condition is computed; a branch reads what is around it."""
    x = numbers(2, 3)
    then = graph([node("Mul", "x double", "t", "then_mul")], [], [value("t", [2, 3])],
                 [array("double", [2])])
    other = graph([node("Neg", "x", "e", "else_neg")], [], [value("e", [2, 3])])
    return model(
        [node("ReduceSum", "x", "sum", keepdims=0),
         node("Greater", "sum zero", "positive"),
         node("If", "positive", "z", then_branch=then, else_branch=other),
         node("Relu", "z", "y")],
        [value("x", [2, 3])], [value("y", [2, 3])], [array("zero", 0)],
    ), {"x": x}, {"y": numpy.maximum(2 * x if x.sum() > 0 else -x, 0)}


def loop():
    """Doubles until the sum is large; gathers what was there, sees the outside."""
    x = numpy.array([1, 2], numpy.float32)
    body = graph(
        [node("Mul", "h factor", "h_next", "body_mul"),
         node("ReduceSum", "h_next", "sum", "body_sum", keepdims=0),
         node("Less", "sum limit", "again", "body_less"),
         node("Identity", "h", "seen", "body_identity")],
        [value("i", [], I64), value("c", [], BOOL), value("h", [2])],
        [value("again", [], BOOL), value("h_next", [2]), value("seen", [2])],
        [array("limit", 40)])
    return model(
        [node("Loop", "- - h0", "h all", body=body)], [value("h0", [2])],
        [value("h", [2]), value("all", ["n", 2])], [array("factor", [2])],
    ), {"h0": x}, {"h": x * 16, "all": numpy.stack([x, x * 2, x * 4, x * 8])}


def growing_scan():
    """A state that has one more element after each step."""
    body = graph([node("Concat", "h x", "next", axis=0), node("Neg", "x", "out")],
                 [value("h", [None]), value("x", [1])], [value("next", [None]), value("out", [1])])
    xs = numbers(4, 1)
    return model(
        [node("Scan", "h0 xs", "h ys", body=body, num_scan_inputs=1)],
        [value("h0", [2]), value("xs", [4, 1])], [value("h", ["k"]), value("ys", [4, 1])],
    ), {"h0": numbers(2), "xs": xs}, {"h": numpy.concatenate([numbers(2), xs[:, 0]]), "ys": -xs}


def nested():
    """A loop over the elements of a sequence, with a branch in it."""
    x = numbers(6)
    small = graph([node("Neg", "part", "n", "inner_neg")], [], [value("n", None)])
    large = graph([node("Identity", "part", "p", "inner_identity")], [],
                  [value("p", None)])
    body = graph(
        [node("SequenceAt", "parts i", "part", "body_at"),
         node("ReduceSum", "part", "s", "body_sum", keepdims=0),
         node("Less", "s zero", "negative", "body_less"),
         node("If", "negative", "q", "body_if", then_branch=small, else_branch=large),
         node("SequenceInsert", "done q", "done_next", "body_insert"),
         node("Identity", "c", "c_next", "body_go")],
        [value("i", [], I64), value("c", [], BOOL),
         helper.make_tensor_sequence_value_info("done", F32, None)],
        [value("c_next", [], BOOL),
         helper.make_tensor_sequence_value_info("done_next", F32, None)])
    parts = [x[:1], x[1:4], x[4:]]
    return model(
        [node("SplitToSequence", "x sizes", "parts"),
         node("SequenceLength", "parts", "count"), node("SequenceEmpty", "", "empty"),
         node("Loop", "count - empty", "all", body=body),
         node("ConcatFromSequence", "all", "y", axis=0)],
        [value("x", [6])], [value("y", [6])],
        [array("sizes", [1, 3, 2], numpy.int64), array("zero", 0)],
    ), {"x": x}, {"y": numpy.concatenate([-p if p.sum() < 0 else p for p in parts])}


def moving_slice():
    """Where a slice begins is another number in each iteration."""
    x = numbers(20, 3)
    body = graph(
        [node("Unsqueeze", "i zero", "start", "body_start"),
         node("Add", "start one", "end", "body_end"),
         node("Slice", "x start end zero", "row", "body_slice"),
         node("Add", "row h", "h_next", "body_add"),
         node("Identity", "c", "c_next", "body_go")],
        [value("i", [], I64), value("c", [], BOOL), value("h", [1, 3])],
        [value("c_next", [], BOOL), value("h_next", [1, 3])])
    return model(
        [node("Loop", "count - h0", "y", body=body)],
        [value("x", [20, 3]), value("h0", [1, 3])], [value("y", [1, 3])],
        [array("count", 20, numpy.int64), array("zero", [0], numpy.int64), array("one", [1], numpy.int64)],
    ), {"x": x, "h0": numpy.zeros((1, 3), numpy.float32)}, {"y": x.sum(0, keepdims=True)}


def sizes():
    """Sizes that are computed from values of floats."""
    x = numpy.array([1, 2, 3], numpy.float32)
    return model(
        [node("ReduceSum", "x", "sum", keepdims=1), node("Cast", "sum", "n", to=I64),
         node("ConstantOfShape", "n", "zeros"), node("Add", "zeros one", "ones"),
         node("Squeeze", "n first", "limit"), node("Range", "start limit step", "r"),
         node("Cast", "r", "numbers", "to_float", to=F32),
         node("Mul", "ones numbers", "y")],
        [value("x", [3])], [value("y", ["k"])],
        [array("one", [1]), array("first", [0], numpy.int64),
         array("start", 0, numpy.int64), array("step", 1, numpy.int64)],
    ), {"x": x}, {"y": numpy.arange(6, dtype=numpy.float32)}


def texts():
    """Words that are split, put together and compared."""
    x = numpy.array(["a b", "c  d e", ""], object)
    return model(
        [node("StringSplit", "x", "words count"),
         node("StringConcat", "words mark", "marked"),
         node("Equal", "marked wanted", "same"), node("Cast", "same", "hits", to=F32),
         node("ReduceSum", "hits", "y", keepdims=0)],
        [value("x", [3], TEXT)],
        [value("y", []), value("words", [3, None], TEXT), value("count", [3], I64)],
        [helper.make_tensor("mark", TEXT, [], [b"!"]),
         helper.make_tensor("wanted", TEXT, [1], [b"d!"])], opset=21,
    ), {"x": x}, {"y": numpy.array(1, numpy.float32),
                  "words": numpy.array([["a", "b", ""], ["c", "d", "e"], [""] * 3], object),
                  "count": numpy.array([2, 3, 0])}


def unsupported():
    """All that nothing runs is told at once, also what stands in a branch."""
    inner = graph([node("Unheard", "x", "t", "inner_unheard")], [], [value("t", [2])])
    other = graph([node("Neg", "x", "e", "else_neg")], [], [value("e", [2])])
    return model(
        [node("NonZero", "x", "places"), node("Frobnicate", "x", "f"),
         node("ReduceSum", "f", "sum", keepdims=0), node("Cast", "sum", "c", to=BOOL),
         node("If", "c", "y", then_branch=inner, else_branch=other)],
        [value("x", [2])], [value("y", [2]), value("places", [1, None], I64)],
    ), {"x": numpy.ones(2, numpy.float32)}, None


def out_of_range():
    """A value leads outside of a sequence."""
    return model(
        [node("SequenceConstruct", "x x", "s"), node("SequenceAt", "s i", "y")],
        [value("x", [2]), value("i", [], I64)], [value("y", [2])],
    ), {"x": numpy.ones(2, numpy.float32), "i": numpy.array(5, numpy.int64)}, {
        "y": numpy.ones(2, numpy.float32)}


def added_strings():
    """What adds to strings does not only move them."""
    x = numpy.array(["a", "b"], object)
    return model(
        [node("ScatterND", "x i u", "y", reduction="add")],
        [value("x", [2], TEXT), value("i", [1, 1], I64), value("u", [1], TEXT)], [value("y", [2], TEXT)], opset=18,
    ), {"x": x, "i": numpy.array([[1]]), "u": x[:1]}, {"y": x}


def bad_shape():
    """A shape that is computed does not fit."""
    return model(
        [node("NonZero", "x", "places"), node("Reshape", "places three", "y")],
        [value("x", [4])], [value("y", [3, None], I64)],
        [array("three", [3, -1], numpy.int64)],
    ), {"x": numpy.ones(4, numpy.float32)}, None


def write(path, name, content):
    """An array, or a message of ONNX."""
    if isinstance(content, Message):
        proto = content
    elif numpy.asarray(content).dtype == object:
        proto = helper.make_tensor(name, TEXT, content.shape,
                                   [t.encode() for t in content.ravel()])
    else:
        proto = numpy_helper.from_array(numpy.asarray(content), name)
    with open(path, "wb") as file:
        file.write(proto.SerializeToString())


def save(folder, the_model, inputs, outputs):
    data = f"{folder}/test_data_set_0"
    os.makedirs(data, exist_ok=True)
    with open(f"{folder}/model.onnx", "wb") as file:
        file.write(the_model.SerializeToString())
    for what, values in (("input", inputs), ("output", outputs or {})):
        for i, (name, content) in enumerate(values.items()):
            write(f"{data}/{what}_{i}.pb", name, content)


def main():
    case, folder = sys.argv[1:]
    save(folder, *globals()[case]())


if __name__ == "__main__":
    main()
