# SPDX-License-Identifier: MIT
"""Prints the names of initializers that differ between two models, of which all
else must be equal."""

import sys

import onnx
from onnx import numpy_helper

one, other = (onnx.load(path) for path in sys.argv[1:])
values = [{tensor.name: numpy_helper.to_array(tensor)
           for tensor in model.graph.initializer} for model in (one, other)]
assert values[0].keys() == values[1].keys()
for name in sorted(values[0]):
    if (values[0][name] != values[1][name]).any():
        print(name)
for model in (one, other):
    del model.graph.initializer[:]
assert one.SerializeToString() == other.SerializeToString()
