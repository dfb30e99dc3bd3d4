# SPDX-License-Identifier: MIT
"""Cases of operators on quantised blobs: each begins with floats, and its bytes are outputs."""

import numpy

from nets.images import average, convolve, highest, last
from nets.net import Operator, case

F, U, W = numpy.float32, numpy.uint8, numpy.int32
random = numpy.random.RandomState(55)
SCALE, ZERO, INNER = 0.0625, 30, 128  # of inputs; the zero point of weights


def real(*shape, low=-2, high=6):
    return random.uniform(low, high, shape).astype(F)


def quantized(x, scale, zero):
    return (numpy.rint((x / F(scale)).astype(F)) + zero).clip(0, 255).astype(U)


def whole(codes, zero):
    return codes.astype(F) - zero


def given(name, codes, scale, zero):
    return Operator("Int8GivenTensorFill", "", name, shape=list(codes.shape), values=codes.tobytes(),
                    Y_scale=scale, Y_zero_point=zero)


def bytes_case(out, name, operator, x, y, more=(), others=None):
    """`operator` reads q, the bytes of x; y are the bytes that it writes."""
    inputs = {"x": x, **(others or {})}
    quantize = [Operator("Int8Quantize", "x", "q", Y_scale=SCALE, Y_zero_point=ZERO)]
    case(out, name, [*quantize, *more, operator], inputs, {"y": y})


def write(out):
    x = real(2, 6)
    q = quantized(x, SCALE, ZERO)
    numbers = whole(q, ZERO) * SCALE
    steps = {"Y_scale": 0.05, "Y_zero_point": 20}

    def again(y):
        return quantized(y, 0.05, 20)

    case(out, "int8quantize", [Operator("Int8Quantize", "x", "y", Y_scale=SCALE, Y_zero_point=ZERO)], {"x": x},
         {"y": q})
    bytes_case(out, "int8dequantize", Operator("Int8Dequantize", "q", "y"), x, numbers)
    bytes_case(out, "int8copy", Operator("Int8Copy", "q", "y"), x, q)
    bytes_case(out, "int8relu", Operator("Int8Relu", "q", "y"), x, numpy.maximum(q, ZERO))
    bytes_case(out, "int8leakyrelu", Operator("Int8LeakyRelu", "q", "y", alpha=0.25, **steps), x,
               again(numpy.where(numbers < 0, 0.25 * numbers, numbers)))
    bytes_case(out, "int8sigmoid", Operator("Int8Sigmoid", "q", "y", Y_scale=1 / 256), x,
               quantized(1 / (1 + numpy.exp(-numbers)), 1 / 256, 0))
    power = numpy.exp(numbers)
    bytes_case(out, "int8softmax", Operator("Int8Softmax", "q", "y", Y_scale=1 / 256), x,
               quantized(power / power.sum(1, keepdims=True), 1 / 256, 0))
    bytes_case(out, "int8flatten", Operator("Int8Flatten", "q", "y", axis=2), x, q.reshape(12, 1))
    bytes_case(out, "int8reshape", Operator("Int8Reshape", "q", "y", shape=[3, -1]), x, q.reshape(3, 4))
    bytes_case(out, "int8transpose", Operator("Int8Transpose", "q", "y"), x, q.T)
    other = real(2, 6)
    second = [Operator("Int8Quantize", "z", "r", Y_scale=0.03125, Y_zero_point=64)]
    more = whole(quantized(other, 0.03125, 64), 64) * 0.03125
    for kind in "Int8Add", "Int8Sum", "Int8AddRelu", "Int8SumRelu":
        total = numbers + more
        bytes_case(out, kind.lower(), Operator(kind, "q r", "y", **steps), x,
                   again(numpy.maximum(total, 0) if kind.endswith("Relu") else total), second, {"z": other})
    bytes_case(out, "int8concat", Operator("Int8Concat", "q r", "y", axis=1, **steps), x,
               again(numpy.concatenate([numbers, more], 1)), second, {"z": other})
    weights, bias = random.randint(90, 170, (5, 6)).astype(U), random.randint(-500, 500, 5).astype(W)
    fills = [given("w", weights, 0.03125, INNER),
             Operator("Int8GivenIntTensorFill", "", "b", shape=[5], values=bias, Y_scale=SCALE * 0.03125)]
    sums = (whole(q, ZERO) @ whole(weights, INNER).T + bias) * SCALE * 0.03125
    for kind in "Int8FC", "Int8FCRelu":
        bytes_case(out, kind.lower(), Operator(kind, "q w b", "y", **steps), x,
                   again(numpy.maximum(sums, 0) if kind.endswith("Relu") else sums), fills)
    images(out, steps, again)


def images(out, steps, again):
    x = real(1, 4, 5, 5)
    q = quantized(x, SCALE, ZERO)
    numbers = whole(q, ZERO) * F(SCALE)
    weights = random.randint(90, 170, (3, 4, 3, 3)).astype(U)
    bias = random.randint(-500, 500, 3).astype(W)
    fills = [given("w", last(weights), 0.03125, INNER),
             Operator("Int8GivenIntTensorFill", "", "b", shape=[3], values=bias, Y_scale=SCALE * 0.03125)]
    sums = convolve(whole(q, ZERO), whole(weights, INNER), bias, pads=(1, 1, 1, 1), stride=(2, 2))
    for kind in "Int8Conv", "Int8ConvRelu":
        y = sums * SCALE * 0.03125
        bytes_case(out, kind.lower(),
                   Operator(kind, "q w b", "y", kernel=3, stride=2, pad=1, order="NHWC", **steps), last(x),
                   last(again(numpy.maximum(y, 0) if kind.endswith("Relu") else y)), fills)
    windows = {"kernel": 3, "stride": 2, "pad": 1}
    names = {"stride": (2, 2), "pads": (1, 1, 1, 1)}
    bytes_case(out, "int8maxpool", Operator("Int8MaxPool", "q", "y", order="NHWC", **windows), last(x),
               last(highest(q.astype(F), (3, 3), **names).astype(U)))
    bytes_case(out, "int8averagepool", Operator("Int8AveragePool", "q", "y", order="NHWC", **windows, **steps),
               last(x), last(again(average(numbers, (3, 3), **names))))
    shuffled = q.reshape(1, 2, 2, 5, 5).swapaxes(1, 2).reshape(q.shape)
    bytes_case(out, "int8channelshuffle", Operator("Int8ChannelShuffle", "q", "y", group=2, order="NHWC"), last(x),
               last(shuffled))
