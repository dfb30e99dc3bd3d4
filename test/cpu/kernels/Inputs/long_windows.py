"""Writes convolutions of rows with windows of 1,024 pixels: long_windows.py FOLDER."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)


def save(name, channels, weights, shape=(1500,), **attributes):
    values = np.random.default_rng(1).normal(0, 0.1, weights).astype(np.float32)
    bias = np.arange(weights[0], dtype=np.float32) / 8
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w", "b"], ["c"], **attributes), helper.make_node("Relu", ["c"], ["y"])], name,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, channels, *shape])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(values, "w"), numpy_helper.from_array(bias, "b")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, FOLDER / f"{name}.onnx")


save("depthwise", 33, (33, 1, 1024), group=33, pads=[512, 511])
save("spread", 17, (17, 1, 300), group=17, pads=[400, 511], strides=[2], dilations=[3])
save("groups", 16, (16, 4, 256), group=4, pads=[128, 127])
save("one", 1, (19, 1, 1024), pads=[512, 511])
save("images", 16, (16, 1, 1, 200), (3, 500), group=16, pads=[0, 100, 0, 99])
save("wide", 20, (20, 1, 31, 31), (40, 37), group=20, pads=[15, 15, 15, 15])
save("steps", 20, (20, 1, 5, 13), (40, 37), group=20, pads=[2, 6, 2, 6], strides=[2, 2], dilations=[1, 2])
save("summed", 48, (5, 48, 1024))
