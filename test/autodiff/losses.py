# SPDX-License-Identifier: MIT
"""Models for the losses of glow train: two inputs of f64, and an output that
follows from them; and an output of a Sigmoid."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1] + "/"
random = np.random.default_rng(4)


def save(name, nodes, kind, ports, size, weights):
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, name, [info(port, kind, ["n", 3]) for port in ports],
        [info("y", kind, ["n", size])],
        [numpy_helper.from_array(value, key) for key, value in weights.items()])
    onnx.save(helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7),
        folder + name + ".onnx")


node = helper.make_node
a, b = random.uniform(-1, 1, (2, 50, 3))
truth = random.uniform(-1, 1, (3, 2))
save("sum", [node("Add", ["a", "b"], ["s"]), node("MatMul", ["s", "w"], ["y"])],
     TensorProto.DOUBLE, "ab", 2, {"w": np.zeros((3, 2))})
np.save(folder + "a.npy", a)
np.save(folder + "b.npy", b.astype("float32"))  # is converted
np.save(folder + "sum.npy", (a + b) @ truth)

save("sigmoid", [node("Gemm", ["a", "w", "b"], ["s"]), node("Sigmoid", ["s"], ["y"])],
     TensorProto.FLOAT, "a", 1,
     {"w": np.zeros((3, 1), "float32"), "b": np.zeros(1, "float32")})
np.save(folder + "above.npy", (a.sum(1, keepdims=True) > 0).astype("uint8"))
