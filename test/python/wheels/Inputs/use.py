"""Runs the model that reads digits: use.py MODEL"""

import sys

import numpy

import glow

model = glow.load(sys.argv[1], threads=1)
found = model(numpy.zeros((1, 1, 28, 28), "float32"))
print(glow.__file__, list(found.shape), f"{found.sum():.2f}")
