# SPDX-License-Identifier: MIT
"""Writes models with dropouts into a folder: a sum of 4 * 4096 elements times weights, as each
opset has it, and without dropout; and data of ones."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1] + "/"
node, info = helper.make_node, helper.make_tensor_value_info


def save(name, opset, nodes, **constants):
    weights = {"w": np.ones((4096, 1), "f"), **constants}
    graph = helper.make_graph(
        [*nodes, node("MatMul", ["d", "w"], ["y"], "product")], name,
        [info("x", TensorProto.FLOAT, ["n", 4096])], [info("y", TensorProto.FLOAT, ["n", 1])],
        [numpy_helper.from_array(value, key) for key, value in weights.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)],
                                ir_version=8), folder + name + ".onnx")


save("old", 9, [node("Dropout", ["x"], ["d"], "dropout", ratio=0.25)])
save("new", 13, [node("Dropout", ["x", "ratio", "mode"], ["d"], "dropout")],
     ratio=np.float32(0.25), mode=np.bool_(True))
save("none", 13, [node("Identity", ["x"], ["d"], "dropout")])
np.save(folder + "x.npy", np.ones((4, 4096), "f"))
np.save(folder + "y.npy", np.zeros((4, 1), "f"))
