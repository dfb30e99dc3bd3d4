"""Writes a model of products: 48 MiB of weights in twelve layers, then as much
in a last one. They are in a file beside it, which is called data."""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

widths = [1024] * 13 + [12288]
random = numpy.random.default_rng(0)
nodes, constants = [], []
for i, shape in enumerate(zip(widths, widths[1:])):
    values = random.standard_normal(shape, dtype="float32")
    constants.append(numpy_helper.from_array(values, f"w{i}"))
    nodes.append(helper.make_node("MatMul", [f"y{i}", f"w{i}"], [f"y{i + 1}"]))
first, last = (
    helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, [1, widths[i]])
    for i in (0, len(nodes)))
graph = helper.make_graph(nodes, "uneven", [first], [last], constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)],
                          ir_version=8)
onnx.save(model, sys.argv[1], save_as_external_data=True, location="data")
