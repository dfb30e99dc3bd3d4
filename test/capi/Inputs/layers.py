"""Writes a model of dense layers whose weights take so many MiB."""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

path, layers = sys.argv[1], int(sys.argv[2])
random = numpy.random.default_rng(1)
names = ["x", *(f"t{i}" for i in range(1, layers)), "y"]
graph = helper.make_graph(
    [node for i in range(layers) for node in (
        helper.make_node("MatMul", [names[i], f"w{i}"], [f"p{i}"]),
        helper.make_node("Relu", [f"p{i}"], [names[i + 1]]))], "g",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 512])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 512])],
    [numpy_helper.from_array(random.standard_normal((512, 512), "f"), f"w{i}")
     for i in range(layers)])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
with open(path, "wb") as file:
    file.write(model.SerializeToString())
