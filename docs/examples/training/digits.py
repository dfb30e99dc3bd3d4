# SPDX-License-Identifier: MIT
"""Data and a beginning for an example of training: digits of 5x7 dots, moved, in
noise, and a copy of the digits model with random weights.

digits.py MODEL FOLDER
"""

import sys

import numpy as np
import onnx
from onnx import numpy_helper

DOTS = """
01110 00100 01110 11111 00010 11111 00110 11111 01110 01110
10001 01100 10001 00010 00110 10000 01000 00001 10001 10001
10011 00100 00001 00100 01010 11110 10000 00010 10001 10001
10101 00100 00010 00010 10010 00001 11110 00100 01110 01111
11001 00100 00100 00001 11111 00001 10001 01000 10001 00001
10001 00100 01000 10001 00010 10001 10001 01000 10001 00010
01110 01110 11111 01110 00010 01110 01110 01000 01110 01100
"""
ROWS, SIZE, SCALE = 1200, 28, 3


def glyphs():
    rows = [line.split() for line in DOTS.split("\n") if line]
    return [np.array([[int(dot) for dot in row[digit]] for row in rows])
            for digit in range(10)]


def draw(random):
    shapes = [np.kron(glyph, np.ones((SCALE, SCALE))) for glyph in glyphs()]
    images = random.normal(0, 25, (ROWS, 1, SIZE, SIZE))
    labels = random.integers(0, 10, ROWS)
    for image, label in zip(images, labels):
        shape = shapes[label] * random.uniform(120, 255)
        top = random.integers(0, SIZE - shape.shape[0] + 1)
        left = random.integers(0, SIZE - shape.shape[1] + 1)
        image[0, top:top + shape.shape[0], left:left + shape.shape[1]] += shape
    return np.clip(images, 0, 255).astype("float32"), labels


def main():
    path, folder = sys.argv[1:]
    random = np.random.default_rng(1)
    images, labels = draw(random)
    np.save(folder + "/images.npy", images)
    np.save(folder + "/labels.npy", labels)
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        value = numpy_helper.to_array(tensor)
        if value.size > 1:
            width = np.prod(value.shape[1:]) if value.ndim > 1 else 1
            fresh = (random.normal(0, (2 / width) ** 0.5, value.shape)
                     if value.ndim > 1 else np.zeros(value.shape))
            tensor.CopyFrom(numpy_helper.from_array(
                fresh.astype("float32"), tensor.name))
    onnx.save(model, folder + "/start.onnx")


main()
