# SPDX-License-Identifier: MIT
"""Writes a model of a layer into FILE: y [N, 2] is x [N, 3] by w, and b."""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save

N = 8
graph = helper.make_graph(
    [helper.make_node("Gemm", ["x", "w", "b"], ["y"], "layer")], "layer",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [N, 3])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [N, 2])],
    [numpy_helper.from_array(numpy.ones([3, 2], "f"), "w"),
     numpy_helper.from_array(numpy.array([0.5, -0.5], "f"), "b")])
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                       ir_version=8), sys.argv[1])
