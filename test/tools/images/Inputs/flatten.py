"""Writes a classifier that takes a batch of any size: flatten.py FILE.

Its scores are the sums of rows of a picture of 28 x 28.
"""

import sys

from onnx import TensorProto, helper

graph = helper.make_graph(
    [helper.make_node("ReduceSum", ["x", "axes"], ["y"], keepdims=0)], "graph",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 1, 28, 28])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 28])],
    [helper.make_tensor("axes", TensorProto.INT64, [2], [1, 3])])
with open(sys.argv[1], "wb") as file:
    file.write(helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 13)]).SerializeToString())
