# SPDX-License-Identifier: MIT
"""Sizes that come often get programs of their own, which are counted.

specialized.py MODEL WHEN: runs y = f(x), x f32[N,20], on sizes from 1 to 16, until two sizes have
a program; WHEN is lazy or eager
"""

import sys
import time

import numpy

import glow

path, when = sys.argv[1:]
made, others = [], []


def tell(_, text):
    (made if ": a program for x=" in text else others).append(text)


glow.log_to("debug", tell)
model = glow.load(path, shapes={"N": range(1, 17)}, specialize=when, threads=1, cache_dir="")
plain = glow.load(path, shapes={"N": range(1, 17)}, threads=1)
draw = numpy.random.default_rng(1)


def run(rows):
    x = draw.standard_normal((rows, 20)).astype("f")
    mine, expected = model.run({"x": x}), plain.run({"x": x})
    for name, array in expected.items():
        assert numpy.allclose(mine[name], array, atol=1e-5), (rows, name)


if when == "lazy":
    for rows in range(1, 17):
        for _ in range(15):
            run(rows)
    assert not made, made
end = time.monotonic() + 120
while len(made) < 2 and time.monotonic() < end:
    run(3)
    run(5)
for rows in [3, 5] * 200:
    run(rows)
assert sorted(text.split("x=")[1] for text in made) == ["3x20", "5x20"], made
compiled = [text for text in others if "compiled for" in text]
# The program of ranges, that of the second model, and two of one size.
assert len(compiled) == 4, compiled
print("two programs of one size")
