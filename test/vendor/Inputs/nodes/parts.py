#!/usr/bin/env python3
"""Models of which several backends run parts: parts.py FOLDER."""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
rows = 512
w = numpy_helper.from_array(numpy.linspace(-1, 1, 1024, dtype=numpy.float32).reshape(32, 32), "W")
row = numpy_helper.from_array(numpy.linspace(0, 1, 32, dtype=numpy.float32).reshape(1, 32), "R")
many = numpy_helper.from_array(numpy.array([rows, 32]), "S")


def write(name, nodes, outputs, sizes=(rows, 32)):
    def port(value):
        return helper.make_tensor_value_info(value, TensorProto.FLOAT, [rows, 32] if value == "X" else sizes)
    made = [helper.make_node(op, ins, outs, name=outs[0]) for op, ins, outs in nodes]
    graph = helper.make_graph(made, name, [port("X")], [port(value) for value in outputs], [w, row, many])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, os.path.join(folder, name + ".onnx"))


# "main_0" is what a value between parts would be called.
write("turns", [("Expand", ["R", "S"], ["many"]),
                ("MatMul", ["X", "W"], ["a"]),
                ("Add", ["a", "many"], ["b"]),
                ("Tanh", ["b"], ["c"]),
                ("Relu", ["c"], ["between"]),
                ("Tanh", ["between"], ["d"]),
                ("MatMul", ["d", "W"], ["e"]),
                ("Relu", ["e"], ["Y"]),
                ("Tanh", ["X"], ["side"]),
                ("Mul", ["side", "many"], ["f"]),
                ("MatMul", ["W", "W"], ["g"]),
                ("MatMul", ["f", "g"], ["Z"]),
                ("Sin", ["Z"], ["main_0"])], ["Y", "Z", "main_0"])
write("whole", [("MatMul", ["X", "W"], ["a"]), ("Relu", ["a"], ["Y"])], ["Y"])
write("other", [("Tanh", ["X"], ["a"]), ("Sin", ["a"], ["Y"])], ["Y"])
write("three", [("Exp", ["X"], ["a"]), ("MatMul", ["a", "W"], ["b"]), ("Tanh", ["b"], ["c"]), ("Exp", ["c"], ["Y"])], ["Y"])
write("neither", [("Exp", ["X"], ["a"]), ("Tanh", ["a"], ["b"]), ("Add", ["b", "R"], ["Y"])], ["Y"])
# Only a run knows the number of nonzero elements.
write("staged", [("MatMul", ["X", "W"], ["a"]), ("Tanh", ["a"], ["b"]), ("Relu", ["b"], ["c"]),
                 ("NonZero", ["c"], ["d"]), ("CastLike", ["d", "R"], ["e"]), ("Relu", ["e"], ["f"]),
                 ("Tanh", ["f"], ["Y"])], ["Y"], [2, None])
