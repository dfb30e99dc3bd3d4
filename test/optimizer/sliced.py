# SPDX-License-Identifier: MIT
"""Writes models of which a slice is the result, and one of products of one tensor,
with what numpy makes of them: sliced.py FOLDER"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

random = np.random.default_rng(5)


def array(*shape):
    return random.standard_normal(shape).astype("float32")


x, w, v, b = array(3, 4, 6), array(6, 5), array(6, 5), array(5)
SLICES = {  # starts, ends, steps
    "row": ([0, 2, 0], [3, 3, 5], [1, 1, 1]),
    "back": ([2, 3, 4], [-9, -9, -9], [-1, -2, -3]),
    "image": ([1, 0, 1], [2, 4, 4], [1, 1, 2]),
    "uneven": ([0, 1, 0], [3, 3, 5], [1, 1, 1]),
}


def sliced(name):
    starts, ends, steps = SLICES[name]
    whole = np.tanh(x @ w + b)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]),
             helper.make_node("Add", ["p", "b"], ["s"]),
             helper.make_node("Tanh", ["s"], ["t"]),
             helper.make_node("Slice", ["t", "starts", "ends", "axes", "steps"], ["y"])]
    lists = {"starts": starts, "ends": ends, "axes": [0, 1, 2], "steps": steps}
    # An end beyond the front takes the first element too.
    parts = tuple(slice(start, None if end == -9 else end, step)
                  for start, end, step in zip(starts, ends, steps))
    return nodes, whole[parts], lists


def products():
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]),
             helper.make_node("MatMul", ["x", "v"], ["q"]),
             helper.make_node("Add", ["b", "p"], ["r"]),
             helper.make_node("Add", ["q", "b"], ["s"]),
             helper.make_node("Concat", ["r", "s", "r"], ["y"], axis=2)]
    one, other = x @ w + b, x @ v + b
    return nodes, np.concatenate([one, other, one], 2), {}


def save(folder, nodes, result, lists):
    data = folder / "test_data_set_0"
    data.mkdir(parents=True)
    constants = [numpy_helper.from_array(value, name)
                 for name, value in (("w", w), ("v", v), ("b", b))]
    constants += [numpy_helper.from_array(np.array(value, "int64"), name)
                  for name, value in lists.items()]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "sliced", [info("x", TensorProto.FLOAT, x.shape)],
        [info("y", TensorProto.FLOAT, result.shape)], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)],
                                ir_version=8), folder / "model.onnx")
    for name, value in (("input_0", x), ("output_0", np.ascontiguousarray(result))):
        (data / f"{name}.pb").write_bytes(
            numpy_helper.from_array(value, name[0]).SerializeToString())


root = pathlib.Path(sys.argv[1])
for name in SLICES:
    save(root / name, *sliced(name))
save(root / "products", *products())
