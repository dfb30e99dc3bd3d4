#!/usr/bin/env python3
"""Checks what docs/OnnxTests.json says of data that contradict their model:
onnx_contradictions.py DATA DOCS.
"""

import json
import pathlib
import sys

import numpy
import onnx
from onnx import helper, numpy_helper

DATA = pathlib.Path(sys.argv[1])


def load(case):
    """The model, and the tensors by name."""
    tensors = {}
    for path in (DATA / case / "test_data_set_0").glob("*.pb"):
        tensor = onnx.TensorProto.FromString(path.read_bytes())
        tensors[tensor.name] = numpy_helper.to_array(tensor)
    return onnx.load(DATA / case / "model.onnx"), tensors


def other_epsilon(case):
    model, tensors = load(case)
    node = model.graph.node[0]
    given = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    default = onnx.defs.get_schema("Adam", 1, node.domain).attributes["epsilon"].default_value
    # T is 0, so that nothing corrects the rate.
    step = tensors["R"] * tensors["V1_new"]
    results = [tensors["X1"] - step / (numpy.sqrt(tensors["H1_new"]) + e) for e in (default.f, 0.01)]
    agrees = [numpy.allclose(tensors["X1_new"], result, rtol=1e-5) for result in results]
    return "epsilon" not in given and default.f < 2e-6 and tensors["T"] == 0 and agrees == [False, True]


status = 0
for entry in json.loads((pathlib.Path(sys.argv[2]) / "OnnxTests.json").read_text()):
    for case in entry["cases"] if entry["reason"] == "data that contradict the model" else []:
        if not other_epsilon(case):
            print(f"{case}: {entry['why']} This is not so")
            status = 1
sys.exit(status)
