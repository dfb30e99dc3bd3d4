"""Writes a model with the vendor's Gelu beside ONNX's, and its data set."""

import math
import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
data = os.path.join(folder, "test_data_set_0")
os.makedirs(data, exist_ok=True)
nodes = [helper.make_node("Gelu", ["x"], ["g"], name="common"),
         helper.make_node("Gelu", ["g"], ["y"], name="own", domain="com.vendor")]
graph = helper.make_graph(
    nodes, "scope", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])])
onnx.save(helper.make_model(graph, opset_imports=[
    helper.make_opsetid("", 20), helper.make_opsetid("com.vendor", 1)]),
    os.path.join(folder, "model.onnx"))
x = numpy.linspace(-1, 1, 6, dtype=numpy.float32).reshape(2, 3)
g = x * 0.5 * (1 + numpy.vectorize(math.erf)(x / math.sqrt(2)))
y = (3 * g.sum(axis=1)) ** 2 * 3 - 1
for name, value in (("input_0", x), ("output_0", y.astype(numpy.float32))):
    with open(os.path.join(data, name + ".pb"), "wb") as file:
        file.write(numpy_helper.from_array(value).SerializeToString())
