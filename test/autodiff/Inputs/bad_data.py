# SPDX-License-Identifier: MIT
"""Data that glow train must refuse, from the files of digits.py in a folder."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1] + "/"
images, labels = np.load(folder + "images.npy"), np.load(folder + "labels.npy")
classes = labels.copy()
classes[7] = 10
np.save(folder + "classes.npy", classes)
np.save(folder + "few.npy", labels[:10])
np.save(folder + "small.npy", images[:10, :, ::2, ::2])
bad = images[:10].copy()
bad[3, 0, 5, 5] = np.nan
np.save(folder + "nan.npy", bad)
np.save(folder + "whole.npy", images[:10])
with open(folder + "whole.npy", "rb") as whole, open(folder + "cut.npy", "wb") as cut:
    cut.write(whole.read()[:-100])

# A model of one row alone: its sizes are constants.
nodes = [helper.make_node("Reshape", ["x", "sizes"], ["rows"]),
         helper.make_node("MatMul", ["rows", "w"], ["y"])]
info = helper.make_tensor_value_info
graph = helper.make_graph(
    nodes, "one", [info("x", TensorProto.FLOAT, [1, 2, 2])],
    [info("y", TensorProto.FLOAT, [1, 3])],
    [numpy_helper.from_array(np.array([1, 4]), "sizes"),
     numpy_helper.from_array(np.ones((4, 3), "float32"), "w")])
onnx.save(helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7),
    folder + "row.onnx")
np.save(folder + "x.npy", np.ones((10, 2, 2), "float32"))
np.save(folder + "y.npy", np.zeros(10, "int64"))

# A weight becomes negative in the first step, and its logarithm is no number in the second one.
nodes = [helper.make_node("MatMul", ["x", "w"], ["product"], "product"),
         helper.make_node("Log", ["product"], ["log"], "logarithm"),
         helper.make_node("Tanh", ["log"], ["y"], "last")]
graph = helper.make_graph(
    nodes, "log", [info("x", TensorProto.FLOAT, ["n", 2])],
    [info("y", TensorProto.FLOAT, ["n", 3])],
    [numpy_helper.from_array(np.full((2, 3), 0.1, "float32"), "w")])
onnx.save(helper.make_model(
    graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7),
    folder + "log.onnx")
np.save(folder + "ones.npy", np.ones((8, 2), "float32"))
np.save(folder + "targets.npy", np.full((8, 3), -1, "float32"))
