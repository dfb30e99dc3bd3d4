"""Data sets of importer/make.py's shape_is_input: shapes.py FOLDER."""

import os
import sys

import numpy
from onnx import numpy_helper

x = numpy.arange(-6, 6, dtype=numpy.float32).reshape(2, 6)
for number, shape in enumerate([(1, 3), (3, 1), (3, 1)]):
    folder = os.path.join(sys.argv[1], f"test_data_set_{number}")
    os.makedirs(folder, exist_ok=True)
    halves = numpy.array(shape, numpy.int64)
    y = numpy.maximum(x, 0).reshape(2 * halves)
    for name, tensor in [("input_0", x), ("input_1", halves), ("output_0", y)]:
        with open(os.path.join(folder, name + ".pb"), "wb") as file:
            proto = numpy_helper.from_array(tensor, name)
            file.write(proto.SerializeToString())
