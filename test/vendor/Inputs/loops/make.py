#!/usr/bin/env python3
"""Three models of the vendor's operators: make.py FOLDER."""

import os
import sys

import onnx
from onnx import TensorProto, helper


def save(folder, name, nodes, inputs, output):
    kinds = {"B": TensorProto.INT64, "O": TensorProto.INT32}
    graph = helper.make_graph(
        nodes, name,
        [helper.make_tensor_value_info(i, kinds.get(i, TensorProto.FLOAT), s) for i, s in inputs],
        [helper.make_tensor_value_info(*output)])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.vendor", 1)])
    model.ir_version = 8
    onnx.save(model, os.path.join(folder, name + ".onnx"))


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
# The counts are made by a node, and nothing else reads them.
save(folder, "histogram",
     [helper.make_node("Relu", ["C"], ["begun"]),
      helper.make_node("Histogram", ["begun", "B", "W"], ["sums"], domain="com.vendor"),
      helper.make_node("Softmax", ["sums"], ["Y"])],
     [("C", [7]), ("B", [40]), ("W", [40])], ("Y", TensorProto.FLOAT, [7]))
save(folder, "chain",
     [helper.make_node("Add", ["X", "W"], ["a"]),
      helper.make_node("Bump", ["a", "W"], ["b"], domain="com.vendor"),
      helper.make_node("Sigmoid", ["b"], ["Z"])],
     [("X", [5, 19]), ("W", [5, 19])], ("Z", TensorProto.FLOAT, [5, 19]))
# The place after the last one of the order is not there.
save(folder, "next",
     [helper.make_node("Next", ["X", "O"], ["Y"], domain="com.vendor", shift=1)],
     [("X", [5]), ("O", [37])], ("Y", TensorProto.FLOAT, [37]))
