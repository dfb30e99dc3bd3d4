#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cases of operators of Caffe2: caffe2.py GROUP FOLDER; or as ONNX: caffe2.py onnx DOMAIN FOLDER OPERATORS.

What they must give is computed here from the definitions of the operators, with numpy. Group
`covered` writes all of them, and fails if an operator of a third argument, the JSON of
`glow ops`, has none.
"""

import importlib
import json
import pathlib
import sys

GROUPS = ["bytes", "detectors", "elements", "images", "lists", "recurrent", "shapes", "sparse"]


def operators_of(table, *domains):
    """The names of operators in the JSON of `glow ops`: those that are imported, and those of the host."""
    rows = json.loads(pathlib.Path(table).read_text())
    return {row["operator"] for row in rows["onnx"] + rows["host"] if row["domain"] in domains}


def write(group, folder):
    importlib.import_module("nets." + group).write(folder)


def as_onnx(domain, folder, operators):
    """Writes the cases as files of ONNX; those of the default domain have no operator of ONNX's own."""
    form = importlib.import_module("nets.net").AsOnnx
    form.domain = domain
    if not domain:
        form.without = operators_of(operators, "", "ai.onnx")
    for group in GROUPS:
        write(group, pathlib.Path(folder, group))
    print(form.written, "cases")


def covered(folder, operators):
    for group in GROUPS:
        write(group, pathlib.Path(folder, group))
    known = operators_of(operators, "org.pytorch._caffe2")
    missing = known - importlib.import_module("nets.net").Operator.kinds
    if missing or not known:
        sys.exit(f"no case has {sorted(missing)}, of {len(known)} operators")


if __name__ == "__main__":
    if sys.argv[1] == "onnx":
        as_onnx(*sys.argv[2:])
    elif sys.argv[1] == "covered":
        covered(*sys.argv[2:])
    else:
        write(*sys.argv[1:])
