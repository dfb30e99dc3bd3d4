#!/usr/bin/env python3
"""Writes a block of MobileNetV2: bottleneck.py MODEL BATCH IN EXPANDED OUT HEIGHT WIDTH STRIDE."""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

batch, channels, expanded, out, height, width, stride = map(int, sys.argv[2:])
random = numpy.random.default_rng(7)
nodes, constants = [], []


def constant(values):
    name = f"c{len(constants)}"
    constants.append(numpy_helper.from_array(values.astype("float32"), name))
    return name


def node(operator, *inputs, **attributes):
    nodes.append(helper.make_node(operator, inputs, [f"v{len(nodes)}"], **attributes))
    return nodes[-1].output[0]


def conv(x, *shape, **attributes):
    weights = random.standard_normal(shape) * numpy.prod(shape[1:]) ** -0.5
    return node("Conv", x, constant(weights), constant(random.standard_normal(shape[0])),
                **attributes)


y = node("HardSwish", conv("x", expanded, channels, 1, 1))
y = conv(y, expanded, 1, 3, 3, group=expanded, strides=[stride] * 2, pads=[1] * 4)
y = node("Clip", y, constant(numpy.zeros(())), constant(numpy.full((), 6)))
y = conv(y, out, expanded, 1, 1)
if stride == 1 and channels == out:
    y = node("Add", "x", y)
# Of enough channels for bf16.
y = conv(conv(y, 128, out, 1, 1), 32, 128, 1, 1)

tensor = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in
          (("x", [batch, channels, height, width]), (y, None))]
graph = helper.make_graph(nodes, "bottleneck", tensor[:1], tensor[1:], constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)])
model.ir_version = 8
with open(sys.argv[1], "wb") as file:
    file.write(model.SerializeToString())
