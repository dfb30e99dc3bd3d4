#!/usr/bin/env python3
"""Writes cases of Gradient, which differentiates other nodes of its model:
differentiation.py FOLDER. The derivatives are written down by hand.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

TRAINING = "ai.onnx.preview.training"
A = numpy.array([0.5, -1, 2], numpy.float32)
B = numpy.array([3, 0.25, -2], numpy.float32)


def gradient(inputs, outputs, **attributes):
    return helper.make_node("Gradient", inputs.split(), outputs, name="the_gradient",
                            domain=TRAINING, **attributes)


def node(op, inputs, output):
    return helper.make_node(op, inputs.split(), [output], name=f"the_{output}")


# h = a * b and y = h * a + h, so that y = a * a * b + a * b.
FORWARD = [node("Mul", "a b", "h"), node("Mul", "h a", "ha"), node("Add", "ha h", "y")]
OF_A, OF_B = 2 * A * B + B, A * A + A
SECOND = [gradient("a b", ["da"], xs=["a"], zs=["b"], y="y"),
          gradient("a b", ["daa", "dab"], xs=["a", "b"], y="da")]


def constant(name, value):
    return helper.make_node("Constant", [], [name], name=f"the_{name}", value=numpy_helper.from_array(value, name))


# The states of a network of one cell with the weights 1.5 and -0.5, added up.
STATES = [numpy.float32(0)]
for element in A:
    STATES.append(numpy.tanh(1.5 * element - 0.5 * STATES[-1]))
THROUGH_TIME, flow = [], 0
for state in reversed(STATES[1:]):
    change = (1 + flow) * (1 - state * state)
    THROUGH_TIME.insert(0, 1.5 * change)
    flow = -0.5 * change
THROUGH_TIME = numpy.array(THROUGH_TIME, numpy.float32)
NETWORK = [constant("steps", numpy.array([3, 1, 1])), constant("w", numpy.array([[[1.5]]], numpy.float32)),
           constant("r", numpy.array([[[-0.5]]], numpy.float32)), node("Reshape", "a steps", "x"),
           helper.make_node("RNN", ["x", "w", "r"], ["states"], name="the_network", hidden_size=1),
           node("ReduceSum", "states", "y")]

# Nodes, and what their outputs are.
CASES = {
    "of_inputs": (FORWARD + [gradient("a b", ["da", "db"], xs=["a", "b"], y="y")],
                  {"da": OF_A, "db": OF_B}),
    "before_the_nodes": ([gradient("a b", ["da", "db"], xs=["a", "b"], y="y")] + FORWARD,
                         {"db": OF_B}),
    "of_the_second_only": (FORWARD + [gradient("a b", ["", "db"], xs=["a", "b"], y="y")],
                           {"db": OF_B}),
    "held_constant": (FORWARD + [gradient("b a", ["db"], xs=["b"], zs=["a"], y="y")],
                      {"db": OF_B}),
    "of_a_value_between": (FORWARD + [gradient("h a", ["dh"], xs=["h"], zs=["a"], y="y")],
                           {"dh": A + 1}),
    "of_itself": (FORWARD + [gradient("y", ["dy"], xs=["y"], y="y")],
                  {"dy": numpy.ones_like(A)}),
    "elsewhere": (FORWARD + [gradient("b a", ["da", "db"], xs=["a", "b"], y="y")],
                  {"da": 2 * B * A + A, "db": B * B + B, "y": A * A * B + A * B}),
    "at_one_value_twice": (FORWARD + [gradient("a a", ["da", "db"], xs=["a", "b"], y="y")],
                           {"da": 2 * A * A + A, "db": A * A + A}),
    "second": (FORWARD + SECOND, {"daa": 2 * B, "dab": 2 * A + 1}),
    "of_what_does_not_matter": (
        [node("Abs", "b", "c")] + FORWARD + [gradient("a b c", ["da", "dc"], xs=["a", "c"], zs=["b"], y="y")],
        {"dc": numpy.zeros_like(A)}),
    "through_time": (NETWORK + [gradient("a", ["da"], xs=["a"], y="y")], {"da": THROUGH_TIME}),
    # The other way round, by names that are those of the function.
    "in_a_function": ([helper.make_node("F", ["b", "a"], ["dfirst", "dsecond"], name="call", domain="mine")],
                      {"dfirst": 2 * B * A + A, "dsecond": B * B + B}),
    # Refused cases: see differentiation.test.
    "refused_free": (FORWARD + [gradient("a", ["da"], xs=["a"], y="y")], {"da": A}),
    "refused_count": (FORWARD + [gradient("a", ["da"], xs=["a", "b"], y="y")], {"da": A}),
    "refused_twice": (FORWARD + [gradient("a b a", ["da"], xs=["a", "b", "a"], y="y")], {"da": A}),
    "refused_name": (FORWARD + [gradient("a", ["da"], xs=["z"], y="y")], {"da": A}),
    "refused_cycle": (FORWARD[1:] + [node("Mul", "a da", "h"),
                                     gradient("a b", ["da"], xs=["a"], zs=["b"], y="y")], {"da": A}),
}


def port(name, value):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape)


def write(folder, nodes, results):
    data = f"{folder}/test_data_set_0"
    os.makedirs(data)
    inputs = {"a": A, "b": B}
    graph = helper.make_graph(nodes, "graph", [port(*each) for each in inputs.items()],
                              [port(*each) for each in results.items()])
    opsets = [helper.make_opsetid("", 13), helper.make_opsetid(TRAINING, 1)]
    model = helper.make_model(graph, opset_imports=opsets + [helper.make_opsetid("mine", 1)])
    model.functions.append(helper.make_function("mine", "F", ["a", "b"], ["da", "db"], CASES["of_inputs"][0], opsets))
    with open(f"{folder}/model.onnx", "wb") as file:
        file.write(model.SerializeToString())
    for direction, values in (("input", inputs), ("output", results)):
        for i, (name, value) in enumerate(values.items()):
            with open(f"{data}/{direction}_{i}.pb", "wb") as file:
                file.write(numpy_helper.from_array(value, name).SerializeToString())


for case, (nodes, results) in CASES.items():
    write(f"{sys.argv[1]}/{case}", nodes, results)
