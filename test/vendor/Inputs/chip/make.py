"""Writes a model with a product of f32 or f64, and its data set."""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

folder, kind = sys.argv[1], sys.argv[2]
data = os.path.join(folder, "test_data_set_0")
os.makedirs(data, exist_ok=True)
element = {"f32": TensorProto.FLOAT, "f64": TensorProto.DOUBLE}[kind]
dtype = {"f32": numpy.float32, "f64": numpy.float64}[kind]
nodes = [helper.make_node("Max", ["a", "b"], ["high"]),
         helper.make_node("Min", ["a", "b"], ["low"]),
         helper.make_node("Sub", ["high", "low"], ["distance"]),
         helper.make_node("MatMul", ["distance", "w"], ["y"])]
w = numpy.arange(12, dtype=dtype).reshape(3, 4) / 8
graph = helper.make_graph(
    nodes, "chip",
    [helper.make_tensor_value_info(name, element, [2, 3]) for name in "ab"],
    [helper.make_tensor_value_info("y", element, [2, 4])],
    [numpy_helper.from_array(w, "w")])
onnx.save(helper.make_model(graph, opset_imports=[
    helper.make_opsetid("", 13)]), os.path.join(folder, "model.onnx"))
a = numpy.linspace(-1, 1, 6, dtype=dtype).reshape(2, 3)
b = a[::-1].copy()
files = {"input_0": a, "input_1": b, "output_0": numpy.abs(a - b) @ w}
for name, value in files.items():
    with open(os.path.join(data, name + ".pb"), "wb") as file:
        file.write(numpy_helper.from_array(value).SerializeToString())
