"""Writes a model with one weight changed: other_weights.py FROM TO."""

import sys

import onnx
from onnx import numpy_helper

model = onnx.load(sys.argv[1])
first = next(one for one in model.graph.initializer if one.name == "conv1_weight")
values = numpy_helper.to_array(first).copy()
values.flat[0] += 1
first.CopyFrom(numpy_helper.from_array(values, first.name))
onnx.save(model, sys.argv[2])
