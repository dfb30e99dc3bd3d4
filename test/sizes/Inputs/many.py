# SPDX-License-Identifier: MIT
"""Runs one program on 10,000 random sizes: after 200 runs memory does not grow. Some results are
compared with programs of these sizes.

many.py MODEL INPUT DIMENSIONxDIMENSION... NAME=LOW..HIGH...
"""

import random
import sys

import numpy

import glow

RUNS, WARM, COMPARED = 10000, 200, 6


def resident():
    """The memory of this process, in bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def main():
    path, name, dimensions, *ranges = sys.argv[1:]
    bounds = {}
    for text in ranges:
        dimension, both = text.split("=")
        bounds[dimension] = tuple(map(int, both.split("..")))
    program = glow.load(path, shapes={key: range(low, high + 1)
                                      for key, (low, high) in bounds.items()}, threads=1)
    draws = random.Random(5)
    generator = numpy.random.default_rng(5)
    before = 0
    for run in range(RUNS):
        sizes = {key: draws.randint(*both) for key, both in bounds.items()}
        shape = [sizes[one] if one in sizes else int(one) for one in dimensions.split("x")]
        x = generator.standard_normal(shape, numpy.float32)
        found = program.run({name: x})
        if run < COMPARED:
            fixed = glow.load(path, shapes=sizes, backend="interpreter").run({name: x})
            for key, wanted in fixed.items():
                numpy.testing.assert_allclose(found[key], wanted, rtol=1e-4, atol=1e-4)
        if run == WARM:
            before = resident()
    grown = resident() - before
    # A page of an allocator may come late.
    assert grown < 1 << 20, f"{grown} bytes more after {RUNS} runs than after {WARM}"
    print(f"{RUNS} sizes, no growth after {WARM}")


if __name__ == "__main__":
    main()
