# SPDX-License-Identifier: MIT
"""Writes y = 2 x of [n, 3], where n is open."""

import sys

import onnx
from onnx import TensorProto, helper

graph = helper.make_graph(
    [helper.make_node("Add", ["x", "x"], ["y"])], "scale",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3])])
onnx.save(helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
    sys.argv[1])
