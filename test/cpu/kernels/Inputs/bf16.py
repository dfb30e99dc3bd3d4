"""Writes layers of bf16 with small whole numbers, whose products and sums are exact.

Usage: bf16.py FOLDER
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(7)
DTYPES = {"bf16": TensorProto.BFLOAT16, "f16": TensorProto.FLOAT16}


def numbers(*shape):
    """Few of them are not 0, so that sums stay below 256."""
    return random.choice([-1, *8 * [0], 1], shape).astype(np.float32)


class Model:
    def __init__(self, kind, *shape):
        self.kind, self.shape, self.nodes, self.constants = kind, shape, [], []
        self.x = self.node("Cast", "x", to=DTYPES[kind])

    def node(self, operator, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def constant(self, *shape):
        values, tensor = numbers(*shape), onnx.TensorProto()
        tensor.name, tensor.data_type = f"c{len(self.constants)}", DTYPES[self.kind]
        tensor.dims.extend(shape)
        words = values.view(np.uint32) >> 16 if self.kind == "bf16" else values.astype(np.float16).view(np.uint16)
        tensor.raw_data = words.astype(np.uint16).tobytes()
        self.constants.append(tensor)
        return tensor.name

    def save(self, name):
        result = self.node("Cast", self.nodes[-1].output[0], to=TensorProto.FLOAT)
        value = helper.make_tensor_value_info
        graph = helper.make_graph(self.nodes, name, [value("x", TensorProto.FLOAT, self.shape)],
                                  [value(result, TensorProto.FLOAT, None)], self.constants)
        # A file of an opset that has convolutions of bf16.
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10),
                  folder / f"{name}.onnx")
        np.save(folder / f"{name}.npy", numbers(*self.shape))


for kind in DTYPES:
    m = Model(kind, 64, 256)
    hidden = m.node("Relu", m.node("Gemm", m.x, m.constant(256, 256), m.constant(256), transB=1))
    m.node("MatMul", hidden, m.constant(256, 192))
    m.save(f"product_{kind}")
    # Channels that `fast` leaves in f32, beside a separable convolution.
    m = Model(kind, 1, 32, 20, 20)
    wide = m.node("Relu", m.node("Conv", m.x, m.constant(64, 32, 1, 1), m.constant(64)))
    deep = m.node("Conv", wide, m.constant(64, 1, 3, 3), group=64, pads=[1] * 4)
    m.node("Conv", deep, m.constant(128, 64, 1, 1))
    m.save(f"images_{kind}")
