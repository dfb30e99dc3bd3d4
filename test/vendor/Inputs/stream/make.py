#!/usr/bin/env python3
"""Layers of MobileNetV2 with channels last, as text: make.py KIND"""

import sys


class Network:
    """One function, node by node. Values are names with their shapes."""

    def __init__(self, kind, image):
        self.kind, self.count = kind, 0
        self.filters, self.reads, self.nodes = [], [], []
        self.image = image

    def type(self, shape):
        return f"tensor<{'x'.join(map(str, shape))}x{self.kind}>"

    def filter(self, shape):
        name = f"w{len(self.filters)}"
        self.filters.append(f"glow.constant @{name} = dense<1.0> : {self.type(shape)}")
        self.reads.append(f"  %{name} = glow.read @{name} : {self.type(shape)}")
        return name

    def node(self, text, operands, shape):
        self.count += 1
        name = f"v{self.count}"
        mnemonic, _, attributes = text.partition(" ")
        values = ", ".join("%" + operand for operand, _ in operands)
        types = ", ".join(self.type(one) for _, one in operands)
        self.nodes.append(f"  %{name} = glow.{mnemonic} {values} {attributes} : ({types}) -> {self.type(shape)}")
        return name, shape

    def window(self, mnemonic, value, side, stride, filters):
        _, (_, h, w, _) = value
        pad = side // 2
        shape = (1, (h + 2 * pad - side) // stride + 1, (w + 2 * pad - side) // stride + 1, filters[-1])
        filters = (side, side, *filters)
        text = f"{mnemonic} strides [{stride}, {stride}] pads [{pad}, {pad}, {pad}, {pad}]"
        return self.node(text, [value, (self.filter(filters), filters)], shape)

    def conv(self, value, channels, side=1, stride=1):
        return self.window("conv_last", value, side, stride, (value[1][3], channels))

    def apart(self, value, stride):
        return self.window("apart_last", value, 3, stride, (value[1][3],))

    def bottleneck(self, value, factor, channels, stride):
        wide = self.conv(value, factor * value[1][3]) if factor > 1 else value
        result = self.conv(self.apart(wide, stride), channels)
        return self.node("sum_last", [value, result], result[1]) if value[1] == result[1] else result

    def text(self, result):
        name, shape = result
        return "\n".join([
            f"glow.placeholder @x input : {self.type(self.image)}",
            f"glow.placeholder @y output : {self.type(shape)}",
            *self.filters, "glow.func @main {", f"  %x = glow.read @x : {self.type(self.image)}",
            *self.reads, *self.nodes, f"  glow.save %{name}, @y : {self.type(shape)}", "}", ""])


def mobilenet(kind):
    network = Network(kind, (1, 224, 224, 3))
    value = network.conv(("x", network.image), 32, 3, 2)
    for factor, channels, times, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                            (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for number in range(times):
            value = network.bottleneck(value, factor, channels, 1 if number else stride)
    return network.text(network.conv(value, 1280))


if __name__ == "__main__":
    print(mobilenet(sys.argv[1]), end="")
