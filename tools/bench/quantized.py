# SPDX-License-Identifier: MIT
"""Networks in 8 bits, as ONNX Runtime's own tools leave them: `Static` and
`Dynamic` build a network of vision.py or transformers.py in place of a Graph."""

import math
import typing

import numpy as np
from onnx import TensorProto

from transformers import bert_base
from vision import mobilenet_v2, resnet50


def nearest(array, scale, kind):
    """array / scale in the range of an integer kind."""
    bounds = np.iinfo(kind)
    return np.clip(np.rint(array / scale), bounds.min, bounds.max).astype(kind)


def constant_of(g, integers, scale, hint):
    """Integers with a scale for each element of axis 0, zero point 0."""
    return g.node("DequantizeLinear", [
        g.tensor(integers, hint), g.tensor(scale.astype(np.float32), "scale"),
        g.tensor(np.zeros(len(scale), integers.dtype), "zero")],
        integers.shape, axis=0)


class Rounded:
    """A value that becomes u8 when a layer reads it: what its own layer is
    followed by is known by then. `emit` makes the node that gives its floats.
    These are spread as a bell around `mean`, with this variance, and cut off at
    `low` and `high`, from which their range follows as calibration would find
    it: random values are hardly more than 5 deviations away."""

    def __init__(self, shape, emit, mean, variance):
        self.shape, self.emit = shape, emit
        self.mean, self.variance = mean, variance
        far = 5 * math.sqrt(variance)
        self.low, self.high = mean - far, mean + far
        self.floats = None

    def square(self):
        return self.mean ** 2 + self.variance

    def cut(self, low, high=math.inf):
        """Less than `low` and more than `high` is there no more."""
        z = np.linspace(-5, 5, 1001)
        weights = np.exp(-z * z / 2)
        values = np.clip(self.mean + z * math.sqrt(self.variance), low, high)
        self.mean = np.average(values, weights=weights)
        self.variance = np.average((values - self.mean) ** 2, weights=weights)
        self.low, self.high = max(self.low, low), min(self.high, high)
        return self

    def step(self):
        # 0 is one of the numbers, as a quantizer sees to.
        low, high = min(self.low, 0), max(self.high, 0)
        scale = np.float32((high - low) / 255)
        return scale, int(np.rint(-low / scale))


class Pending(typing.NamedTuple):
    """A layer that is not written yet: normalization changes its weights."""
    weights: np.ndarray
    bias: np.ndarray
    write: typing.Callable


class Static:
    """What a static tool makes of a network: every value between two layers is
    u8, with a zero point, weights are i8 with a scale an
    output channel, biases i32 with the product of scales. Normalization is part
    of the weights, and a relu of the range of what is rounded."""

    def __init__(self, g):
        self.g = g

    def read(self, x):
        """The floats of a value that was rounded."""
        if x.floats is None:
            scale, zero = x.step()
            parameters = [self.g.constant(scale),
                          self.g.constant(zero, np.uint8)]
            integers = self.g.node("QuantizeLinear", [x.emit(x), *parameters],
                                   x.shape)
            x.floats = self.g.node("DequantizeLinear", [integers, *parameters],
                                   x.shape)
        return x.floats

    def input(self, name, shape):
        value = self.g.input(name, shape)
        return Rounded(shape, lambda _: value, 0.5, 1 / 12).cut(0, 1)

    def output(self, x, name):
        value = self.read(x)
        self.g.output(value, name)
        self.g.output_steps[name] = float(x.step()[0])

    def layer(self, x, shape, out, gain, write):
        """`write` makes the node from [in, weights, bias]."""
        fan_in = math.prod(shape[1:])
        weights = self.g.scaled(shape, fan_in, gain)
        bias = self.g.uniform(shape[:1], 0.1)
        result = Rounded(out, None, 0, gain * x.square())
        result.pending = Pending(weights, bias, write)

        def emit(value):
            weights, bias, write = value.pending
            flat = np.abs(weights.reshape(shape[0], -1)).max(axis=1)
            scale = (flat / 127).astype(np.float32)
            column = scale.reshape([-1] + [1] * (len(shape) - 1))
            total = (scale * x.step()[0]).astype(np.float32)
            self.g.parameters += weights.size
            return write([
                self.read(x),
                constant_of(self.g, nearest(weights, column, np.int8), scale,
                            "weights"),
                constant_of(self.g, nearest(bias, total, np.int32), total,
                            "bias")])

        result.emit = emit
        return result

    def conv(self, x, channels, size, stride=1, group=1, gain=2.0):
        shape = [channels, x.shape[1] // group, size, size]
        pad = size // 2
        sizes = [(n + 2 * pad - size) // stride + 1 for n in x.shape[2:]]
        return self.layer(
            x, shape, [x.shape[0], channels, *sizes], gain,
            lambda inputs: self.g.conv_node(inputs, stride, pad, group))

    def batchnorm(self, x, gamma=1.0):
        weights, bias, write = x.pending
        factor = gamma * (0.8 + 0.4 * self.g.random.random_sample(len(bias)))
        column = factor.reshape([-1] + [1] * (weights.ndim - 1))
        normal = Rounded(x.shape, x.emit, 0, x.variance * gamma ** 2)
        normal.pending = Pending(weights * column, bias, write)
        return normal

    def conv_relu(self, x, channels, size, **options):
        return self.relu(self.batchnorm(self.conv(x, channels, size,
                                                  **options)))

    def relu(self, x):
        return x.cut(0)

    def relu6(self, x):
        return x.cut(0, 6)

    def add(self, a, b):
        # Read now: a is the older one, as the network was written.
        first, second = self.read(a), self.read(b)
        return Rounded(a.shape, lambda _: self.g.add(first, second),
                       a.mean + b.mean, a.variance + b.variance)

    def moved(self, x, shape, make):
        """What keeps the scale of x."""
        value = self.read(x)
        result = Rounded(shape, lambda _: make(value), x.mean, x.variance)
        result.low, result.high = x.low, x.high
        return result

    def maxpool(self, x, size, stride=2, pad=0):
        sizes = [(n + 2 * pad - size) // stride + 1 for n in x.shape[2:]]
        largest = self.moved(x, [*x.shape[:2], *sizes],
                             lambda v: self.g.maxpool(v, size, stride, pad))
        largest.mean += math.sqrt(x.variance)
        return largest

    def pool_all(self, x):
        mean = self.moved(x, [*x.shape[:2], 1, 1], self.g.mean_pixel)
        return self.moved(mean, x.shape[:2], self.g.flatten)

    def gemm(self, x, width, gain=2.0):
        return self.layer(x, [width, x.shape[1]], [x.shape[0], width], gain,
                          self.g.gemm_node)


class Dynamic:
    """What a dynamic tool makes of a network: weights of products and tables
    are i8 with one scale, and what they are multiplied by is rounded to u8 in
    each run. All else stays."""

    def __init__(self, g):
        self.g = g
        self.rounded = {}  # by value

    def __getattr__(self, name):
        return getattr(self.g, name)

    def integers_of(self, array, hint):
        """A constant, its scale and its zero point."""
        scale = np.float32(np.abs(array).max() / 127)
        self.g.parameters += array.size
        return [self.g.tensor(nearest(array, scale, np.int8), hint),
                self.g.constant(scale), self.g.constant(0, np.int8)]

    def product(self, x, width, gain):
        """x times weights."""
        g, features = self.g, x.shape[-1]
        weights, scale, zero = self.integers_of(
            g.scaled([features, width], features, gain), "weights")
        if x not in self.rounded:
            self.rounded[x] = g.nodes_of("DynamicQuantizeLinear", [x],
                                         [x.shape, [], []])
        integers, step, middle = self.rounded[x]
        shape = [*x.shape[:-1], width]
        g.macs += math.prod(shape) * features
        sums = g.node("MatMulInteger", [integers, weights, middle, zero],
                      shape)
        return g.multiply(g.unary("Cast", sums, to=TensorProto.FLOAT),
                          g.multiply(step, scale))

    def linear(self, x, width, gain=1.0):
        bias = self.g.weight(self.g.uniform([width], 0.1), "bias")
        return self.g.add(self.product(x, width, gain), bias)

    def gemm(self, x, width, gain=2.0):
        return self.linear(x, width, gain)

    def embedding(self, rows, width, bound=1.0):
        return self.integers_of(self.g.uniform([rows, width], bound),
                                "embedding")

    def look_up(self, table, ids):
        integers, scale, zero = table
        rows = self.g.look_up(integers, ids)
        return self.g.node("DequantizeLinear", [rows, scale, zero], rows.shape)

    def output(self, value, name):
        self.g.output(value, name)
        self.g.output_steps[name] = None


def resnet50_int8(g, batch):
    resnet50(Static(g), batch)


def mobilenet_v2_int8(g, batch):
    mobilenet_v2(Static(g), batch)


def bert_base_int8(g, batch):
    bert_base(Dynamic(g), batch)


NETWORKS = [resnet50_int8, mobilenet_v2_int8, bert_base_int8]
