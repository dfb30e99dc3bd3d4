#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models that would take all memory there is: bombs.py CASE FILE.

A case is a function below. Where a loop has no end, its condition is an input, so
that nothing knows before the run.
"""

import sys

import numpy
from onnx import TensorProto, helper

from cases import BOOL, F32, I64, TEXT, array, graph, model, node, value


def endless(body, state, inputs, outputs, weights=(), before=()):
    """A loop for as long as the input `on` says; `state` is what the body carries,
    by its inputs, its outputs and what they begin with."""
    given = [value("i", [], I64), value("on_in", [], BOOL)] + [
        helper.make_value_info(name, type) for name, _, _, type in state]
    made = [value("on_out", [], BOOL)] + [
        helper.make_value_info(name, type) for _, name, _, type in state]
    inner = graph([node("Identity", "on_in", "on_out")] + body, given, made + outputs)
    begins = " ".join(begin for _, _, begin, _ in state)
    results = [f"end_{name}" for _, name, _, _ in state] + [f"all_{o.name}" for o in outputs]
    loop = node("Loop", f"- on {begins}", " ".join(results), name="the_loop", body=inner)
    kinds = [helper.make_value_info(f"end_{name}", type) for _, name, _, type in state]
    kinds += [value(f"all_{o.name}", None, o.type.tensor_type.elem_type) for o in outputs]
    return model(list(before) + [loop], [value("on", [], BOOL)] + inputs, kinds, weights,
                 opset=20)


def tensor_type(kind=F32, shape=None):
    return helper.make_tensor_type_proto(kind, shape)


def gathered():
    """A large tensor for each iteration."""
    return endless([node("Mul", "x x", "row", name="the_mul")], [], [value("x", [4096])],
                   [value("row", [4096])])


def gathered_same():
    """One tensor, which takes no more memory however often it is gathered."""
    return endless([node("Identity", "x", "row")], [], [value("x", [0])], [value("row", [0])])


def doubled():
    """A tensor that is twice as large each time."""
    return endless([node("Concat", "s s", "t", name="the_concat", axis=0)],
                   [("s", "t", "x", tensor_type())], [value("x", [1024])], [])


def inserted():
    """A sequence that grows."""
    sequence = helper.make_sequence_type_proto(tensor_type())
    return endless([node("Mul", "x x", "row"), node("SequenceInsert", "s row", "t",
                                                   name="the_insert")],
                   [("s", "t", "empty", sequence)], [value("x", [65536])], [],
                   before=[node("SequenceEmpty", "", "empty")])


def words():
    """A text that is twice as long each time."""
    return endless([node("StringConcat", "s s", "t", name="the_concat")],
                   [("s", "t", "text", tensor_type(TEXT))], [], [],
                   [helper.make_tensor("text", TEXT, [1], [b"0123456789"])])


def pairs():
    """Every text with every other."""
    return model(
        [node("StringConcat", "a b", "c", name="the_concat"),
         node("StringConcat", "c d", "e", name="the_second"),
         node("Equal", "e e", "y")],
        [], [value("y", None, BOOL)],
        [helper.make_tensor(name, TEXT, shape, [b"0123456789abcdef"] * 512)
         for name, shape in (("a", [512, 1, 1]), ("b", [1, 512, 1]), ("d", [1, 1, 512]))],
        opset=20)


def parts():
    """One text of many parts, and many of none."""
    texts = [b"a " * 4096] + [b""] * 4095
    return model([node("StringSplit", "x", "y n", name="the_split"),
                  node("Identity", "n", "counts")],
                 [], [value("counts", None, I64)],
                 [helper.make_tensor("x", TEXT, [4096], texts)], opset=20)


def tokens():
    """One text of many tokens, and many of none."""
    texts = [b"a " * 4096] + [b""] * 4095
    return model([node("Tokenizer", "x", "y", mark=0, mincharnum=1, pad_value="#", separators=[" "],
                       domain="com.microsoft")],
                 [], [value("y", None, TEXT)], [helper.make_tensor("x", TEXT, [4096], texts)])


def labels():
    """A long text for each of many keys that are not there."""
    return model([node("LabelEncoder", "x", "y", keys_int64s=[-5], values_strings=["a"],
                       default_string="w" * 4096, domain="ai.onnx.ml")],
                 [value("x", [1 << 16], I64)], [value("y", None, TEXT)])


def places():
    """What is not 0 takes 8 bytes a dimension and place."""
    return model([node("Cast", "x", "b", to=BOOL), node("NonZero", "b", "y")],
                 [value("x", [1, 1, 1, 1, 1, 1 << 20])], [value("y", None, I64)], opset=20)


def constants():
    """Each tensor is small enough to be computed while the model is compiled, but
    all of them are not."""
    nodes = [node("ConstantOfShape", "size", "t0")]
    for i in range(64):
        nodes.append(node("Add", f"t{i} one", f"t{i + 1}", name=f"add_{i}"))
    nodes += [node("ReduceSum", f"t{i}", f"s{i}", keepdims=0) for i in range(65)]
    nodes += [node("Sum", " ".join(f"s{i}" for i in range(65)), "sum"),
              node("Cast", "sum", "shape", to=I64),
              node("Reshape", "shape minus", "list"),
              node("ConstantOfShape", "list", "f"), node("Add", "f x", "y")]
    return model(nodes, [value("x", [1])], [value("y")],
                 [array("size", [1 << 18], numpy.int64), array("one", 0.0),
                  array("minus", [-1], numpy.int64)], opset=20)


def endless_sum():
    """Takes no more memory, but has no end: the condition is a constant."""
    body = graph([node("Identity", "c", "d"), node("Add", "s x", "t")],
                 [value("i", [], I64), value("c", [], BOOL), value("s", [2])],
                 [value("d", [], BOOL), value("t", [2])])
    return model([node("Loop", "most on x", "y", name="the_loop", body=body)],
                 [value("x", [2])], [value("y", [2])],
                 [array("most", 2 ** 62, numpy.int64), array("on", True, numpy.bool_)])


if __name__ == "__main__":
    with open(sys.argv[2], "wb") as file:
        file.write(globals()[sys.argv[1]]().SerializeToString())
