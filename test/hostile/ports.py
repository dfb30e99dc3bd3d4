#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models whose ports share names, each with a data set: ports.py FOLDER."""

import sys

import numpy
from onnx import TensorProto

from cases import array, model, node, value, write

X = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
folder, = sys.argv[1:]


def ports(*names, shape=(2, 3)):
    return [value(name, shape) for name in names]


# An output is an input, alone and beside another.
write(f"{folder}/through", model([], ports("x"), ports("x")), {"x": X}, {"x": X})
write(f"{folder}/both", model([node("Neg", "x", "y")], ports("x"), ports("x", "y")),
      {"x": X}, {"x": X, "y": -X})
# An output is an initializer.
write(f"{folder}/weight", model([], [], ports("w"), [array("w", X)]), {}, {"w": X})
# The function of the model is called main.
write(f"{folder}/main", model([node("Neg", "main", "y")], ports("main"), ports("y")),
      {"main": X}, {"y": -X})
write(f"{folder}/main_output", model([node("Neg", "x", "main")], ports("x"), ports("main")),
      {"x": X}, {"main": -X})
write(f"{folder}/main_through", model([node("Neg", "main", "main_1")], ports("main"),
                                      ports("main", "main_1")),
      {"main": X}, {"main": X, "main_1": -X})
# Names of files.
names = ["a/b", "a_b", "a%2Fb", ".", "..", "", "A:b", "é", "n" * 300, "n" * 299 + "m"]
names = [name for name in names if name]
write(f"{folder}/files", model([node("Identity", "x", name, name=f"n{i}")
                                for i, name in enumerate(names)], ports("x"), ports(*names)))
# No elements.
write(f"{folder}/empty", model([node("Neg", "x", "y")], ports("x", shape=(0, 3)),
                               ports("y", shape=(0, 3))))
# Sizes that a data set knows, and a batch that the model does.
write(f"{folder}/symbolic", model([node("Neg", "x", "y")], ports("x", shape=("N", 3)),
                                  ports("y", shape=("N", 3))), {"x": X}, {"y": -X})
write(f"{folder}/fixed", model([node("Neg", "x", "y")], ports("x"), ports("y")))
