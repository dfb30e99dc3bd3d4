# SPDX-License-Identifier: MIT
"""Runs one program of open sizes on inputs of many sizes, and compares each
result with that of the interpreter's program of these sizes. BACKEND `so` is a
shared library of the cpu backend, and DEVICES.json,NODE=DEVICE,... are parts for
devices, of which the file is written and read.

sweep.py MODEL BACKEND COUNT RANGE,... INPUT:KIND:DIMENSIONxDIMENSION...
"""

import os
import random
import subprocess
import sys
import tempfile

import numpy


def parsed(text):
    name, bounds = text.split("=")
    bounds, _, multiple = bounds.partition(":")
    low, high = bounds.split("..")
    return name, range(int(low), int(high) + 1, int(multiple or 1))


def outputs(model, folder, *arguments):
    subprocess.run(["glow", "run", model, "--output-dir", folder, *arguments],
                   check=True, stdout=subprocess.DEVNULL)
    return {name: numpy.load(os.path.join(folder, name))
            for name in sorted(os.listdir(folder))}


def compare(model, backend, ranges, inputs, sizes, folder, seed):
    generator = numpy.random.default_rng(seed)
    given = []
    for text in inputs:
        name, kind, dimensions = text.split(":")
        shape = [sizes[one] if one in sizes else int(one)
                 for one in dimensions.split("x")]
        array = (generator.standard_normal(shape) if kind.startswith("float")
                 else generator.integers(0, 2, shape))
        numpy.save(f"{folder}/{name}.npy", array.astype(kind))
        given += ["--input", f"{name}={folder}/{name}.npy"]
    fixed = outputs(model, f"{folder}/fixed", "--backend=interpreter", *given)
    if backend == "so":
        found = outputs(model + ".so", f"{folder}/open", *given)
    elif ".json" in backend:
        devices, *_ = backend.split(",")
        found = outputs(model + ".parts", f"{folder}/open", "--devices", devices, *given)
    else:
        found = outputs(model, f"{folder}/open", f"--backend={backend}", *given,
                        *(f"--shape={text}" for text in ranges))
    assert fixed and fixed.keys() == found.keys(), (sizes, fixed, found)
    for name, wanted in fixed.items():
        assert found[name].shape == wanted.shape, (sizes, name, wanted.shape,
                                                   found[name].shape)
        largest = float(abs(wanted).max(initial=0))
        assert numpy.allclose(found[name], wanted, rtol=1e-4,
                              atol=1e-5 * max(largest, 1)), (
            sizes, name, abs(found[name] - wanted).max())


def main():
    model, backend, count, ranges, *inputs = sys.argv[1:]
    ranges = ranges.split(",")
    bounds = dict(map(parsed, ranges))
    if backend == "so":
        subprocess.run(["glow", "compile", model, "-o", model + ".so",
                        *(f"--shape={text}" for text in ranges)],
                       check=True, stdout=subprocess.DEVNULL)
    if ".json" in backend:
        devices, *places = backend.split(",")
        told = subprocess.run(["glow", "partition", model, "-o", model + ".parts",
                               "--devices", devices, *(f"--assign={one}" for one in places),
                               *(f"--shape={text}" for text in ranges)],
                              check=True, capture_output=True, text=True)
        assert int(told.stdout.split()[0]) > 1, told.stdout
    choices = random.Random(1)
    for round in range(int(count)):
        # The smallest sizes, the largest, then any.
        sizes = {name: values[0] if round == 0 else values[-1] if round == 1
                 else choices.choice(values)
                 for name, values in bounds.items()}
        with tempfile.TemporaryDirectory() as folder:
            compare(model, backend, ranges, inputs, sizes, folder, round)
    print("the same for all sizes")


if __name__ == "__main__":
    main()
