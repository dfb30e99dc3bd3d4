# SPDX-License-Identifier: MIT
"""Gradients of branches and loops against central differences: differences.py DIR.

The derivative of the loss along a random direction of all weights must be that of
the gradients, and so must the derivative of the sum of all gradients of a weight,
on the interpreter and on the CPU.
"""

import subprocess
import sys

import numpy as np

import glow
from cases import CASES

STEP = 1e-5
TOLERANCE = 1e-6


def run_tool(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")


class Direction:
    """A program on weights that lie along a random direction."""

    def __init__(self, path, backend, module):
        self.program = glow.load(path, backend=backend)
        self.module = module
        generator = np.random.default_rng(11)
        self.way = {name: generator.uniform(-1, 1, value.shape)
                    for name, value in module.weights.items()}

    def at(self, move):
        return self.program.run({**self.module.inputs, **{
            name: value + move * self.way[name]
            for name, value in self.module.weights.items()}})

    def slope(self, output):
        """The derivative of the sum of an output, by a central difference."""
        return (self.at(STEP)[output].sum() - self.at(-STEP)[output].sum()) / (2 * STEP)

    def expected(self, suffix):
        values = self.at(0)
        return sum((values[name + suffix] * way).sum() for name, way in self.way.items()
                   if name + suffix in values)


def check(what, expected, found):
    error = abs(expected - found) / max(1, abs(expected))
    if not error <= TOLERANCE:
        sys.exit(f"{what}: the gradient is {found}, but the difference {expected}: "
                 f"{error} apart")


def test(folder, name, module):
    path = f"{folder}/{name.replace(' ', '_')}"
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(module.text())
    first = next(iter(module.weights))
    run_tool("glow-opt", path + ".mlir", "--differentiate=of=loss", "-o", path + ".1.mlir")
    run_tool("glow-opt", path + ".1.mlir",
             f"--differentiate=of={first}.gradient suffix=.second", "-o", path + ".2.mlir")
    for backend in ("interpreter", "cpu"):
        along = Direction(path + ".1.mlir", backend, module)
        check(f"{name} on {backend}", along.slope("loss"), along.expected(".gradient"))
        twice = Direction(path + ".2.mlir", backend, module)
        check(f"{name} twice on {backend}", twice.slope(first + ".gradient"),
              twice.expected(".second"))
    print(f"{name}: as the differences")


def main():
    for name, make in CASES.items():
        test(sys.argv[1], name, make())


main()
