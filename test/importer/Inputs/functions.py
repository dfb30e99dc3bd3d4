#!/usr/bin/env python3
"""Writes models with functions of their own, and what they must give, computed
with numpy: functions.py FOLDER.
"""

import os
import sys

import numpy
from onnx import AttributeProto, FunctionProto, TensorProto, helper, mapping, numpy_helper

F = numpy.float32
X = numpy.array([[-1.5, 0.5, 2], [3, -0.25, 1]], F)
MINE = "mine"


def node(op, inputs, outputs, domain="", overload="", refers=(), name=None, **attributes):
    """`refers` is pairs: the attribute of the node, that of the function."""
    result = helper.make_node(op, inputs, outputs, name=name or op.lower(), domain=domain, **attributes)
    for own, outer in refers:
        result.attribute.append(AttributeProto(name=own, ref_attr_name=outer, type=AttributeProto.FLOAT))
    return with_field(result, 8, overload.encode())


def with_field(message, number, data):
    """Adds a field that the schema of the package does not have yet."""
    if data:
        length, size = len(data), b""
        while length > 127:
            size += bytes([length & 127 | 128])
            length >>= 7
        message.MergeFromString(bytes([number << 3 | 2]) + size + bytes([length]) + data)
    return message


def function(name, inputs, outputs, nodes, attributes=(), defaults=(), opset=13, overload="", domain=MINE):
    result = FunctionProto(name=name, input=inputs, output=outputs, node=nodes, attribute=attributes, domain=domain)
    result.opset_import.extend([helper.make_opsetid("", opset), helper.make_opsetid(MINE, 1)])
    for default in defaults:
        with_field(result, 11, default.SerializeToString())
    return with_field(result, 13, overload.encode())


def write(folder, nodes, functions, expected, outputs=("y",), opset=13, inputs=(X,)):
    named = {"input": list(zip("xzw", inputs)), "output": list(zip(outputs, expected))}
    info = {word: [helper.make_tensor_value_info(name, mapping.NP_TYPE_TO_TENSOR_TYPE[array.dtype], array.shape)
                   for name, array in arrays] for word, arrays in named.items()}
    model = helper.make_model(
        helper.make_graph(nodes, "graph", info["input"], info["output"]),
        opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid(MINE, 1)])
    model.functions.extend(functions)
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data)
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(model.SerializeToString())
    for word, arrays in named.items():
        for i, (name, array) in enumerate(arrays):
            with open(os.path.join(data, f"{word}_{i}.pb"), "wb") as file:
                file.write(numpy_helper.from_array(array, name).SerializeToString())


def constant(name, value):
    return node("Constant", [], [name], value=numpy_helper.from_array(value, name))


def cases():
    twice = function("Twice", ["a"], ["b"], [node("Add", ["a", "a"], ["b"])])
    yield "simple", [node("Twice", ["x"], ["y"], MINE)], [twice], [X * 2]
    yield "two_calls", [node("Twice", ["x"], ["t"], MINE, name="one"), node("Twice", ["t"], ["y"], MINE, name="two")], [
        twice], [X * 4]

    # A function that calls functions, whose inner values have the names of outer ones.
    inner = function("Inner", ["x"], ["y"], [node("Relu", ["x"], ["t"]), node("Exp", ["t"], ["y"])])
    outer = function("Outer", ["x"], ["y"], [
        node("Inner", ["x"], ["t"], MINE), node("Inner", ["t"], ["u"], MINE), node("Sub", ["u", "t"], ["y"])])
    small = X / 4
    t = numpy.exp(numpy.maximum(small, 0))
    yield "nested", [node("Outer", ["x"], ["t"], MINE), node("Neg", ["t"], ["y"])], [inner, outer], [
        t - numpy.exp(numpy.maximum(t, 0))], ("y",), 13, (small,)

    # Attributes: given, by default, and neither, where the node inside has its own.
    leaky = function("Leaky", ["a"], ["b"], [node("LeakyRelu", ["a"], ["b"], refers=[("alpha", "slope")])], ["slope"])
    by_default = function("ByDefault", ["a"], ["b"], [node("LeakyRelu", ["a"], ["b"], refers=[("alpha", "slope")])],
                          defaults=[helper.make_attribute("slope", 0.5)])
    passed = function("Passed", ["a"], ["b"], [node("Leaky", ["a"], ["b"], MINE, refers=[("slope", "outer")])], ["outer"])
    bend = lambda alpha: numpy.where(X < 0, F(alpha) * X, X)
    for name, op, given, alpha in (
            ("given", "Leaky", {"slope": 0.25}, 0.25), ("neither", "Leaky", {}, 0.01), ("default", "ByDefault", {}, 0.5),
            ("over_default", "ByDefault", {"slope": 0.125}, 0.125), ("passed_on", "Passed", {"outer": 0.75}, 0.75)):
        yield "attribute_" + name, [node(op, ["x"], ["y"], MINE, **given)], [leaky, by_default, passed], [bend(alpha)]

    # Inputs and outputs that a call leaves out.
    clip = function("Bound", ["a", "low", "high"], ["b", "c"], [
        node("Clip", ["a", "low", "high"], ["b"]), node("Neg", ["a"], ["c"])])
    one = constant("one", F(1))
    yield "no_low", [one, node("Bound", ["x", "", "one"], ["y"], MINE)], [clip], [numpy.minimum(X, 1)]
    yield "no_high", [one, node("Bound", ["x", "one"], ["y"], MINE)], [clip], [numpy.maximum(X, 1)]
    yield "second_output", [node("Bound", ["x"], ["", "y"], MINE)], [clip], [-X]

    # Results that are inputs, or the same value twice.
    pair = function("Pair", ["a"], ["a", "b", "b"], [node("Neg", ["a"], ["b"])])
    yield "passed_through", [node("Pair", ["x"], ["y", "z", "w"], MINE)], [pair], [X, -X, -X], ("y", "z", "w")

    # Two opsets at once: in 12 the second input of Squeeze was an attribute.
    flat = function("Flat", ["a"], ["b"], [node("Squeeze", ["a"], ["b"], axes=[0])], opset=12)
    axis = constant("axis", numpy.array([0], numpy.int64))
    yield "opset_of_function", [node("Flat", ["x"], ["t"], MINE), axis, node("Squeeze", ["t", "axis"], ["y"])], [flat], [
        X.reshape(6)], ("y",), 13, (X.reshape(1, 1, 6),)

    # An overload, and a function with the name of an operator.
    yield "overload", [node("Twice", ["x"], ["t"], MINE, "three"), node("Twice", ["t"], ["y"], MINE)], [
        twice, function("Twice", ["a"], ["b"], [node("Sum", ["a", "a", "a"], ["b"])], overload="three")], [X * 6]
    yield "over_operator", [node("Relu", ["x"], ["y"])], [
        function("Relu", ["a"], ["b"], [node("Neg", ["a"], ["b"])], domain="")], [-X]

    # Graphs inside: captured values, a call in a branch, and a loop of which only
    # a run knows how often.
    branch = lambda *nodes: helper.make_graph(nodes, "g", [], [helper.make_tensor_value_info(
        nodes[-1].output[0], TensorProto.FLOAT, None)])
    choose = function("Choose", ["a", "c"], ["b"], [
        node("Neg", ["a"], ["t"]),
        node("If", ["c"], ["b"], then_branch=branch(node("Twice", ["t"], ["u"], MINE)),
             else_branch=branch(node("Add", ["t", "a"], ["u"])))])
    for name, flag in (("then", True), ("else", False)):
        yield "branch_" + name, [node("Choose", ["x", "z"], ["y"], MINE)], [choose, twice], [
            X * (-2 if flag else 0)], ("y",), 13, (X, numpy.array(flag))
    value = lambda n, kind, shape: helper.make_tensor_value_info(n, kind, shape)
    body = helper.make_graph(
        [node("Identity", ["k"], ["l"]), node("Twice", ["s"], ["r"], MINE), node("Add", ["r", "a"], ["n"])], "body",
        [value("i", TensorProto.INT64, []), value("k", TensorProto.BOOL, []), value("s", TensorProto.FLOAT, [2, 3])],
        [value("l", TensorProto.BOOL, []), value("n", TensorProto.FLOAT, [2, 3])])
    repeat = function("Repeat", ["a", "count"], ["b"], [node("Loop", ["count", "", "a"], ["b"], body=body)])
    yield "loop", [node("Repeat", ["x", "z"], ["y"], MINE)], [repeat, twice], [X * 15], ("y",), 13, (
        X, numpy.array(3, numpy.int64))


if __name__ == "__main__":
    for name, *case in cases():
        write(os.path.join(sys.argv[1], "test_" + name), *case)
