# SPDX-License-Identifier: MIT
"""Arithmetic around integers has one formula, to the last bit: exact.py FOLDER.

Every node is rounded by itself, with a division where the model has one, on
every backend, fused or alone, whatever else is an output.
"""

import pathlib
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, mapping, numpy_helper

F, I, U, W = numpy.float32, numpy.int8, numpy.uint8, numpy.int32
SIZES = (3, 255, 256, 257, 5000)
RUNS = (("interpreter", "default"), ("cpu", "default"), ("cpu", "strict"))
random = numpy.random.RandomState(5)


def normal(*shape, scale=1.0):
    return (random.normal(size=shape) * scale).astype(F)


def saturate(real, kind):
    limits = numpy.iinfo(kind)
    return numpy.clip(real, limits.min, limits.max).astype(kind)


def dynamic(x):
    """q, scale and zero of DynamicQuantizeLinear, in f32."""
    low, high = min(x.min(), F(0)), max(x.max(), F(0))
    scale = F((high - low) / F(255)) or F(1)
    zero = saturate(numpy.rint(F(-low / scale)), U)
    return saturate(numpy.rint(x / scale) + F(zero), U), F(scale), zero


class Graph:
    """Nodes, constants, and the arrays that inputs have and outputs must be."""

    def __init__(self):
        self.nodes, self.constants, self.inputs, self.outputs = [], {}, {}, {}
        self.packed = []
        self.counter = 0

    def name(self):
        self.counter += 1
        return f"v{self.counter}"

    def constant(self, array):
        name = self.name()
        self.constants[name] = numpy.asarray(array)
        return name

    def small(self, codes):
        """A constant of i4: two to a byte, the first in the lower bits."""
        name, flat = self.name(), codes.reshape(-1).astype(U) & 15
        self.packed.append(TensorProto(name=name, dims=codes.shape, data_type=22,
                                       raw_data=(flat[::2] | flat[1::2] << 4).tobytes()))
        return name

    def input(self, array):
        name = self.name()
        self.inputs[name] = array
        return name

    def node(self, operator, operands, results=1, domain="", **attributes):
        names = [self.name() for _ in range(results)]
        self.nodes.append(helper.make_node(operator, operands, names, domain=domain, **attributes))
        return names if results > 1 else names[0]

    def output(self, name, array):
        self.outputs[name] = numpy.asarray(array)

    def write(self, path, opset=21):
        info = lambda arrays: [helper.make_tensor_value_info(
            name, mapping.NP_TYPE_TO_TENSOR_TYPE[array.dtype], array.shape) for name, array in arrays.items()]
        graph = helper.make_graph(self.nodes, "exact", info(self.inputs), info(self.outputs), [
            numpy_helper.from_array(array, name) for name, array in self.constants.items()] + self.packed)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        path.write_bytes(model.SerializeToString())


def dynamic_ranges(graph):
    """Scales and zero points of data of many ranges."""
    ranges = [numpy.linspace(-1.5, 1.5, size).astype(F) for size in SIZES]
    for size in SIZES:
        for _ in range(4):
            scale = 10 ** random.uniform(-3, 3)
            ranges.append(normal(size, scale=scale) + F(random.normal() * scale))
    ranges.append(normal(200000))
    for x in ranges:
        for name, array in zip(graph.node("DynamicQuantizeLinear", [graph.input(x)], 3), dynamic(x)):
            graph.output(name, array)


def product(graph, x, integers, w, scale, bias, middle, relu):
    """DynamicQuantizeLinear, a product of integers, and what makes it real."""
    q, s, z = graph.node("DynamicQuantizeLinear", [graph.input(x)], 3)
    quantised, step, zero = dynamic(x)
    operator, total, attributes = integers(quantised, zero, w)
    sums = graph.node(operator, [q, graph.constant(w), z], **attributes)
    real = graph.node("Cast", [sums], to=TensorProto.FLOAT)
    factor = graph.node("Mul", [s, graph.constant(scale)])
    scaled = graph.node("Mul", [real, factor])
    y = graph.node("Add", [scaled, graph.constant(bias)])
    exact = total.astype(F) * (step * scale)
    expected = exact + bias
    if middle:
        graph.output(real, total.astype(F))
        graph.output(scaled, exact)
    if relu:
        y, expected = graph.node("Relu", [y]), numpy.maximum(expected, F(0))
    graph.output(y, expected)
    for name, array in zip(graph.node("DynamicQuantizeLinear", [y], 3), dynamic(expected)):
        graph.output(name, array)


def of_matrices(q, zero, w):
    return "MatMulInteger", (q.astype(W) - W(zero)) @ w.astype(W), {}


def of_images(q, zero, w):
    """Windows of 3 by 3, padded by one pixel of zeros."""
    steps = numpy.pad(q.astype(W) - W(zero), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = numpy.lib.stride_tricks.sliding_window_view(steps, (3, 3), (2, 3))
    return "ConvInteger", numpy.einsum("nchwij,dcij->ndhw", windows, w.astype(W)), {"pads": [1] * 4}


def products(graph):
    for middle in (False, True):
        for relu in (False, True):
            columns = random.uniform(0.001, 0.01, 50).astype(F)
            w = random.randint(-127, 128, (64, 50)).astype(I)
            product(graph, normal(32, 64), of_matrices, w, columns, normal(50), middle, relu)
            product(graph, normal(1, 64), of_matrices, w, F([0.0123]), normal(50), middle, relu)
            w = random.randint(-127, 128, (16, 8, 3, 3)).astype(I)
            product(graph, normal(1, 8, 20, 20), of_images, w, F(0.0123), normal(1, 16, 1, 1), middle, relu)


def to_and_from(graph):
    """QuantizeLinear and DequantizeLinear among floats."""
    for kind in (I, U, numpy.int16, numpy.uint16):
        for scale, zero in ((F(0.075), 20), (F(0.3), 7), (F(0.0123), 0)):
            for size in SIZES:
                x = normal(size, scale=scale * 50)
                # Halves of a step: the quotient by the f32 decides.
                x[::2] = ((numpy.rint(x[::2] / scale) + F(0.5)) * scale).astype(F)
                parameters = [graph.constant(scale), graph.constant(kind(zero))]
                q = graph.node("QuantizeLinear", [graph.node("Neg", [graph.input(x)])] + parameters)
                y = graph.node("Relu", [graph.node("DequantizeLinear", [q] + parameters)])
                steps = saturate(numpy.rint(-x / scale) + F(zero), kind)
                graph.output(y, numpy.maximum((steps.astype(W) - W(zero)).astype(F) * scale, F(0)))


def layers(graph):
    """Convolutions between dequantised bytes, of weights with 8 and 4 bits."""
    for bits in (8, 4):
        top = 2 ** (bits - 1)
        for middle in (False, True):
            x = random.randint(0, 256, (1, 8, 15, 15)).astype(U)
            codes = random.randint(1 - top, top, (12, 8, 3, 3)).astype(I)
            sx, zx, sy, zy = F(0.02), U(3), F(0.2 if bits == 8 else 0.015), U(101)
            sw, bias = random.uniform(0.001, 0.01, 12).astype(F), normal(12, scale=0.3)
            bytes_ = [graph.constant(sx), graph.constant(zx)]
            w = graph.constant(codes) if bits == 8 else graph.small(codes)
            rx = graph.node("DequantizeLinear", [graph.input(x)] + bytes_)
            rw = graph.node("DequantizeLinear", [w, graph.constant(sw)], axis=0)
            real = graph.node("Conv", [rx, rw, graph.constant(bias)], pads=[1] * 4)
            y = graph.node("QuantizeLinear", [real, graph.constant(sy), graph.constant(zy)])
            total = of_images(x, zx, codes)[1].astype(F)
            spread = lambda p: p.reshape(1, 12, 1, 1)
            if middle:
                graph.output(real, total * spread(sx * sw) + spread(bias))
            graph.output(y, saturate(numpy.rint(total * spread(sx * sw / sy) + spread(bias / sy)) + F(zy), U))


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for make in (dynamic_ranges, products, to_and_from, layers):
        graph = Graph()
        make(graph)
        path = folder / f"{make.__name__}.onnx"
        graph.write(path)
        inputs = []
        for name, array in graph.inputs.items():
            numpy.save(folder / f"{name}.npy", array)
            inputs.append(f"--input={name}={folder}/{name}.npy")
        for backend, mode in RUNS:
            subprocess.run(["glow", "run", path, f"--backend={backend}", f"--math={mode}",
                            "--output-dir", folder] + inputs, check=True, stdout=subprocess.DEVNULL)
            bad = [name for name, array in graph.outputs.items()
                   if numpy.load(folder / f"{name}.npy").tobytes() != array.tobytes()]
            print(f"{make.__name__} {backend} {mode}: {len(bad)} of {len(graph.outputs)} outputs differ")
            wrong += len(bad)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
