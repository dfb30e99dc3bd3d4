# SPDX-License-Identifier: MIT
"""Compares tensors of floats in .npy and raw files: same_numbers.py [within=BOUND] FIRST OTHER..."""

import sys

import numpy


def read(path):
    return numpy.load(path).ravel() if path.endswith(".npy") else numpy.fromfile(path, numpy.float32)


bound = 1e-5
paths = sys.argv[1:]
if paths[0].startswith("within="):
    bound = float(paths.pop(0)[7:])
first = read(paths[0])
for path in paths[1:]:
    other = read(path)
    if first.shape != other.shape or not numpy.allclose(first, other, bound, bound):
        sys.exit(f"{path} differs from {paths[0]}:\n{other}\n{first}")
