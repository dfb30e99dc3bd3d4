#!/usr/bin/env python3
"""Writes layers that are large enough for tiles of bf16: matrix_tiles.py FOLDER.

With `small`, all numbers are small integers, whose products and sums are exact.
Or compares results with expected ones: matrix_tiles.py same FOLDER FOLDER BOUND, of
their largest element.
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Model:
    """Layers of one input, x."""

    def __init__(self, small, *shape):
        self.shape, self.nodes, self.constants = list(shape), [], []
        self.random, self.small = np.random.default_rng(5), small

    def constant(self, *shape):
        values = self.random.integers(-8, 9, shape) if self.small else self.random.standard_normal(shape)
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(values.astype(np.float32), name))
        return name

    def node(self, operator, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def conv(self, x, out, into, *window, group=1, **attributes):
        return self.node("Conv", x, self.constant(out, into // group, *window), self.constant(out), group=group,
                         **attributes)

    def save(self, folder, name, *results):
        value = helper.make_tensor_value_info
        graph = helper.make_graph(self.nodes, name, [value("x", TensorProto.FLOAT, self.shape)],
                                  [value(result, TensorProto.FLOAT, None) for result in results], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        onnx.save(model, folder / f"{name}.onnx")
        if self.small:
            np.save(folder / f"{name}.npy", self.random.integers(-8, 9, self.shape).astype(np.float32))


def products(folder, small):
    """Rows and columns that fill no tile, sums that fill none, formulas."""
    m = Model(small, 77, 100)
    product = m.node("MatMul", "x", m.constant(100, 203))
    biased = m.node("Add", m.node("MatMul", "x", m.constant(100, 96)), m.constant(96))
    again = m.node("Relu", m.node("Add", m.node("MatMul", "x", m.constant(100, 100)), "x"))
    m.save(folder, "products", product, biased, again)
    m = Model(small, 12, 640)
    m.save(folder, "rows", m.node("MatMul", "x", m.constant(640, 330)))


def images(folder, small):
    """Strides, dilations, groups, pools, images and blocks that are not full."""
    m = Model(small, 2, 60, 9, 25)
    around = [1] * 4
    same = m.node("Relu", m.conv("x", 60, 60, 3, 3, pads=around))
    m.save(folder, "images",
           m.node("Relu", m.node("Add", m.conv(same, 60, 60, 1, 1), same)),
           m.conv("x", 64, 60, 3, 3, strides=[2, 2], pads=[0, 1, 1, 2]),
           m.conv("x", 58, 60, 3, 5, dilations=[2, 3], pads=[2, 6, 1, 0]),
           m.node("MaxPool", m.node("Relu", m.conv("x", 89, 60, 3, 3, pads=[0, 1, 0, 0])), kernel_shape=[1, 2],
                  strides=[1, 2]))
    m = Model(small, 1, 128, 7, 28)
    m.save(folder, "groups", m.conv("x", 128, 128, 3, 3, group=2, pads=around),
           m.conv("x", 192, 128, 3, 3, group=4, pads=around))
    m = Model(small, 3, 64, 12, 12)
    m.save(folder, "strides", m.conv("x", 192, 64, 1, 1, strides=[2, 2]))
    m = Model(small, 1, 60, 4, 6, 20)
    m.save(folder, "films", m.conv("x", 64, 60, 3, 3, 3, pads=[1] * 6),
           m.conv("x", 64, 60, 3, 3, 2, pads=[1, 0, 1, 0, 1, 1], strides=[2, 1, 1]))
    m = Model(small, 1, 96, 200)
    m.save(folder, "signal", m.conv("x", 64, 96, 5, pads=[2, 2]))


def differ(expected, results, bound):
    names = [path.name for path in sorted(pathlib.Path(expected).glob("*.npy"))]
    assert names
    for name in names:
        a, b = (np.load(pathlib.Path(folder) / name).astype(np.float64) for folder in (expected, results))
        worst = np.max(np.abs(a - b)) / np.max(np.abs(a))
        if not worst <= bound:
            sys.exit(f"{results}/{name}: {worst:.1e} of the largest element")


def main():
    if sys.argv[1] == "same":
        return differ(*sys.argv[2:4], float(sys.argv[4]))
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for write in (products, images):
        write(folder, "small" in sys.argv[2:])


main()
