"""Writes layers of bytes whose last panel of 16 channels has one lane.

Usage: one_lane.py MODEL

Each result has N channels, N = 16k + 1, or 16k - 1 and 16k beside it, and is one of
several outputs. Kinds of 2 bytes and casts are there as well.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

RANDOM = np.random.default_rng(3)
nodes, constants, outputs = [], [], []


def constant(array):
    constants.append(numpy_helper.from_array(np.asarray(array), f"c{len(constants)}"))
    return constants[-1].name


def node(operator, *inputs, kind=None, **attributes):
    name = f"y{len(nodes)}"
    nodes.append(helper.make_node(operator, inputs, [name], name, **attributes))
    if kind:
        outputs.append(helper.make_tensor_value_info(name, kind, None))
    return name


def weights(*shape):
    return constant(RANDOM.integers(-127, 127, shape).astype(np.int8))


image = [constant(np.float32(0.1)), constant(np.uint8(3))]
filter_ = [constant(np.float32(0.02)), constant(np.int8(0))]
result = [constant(np.float32(0.3)), constant(np.uint8(100))]
for n in (1, 15, 16, 17, 33, 49, 65, 81):
    node("QLinearMatMul", "rows", *image, weights(40, n), *filter_, *result, kind=TensorProto.UINT8)
    node("QLinearConv", "pixels", *image, weights(n, 33, 3, 3), *filter_, *result, pads=[1] * 4,
         kind=TensorProto.UINT8)
    node("MatMulInteger", "rows", weights(40, n), kind=TensorProto.INT32)
    part = node("Slice", "reals", constant(np.int64([0])), constant(np.int64([n])), constant(np.int64([1])))
    for kind in (TensorProto.UINT8, TensorProto.INT8, TensorProto.INT16, TensorProto.FLOAT16,
                 TensorProto.BFLOAT16, TensorProto.BOOL):
        node("Cast", part, to=kind, kind=kind)
    node("QuantizeLinear", part, *result, kind=TensorProto.UINT8)
node("QLinearConv", "pixels", *image, weights(33, 1, 3, 3), *filter_, *result, pads=[1] * 4, group=33,
     kind=TensorProto.UINT8)
inputs = [helper.make_tensor_value_info(name, kind, shape)
          for name, kind, shape in (("rows", TensorProto.UINT8, [5, 40]),
                                    ("pixels", TensorProto.UINT8, [1, 33, 5, 6]),
                                    ("reals", TensorProto.FLOAT, [3, 81]))]
graph = helper.make_graph(nodes, "lanes", inputs, outputs, constants)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
