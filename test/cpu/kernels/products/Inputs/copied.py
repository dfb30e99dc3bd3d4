#!/usr/bin/env python3
"""Writes products of two inputs: copied.onnx and read.onnx, whose second matrices are
copied and read in place, and open.onnx with rows of a run: copied.py FOLDER."""

import sys

from onnx import helper

from transposed import model

# Rows, summed elements and columns, and the sizes of the batch.
COPIED = [(64, 9, 50), (50, 33, 70), (33, 16, 5, 3), (40, 300, 1024), (70, 600, 512, 2)]
READ = [(3, 7, 40), (64, 33, 48, 2), (15, 600, 512), (64, 100, 528)]


def products(folder, name, sizes):
    nodes, inputs, outputs = [], {}, {}
    for i, (rows, inner, columns, *batch) in enumerate(sizes):
        inputs[f"a{i}"] = [*batch, rows, inner]
        inputs[f"b{i}"] = [*batch, inner, columns]
        outputs[f"y{i}"] = [*batch, rows, columns]
        nodes.append(helper.make_node("MatMul", [f"a{i}", f"b{i}"], [f"y{i}"]))
    model(folder, name, nodes, inputs, outputs)


if __name__ == "__main__":
    products(sys.argv[1], "copied", COPIED)
    products(sys.argv[1], "read", READ)
    model(sys.argv[1], "open", [helper.make_node("MatMul", ["x", "w"], ["y"])],
          {"x": ["N", 40], "w": [40, 50]}, {"y": ["N", 50]})
