#!/usr/bin/env python3
"""A network that remembers, and lengths of its items: recurrent_lengths.py FOLDER."""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
os.makedirs(folder)
weights = numpy.ones((1, 12, 3), numpy.float32)
graph = helper.make_graph(
    [helper.make_node("LSTM", ["x", "w", "w", "", "lengths"], ["y"], name="cell", hidden_size=3)], "graph",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 2, 3]),
     helper.make_tensor_value_info("lengths", TensorProto.INT32, [2])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 1, 2, 3])],
    [numpy_helper.from_array(weights, "w")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)])
model.ir_version = 8
onnx.save(model, f"{folder}/model.onnx")
numpy.save(f"{folder}/x.npy", numpy.ones((4, 2, 3), numpy.float32))
for name, lengths in (("long", [2, 5]), ("negative", [-1, 2]), ("whole", [4, 0])):
    numpy.save(f"{folder}/{name}.npy", numpy.array(lengths, numpy.int32))
