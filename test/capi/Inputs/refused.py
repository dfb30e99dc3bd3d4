"""Writes a model with an operator that there is none of."""

import sys

from onnx import TensorProto, helper

graph = helper.make_graph(
    [helper.make_node("Frobnicate", ["x"], ["y"], name="odd")], "g",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
with open(sys.argv[1], "wb") as file:
    file.write(model.SerializeToString())
