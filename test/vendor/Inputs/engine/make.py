#!/usr/bin/env python3
"""Models for the engine: make.py FOLDER."""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


def save(folder, name, nodes, inputs, outputs, constants=()):
    def info(port):
        return helper.make_tensor_value_info(port[0], TensorProto.FLOAT, port[1])
    graph = helper.make_graph(nodes, name, [info(i) for i in inputs],
                              [info(o) for o in outputs],
                              [numpy_helper.from_array(v, n) for n, v in constants])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.engine", 1)])
    model.ir_version = 8
    onnx.save(model, os.path.join(folder, name + ".onnx"))


def own(operator, inputs, outputs):
    return helper.make_node(operator, inputs, outputs, domain="com.engine", name=operator)


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
# A node makes the moved tensor, and nothing reads it later.
save(folder, "ahead",
     [helper.make_node("Relu", ["A"], ["a"]), own("Ahead", ["a", "B"], ["moved", "sum"]),
      helper.make_node("Neg", ["moved"], ["M"]), helper.make_node("Relu", ["sum"], ["S"])],
     [("A", [5]), ("B", [5])], [("M", [5]), ("S", [5])])
save(folder, "fetched", [own("Fetched", ["A", "B"], ["S"])], [("A", [5]), ("B", [5])], [("S", [5])])
save(folder, "squares", [own("SquaredByRows", ["X"], ["Y"])], [("X", [26, 16])], [("Y", [26, 16])])
save(folder, "too-large", [own("Fetched", ["A", "B"], ["S"])],
     [("A", [400]), ("B", [400])], [("S", [400])])
save(folder, "sums", [own("RowSums", ["X"], ["Y"])], [("X", [4, 7])], [("Y", [4])])
save(folder, "hands",
     [own("RowSums", ["X"], ["s"]), helper.make_node("Cos", ["s"], ["c"]), own("Bent", ["c"], ["Y"])],
     [("X", [4, 7])], [("Y", [4])])
save(folder, "rules",
     [own("Twice", ["X"], ["t"]), own("Silu", ["t"], ["Y"])], [("X", [5])], [("Y", [5])])
# Three numbers are so few that they are computed when the model is compiled.
save(folder, "rewrites",
     [helper.make_node("Exp", ["W"], ["e"]), helper.make_node("Mul", ["X", "e"], ["s"]),
      helper.make_node("Mul", ["s", "s"], ["q"]), helper.make_node("Max", ["q", "X"], ["high"]),
      helper.make_node("Min", ["q", "X"], ["low"]), helper.make_node("Add", ["high", "low"], ["Y"])],
     [("X", [3])], [("Y", [3])], [("W", numpy.array([-1, 0, 0.5], numpy.float32))])
