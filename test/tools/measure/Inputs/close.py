"""Compares the outputs of folders, as `glow run --output-dir` writes them.

  close.py FIRST OTHER...

Fails with the name of the first tensor that differs by more than rounding.
"""

import pathlib
import sys

import numpy

first, *others = map(pathlib.Path, sys.argv[1:])
files = sorted(first.iterdir())
assert files, f"{first} has no outputs"
for other in others:
    for file in files:
        numpy.testing.assert_allclose(
            numpy.load(other / file.name), numpy.load(file), rtol=1e-4, atol=1e-6,
            err_msg=str(other / file.name))
