# SPDX-License-Identifier: MIT
"""Builds an ONNX model layer by layer, as a framework would export it.

A value is its name, with the shape that the layers after it are made from.
Weights are random but the same on every machine: `RandomState` never changes
between versions of numpy. They are scaled by the number of inputs of a layer,
so that values neither vanish nor explode in a deep network.
"""

import hashlib
import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def along(value, axes):
    """A number as a list with one for each axis."""
    return list(value) if isinstance(value, list) else [value] * len(axes)


class Value(str):
    """The name of a tensor in the graph; `shape` is a list of integers."""


class Graph:
    """Nodes, weights, inputs and outputs of one model, in order."""

    def __init__(self, name, opset, seed):
        digest = hashlib.sha256(f"{name}/{seed}".encode()).digest()
        self.random = np.random.RandomState(
            np.frombuffer(digest[:16], dtype=np.uint32))
        self.name, self.opset = name, opset
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []
        self.constants, self.counts = {}, {}
        self.examples, self.domains = {}, {""}
        self.macs = self.parameters = 0
        # Outputs that 8 bits were made of, with the difference between two
        # neighbours, or None where only a run knows their range.
        self.output_steps = {}

    # Values.

    def value(self, name, shape):
        value = Value(name)
        value.shape = [int(size) for size in shape]
        return value

    def fresh(self, hint):
        self.counts[hint] = self.counts.get(hint, -1) + 1
        return f"{hint}_{self.counts[hint]}"

    def input(self, name, shape, below=None, example=None):
        """Of floats, or of integers in [0, below); `examples` has values."""
        # Not from the weights' stream, which would depend on the batch.
        random = np.random.RandomState(len(self.inputs))
        kind = TensorProto.FLOAT if below is None else TensorProto.INT64
        if example is not None:
            pass
        elif below is None:
            example = random.random_sample(shape).astype(np.float32)
        else:
            example = random.randint(below, size=shape, dtype=np.int64)
        self.examples[name] = example
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return self.value(name, shape)

    def output(self, value, name):
        """Makes `value` the output called `name`."""
        node = helper.make_node("Identity", [value], [name], name=name)
        self.nodes.append(node)
        self.outputs.append(helper.make_tensor_value_info(
            name, TensorProto.FLOAT, value.shape))

    def tensor(self, array, hint):
        """A constant of its own, such as the weights of a layer."""
        value = self.value(self.fresh(hint), array.shape)
        self.weights.append(numpy_helper.from_array(array, value))
        return value

    def weight(self, array, hint):
        self.parameters += array.size
        return self.tensor(array.astype(np.float32), hint)

    def constant(self, value, kind=np.float32):
        """A small constant, one for all its users."""
        array = np.asarray(value, dtype=kind)
        key = (array.tobytes(), array.dtype.str, array.shape)
        if key not in self.constants:
            self.constants[key] = self.tensor(array, "constant")
        return self.constants[key]

    def integers(self, values):
        return self.constant(values, np.int64)

    def uniform(self, shape, bound):
        """Random values in [-bound, bound)."""
        values = self.random.random_sample(math.prod(shape))
        return ((2 * values - 1) * bound).astype(np.float32).reshape(shape)

    def scaled(self, shape, fan_in, gain):
        """Kaiming initialization: the variance is gain / fan_in."""
        return self.uniform(shape, math.sqrt(3 * gain / fan_in))

    # Nodes.

    def node(self, kind, inputs, shape, **attributes):
        return self.nodes_of(kind, inputs, [shape], **attributes)[0]

    def nodes_of(self, kind, inputs, shapes, **attributes):
        """A node of several outputs."""
        self.domains.add(attributes.get("domain", ""))
        name = self.fresh(kind)
        outputs = [self.value(f"{name}_out{i}", shape)
                   for i, shape in enumerate(shapes)]
        self.nodes.append(helper.make_node(kind, inputs, outputs, name=name,
                                           **attributes))
        return outputs

    def unary(self, kind, x, **attributes):
        return self.node(kind, [x], x.shape, **attributes)

    def binary(self, kind, a, b):
        shape = np.broadcast_shapes(tuple(a.shape), tuple(b.shape))
        return self.node(kind, [a, b], shape)

    def add(self, a, b):
        return self.binary("Add", a, b)

    def multiply(self, a, b):
        return self.binary("Mul", a, b)

    def relu(self, x):
        return self.unary("Relu", x)

    def silu(self, x):
        return self.multiply(x, self.unary("Sigmoid", x))

    def relu6(self, x):
        bounds = [self.constant(0.0), self.constant(6.0)]
        return self.node("Clip", [x, *bounds], x.shape)

    def softmax(self, x):
        return self.unary("Softmax", x, axis=-1)

    # Shapes.

    def concat(self, values, axis=1):
        shape = list(values[0].shape)
        shape[axis] = sum(value.shape[axis] for value in values)
        return self.node("Concat", values, shape, axis=axis)

    def reshape(self, x, shape):
        return self.node("Reshape", [x, self.integers(shape)], shape)

    def transpose(self, x, order):
        return self.node("Transpose", [x], [x.shape[i] for i in order],
                         perm=order)

    def flatten(self, x):
        return self.node("Flatten", [x], [x.shape[0], math.prod(x.shape[1:])],
                         axis=1)

    def gather(self, x, index, axis):
        """One slice of an axis, which goes away."""
        shape = x.shape[:axis] + x.shape[axis + 1:]
        return self.node("Gather", [x, self.integers(index)], shape, axis=axis)

    # Convolution networks; [batch, channels, size...].

    def window(self, kind, inputs, channels, size, stride, pad, **attributes):
        """A node that slides a window over every axis of its first input. Its
        size, stride and padding are numbers, or lists with one for each
        axis."""
        batch, _, *sizes = inputs[0].shape
        size, stride, pad = (along(value, sizes)
                             for value in (size, stride, pad))
        out = [(n + 2 * p - k) // s + 1
               for n, k, s, p in zip(sizes, size, stride, pad)]
        return self.node(kind, inputs, [batch, channels, *out],
                         kernel_shape=size, strides=stride, pads=pad * 2,
                         **attributes)

    def conv(self, x, channels, size, stride=1, pad=None, group=1, bias=False,
             gain=2.0):
        """The padding is half the window unless it is given."""
        each = x.shape[1] // group
        window = along(size, x.shape[2:])
        if pad is None:
            pad = [n // 2 for n in window]
        fan_in = each * math.prod(window)
        inputs = [x, self.weight(
            self.scaled([channels, each, *window], fan_in, gain), "filter")]
        if bias:
            inputs.append(self.weight(self.uniform([channels], 0.1), "bias"))
        return self.conv_node(inputs, stride, pad, group)

    def conv_node(self, inputs, stride, pad, group=1):
        channels, each, *window = inputs[1].shape
        out = self.window("Conv", inputs, channels, window, stride, pad,
                          dilations=[1] * len(window), group=group)
        self.macs += math.prod(out.shape) * each * math.prod(window)
        return out

    def conv_transpose(self, x, channels, stride):
        """Doubles, triples... both sizes: the window is the stride."""
        batch, each, height, width = x.shape
        filters = self.weight(
            self.scaled([each, channels, stride, stride], each, 2.0), "filter")
        bias = self.weight(self.uniform([channels], 0.1), "bias")
        shape = [batch, channels, height * stride, width * stride]
        self.macs += math.prod(shape) * each
        return self.node("ConvTranspose", [x, filters, bias], shape,
                         kernel_shape=[stride] * 2, strides=[stride] * 2)

    def batchnorm(self, x, gamma=1.0):
        """As it is at inference; a small gamma tames a residual branch."""
        def draw(low, high, hint):
            values = self.random.random_sample(x.shape[1])
            return self.weight(low + (high - low) * values, hint)
        statistics = [draw(0.8 * gamma, 1.2 * gamma, "scale"),
                      draw(-0.1, 0.1, "bias"), draw(-0.1, 0.1, "mean"),
                      draw(0.8, 1.2, "variance")]
        return self.node("BatchNormalization", [x, *statistics], x.shape,
                         epsilon=1e-5)

    def conv_relu(self, x, channels, size, **options):
        """Convolution, batch normalization, relu."""
        return self.relu(self.batchnorm(self.conv(x, channels, size,
                                                  **options)))

    def maxpool(self, x, size, stride=2, pad=0):
        return self.window("MaxPool", [x], x.shape[1], size, stride, pad)

    def avgpool(self, x, size):
        return self.window("AveragePool", [x], x.shape[1], size, size, 0)

    def mean_pixel(self, x):
        """The mean of every channel, as an image of one pixel."""
        shape = x.shape[:2] + [1] * (len(x.shape) - 2)
        return self.node("GlobalAveragePool", [x], shape)

    def pool_all(self, x):
        """The mean of every channel, as [batch, channels]."""
        return self.flatten(self.mean_pixel(x))

    # Dense networks.

    def gemm(self, x, width, gain=2.0):
        """Fully connected, on [batch, features]."""
        weights = self.weight(
            self.scaled([width, x.shape[1]], x.shape[1], gain), "weights")
        bias = self.weight(self.uniform([width], 0.1), "bias")
        return self.gemm_node([x, weights, bias])

    def gemm_node(self, inputs):
        width, features = inputs[1].shape
        rows = inputs[0].shape[0]
        self.macs += rows * features * width
        return self.node("Gemm", inputs, [rows, width], transB=1)

    def matmul(self, a, b):
        batch = np.broadcast_shapes(tuple(a.shape[:-2]), tuple(b.shape[:-2]))
        shape = [*batch, a.shape[-2], b.shape[-1]]
        self.macs += math.prod(shape) * a.shape[-1]
        return self.node("MatMul", [a, b], shape)

    def linear(self, x, width):
        """Fully connected, on [batch, sequence, features]."""
        features = x.shape[-1]
        weights = self.weight(self.scaled([features, width], features, 1.0),
                              "weights")
        bias = self.weight(self.uniform([width], 0.1), "bias")
        return self.add(self.matmul(x, weights), bias)

    def embedding(self, rows, width, bound=1.0):
        return self.weight(self.uniform([rows, width], bound), "embedding")

    def look_up(self, table, ids):
        return self.node("Gather", [table, ids],
                         [*ids.shape, table.shape[1]], axis=0)

    def model(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs,
                                  self.outputs, self.weights)
        model = helper.make_model(
            graph, producer_name="glow",
            opset_imports=[
                helper.make_opsetid(domain, 1 if domain else self.opset)
                for domain in sorted(self.domains)])
        model.ir_version = 8
        onnx.checker.check_model(model)
        return model
