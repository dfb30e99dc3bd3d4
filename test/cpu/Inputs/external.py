"""Writes a model whose weights, all of one value, are in a file beside it."""

import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper

path, value = pathlib.Path(sys.argv[1]), float(sys.argv[2])
weights = onnx.TensorProto(name="w", data_type=TensorProto.FLOAT,
                           dims=[32, 64],
                           data_location=TensorProto.EXTERNAL)
weights.external_data.add(key="location", value="weights.bin")
numpy.full((32, 64), value, "f").tofile(path.parent / "weights.bin")
graph = helper.make_graph(
    [helper.make_node("MatMul", ["x", "w"], ["y"])], "product",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 32])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 64])],
    [weights])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
path.write_bytes(model.SerializeToString())
