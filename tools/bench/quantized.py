"""ResNet-50 in 8 bits, as a static quantization tool writes it: every value
between two layers is quantized to u8 and back, weights are i8 with a scale an
output channel, biases i32, batch normalization is part of the weights."""

import math

import numpy as np

from vision import picture

# Steps of u8: of the picture and of a sum around zero point 128, and of what
# a relu left.
INPUT, SIGNED, POSITIVE = 2 / 255, 12 / 255, 8 / 255


def rounded(g, x, scale, zero=0):
    """x as u8 and back."""
    parameters = [g.constant(scale), g.constant(zero, np.uint8)]
    x = g.node("QuantizeLinear", [x, *parameters], x.shape)
    return g.node("DequantizeLinear", [x, *parameters], x.shape)


def dequantized(g, integers, scale, hint):
    """A constant with a scale for each element of axis 0, zero point 0."""
    g.parameters += integers.size
    zero = np.zeros(len(scale), integers.dtype)
    return g.node("DequantizeLinear", [
        g.tensor(integers, hint), g.tensor(scale, "scale"),
        g.tensor(zero, "zero")], integers.shape, axis=0)


def weights_and_bias(g, shape, step, gain):
    """For a layer whose input has this step."""
    weights = g.scaled(shape, math.prod(shape[1:]), gain)
    bias = g.uniform(shape[:1], 0.1)
    flat = weights.reshape(shape[0], -1)
    scale = (np.abs(flat).max(axis=1) / 127).astype(np.float32)
    integers = np.rint(flat / scale[:, None]).astype(np.int8).reshape(shape)
    bias_scale = (scale * step).astype(np.float32)
    return [dequantized(g, integers, scale, "weights"),
            dequantized(g, np.rint(bias / bias_scale).astype(np.int32),
                        bias_scale, "bias")]


def conv(g, x, step, channels, size, stride=1, gain=2.0):
    shape = [channels, x.shape[1], size, size]
    return g.conv_node([x, *weights_and_bias(g, shape, step, gain)], stride,
                       size // 2)


def conv_relu(g, x, channels, size, step=POSITIVE, stride=1):
    x = conv(g, x, step, channels, size, stride)
    return rounded(g, g.relu(x), POSITIVE)


def resnet50_qdq(g, batch):
    x = rounded(g, picture(g, batch), INPUT, 128)
    x = conv_relu(g, x, 64, 7, step=INPUT, stride=2)
    x = rounded(g, g.maxpool(x, 3, pad=1), POSITIVE)
    for stage, count in enumerate([3, 4, 6, 3]):
        width = 64 << stage
        for block in range(count):
            stride = 2 if block == 0 and stage > 0 else 1
            y = conv_relu(g, x, width, 1)
            y = conv_relu(g, y, width, 3, stride=stride)
            y = conv(g, y, POSITIVE, 4 * width, 1, gain=0.2)
            y = rounded(g, y, SIGNED, 128)
            if block == 0:
                x = conv(g, x, POSITIVE, 4 * width, 1, stride, gain=1.0)
                x = rounded(g, x, SIGNED, 128)
            x = rounded(g, g.relu(g.add(y, x)), POSITIVE)
    x = g.node("GlobalAveragePool", [x], [*x.shape[:2], 1, 1])
    x = rounded(g, g.flatten(rounded(g, x, POSITIVE)), POSITIVE)
    dense = weights_and_bias(g, [1000, x.shape[1]], POSITIVE, 1.0)
    g.output(g.gemm_node([x, *dense]), "logits")


NETWORKS = [resnet50_qdq]
