"""Writes models whose layers stand between a dequantize and a quantize.

Usage: few_bits.py FOLDER
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

RANDOM = np.random.default_rng(7)


class Graph:
    """An operator is a method; values are names. `kind` is that of values."""

    def __init__(self, kind, weights=np.int8):
        self.kind, self.weights = kind, weights
        self.nodes, self.constants, self.count = [], [], 0

    def constant(self, array):
        self.count += 1
        self.constants.append(numpy_helper.from_array(np.asarray(array), f"c{self.count}"))
        return f"c{self.count}"

    def __getattr__(self, operator):
        def add(*inputs, **attributes):
            self.count += 1
            name = f"{operator.lower()}{self.count}"
            self.nodes.append(helper.make_node(operator, inputs, [name], name, **attributes))
            return name
        return add

    def quantized(self, x, scale, zero):
        parameters = self.constant(np.float32(scale)), self.constant(self.kind(zero))
        return self.DequantizeLinear(self.QuantizeLinear(x, *parameters), *parameters)

    def parameter(self, shape, axis, each=True):
        """Weights with a scale for each index of an axis, or one."""
        low, high = np.iinfo(self.weights).min, np.iinfo(self.weights).max + 1
        values = RANDOM.integers(low, high, shape).astype(self.weights)
        scales = RANDOM.uniform(0.002, 0.01, shape[axis] if each else ()).astype(np.float32)
        zeros = np.zeros(scales.shape, self.weights)
        if self.weights == np.uint8:
            zeros = RANDOM.integers(90, 160, scales.shape).astype(self.weights)
        return self.DequantizeLinear(self.constant(values), self.constant(scales),
                                     self.constant(zeros), axis=axis)

    def bias(self, size):
        return self.constant(RANDOM.normal(0, 0.5, size).astype(np.float32))

    def model(self, result, inputs, file):
        make = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, "few_bits",
            [make(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
            [make(result, TensorProto.FLOAT, None)], self.constants)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)],
                                    ir_version=8), file)


def images(g, zero):
    """Layers of images: padded, strided, spread, grouped, of each channel alone,
    of single pixels with a sum beside them, pools, and a product."""
    low = int(np.iinfo(g.kind).min)
    x = g.quantized("x", 0.02, zero)
    x = g.Relu(g.Conv(x, g.parameter((24, 3, 5, 5), 0), g.bias(24), pads=[2, 2, 2, 2], strides=[2, 2]))
    x = g.quantized(x, 0.01, low)
    x = g.quantized(g.MaxPool(x, kernel_shape=[3, 3], strides=[1, 1], pads=[1, 1, 1, 1]), 0.01, low)
    kept = x
    x = g.Conv(x, g.parameter((24, 1, 3, 3), 0), g.bias(24), pads=[1, 1, 1, 1], group=24)
    x = g.quantized(g.Clip(x, g.constant(np.float32(0)), g.constant(np.float32(6))), 6 / 255, low)
    x = g.quantized(g.Conv(x, g.parameter((24, 24, 1, 1), 0, each=False)), 0.03, zero)
    x = g.quantized(g.Add(x, kept), 0.02, zero)
    x = g.Conv(x, g.parameter((37, 24, 3, 3), 0), g.bias(37), pads=[0, 2, 2, 0], dilations=[2, 2])
    x = g.quantized(x, 0.05, zero)
    x = g.quantized(g.Conv(x, g.parameter((64, 37, 1, 1), 0)), 0.1, zero)
    x = g.quantized(g.Conv(x, g.parameter((32, 32, 3, 3), 0), g.bias(32), group=2), 0.1, zero)
    x = g.quantized(g.GlobalAveragePool(x), 0.02, zero)
    x = g.Gemm(g.Flatten(x), g.parameter((19, 32), 0), g.bias(19), transB=1)
    return g.model(g.quantized(x, 0.05, zero), {"x": (2, 3, 21, 17)}, g.file)


def rows(g, zero):
    """Layers of rows, and products of a batch with one matrix."""
    x = g.quantized("x", 0.02, zero)
    x = g.quantized(g.Conv(x, g.parameter((40, 6, 3), 0), g.bias(40), pads=[1, 1]), 0.03, zero)
    x = g.quantized(g.Transpose(x, perm=[0, 2, 1]), 0.03, zero)
    x = g.Add(g.MatMul(x, g.parameter((40, 33), 1)), g.bias(33))
    return g.model(g.quantized(x, 0.1, zero), {"x": (2, 6, 23)}, g.file)


def dynamic(g, zero):
    """Integers whose scale and zero are found when a model runs."""
    def layer(x, inner, outer):
        low, high = np.iinfo(g.weights).min, np.iinfo(g.weights).max + 1
        weights = g.constant(RANDOM.integers(low, high, (inner, outer)).astype(g.weights))
        point = g.constant(g.weights(0 if g.weights == np.int8 else 121))
        name = f"dynamic{g.count}"
        parts = [name, name + "_scale", name + "_zero"]
        g.nodes.append(helper.make_node("DynamicQuantizeLinear", [x], parts))
        sums = g.MatMulInteger(parts[0], weights, parts[2], point)
        scale = g.Mul(parts[1], g.constant(np.float32(0.004)))
        return g.Add(g.Mul(g.Cast(sums, to=TensorProto.FLOAT), scale), g.bias(outer))
    return g.model(layer(g.Tanh(layer("x", 48, 70)), 70, 5), {"x": (2, 7, 48)}, g.file)


def main(folder: pathlib.Path):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (kind, weights, zero) in {
            "u8": (np.uint8, np.int8, 119), "i8": (np.int8, np.int8, -7),
            "none": (np.uint8, np.int8, 0), "zeros": (np.uint8, np.uint8, 130)}.items():
        for make in (images, rows, dynamic):
            graph = Graph(kind, weights)
            graph.file = folder / f"{make.__name__}_{name}.onnx"
            make(graph, zero)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
