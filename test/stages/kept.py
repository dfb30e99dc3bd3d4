# SPDX-License-Identifier: MIT
"""kept.py MODEL DATA CACHE [OPTION=VALUE...] runs a model on a data set, with the log of its
stages, and compares the outputs."""

import glob
import sys

import numpy
import onnx
from onnx import numpy_helper

import glow


def tensors(pattern):
    found = {}
    for path in sorted(glob.glob(pattern)):
        tensor = onnx.TensorProto()
        with open(path, "rb") as file:
            tensor.ParseFromString(file.read())
        found[tensor.name] = numpy_helper.to_array(tensor)
    return found


model, data, cache, *options = sys.argv[1:]
glow.log_to("info", lambda level, text: print(text, flush=True))
results = glow.load(model, cache_dir=cache, **dict(one.split("=") for one in options)).run(
    tensors(data + "/test_data_set_0/input_*.pb"))
for name, value in tensors(data + "/test_data_set_0/output_*.pb").items():
    numpy.testing.assert_allclose(results[name], value, 1e-5, 1e-6)
print("equal")
