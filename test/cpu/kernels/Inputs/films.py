#!/usr/bin/env python3
"""Writes models of convolutions with three spatial axes, or in groups: films.py FOLDER."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

RANDOM = np.random.default_rng(11)


class Model:
    """Layers one after the other, from the input x."""

    def __init__(self, *shape):
        self.shape, self.nodes, self.constants = list(shape), [], []

    def constant(self, shape, scale):
        name = f"c{len(self.constants)}"
        values = (RANDOM.standard_normal(shape) * scale).astype(np.float32)
        self.constants.append(numpy_helper.from_array(values, name))
        return name

    def node(self, operator, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], name=f"{operator}_{len(self.nodes)}",
                                           **attributes))
        return name

    def conv(self, x, out, into, window, group=1, **attributes):
        shape = (out, into // group, *window)
        weights = self.constant(shape, np.prod(shape[1:]) ** -0.5)
        return self.node("Conv", x, weights, self.constant([out], 0.5), group=group, **attributes)

    def same(self, x, out, into, window, **attributes):
        """As large as before."""
        return self.conv(x, out, into, window, pads=[size // 2 for size in window] * 2, **attributes)

    def save(self, folder, name, *results):
        value = helper.make_tensor_value_info
        graph = helper.make_graph(self.nodes, name, [value("x", TensorProto.FLOAT, self.shape)],
                                  [value(result, TensorProto.FLOAT, None) for result in results],
                                  self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        onnx.save(model, folder / f"{name}.onnx")


def network(folder):
    """The layers of a video network: a stem, cubes beside a shortcut, pools."""
    m = Model(2, 3, 5, 22, 26)
    x = m.node("Relu", m.conv("x", 32, 3, [3, 7, 7], strides=[1, 2, 2], pads=[1, 3, 3, 1, 3, 3]))
    y = m.node("Relu", m.same(x, 32, 32, [3, 3, 3]))
    x = m.node("Relu", m.node("Add", x, m.same(y, 32, 32, [3, 3, 3])))
    pooled = m.node("MaxPool", x, kernel_shape=[1, 2, 2], strides=[1, 2, 2])
    y = m.conv(x, 48, 32, [3, 3, 3], strides=[2, 2, 2], pads=[1] * 6)
    x = m.node("Relu", m.node("Add", y, m.conv(x, 48, 32, [1, 1, 1], strides=[2, 2, 2])))
    mean = m.node("GlobalAveragePool", x)
    m.save(folder, "network", x, pooled, mean)


def windows(folder):
    """Windows, strides, dilations and pads of all kinds, of blocks that are not full."""
    m = Model(1, 35, 6, 9, 11)
    m.save(folder, "windows",
           m.conv("x", 20, 35, [3, 2, 3], pads=[0, 1, 2, 2, 0, 1], strides=[1, 2, 1]),
           m.conv("x", 17, 35, [2, 3, 1], dilations=[3, 2, 1], pads=[2, 1, 0, 3, 2, 0]),
           m.conv("x", 16, 35, [1, 3, 3], pads=[0, 1, 1, 0, 1, 1]),
           m.conv("x", 16, 35, [1, 3, 3], strides=[2, 1, 1], pads=[1, 0, 0, 2, 0, 0]),
           m.conv("x", 33, 35, [3, 1, 1], pads=[1, 0, 0, 1, 0, 0]),
           m.conv("x", 33, 35, [3, 1, 1], pads=[1, 0, 0, 0, 0, 0], strides=[2, 1, 1], dilations=[2, 1, 1]),
           m.conv("x", 33, 35, [1, 1, 1], pads=[1, 0, 2, 0, 1, 0]),
           m.conv("x", 33, 35, [1, 1, 1]),
           m.conv("x", 2, 35, [6, 9, 11]),
           # More pad than image: some planes of the filter reach none.
           m.conv("x", 16, 35, [8, 3, 3], pads=[7, 1, 1, 5, 1, 1]))


def cubes(folder):
    """Those of Winograd's algorithm, with as many planes as there may be."""
    m = Model(2, 64, 7, 13, 16)
    m.save(folder, "cubes",
           m.same("x", 64, 64, [3, 3, 3]),
           m.same("x", 40, 64, [5, 3, 3]),
           m.conv("x", 64, 64, [2, 3, 3], pads=[2, 0, 1, 0, 1, 0]),
           m.conv("x", 64, 64, [7, 3, 3]),
           m.same("x", 64, 64, [1, 3, 3]),
           m.conv("x", 64, 64, [1, 3, 3], pads=[1, 1, 1, 0, 1, 1]))


def groups(folder):
    """Groups of 2, 4, 8 and 16 channels, of images and of films."""
    m = Model(2, 64, 11, 29)
    film = Model(1, 48, 4, 7, 18)
    m.save(folder, "groups", *(
        m.same("x", 64, 64, [3, 3], group=64 // each, strides=[stride] * 2)
        for each in (1, 2, 4, 8, 16) for stride in (1, 2)),
        m.same("x", 64, 64, [1, 7], group=16), m.same("x", 64, 64, [5, 5], group=8),
        m.conv("x", 64, 64, [3, 2], group=16, dilations=[2, 3], pads=[0, 4, 1, 2]),
        m.node("MaxPool", m.node("Relu", m.same("x", 64, 64, [3, 3], group=16)),
               kernel_shape=[2, 2], strides=[2, 2]))
    film.save(folder, "group_films", *(
        film.same("x", 48, 48, [3, 3, 3], group=48 // each, strides=[stride, stride, 1])
        for each in (1, 4, 8, 16) for stride in (1, 2)))


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for write in (network, windows, cubes, groups):
        write(target)
