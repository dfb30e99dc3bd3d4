"""Writes models of 16-bit floats, and every f16 and its neighbours in f32 as inputs.

Usage: halves.py FOLDER
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
with np.errstate(all="ignore"):
    single = halves.astype(np.float32)
    bits = single.view(np.uint32).astype(np.int64)
    # The middle between two halves, which rounds to an even one, and what is beside it.
    near = [(bits + offset).astype(np.uint32).view(np.float32) for offset in (0, 1, 4095, 4096, 4097, 8191)]
    small = np.arange(0, 1 << 16, dtype=np.float32) * np.float32(2.0 ** -27)
    reals = np.concatenate([*near, small, -small, [65519.996, 65520, 1e30, -1e30, 1e-40]]).astype(np.float32)
np.save(folder / "halves.npy", halves)
np.save(folder / "reals.npy", reals)


def save(name, nodes, inputs, outputs, initializers=()):
    graph = helper.make_graph(
        nodes, name, [helper.make_tensor_value_info(*value) for value in inputs],
        [helper.make_tensor_value_info(output, kind, None) for output, kind in outputs], initializers)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
              folder / f"{name}.onnx")


F16, F32 = TensorProto.FLOAT16, TensorProto.FLOAT
save("casts", [helper.make_node("Cast", ["halves"], ["wide"], to=F32),
               helper.make_node("Cast", ["reals"], ["narrow"], to=F16)],
     [("halves", F16, halves.shape), ("reals", F32, reals.shape)], [("wide", F32), ("narrow", F16)])


def constant(name, *shape):
    values = np.random.default_rng(1).normal(0, 0.3, shape).astype(np.float32)
    return helper.make_tensor(name, F16, shape, values.ravel().tolist())


save("layers", [helper.make_node("Conv", ["x", "filter"], ["a"], pads=[1] * 4),
                helper.make_node("Sigmoid", ["a"], ["b"]),
                helper.make_node("Flatten", ["b"], ["c"]),
                helper.make_node("MatMul", ["c", "weights"], ["d"]),
                helper.make_node("LayerNormalization", ["d", "scale"], ["e"]),
                helper.make_node("Softmax", ["e"], ["y"]),
                helper.make_node("Cast", ["x"], ["whole"], to=TensorProto.INT32),
                helper.make_node("Cast", ["whole"], ["back"], to=F16),
                helper.make_node("Cast", ["x"], ["double"], to=TensorProto.DOUBLE),
                helper.make_node("Cast", ["double"], ["again"], to=F16)],
     [("x", F16, [1, 3, 5, 5])],
     [("y", F16), ("whole", TensorProto.INT32), ("back", F16), ("double", TensorProto.DOUBLE), ("again", F16)],
     [constant("filter", 4, 3, 3, 3), constant("weights", 100, 17), constant("scale", 17)])
