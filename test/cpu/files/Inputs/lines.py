"""Models of running sums and of pools whose lines do not fill vectors:
lines.py FOLDER."""

import os
import sys

from onnx import TensorProto, helper, save


def write(name, node, shape, constants=()):
    graph = helper.make_graph(
        [node], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        constants)
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    save(model, os.path.join(sys.argv[1], name + ".onnx"))
    print(name)


os.makedirs(sys.argv[1])
# Rows in groups of eight and one at a time; columns in groups of vectors, in
# vectors, and in parts of them.
for shape, axis in (([19, 70], 1), ([3, 5], 1), ([2, 30, 100], 1),
                    ([2, 9, 3], 1), ([40, 64], 0)):
    for way in range(4):
        write(f"sum-{'x'.join(map(str, shape))}-{way}",
              helper.make_node("CumSum", ["x", "axis"], ["y"],
                               exclusive=way % 2, reverse=way // 2), shape,
              [helper.make_tensor("axis", TensorProto.INT64, [], [axis])])
# Windows that end a row in the middle of sixteen.
for width in (17, 40, 56, 57, 112, 113):
    for stride in (1, 2, 3):
        for name in ("MaxPool", "AveragePool"):
            write(f"{name}-{width}-{stride}",
                  helper.make_node(name, ["x"], ["y"], kernel_shape=[3, 3],
                                   strides=[stride] * 2, pads=[1] * 4),
                  [1, 3, 9, width])
