#!/usr/bin/env python3
"""Models of the vendor's operators: make.py FOLDER."""

import os
import sys

import onnx
from onnx import TensorProto, helper


def save(folder, name, nodes, inputs, *outputs, kind=TensorProto.FLOAT):
    kinds = {"B": TensorProto.INT64, "O": TensorProto.INT32, "P": TensorProto.UINT8}
    graph = helper.make_graph(
        nodes, name,
        [helper.make_tensor_value_info(i, kinds.get(i, kind), s) for i, s in inputs],
        [helper.make_tensor_value_info(*output) for output in outputs])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.vendor", 1)])
    model.ir_version = 8
    onnx.save(model, os.path.join(folder, name + ".onnx"))


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
# The counts are made by a node, and nothing else reads them.
save(folder, "histogram",
     [helper.make_node("Relu", ["C"], ["begun"]),
      helper.make_node("Histogram", ["begun", "B", "W"], ["sums"], domain="com.vendor"),
      helper.make_node("Softmax", ["sums"], ["Y"])],
     [("C", [7]), ("B", [40]), ("W", [40])], ("Y", TensorProto.FLOAT, [7]))
save(folder, "chain",
     [helper.make_node("Add", ["X", "W"], ["a"]),
      helper.make_node("Bump", ["a", "W"], ["b"], domain="com.vendor"),
      helper.make_node("Sigmoid", ["b"], ["Z"])],
     [("X", [5, 19]), ("W", [5, 19])], ("Z", TensorProto.FLOAT, [5, 19]))
# The place after the last one of the order is not there.
save(folder, "next",
     [helper.make_node("Next", ["X", "O"], ["Y"], domain="com.vendor", shift=1)],
     [("X", [5]), ("O", [37])], ("Y", TensorProto.FLOAT, [37]))
# Index notation between formulas; `apart` has what is between as outputs too, and
# `elsewhere` reads what a formula makes in other places.
for name, kind in [("grouped", TensorProto.FLOAT), ("grouped_half", TensorProto.FLOAT16),
                   ("grouped_brain", TensorProto.BFLOAT16), ("apart", TensorProto.FLOAT)]:
    between = ["r", "g"] if name == "apart" else []
    save(folder, name,
         [helper.make_node("Relu", ["X"], ["r"]),
          helper.make_node("GroupedScaleShift", ["r", "S", "T"], ["g"], domain="com.vendor", many=16),
          helper.make_node("Sigmoid", ["g"], ["Y"])],
         [("X", [2, 64, 9, 13]), ("S", [4]), ("T", [4])],
         *[(output, kind, [2, 64, 9, 13]) for output in ["Y", *between]], kind=kind)
save(folder, "unbiased",
     [helper.make_node("GroupedScaleShift", ["X", "S"], ["g"], domain="com.vendor", many=2),
      helper.make_node("Exp", ["g"], ["Y"])],
     [("X", [1, 6, 5, 3]), ("S", [3])], ("Y", TensorProto.FLOAT, [1, 6, 5, 3]))
save(folder, "elsewhere",
     [helper.make_node("Tanh", ["X"], ["t"]),
      helper.make_node("Frame", ["t"], ["f"], domain="com.vendor"),
      helper.make_node("Mul", ["f", "W"], ["m"]),
      helper.make_node("Add", ["m", "X"], ["Y"])],
     [("X", [5, 37]), ("W", [1, 37])], ("Y", TensorProto.FLOAT, [5, 37]))
# A factor that is computed: for many rows, and for few.
for name, rows in [("blocks_many", 37), ("blocks_few", 3)]:
    save(folder, name,
         [helper.make_node("Blocks", ["A", "P", "S"], ["Y"], domain="com.vendor", block=32)],
         [("A", [rows, 96]), ("P", [21, 48]), ("S", [21, 3])], ("Y", TensorProto.FLOAT, [rows, 21]))
save(folder, "looked",
     [helper.make_node("Looked", ["X", "L", "O"], ["Y"], domain="com.vendor")],
     [("X", [19, 37]), ("L", [1]), ("O", [13, 37])], ("Y", TensorProto.FLOAT, [19, 13]))
# 4 MiB of weights, as half a mebibyte of bytes.
size = 1024
packed = bytes(i * 37 % 251 for i in range(size * size // 2)).hex()
with open(os.path.join(folder, "unpacked.mlir"), "w") as file:
    file.write(f"""glow.placeholder @x input : tensor<2x{size}xf32>
glow.placeholder @y output : tensor<2x{size}xf32>
glow.constant @packed = dense<"0x{packed}"> : tensor<{size}x{size // 2}xui8>
glow.constant @halves = dense<0.5> : tensor<{size}xf32>
glow.func @main {{
  %x = glow.read @x : tensor<2x{size}xf32>
  %packed = glow.read @packed : tensor<{size}x{size // 2}xui8>
  %halves = glow.read @halves : tensor<{size}xf32>
  %y = glow.v_unpacked %x, %packed, %halves : (tensor<2x{size}xf32>, tensor<{size}x{size // 2}xui8>, tensor<{size}xf32>) -> tensor<2x{size}xf32>
  glow.save %y, @y : tensor<2x{size}xf32>
}}
""")
