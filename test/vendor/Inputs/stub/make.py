#!/usr/bin/env python3
"""A model of unknown operators, and the printed records filled in:
make.py model FOLDER, make.py fill STUB.td FILLED.td."""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

X = numpy.array([[0.5, -1, 2], [3, 0.25, -2]], numpy.float32)
COUNTS = numpy.array([4, 2], numpy.int64)
# The texts that replace a kernel by hand, by the name of the node.
MEANINGS = {
    "own_strange_blend": "let tier = 2;\n  let lowering = [{ y0 = x0 * weight; y1 = x0 + real(axis + sizes[1]); }];",
    "own_place_twist": 'let compute = "y0[*i] = 0 - x0[*i]";',
}


def save(path, message):
    with open(path, "wb") as file:
        file.write(message.SerializeToString())


def model(folder):
    data = f"{folder}/test_data_set_0"
    os.makedirs(data)
    nodes = [helper.make_node("Blend", ["x", "", "n"], ["a", "b"], domain="com.strange", name="first", axis=1, weight=0.5,
                              sizes=[1, 2], shares=[0.5, 0.25], word="yes", words=["a", "b"],
                              table=numpy_helper.from_array(COUNTS)),
             helper.make_node("Twist", ["a"], ["c"], domain="org.other.place", name="second"),
             helper.make_node("Add", ["b", "c"], ["y"])]
    ports = [helper.make_tensor_value_info("x", TensorProto.FLOAT, X.shape),
             helper.make_tensor_value_info("n", TensorProto.INT64, COUNTS.shape)]
    out = [helper.make_tensor_value_info("y", TensorProto.FLOAT, X.shape)]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.strange", 3), helper.make_opsetid("org.other.place", 1)]
    save(f"{folder}/model.onnx", helper.make_model(helper.make_graph(nodes, "graph", ports, out), opset_imports=opsets))
    for i, array in enumerate((X, COUNTS)):
        save(f"{data}/input_{i}.pb", numpy_helper.from_array(array))
    save(f"{data}/output_0.pb", numpy_helper.from_array(X + 3 - X * numpy.float32(0.5)))


def fill(stub, filled):
    """Leaves every other line as it was printed."""
    lines, node = [], ""
    for line in open(stub):
        for name in MEANINGS:
            node = name if f'"{name}"' in line else node
        if line.startswith("  let hand ="):
            lines.append(f"  {MEANINGS[node]}\n")
        elif not line.startswith(("  let reason =", "  let gradient =")):
            lines.append(line)
    with open(filled, "w") as file:
        file.writelines(lines)


{"model": model, "fill": fill}[sys.argv[1]](*sys.argv[2:])
