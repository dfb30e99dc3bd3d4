#!/usr/bin/env python3
"""Two models: make.py FOLDER."""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
ports = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "XY"}
w = numpy_helper.from_array(numpy.linspace(-1, 1, 6, dtype=numpy.float32).reshape(2, 3), "W")
for name, last in (("taken", "Relu"), ("refused", "Tanh")):
    nodes = [helper.make_node("Add", ["X", "W"], ["a"], name="sum"),
             helper.make_node("Silu", ["a"], ["b"], domain="com.nodes", name="silu"),
             helper.make_node(last, ["b"], ["Y"], name="last")]
    graph = helper.make_graph(nodes, name, [ports["X"]], [ports["Y"]], [w])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.nodes", 1)])
    model.ir_version = 8
    onnx.save(model, os.path.join(folder, name + ".onnx"))
