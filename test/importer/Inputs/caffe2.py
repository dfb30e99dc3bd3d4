#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cases of operators of Caffe2: caffe2.py GROUP FOLDER.

What they must give is computed here from the definitions of the operators, with numpy. Group
`covered` writes all of them, and fails if an operator of a third argument, the JSON of
`glow ops`, has none.
"""

import importlib
import json
import pathlib
import sys

GROUPS = ["bytes", "elements", "images", "shapes", "sparse"]


def write(group, folder):
    importlib.import_module("nets." + group).write(folder)


def covered(folder, operators):
    for group in GROUPS:
        write(group, pathlib.Path(folder, group))
    known = {row["operator"] for row in json.loads(pathlib.Path(operators).read_text())["onnx"]
             if row["domain"] == "org.pytorch._caffe2"}
    missing = known - importlib.import_module("nets.net").Operator.kinds
    if missing or not known:
        sys.exit(f"no case has {sorted(missing)}, of {len(known)} operators")


if __name__ == "__main__":
    if sys.argv[1] == "covered":
        covered(*sys.argv[2:])
    else:
        write(*sys.argv[1:])
