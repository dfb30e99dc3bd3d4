"""Writes a model with the vendor's operator, and its data set."""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
data = os.path.join(folder, "test_data_set_0")
os.makedirs(data, exist_ok=True)
graph = helper.make_graph(
    [helper.make_node("HardMish", ["x"], ["y"], name="activation",
                      domain="com.vendor")], "vendor",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 5])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 5])])
model = helper.make_model(graph, opset_imports=[
    helper.make_opsetid("", 13), helper.make_opsetid("com.vendor", 1)])
onnx.save(model, os.path.join(folder, "model.onnx"))
x = numpy.linspace(-4, 4, 10, dtype=numpy.float32).reshape(2, 5)
y = x * numpy.clip(x + 2, 0, 2) / 2
for name, value in (("input_0", x), ("output_0", y.astype(numpy.float32))):
    with open(os.path.join(data, name + ".pb"), "wb") as file:
        file.write(numpy_helper.from_array(value).SerializeToString())
