# SPDX-License-Identifier: MIT
"""recurrent.py FILE [H0 HN]: y = 2 (x + h0) and hn = y + 1, of f32[4]."""

import sys

import onnx
from onnx import TensorProto, helper, numpy_helper
import numpy

path, *names = sys.argv[1:]
h0, hn = names or ("h0", "hn")


def values(*names):
    return [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4])
            for name in names]


graph = helper.make_graph(
    [helper.make_node("Add", ["x", h0], ["sum"]),
     helper.make_node("Mul", ["sum", "two"], ["y"]),
     helper.make_node("Add", ["y", "one"], [hn])],
    "g", values("x", h0), values("y", hn),
    [numpy_helper.from_array(numpy.full(4, number, "f"), name)
     for number, name in ((2, "two"), (1, "one"))])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.save(model, path)
