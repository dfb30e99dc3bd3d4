# SPDX-License-Identifier: MIT
"""A detector of things in pictures, with SiLU: the layers of YOLOv5s."""

import numpy as np

from vision import picture

# Widths and heights of boxes, for the pictures of 1/8, 1/16 and 1/32.
ANCHORS = [[(10, 13), (16, 30), (33, 23)], [(30, 61), (62, 45), (59, 119)],
           [(116, 90), (156, 198), (373, 326)]]
CLASSES = 80


def conv_silu(g, x, channels, size, stride=1):
    """An exporter has made the normalization part of the weights."""
    return g.silu(g.conv(x, channels, size, stride=stride, bias=True))


def stage(g, x, channels, count, shortcut=True):
    """Half of the channels go through `count` blocks, half beside them."""
    half = channels // 2
    y = conv_silu(g, x, half, 1)
    for _ in range(count):
        z = conv_silu(g, conv_silu(g, y, half, 1), half, 3)
        y = g.add(y, z) if shortcut else z
    both = g.concat([y, conv_silu(g, x, half, 1)])
    return conv_silu(g, both, channels, 1)


def pyramid_pool(g, x):
    """The largest of windows of 5, 9 and 13 pixels."""
    channels = x.shape[1]
    parts = [conv_silu(g, x, channels // 2, 1)]
    for _ in range(3):
        parts.append(g.maxpool(parts[-1], 5, stride=1, pad=2))
    return conv_silu(g, g.concat(parts), channels, 1)


def twice(g, x):
    batch, channels, height, width = x.shape
    return g.node("Resize", [x, "", g.constant([1.0, 1.0, 2.0, 2.0])],
                  [batch, channels, 2 * height, 2 * width], mode="nearest",
                  nearest_mode="floor",
                  coordinate_transformation_mode="asymmetric")


def boxes(g, x, anchors, step):
    """Centres, sizes and probabilities: [batch, boxes, 4 + 1 + classes]."""
    each, count = 5 + CLASSES, len(anchors)
    x = g.conv(x, count * each, 1, bias=True, gain=1.0)
    batch, _, height, width = x.shape
    x = g.transpose(g.reshape(x, [batch, count, each, height, width]),
                    [0, 1, 3, 4, 2])
    parts = [2, 2, each - 4]
    centre, size, rest = g.nodes_of(
        "Split", [g.unary("Sigmoid", x), g.integers(parts)],
        [[*x.shape[:4], part] for part in parts], axis=4)
    rows, columns = np.meshgrid(np.arange(height), np.arange(width),
                                indexing="ij")
    cells = np.stack([columns, rows], axis=-1) - 0.5
    cells = g.tensor(np.tile(cells, [1, count, 1, 1, 1]).astype(np.float32),
                     "cells")
    centre = g.multiply(g.add(g.multiply(centre, g.constant(2.0)), cells),
                        g.constant(float(step)))
    shape = [1, count, 1, 1, 2]
    sizes = g.tensor(np.array(anchors, np.float32).reshape(shape), "anchors")
    doubled = g.multiply(size, g.constant(2.0))
    size = g.multiply(g.binary("Pow", doubled, g.constant(2.0)), sizes)
    found = g.concat([centre, size, rest], axis=4)
    return g.reshape(found, [batch, count * height * width, each])


def detector(g, batch):
    """640x640."""
    x = conv_silu(g, conv_stem(g, batch), 64, 3, stride=2)
    x = stage(g, x, 64, 1)
    levels = []
    for channels, count in [(128, 2), (256, 3), (512, 1)]:
        x = stage(g, conv_silu(g, x, channels, 3, stride=2), channels, count)
        levels.append(x)
    x = pyramid_pool(g, levels.pop())
    waiting = []
    for channels in [256, 128]:
        waiting.append(conv_silu(g, x, channels, 1))
        x = g.concat([twice(g, waiting[-1]), levels.pop()])
        x = stage(g, x, channels, 1, shortcut=False)
    outputs = [x]
    for channels in [256, 512]:
        x = conv_silu(g, x, channels // 2, 3, stride=2)
        x = g.concat([x, waiting.pop()])
        x = stage(g, x, channels, 1, shortcut=False)
        outputs.append(x)
    found = [boxes(g, x, anchors, step) for x, anchors, step
             in zip(outputs, ANCHORS, [8, 16, 32])]
    g.output(g.concat(found), "boxes")


def conv_stem(g, batch):
    """The first layer has windows of 6."""
    x = g.conv(picture(g, batch, 640), 32, 6, stride=2, pad=2, bias=True)
    return g.silu(x)


NETWORKS = [detector]
