#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs windows whose attributes are near the ends of 64 bits: far_windows.py FOLDER.

Each model runs on both backends with equal results, or is refused with an error.
"""

import itertools
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
# Operators, with attributes of one axis that are set to far values, and their other attributes.
OPERATORS = {"Conv": {}, "ConvInteger": {}, "ConvTranspose": {}, "MaxPool": {"kernel_shape": [3]},
             "AveragePool": {"kernel_shape": [3]}, "LpPool": {"kernel_shape": [3]}}
HALF, MOST = 1 << 62, (1 << 63) - 1
ATTRIBUTES = [{"dilations": [HALF], "pads": [HALF, HALF]}, {"dilations": [HALF], "pads": [HALF, HALF - 6]},
              {"dilations": [HALF // 2], "pads": [HALF // 2, HALF // 2]},
              {"dilations": [1 << 46], "pads": [1 << 46, 1 << 46]},
              {"dilations": [MOST]}, {"strides": [MOST]}, {"strides": [HALF], "pads": [HALF, 0]},
              {"pads": [HALF, HALF]}, {"pads": [MOST, MOST]}, {"strides": [HALF], "pads": [HALF, HALF - 6]},
              {"dilations": [HALF, 1], "pads": [HALF, 0, HALF, 0]},
              {"dilations": [1 << 40, 1 << 40], "pads": [1 << 40] * 4}]
wrong = 0
for (operator, more), attributes in itertools.product(OPERATORS.items(), ATTRIBUTES):
    axes = max(len(attributes.get("pads", [])) // 2, 1)
    given = {name: list * axes if name == "kernel_shape" else list for name, list in {**more, **attributes}.items()}
    integer = operator == "ConvInteger"
    kind = TensorProto.UINT8 if integer else TensorProto.FLOAT
    weights = [] if more else [numpy_helper.from_array(np.ones([1, 1] + [3] * axes, np.uint8 if integer else np.float32), "w")]
    graph = helper.make_graph(
        [helper.make_node(operator, ["x"] + ["w"] * bool(weights), ["y"], "far", **given)], "far",
        [helper.make_tensor_value_info("x", kind, [1, 1] + [5] * axes)],
        [helper.make_tensor_value_info("y", TensorProto.INT32 if integer else kind, None)], weights)
    path = FOLDER / "far.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=8), path)
    run = subprocess.run(["glow", "run", path, "--random", "--compare=interpreter", "--memory-limit=64M"],
                         capture_output=True, text=True, timeout=100)
    right = run.returncode == 0 and "PASSED" in run.stdout
    refused = run.returncode == 1 and "error: " in run.stderr
    if not right and not refused:
        wrong += 1
        print(operator, given, run.returncode, run.stdout, run.stderr)
print(f"{len(OPERATORS) * len(ATTRIBUTES)} models, {wrong} wrong")
