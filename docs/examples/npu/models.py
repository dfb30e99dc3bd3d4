#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small quantised models for the chip: models.py FOLDER."""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

BYTES, FLOATS = TensorProto.UINT8, TensorProto.FLOAT


class Model:
    """Layers in the spelling of QDQ: each between bytes and numbers."""

    def __init__(self):
        self.random = numpy.random.default_rng(0)
        self.nodes, self.constants = [], []

    def constant(self, name, value):
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def node(self, kind, inputs, **attributes):
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def scales(self, name, scale, zero, kind=numpy.uint8):
        return [self.constant(f"{name}_scale", numpy.array(scale, numpy.float32)),
                self.constant(f"{name}_zero", numpy.array(zero, kind))]

    def numbers(self, value, scale, zero):
        return self.node("DequantizeLinear", [value, *self.scales(f"d{len(self.nodes)}", scale, zero)])

    def bytes(self, value, scale, zero):
        return self.node("QuantizeLinear", [value, *self.scales(f"q{len(self.nodes)}", scale, zero)])

    def weights(self, shape, axis):
        """With a scale for each index along the axis."""
        name = f"w{len(self.nodes)}"
        codes = self.random.integers(-127, 128, shape).astype(numpy.int8)
        scale = self.random.uniform(0.005, 0.015, shape[axis])
        scales = self.scales(name, scale, numpy.zeros(shape[axis]), numpy.int8)
        return self.node("DequantizeLinear", [self.constant(name, codes), *scales], axis=axis)

    def convolution(self, x, shape, stride=1, group=1):
        bias = self.constant(f"b{len(self.nodes)}", self.random.standard_normal(shape[0]).astype(numpy.float32))
        pad = shape[2] // 2
        y = self.node("Conv", [self.numbers(x, 0.02, 7), self.weights(shape, 0), bias],
                      strides=[stride] * 2, pads=[pad] * 4, group=group)
        return self.bytes(y, 0.02 * shape[1] ** 0.5 * shape[2], 120)

    def whole_convolution(self, x, shape, zeros):
        """One node from bytes to bytes; its weights have one zero point, or one each."""
        name = f"w{len(self.nodes)}"
        weights = self.constant(name, self.random.integers(0, 256, shape).astype(numpy.uint8))
        bias = self.constant(f"{name}_bias", self.random.integers(-9999, 9999, shape[0]).astype(numpy.int32))
        pad = shape[2] // 2
        return self.node("QLinearConv", [x, *self.scales(f"{name}_x", 0.02, 7), weights,
                                         *self.scales(name, numpy.full(numpy.shape(zeros), 0.01), zeros),
                                         *self.scales(f"{name}_y", 0.02 * shape[1] ** 0.5 * shape[2], 120), bias],
                         pads=[pad] * 4)

    def product(self, x, shape):
        y = self.node("MatMul", [self.numbers(x, 0.02, 7), self.weights(shape, 1)])
        return self.bytes(y, 0.02 * shape[0] ** 0.5, 120)

    def pool(self, x):
        return self.node("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])

    def mean(self, x):
        y = self.node("GlobalAveragePool", [self.numbers(x, 0.02, 7)])
        return self.node("Flatten", [self.bytes(y, 0.02, 7)])

    def sum(self, x, y):
        both = self.node("Add", [self.numbers(x, 0.3, 110), self.numbers(y, 0.2, 120)])
        return self.bytes(both, 0.35, 100)

    def save(self, folder, name, y, shape, result, kind=BYTES):
        graph = helper.make_graph(
            self.nodes, name, [helper.make_tensor_value_info("x", kind, shape)],
            [helper.make_tensor_value_info(y, kind, result)], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        onnx.save(model, os.path.join(folder, name + ".onnx"))


def main(folder):
    os.makedirs(folder, exist_ok=True)
    m = Model()
    m.save(folder, "product", m.product("x", [200, 90]), [150, 200], [150, 90])
    m = Model()
    m.save(folder, "pointwise", m.convolution("x", [96, 64, 1, 1]), [1, 64, 28, 28], [1, 96, 28, 28])
    m = Model()
    m.save(folder, "window", m.convolution("x", [64, 32, 3, 3], stride=2), [1, 32, 56, 56], [1, 64, 28, 28])
    m = Model()
    m.save(folder, "apart", m.convolution("x", [48, 1, 3, 3], group=48), [1, 48, 28, 28], [1, 48, 28, 28])
    m = Model()
    m.save(folder, "long", m.product("x", [20000, 16]), [2, 20000], [2, 16])
    m = Model()
    # Three rows of this image do not fit into the chip's memory.
    m.save(folder, "wide", m.convolution("x", [16, 512, 3, 3]), [1, 512, 3, 200], [1, 16, 3, 200])
    m = Model()
    m.save(folder, "whole", m.whole_convolution("x", [48, 32, 3, 3], 131), [1, 32, 28, 28], [1, 48, 28, 28])
    m = Model()
    # The weights of this average are too many to be kept.
    m.save(folder, "average", m.mean(m.convolution("x", [96, 64, 3, 3])), [1, 64, 28, 28], [1, 96])
    m = Model()
    m.save(folder, "each", m.whole_convolution("x", [16, 8, 3, 3], range(100, 116)), [1, 8, 40, 40], [1, 16, 40, 40])
    m = Model()
    first = m.convolution("x", [64, 64, 1, 1])
    second = m.convolution(first, [64, 64, 3, 3])
    m.save(folder, "residual", m.sum(m.convolution(second, [64, 64, 1, 1]), "x"), [1, 64, 28, 28], [1, 64, 28, 28])
    m = Model()
    # Layers of the kinds that ResNet-50 and MobileNetV2 have.
    x = m.pool(m.convolution(m.bytes("x", 0.02, 7), [40, 3, 7, 7], stride=2))
    y = m.convolution(m.convolution(x, [24, 40, 1, 1]), [24, 24, 3, 3], stride=2)
    x = m.sum(m.convolution(y, [96, 24, 1, 1]), m.convolution(x, [96, 40, 1, 1], stride=2))
    y = m.convolution(x, [96, 1, 3, 3], group=96)
    x = m.sum(m.convolution(y, [96, 96, 1, 1]), x)
    m.save(folder, "network", m.numbers(m.product(m.mean(x), [96, 10]), 0.2, 120), [1, 3, 64, 64], [1, 10], FLOATS)


if __name__ == "__main__":
    main(sys.argv[1])
