# SPDX-License-Identifier: MIT
"""Prints an open program after each phase, and runs each text for many sizes: as
one program of the ranges in the text, as programs of one size, and as a shared
library. Compares each result with that of the interpreter's program of these
sizes, made of the model.

texts.py MODEL COUNT RANGE,... INPUT:KIND:DIMENSIONxDIMENSION...
"""

import random
import subprocess
import sys
import tempfile

import numpy

from sweep import outputs, parsed

phases = ["import", "graph", "optimize", "partition", "lower", "irgen", "plan"]


def same(wanted, found, place):
    assert wanted and wanted.keys() == found.keys(), (place, wanted, found)
    for name, array in wanted.items():
        assert array.shape == found[name].shape, (place, array.shape, found[name].shape)
        largest = float(abs(array).max(initial=0))
        assert numpy.allclose(array, found[name], rtol=1e-4,
                              atol=1e-5 * max(largest, 1)), (
            place, abs(array - found[name]).max())


def main():
    model, count, ranges, *inputs = sys.argv[1:]
    ranges = ranges.split(",")
    bounds = dict(map(parsed, ranges))
    choices = random.Random(1)
    generator = numpy.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        # Bytecode is the text with all weights.
        texts = {}
        for phase in phases:
            texts[phase] = f"{folder}/{phase}.mlirbc"
            subprocess.run(["glow", "compile", model, f"--emit={phase}", "-o", texts[phase],
                            *(f"--shape={one}" for one in ranges)],
                           check=True, stdout=subprocess.DEVNULL)
        library = f"{folder}/graph.so"
        subprocess.run(["glow", "compile", texts["graph"], "-o", library], check=True,
                       stdout=subprocess.DEVNULL)
        for round in range(int(count)):
            sizes = {name: values[0] if round == 0 else values[-1] if round == 1
                     else choices.choice(values)
                     for name, values in bounds.items()}
            given = []
            for text in inputs:
                name, kind, dimensions = text.split(":")
                shape = [sizes[one] if one in sizes else int(one)
                         for one in dimensions.split("x")]
                array = (generator.standard_normal(shape) if kind.startswith("float")
                         else generator.integers(0, 2, shape))
                numpy.save(f"{folder}/{name}.npy", array.astype(kind))
                given += ["--input", f"{name}={folder}/{name}.npy"]
            one = [f"--shape={name}={size}" for name, size in sizes.items()]
            fixed = outputs(model, f"{folder}/fixed", "--backend=interpreter", *given)
            for phase, text in texts.items():
                same(fixed, outputs(text, f"{folder}/open", *given), (sizes, phase))
                path = f"{folder}/one.mlirbc"
                subprocess.run(["glow", "compile", text, f"--emit={phase}", "-o", path,
                                *one], check=True, stdout=subprocess.DEVNULL)
                same(fixed, outputs(path, f"{folder}/one", *given), (sizes, phase, "one size"))
            same(fixed, outputs(library, f"{folder}/library", *given), (sizes, "library"))
    print("each text has the results of the model")


if __name__ == "__main__":
    main()
