#!/usr/bin/env python3
"""Writes products.onnx, whose second matrices are inputs that are transposed, and
layer.onnx with what follows such a product: transposed.py FOLDER."""

import sys

from onnx import TensorProto, helper, save

# Rows, summed elements and columns, and the sizes of the batch.
FEW = [(1, 100, 50), (2, 35, 16), (3, 256, 21), (7, 64, 64, 2), (9, 54, 33)]
MANY = [(3, 7, 40), (12, 64, 48, 3), (50, 33, 70), (100, 16, 100), (5, 3, 2, 4, 2)]


def model(folder, name, nodes, inputs, outputs):
    def infos(shapes):
        return [helper.make_tensor_value_info(value, TensorProto.FLOAT, shape)
                for value, shape in shapes.items()]
    graph = helper.make_graph(nodes, name, infos(inputs), infos(outputs))
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
         f"{folder}/{name}.onnx")


def products(folder, name, sizes):
    nodes, inputs, outputs = [], {}, {}
    for i, (rows, inner, columns, *batch) in enumerate(sizes):
        inputs[f"a{i}"] = [*batch, rows, inner]
        inputs[f"b{i}"] = [*batch, columns, inner]
        outputs[f"y{i}"] = [*batch, rows, columns]
        last = len(batch)
        nodes += [helper.make_node("Transpose", [f"b{i}"], [f"t{i}"],
                                   perm=[*range(last), last + 1, last]),
                  helper.make_node("MatMul", [f"a{i}", f"t{i}"], [f"y{i}"])]
    model(folder, name, nodes, inputs, outputs)


def layer(folder):
    """With a bias, an activation and a sum; and scores of heads beside each other."""
    nodes = [helper.make_node("Gemm", ["a", "b", "c"], ["g"], transB=1),
             helper.make_node("Relu", ["g"], ["r"]),
             helper.make_node("Add", ["r", "s"], ["y"]),
             helper.make_node("Transpose", ["k"], ["t"], perm=[0, 2, 3, 1]),
             helper.make_node("MatMul", ["q", "t"], ["z"])]
    inputs = {"a": [20, 30], "b": [40, 30], "c": [40], "s": [20, 40],
              "q": [1, 3, 10, 32], "k": [1, 12, 3, 32]}
    model(folder, "layer", nodes, inputs, {"y": [20, 40], "z": [1, 3, 10, 12]})


if __name__ == "__main__":
    products(sys.argv[1], "few", FEW)
    products(sys.argv[1], "many", MANY)
    layer(sys.argv[1])
