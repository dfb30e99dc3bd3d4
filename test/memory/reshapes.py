# SPDX-License-Identifier: MIT
"""Writes models whose inputs and outputs are reshaped: reshapes.py FOLDER

`reshapes.py count REPORT` prints how many steps of a report are reshapes, and how
many of these run code.
"""

import json
import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

if sys.argv[1] == "count":
    with open(sys.argv[2], encoding="utf-8") as report:
        steps = [step for step in json.load(report)["layers"]
                 if step["instruction"] == "reshape"]
    copies = [step for step in steps if step["algorithm"] != "in place"]
    print(f"{len(steps)} reshapes, {len(copies)} of them copy")
    sys.exit()
folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
random = numpy.random.default_rng(3)


def write(name, inputs, outputs, *nodes, constants=()):
    def info(tensors):
        return [helper.make_tensor_value_info(tensor, TensorProto.FLOAT, shape)
                for tensor, shape in tensors.items()]

    initializers = [numpy_helper.from_array(value, tensor) for tensor, value in constants]
    made = []
    for operator, reads, writes, *shape in nodes:
        if shape:
            initializers.append(numpy_helper.from_array(numpy.array(shape[0], "int64"),
                                                        writes + "_shape"))
            reads = reads + [writes + "_shape"]
        pads = {"pads": [1, 1, 1, 1]} if operator == "Conv" else {}
        made.append(helper.make_node(operator, reads, [writes], name=writes, **pads))
    graph = helper.make_graph(made, name, info(inputs), info(outputs), initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    with open(os.path.join(folder, name + ".onnx"), "wb") as file:
        file.write(model.SerializeToString())


# Reshapes at both ends, and nodes that work in place between them.
write("ends", {"x": [4, 6]}, {"y": [3, 8]},
      ("Reshape", ["x"], "flat", [24]),
      ("CumSum", ["flat", "axis"], "sums"),
      ("Softmax", ["sums"], "parts"),
      ("Reshape", ["parts"], "y", [3, 8]),
      constants=[("axis", numpy.array(0, "int64"))])

# An input in three shapes, and an output that is read again, in another one.
write("shared", {"x": [4, 6]}, {"y": [4, 6], "z": [2, 12], "w": [1]},
      ("Reshape", ["x"], "wide", [2, 12]),
      ("Reshape", ["x"], "tall", [8, 3]),
      ("Softmax", ["wide"], "parts"),
      ("Reshape", ["parts"], "y", [4, 6]),
      ("ReduceMax", ["tall"], "most"),
      ("Softmax", ["y"], "again"),
      ("Reshape", ["again"], "row", [2, 12]),
      ("Add", ["row", "most"], "z"),
      ("Reshape", ["y"], "column", [8, 3]),
      ("ReduceMean", ["column"], "mean"),
      ("Reshape", ["mean"], "w", [1]))

# From input to output.
write("straight", {"x": [4, 6]}, {"y": [24], "z": [4, 6]},
      ("Reshape", ["x"], "y", [24]),
      ("Relu", ["x"], "z"))

# Two outputs of one value.
write("twice", {"x": [4, 6]}, {"y": [24], "z": [8, 3]},
      ("Softmax", ["x"], "parts"),
      ("Reshape", ["parts"], "y", [24]),
      ("Reshape", ["parts"], "z", [8, 3]))

# Images, which a backend may lay out in another way.
write("image", {"x": [1, 32 * 8 * 8]}, {"y": [1, 32 * 8 * 8]},
      ("Reshape", ["x"], "image", [1, 32, 8, 8]),
      ("Conv", ["image", "filter"], "conv"),
      ("Relu", ["conv"], "relu"),
      ("Conv", ["relu", "filter"], "last"),
      ("Reshape", ["last"], "y", [1, 32 * 8 * 8]),
      constants=[("filter", random.standard_normal((32, 32, 3, 3)).astype("float32"))])
