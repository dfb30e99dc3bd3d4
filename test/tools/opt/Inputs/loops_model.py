"""Writes a model of an outer product and a pool that runs by its loops."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

nodes = [
    helper.make_node("Einsum", ["x", "w"], ["c"], name="outer",
                     equation="ij,ik->ijk"),
    helper.make_node("Unsqueeze", ["x", "axes"], ["image"], name="un"),
    helper.make_node("LpPool", ["image"], ["t"], name="pool",
                     kernel_shape=[3], p=3),
]
graph = helper.make_graph(
    nodes, "loops",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [64, 96]),
     helper.make_tensor_value_info("w", TensorProto.FLOAT, [64, 48])],
    [helper.make_tensor_value_info("c", TensorProto.FLOAT, [64, 96, 48]),
     helper.make_tensor_value_info("t", TensorProto.FLOAT, [1, 64, 94])],
    [numpy_helper.from_array(np.array([0], dtype=np.int64), "axes")])
onnx.save(helper.make_model(graph, ir_version=8,
                            opset_imports=[helper.make_opsetid("", 18)]),
          sys.argv[1])
