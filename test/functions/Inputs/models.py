# SPDX-License-Identifier: MIT
"""Writes two models that share weights and an input, into a folder:
first.onnx, y = x * w + b, and second.onnx, y = x * w - c with another b in it."""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save


def value(name, sizes):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)


def write(path, last, constants, result):
    nodes = [helper.make_node("MatMul", ["x", "w"], ["product"]),
             helper.make_node(last, ["product", "b"], [result])]
    graph = helper.make_graph(
        nodes, "graph", [value("x", [2, 64])], [value(result, [2, 64])],
        [numpy_helper.from_array(array, name)
         for name, array in constants.items()])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                           ir_version=8), path)


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
random = numpy.random.default_rng(1)
w = random.standard_normal([64, 64], "f")
write(os.path.join(folder, "first.onnx"), "Add",
      {"w": w, "b": numpy.ones(64, "f")}, "y")
write(os.path.join(folder, "second.onnx"), "Sub",
      {"w": w, "b": numpy.full(64, 2, "f")}, "z")
