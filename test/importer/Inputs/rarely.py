#!/usr/bin/env python3
"""Writes cases of import records that no other case exercises, as far as ONNX's
definitions are short: rarely.py FOLDER. What they must give is computed here.
"""

import math
import os
import sys

import numpy
from onnx import helper, mapping, numpy_helper

F, W, L = numpy.float32, numpy.int32, numpy.int64
RANDOM = numpy.random.default_rng(18)
X = RANDOM.standard_normal((2, 3, 4)).astype(F)
NUMBERS = RANDOM.integers(-99, 99, (2, 3)).astype(W)
ROW = RANDOM.integers(-99, 99, 3).astype(W)
TRUTH, TRUTHS = numpy.array([True, False]), numpy.array([[True, True, False], [False, True, False]])
AXES = numpy.array([0, 2], L)
CASES = []


def case(operator, opset, inputs, outputs, domain="", **attributes):
    CASES.append((operator, opset, inputs, outputs, domain, attributes))


def normalised(x, axes, epsilon=1e-5):
    return (x - x.mean(axes, keepdims=True)) / numpy.sqrt(x.var(axes, keepdims=True) + epsilon)


def channels(p):
    return p.reshape(1, -1, 1)


# Before opset 7 an attribute says where the second operand is repeated.
for name, function in {"And": numpy.logical_and, "Or": numpy.logical_or, "Xor": numpy.logical_xor}.items():
    case(name, 6, [TRUTHS, TRUTH], [function(TRUTHS, TRUTH[:, None])], axis=0, broadcast=1)
case("Equal", 6, [NUMBERS, NUMBERS[0]], [NUMBERS == NUMBERS[0]], broadcast=1)
for name, function in {"Less": numpy.less, "Greater": numpy.greater, "Sub": numpy.subtract, "Div": numpy.divide}.items():
    case(name, 6, [X, X[0, :, 1]], [function(X, channels(X[0, :, 1]))], axis=1, broadcast=1)

for name, function in {"And": numpy.bitwise_and, "Or": numpy.bitwise_or, "Xor": numpy.bitwise_xor}.items():
    case("Bitwise" + name, 18, [NUMBERS, ROW], [function(NUMBERS, ROW)])
case("BitwiseNot", 18, [NUMBERS], [~NUMBERS])
gate = numpy.vectorize(math.erf)(X / math.sqrt(2)) + 1
case("Gelu", 20, [X], [X * gate / 2])
case("Gelu", 20, [X], [X / 2 * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (X + 0.044715 * X**3)))], approximate="tanh")
case("Mish", 18, [X], [X * numpy.tanh(numpy.log1p(numpy.exp(X)))])

# A normalisation of each kind.
scale, bias = F([1, 2, 0.5]), F([0, -1, 3])
mean, variance = F([0.1, 0.2, 0.3]), F([1, 2, 3])
moved = (X - channels(mean)) / numpy.sqrt(channels(variance) + 1e-5)
case("BatchNormalization", 7, [X, scale, bias, mean, variance], [moved * channels(scale) + channels(bias)])
pairs = RANDOM.standard_normal((2, 4, 3)).astype(F)
large = (1000 * X).astype(numpy.float16)  # whose squares are too large for its kind
wide = large.astype(F)
case("LayerNormalization", 17, [large, numpy.ones(4, numpy.float16)],
     [normalised(wide, 2).astype(numpy.float16), wide.mean(2, keepdims=True),
      1 / numpy.sqrt(wide.var(2, keepdims=True) + 1e-5)])
exact = X.astype(numpy.float64)  # whose means are f32 all the same
case("LayerNormalization", 17, [exact, numpy.ones(4)],
     [normalised(exact, 2), exact.mean(2, keepdims=True).astype(F),
      (1 / numpy.sqrt(exact.var(2, keepdims=True) + 1e-5)).astype(F)])
grouped = normalised(pairs.reshape(2, 2, 6), 2).reshape(pairs.shape)
by_group, by_channel = F([2, 3]), F([1, 2, 3, 4])
case("GroupNormalization", 18, [pairs, by_group, by_group],
     [grouped * channels(by_group.repeat(2)) + channels(by_group.repeat(2))], num_groups=2)
case("GroupNormalization", 21, [pairs, by_channel, by_channel],
     [grouped * channels(by_channel) + channels(by_channel)], num_groups=2)
case("LpNormalization", 1, [X], [X / numpy.sqrt((X * X).sum(1, keepdims=True))], axis=1)
case("LpNormalization", 1, [X], [X / numpy.abs(X).sum(2, keepdims=True)], p=1)
case("RMSNormalization", 23, [X, by_channel],
     [X / numpy.sqrt((X * X).mean(2, keepdims=True) + 1e-5) * by_channel])
case("LpPool", 11, [X], [numpy.sqrt((X * X).reshape(2, 3, 2, 2).sum(3))], kernel_shape=[2], strides=[2])

# The largest of all that follow the axis.
best = numpy.zeros((2, 12), F)
best[range(2), X.reshape(2, 12).argmax(1)] = 1
case("Hardmax", 12, [X], [best.reshape(X.shape)], axis=1)

for name, function in {
        "L1": lambda x: abs(x).sum((0, 2)), "L2": lambda x: numpy.sqrt((x * x).sum((0, 2))),
        "LogSum": lambda x: numpy.log(x.sum((0, 2))), "LogSumExp": lambda x: numpy.log(numpy.exp(x).sum((0, 2))),
        "Max": lambda x: x.max((0, 2)), "Mean": lambda x: x.mean((0, 2)), "Min": lambda x: x.min((0, 2)),
        "Prod": lambda x: x.prod((0, 2)), "SumSquare": lambda x: (x * x).sum((0, 2))}.items():
    case("Reduce" + name, 18, [abs(X), AXES], [function(abs(X))], keepdims=0)

# Random numbers of which only one is possible.
certain = F([0, 1, 1, 0])
case("Bernoulli", 15, [certain], [certain])
case("Multinomial", 7, [F([[-200, 0, -200]])], [W([[1, 1, 1, 1]])], sample_size=4, dtype=6)
case("RandomNormal", 1, [], [F([2, 2, 2])], shape=[3], mean=2.0, scale=0.0)
case("RandomNormalLike", 1, [X], [numpy.full_like(X, 2)], mean=2.0, scale=0.0)
case("RandomUniform", 1, [], [F([0.5, 0.5])], shape=[2], low=0.5, high=0.5)
case("RandomUniformLike", 1, [X], [numpy.full_like(X, 0.5)], low=0.5, high=0.5)

image = X[None, :1, :2]
larger = image.repeat(2, 2).repeat(3, 3)
case("Resize", 10, [image, F([1, 1, 2, 3])], [larger], mode="nearest")
case("Upsample", 7, [image], [larger], mode="nearest", scales=[1.0, 1.0, 2.0, 3.0])
# Pixels are at whole numbers.
columns = numpy.tile(numpy.arange(4, dtype=F), (1, 1, 4, 1))
case("RoiAlign", 10, [columns, F([[0, 0, 2, 2]]), L([0])], [F([[[[1]]]])], sampling_ratio=1)
# As many samples as pixels.
region = [columns, F([[0, 0, 4, 2]]), L([0])]
case("RoiAlign", 10, region, [F([[[[1, 2.75]]]])], output_width=2, host=True)
case("RoiAlign", 16, region, [F([[[[0.5, 2.5]]]])], output_width=2, host=True)
# The second box overlaps the first one, which is better.
boxes, scores = F([[[0, 0, 2, 2], [0, 0, 2, 1.9], [3, 3, 4, 4]]]), F([[[0.9, 0.8, 0.7]]])
case("NonMaxSuppression", 10, [boxes, scores, L([3]), F([0.5]), F([0])], [L([[0, 0, 0], [0, 0, 2]])], host=True)
case("Split", 18, [NUMBERS], [NUMBERS[:, :2], NUMBERS[:, 2:]], axis=1, num_outputs=2)
order = (-X).argsort(2, kind="stable")[:, :, :2]
highest = [numpy.take_along_axis(X, order, 2), order.astype(L)]
case("TopK", 9, [X], highest, axis=2, k=2)
case("TopK", 10, [X, L([2])], highest, axis=2)

codes, two, three = numpy.uint8([[1, 200], [3, 255]]), F(2), numpy.uint8(3)
reals = (codes.astype(F) - 3) * 2
case("DequantizeLinear", 10, [codes, two, three], [reals])
case("DequantizeLinear", 1, [codes, two, three], [reals], "com.microsoft")
case("QuantizeLinear", 1, [reals, two, three], [codes], "com.microsoft")
wide = RANDOM.integers(-9999, 9999, (2, 3)).astype(numpy.int16)
case("MatMulInteger16", 1, [wide, wide.T.copy()], [wide.astype(W) @ wide.T.astype(W)], "com.microsoft")

# A parameter that never moved stays: the divisor is never 0.
still = F([0, 0])
case("Adagrad", 1, [F(1), L(0), X[0, 0, :2], still, still], [X[0, 0, :2], still], "ai.onnx.preview.training")
case("Adam", 1, [F(1), L(0), X[0, 0, :2], still, still, still], [X[0, 0, :2], still, still],
     "ai.onnx.preview.training")


def port(name, value):
    kind = mapping.NP_TYPE_TO_TENSOR_TYPE[numpy.dtype(F) if value.dtype == float else value.dtype]
    return helper.make_tensor_value_info(name, kind, value.shape)


def write(folder, operator, opset, inputs, outputs, domain, attributes):
    data = f"{folder}/test_data_set_0"
    os.makedirs(data)
    values = {"input": {f"x{i}": numpy.asarray(x) for i, x in enumerate(inputs)},
              "output": {f"y{i}": numpy.asarray(y) for i, y in enumerate(outputs)}}
    node = helper.make_node(operator, list(values["input"]), list(values["output"]), domain=domain, **attributes)
    graph = helper.make_graph([node], "graph", *([port(*each) for each in side.items()] for side in values.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid(domain, opset)])
    with open(f"{folder}/model.onnx", "wb") as file:
        file.write(model.SerializeToString())
    for side, named in values.items():
        for i, (name, value) in enumerate(named.items()):
            # A computed result of 64 bits is wanted in what the model declares.
            tensor = numpy_helper.from_array(value.astype(F) if value.dtype == float else value, name)
            with open(f"{data}/{side}_{i}.pb", "wb") as file:
                file.write(tensor.SerializeToString())


for number, (operator, *rest) in enumerate(CASES):
    place = "_host" if rest[-1].pop("host", False) else ""
    write(f"{sys.argv[1]}/{number}_{operator}{place}", operator, *rest)
