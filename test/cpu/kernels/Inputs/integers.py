"""Writes products of bytes that a run brings, and convolutions of them with constants:
integers.py MODEL CONVOLUTIONS

All four pairs of kinds, batches, a single zero and one for each row and column, and
sizes that leave tiles, panels and pairs unfinished. Images with and without padding,
strides, dilation, groups and a third axis, of channels that fill words and others.
"""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

nodes, inputs, outputs = [], [], []


def bring(name, kind, shape):
    inputs.append(helper.make_tensor_value_info(name, kind, shape))
    return name


def product(left, right, lhs, rhs, zeros):
    name = f"y{len(nodes)}"
    rows, columns = [([], []), ([lhs[-2]], [rhs[-1]])][zeros]
    operands = [bring("a" + name, left, lhs), bring("b" + name, right, rhs),
                bring("az" + name, left, rows), bring("bz" + name, right, columns)]
    nodes.append(helper.make_node("MatMulInteger", operands, [name], name=name))
    shape = lhs[:-1] + rhs[-1:]
    outputs.append(helper.make_tensor_value_info(name, TensorProto.INT32, shape))


kinds = TensorProto.UINT8, TensorProto.INT8
for left in kinds:
    for right in kinds:
        product(left, right, [133, 67], [67, 150], 0)
        product(left, right, [2, 7, 32], [2, 32, 64], 0)
        product(left, right, [5, 1], [1, 17], 1)
        product(left, right, [260, 3], [3, 65], 1)


def save(path, initializers):
    graph = helper.make_graph(nodes, "integers", inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
    nodes.clear(), inputs.clear(), outputs.clear()


save(sys.argv[1], [])
constants, random = [], np.random.default_rng(1)


def convolution(kind, image, weights, **attributes):
    name = f"y{len(nodes)}"
    zero = np.array(random.integers(0, 100), np.uint8 if kind == kinds[0] else np.int8)
    filters = random.integers(-127, 128, weights).astype(np.int8)
    constants.extend([numpy_helper.from_array(filters, "w" + name),
                      numpy_helper.from_array(zero, "z" + name)])
    operands = [bring("x" + name, kind, image), "w" + name, "z" + name]
    nodes.append(helper.make_node("ConvInteger", operands, [name], **attributes))
    outputs.append(helper.make_tensor_value_info(name, TensorProto.INT32, None))


for kind in kinds:
    convolution(kind, [2, 8, 9, 11], [20, 8, 3, 3], pads=[1, 1, 1, 1])
    convolution(kind, [1, 16, 7, 7], [32, 4, 3, 3], pads=[1, 0, 2, 1], group=4)
    convolution(kind, [1, 4, 13, 10], [17, 4, 2, 3], pads=[0, 2, 1, 0], strides=[2, 3], dilations=[2, 1])
    convolution(kind, [3, 12, 5, 5], [16, 12, 1, 1])
    convolution(kind, [1, 12, 9, 9], [48, 12, 1, 1], strides=[2, 2])
    convolution(kind, [1, 4, 4, 5, 6], [18, 4, 3, 2, 3], pads=[1, 0, 1, 1, 1, 0])
    convolution(kind, [2, 64, 17], [40, 64, 3], pads=[2, 0])
    convolution(kind, [1, 6, 8, 8], [16, 6, 2, 2])
    convolution(kind, [1, 8, 6, 6], [8, 1, 3, 3], group=8)
    convolution(kind, [1, 8, 5, 5], [12, 8, 3, 3])
save(sys.argv[2], constants)
