"""Writes products and convolutions of depth 0, with constant and with variable weights.

Usage: no_depth.py FOLDER
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
F32, U8, I8, I32 = TensorProto.FLOAT, TensorProto.UINT8, TensorProto.INT8, TensorProto.INT32
SCALES = {"s": np.float32(0.1), "z": np.uint8(3), "ws": np.float32(0.02), "wz": np.int8(0),
          "ys": np.float32(0.3), "yz": np.uint8(100)}


def save(name, operator, kinds, shape, weights, quantized=()):
    x, w, y = kinds
    operands = ["x", *quantized[:2], "w", *quantized[2:]]
    kind = np.int8 if w == I8 else np.float32
    constants = [numpy_helper.from_array(np.asarray(value), key) for key, value in SCALES.items() if key in quantized]
    for constant in (True, False):
        inputs = [helper.make_tensor_value_info("x", x, shape)]
        more = [numpy_helper.from_array(np.zeros(weights, kind), "w")] if constant else []
        if not constant:
            inputs.append(helper.make_tensor_value_info("w", w, weights))
        graph = helper.make_graph([helper.make_node(operator, operands, ["y"])], name, inputs,
                                  [helper.make_tensor_value_info("y", y, None)], constants + more)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(model, FOLDER / f"{name}_{'constant' if constant else 'variable'}.onnx")


for part, shape, weights in (("depth", [5, 0], [0, 4]), ("rows", [0, 4], [4, 3]), ("columns", [5, 4], [4, 0])):
    save(f"MatMul_{part}", "MatMul", (F32, F32, F32), shape, weights)
    save(f"MatMulInteger_{part}", "MatMulInteger", (U8, I8, I32), shape, weights)
    save(f"QLinearMatMul_{part}", "QLinearMatMul", (U8, I8, U8), shape, weights, [*SCALES])
for part, shape, weights in (("channels", [1, 0, 5, 5], [4, 0, 3, 3]), ("images", [0, 2, 5, 5], [4, 2, 3, 3]),
                             ("filters", [1, 2, 5, 5], [0, 2, 3, 3])):
    save(f"Conv_{part}", "Conv", (F32, F32, F32), shape, weights)
    save(f"ConvInteger_{part}", "ConvInteger", (U8, I8, I32), shape, weights)
    save(f"QLinearConv_{part}", "QLinearConv", (U8, I8, U8), shape, weights, [*SCALES])
