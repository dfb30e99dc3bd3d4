"""Writes models in which more than layers stands between a dequantize and a quantize.

Usage: islands.py FOLDER
"""

import pathlib
import sys

import numpy as np
from few_bits import RANDOM, Graph


def several(g, operator, count, *inputs, **attributes):
    """A node with several results."""
    import onnx
    g.count += 1
    names = [f"{operator.lower()}{g.count}_{i}" for i in range(count)]
    g.nodes.append(onnx.helper.make_node(operator, inputs, names, f"{operator}{g.count}", **attributes))
    return names


def integers(*values):
    return np.array(values, np.int64)


def moves(g, zero):
    """What only moves elements, or chooses them, between convolutions."""
    low = int(np.iinfo(g.kind).min)
    c = g.constant
    x = g.quantized("x", 0.02, zero)
    x = g.Slice(x, c(integers(1, 0)), c(integers(9, 8)), c(integers(2, 3)))
    x = g.Pad(x, c(integers(0, 0, 1, 0, 0, 0, 0, 1)), mode="constant")
    x = g.Pad(x, c(integers(0, 0, 1, 1, 0, 0, 1, 1)), mode="reflect")
    x = g.quantized(g.Conv(x, g.parameter((24, 3, 3, 3), 0), g.bias(24)), 0.03, zero)
    a, b = several(g, "Split", 2, x, c(integers(8, 16)), axis=1)
    a = g.quantized(g.Relu(a), 0.03, zero)
    b = g.quantized(g.Conv(b, g.parameter((8, 16, 1, 1), 0)), 0.05, zero)
    x = g.quantized(g.Concat(a, b, a, axis=1), 0.04, zero)
    x = g.quantized(g.Max(x, g.quantized(g.Neg(x), 0.04, zero)), 0.04, zero)
    x = g.quantized(g.Resize(x, "", c(np.array([1, 1, 2, 2], np.float32)), mode="nearest",
                             coordinate_transformation_mode="asymmetric", nearest_mode="floor"), 0.04, zero)
    x = g.quantized(g.Conv(x, g.parameter((16, 24, 3, 3), 0), g.bias(16), pads=[1, 1, 1, 1]), 0.06, zero)
    x = g.quantized(g.AveragePool(x, kernel_shape=[2, 2], strides=[2, 2]), 0.05, zero)
    x = g.quantized(g.AveragePool(x, kernel_shape=[3, 3], pads=[1, 1, 1, 1]), 0.05, zero)
    x = g.DepthToSpace(g.quantized(g.Tile(x, c(integers(1, 1, 1, 2))), 0.05, zero), blocksize=2)
    x = g.quantized(g.Gather(x, c(integers(0, -1, 2)), axis=2), 0.05, zero)
    x = g.quantized(g.Squeeze(g.Unsqueeze(x, c(integers(0))), c(integers(0))), 0.05, zero)
    x = g.quantized(g.Relu(g.Conv(x, g.parameter((20, 4, 1, 1), 0), g.bias(20))), 0.05, low)
    return g.model(x, {"x": (2, 3, 18, 20)}, g.file)


def tables(g, zero):
    """Functions of one tensor of bytes, of one node and of many."""
    def step(x, scale=0.03):
        return g.quantized(x, scale, zero)
    x = step(g.Conv(step("x"), g.parameter((24, 8, 3, 3), 0), g.bias(24), pads=[1, 1, 1, 1]))
    s = step(g.Sigmoid(x), 1 / 256)
    x = step(g.Mul(x, s))
    x = step(g.Conv(x, g.parameter((40, 24, 1, 1), 0), g.bias(40)), 0.1)
    x = step(g.Mul(x, g.HardSigmoid(x, alpha=1 / 6, beta=0.5)), 0.05)
    kept = x
    x = step(g.Tanh(g.Mul(x, g.constant(np.float32(1.3)))), 1 / 128)
    x = step(g.Erf(g.Div(x, g.constant(np.float32(1.4142135)))), 1 / 128)
    x = step(g.Add(x, kept), 0.06)
    return g.model(step(g.Exp(g.Clip(x, g.constant(np.float32(-3)), g.constant(np.float32(1)))), 0.02),
                   {"x": (2, 8, 13, 11)}, g.file)


def solid(g, zero):
    """Convolutions of three axes: padded, strided, spread, of single voxels, in groups."""
    x = g.quantized("x", 0.02, zero)
    x = g.Relu(g.Conv(x, g.parameter((32, 3, 3, 3, 3), 0), g.bias(32), pads=[1] * 6, strides=[1, 2, 2]))
    x = g.quantized(x, 0.03, zero)
    kept = x
    x = g.quantized(g.Conv(x, g.parameter((32, 32, 1, 1, 1), 0)), 0.1, zero)
    x = g.quantized(g.Conv(x, g.parameter((32, 16, 3, 1, 2), 0), g.bias(32), group=2,
                           pads=[2, 0, 0, 0, 0, 1], dilations=[1, 1, 1]), 0.2, zero)
    x = g.quantized(g.Slice(x, g.constant(integers(0, 0, 0)), g.constant(integers(5, 9, 8)),
                            g.constant(integers(2, 3, 4))), 0.2, zero)
    x = g.quantized(g.Add(x, kept), 0.2, zero)
    x = g.quantized(g.Conv(x, g.parameter((17, 32, 2, 2, 3), 0), dilations=[2, 1, 2]), 0.2, zero)
    return g.model(x, {"x": (2, 3, 5, 18, 15)}, g.file)


def wider(g, zero):
    """Transposed convolutions: blocks that fill, that overlap, that are cut off."""
    x = g.quantized(g.Conv(g.quantized("x", 0.02, zero), g.parameter((24, 3, 1, 1), 0)), 0.03, zero)
    x = g.ConvTranspose(x, g.parameter((24, 20, 2, 2), 1), g.bias(20), strides=[2, 2])
    x = g.quantized(g.Relu(x), 0.1, zero)
    x = g.ConvTranspose(x, g.parameter((20, 16, 3, 3), 1), g.bias(16), strides=[2, 2], pads=[1, 1, 1, 1],
                        output_padding=[1, 1])
    x = g.quantized(x, 0.2, zero)
    x = g.quantized(g.ConvTranspose(x, g.parameter((16, 8, 5, 4), 1, each=False), strides=[3, 3], pads=[1, 0, 2, 1]), 0.3, zero)
    # In groups, whose filters share their scales, and of unequal strides.
    x = g.ConvTranspose(x, g.parameter((8, 8, 3, 2), 1), g.bias(16), group=2, strides=[1, 2])
    return g.model(g.quantized(x, 0.3, zero), {"x": (2, 3, 5, 4)}, g.file)


def apart(g, zero):
    """Transposed convolutions whose taps are apart: side by side, and in blocks."""
    x = g.quantized(g.Conv(g.quantized("x", 0.02, zero), g.parameter((8, 3, 1, 1), 0)), 0.03, zero)
    x = g.ConvTranspose(x, g.parameter((8, 12, 3, 2), 1), g.bias(12), dilations=[2, 3], output_padding=[1, 0])
    x = g.quantized(x, 0.1, zero)
    x = g.ConvTranspose(x, g.parameter((12, 8, 3, 2), 1), strides=[2, 3], dilations=[2, 2], pads=[1, 0, 2, 1], group=2)
    return g.model(g.quantized(x, 0.2, zero), {"x": (2, 3, 5, 4)}, g.file)


def voxels(g, zero):
    """Transposed convolutions of volumes, and convolutions of each channel of one alone."""
    x = g.quantized("x", 0.02, zero)
    x = g.ConvTranspose(x, g.parameter((4, 20, 2, 3, 2), 1), g.bias(20), strides=[2, 1, 3], pads=[0, 1, 0, 1, 0, 1])
    x = g.quantized(g.Relu(x), 0.05, int(np.iinfo(g.kind).min))
    x = g.Conv(x, g.parameter((20, 1, 3, 3, 3), 0), g.bias(20), group=20, pads=[1] * 6, strides=[1, 2, 1])
    x = g.quantized(x, 0.1, zero)
    x = g.quantized(g.Conv(x, g.parameter((20, 1, 2, 1, 3), 0), group=20, dilations=[2, 1, 1]), 0.1, zero)
    return g.model(x, {"x": (2, 4, 3, 6, 5)}, g.file)


def main(folder: pathlib.Path):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (kind, zero) in {"u8": (np.uint8, 119), "i8": (np.int8, -7), "none": (np.uint8, 0)}.items():
        for make in (moves, tables, solid, wider, apart, voxels):
            graph = Graph(kind)
            graph.file = folder / f"{make.__name__}_{name}.onnx"
            make(graph, zero)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
