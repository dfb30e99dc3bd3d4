#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models with loops whose number of trips a run decides: limits.py FOLDER.

`until.onnx` adds one to h until it is `limit`, and gives the squares on the way; `end.onnx` gives
the last h alone; `counted.onnx` does m trips, with a slice of each; `counts.onnx` does seven trips;
`grows.onnx` doubles a list, which only the host does, while it is shorter than `limit`;
`endless.onnx` has a condition that is always true.
"""

import os
import sys

import onnx

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stages"))
# pylint: disable=wrong-import-position
import numpy
from make import BOOL, I64, array, graph, model, node, value

TRIP = [value("i", [], I64), value("going", [], BOOL)]
ONE = array("one", 1)


def until(is_stacked):
    results = [value("again", [], BOOL), value("next", [])]
    nodes = [node("Add", "h one", "next"), node("Less", "next limit", "again")]
    if is_stacked:
        nodes.append(node("Mul", "next next", "square"))
        results.append(value("square", []))
    body = graph(nodes, TRIP + [value("h", [])], results)
    outputs = [value("y", [])] + ([value("all", ["k"])] if is_stacked else [])
    return model([node("Loop", "- - h0", "y all" if is_stacked else "y", "count_up", body=body)],
                 [value("h0", []), value("limit", [])], outputs, [ONE])


def counted(inputs, constants):
    body = graph([node("Add", "h one", "next"), node("Identity", "going", "again")],
                 TRIP + [value("h", [])],
                 [value("again", [], BOOL), value("next", []), value("next", [])])
    return model([node("Loop", "m - h0", "y all", "count_up", body=body)],
                 inputs + [value("h0", [])], [value("y", []), value("all", ["k"])],
                 [ONE] + constants)


def grows():
    body = graph([node("Concat", "h h", "next", axis=0), node("Size", "next", "size"),
                  node("Less", "size limit", "again")], TRIP + [value("h", ["n"])],
                 [value("again", [], BOOL), value("next", ["m"])])
    return model([node("Loop", "- - h0", "y", "count_up", body=body)],
                 [value("h0", [1]), value("limit", [], I64)], [value("y", ["k"])])


def endless():
    body = graph([node("Add", "h one", "next"), node("Identity", "going", "again")],
                 TRIP + [value("h", [])], [value("again", [], BOOL), value("next", [])])
    return model([node("Loop", "- - h0", "y", "count_up", body=body)], [value("h0", [])],
                 [value("y", [])], [ONE])


def main():
    models = {"until": until(True), "end": until(False),
              "counted": counted([value("m", [], I64)], []),
              "counts": counted([], [array("m", 7, numpy.int64)]), "grows": grows(),
              "endless": endless()}
    os.makedirs(sys.argv[1])
    for name, one in models.items():
        onnx.save(one, f"{sys.argv[1]}/{name}.onnx")


if __name__ == "__main__":
    main()
