"""Writes models of f32 whose inputs and outputs are of 16 bits: ports.py FOLDER"""

import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
scale = numpy_helper.from_array(
    numpy.linspace(0.5, 2, 19).astype("float32").reshape(19, 1), "scale")
for name, kind in (("f16", TensorProto.FLOAT16), ("bf16", TensorProto.BFLOAT16)):
    nodes = [helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.FLOAT),
             helper.make_node("Mul", ["wide", "scale"], ["scaled"]),
             helper.make_node("Tanh", ["scaled"], ["result"]),
             helper.make_node("Cast", ["result"], ["y"], to=kind)]
    graph = helper.make_graph(
        nodes, name, [helper.make_tensor_value_info("x", kind, [5, 19, 23])],
        [helper.make_tensor_value_info("y", kind, [5, 19, 23])], [scale])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)],
                                ir_version=8), folder / f"{name}.onnx")
