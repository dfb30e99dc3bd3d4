#!/usr/bin/env python3
"""Writes cases of operators that ONNX had before its opset 10, or as experiments
only: retired.py FOLDER. What they must give is computed here, with numpy."""

import os
import sys

import numpy
from quantization import F, write

random = numpy.random.RandomState(4)


def real(*shape):
    return random.uniform(-2, 2, shape).astype(F)


def cases():
    x, image = real(2, 3), real(2, 3, 5, 6)
    yield "affine", "Affine", [x], [F(0.5) * x - F(1.5)], {"alpha": 0.5, "beta": -1.5}
    yield "affine_plain", "Affine", [x], [x], {}
    yield "scaled_tanh", "ScaledTanh", [x], [F(1.7) * numpy.tanh(F(0.6) * x)], {"alpha": 1.7, "beta": 0.6}
    yield "parametric_softplus", "ParametricSoftplus", [x], [F(0.5) * numpy.log1p(numpy.exp(F(2) * x))], {
        "alpha": 0.5, "beta": 2.0}
    yield "thresholded_relu", "ThresholdedRelu", [x], [numpy.where(x > 1, x, 0).astype(F)], {}
    bias = [0.5, -1.0, 2.0]
    yield "image_scaler", "ImageScaler", [image], [F(0.25) * image + F(bias)[:, None, None]], {"bias": bias, "scale": 0.25}
    yield "crop", "Crop", [image], [image[:, :, 2:4, 1:3]], {"border": [1, 2, 3, 1]}
    yield "crop_to", "Crop", [image], [image[:, :, 2:5, 1:3]], {"border": [1, 2, 0, 0], "scale": [3, 2]}
    yield "crop_none", "Crop", [real(0, 3, 5, 6)], [real(0, 3, 2, 2)], {"border": [1, 2, 3, 1]}


if __name__ == "__main__":
    for name, *case, attributes in cases():
        for opset in (1, 6, 9) if name in ("affine", "crop") else (8,):
            write(os.path.join(sys.argv[1], "cases", f"test_{name}_{opset}"), *case, attributes, opset)
    x = real(1, 3, 4, 4)
    for name, operator, attributes in (("wide", "Crop", {"border": [1, 1, 4, 1]}), ("short", "ImageScaler", {"bias": [1.0]})):
        write(os.path.join(sys.argv[1], "refused", name), operator, [x], [x], attributes, 1)
