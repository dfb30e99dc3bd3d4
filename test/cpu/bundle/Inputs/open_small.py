# SPDX-License-Identifier: MIT
"""Compares an entry point of open sizes for a processor without a system with the
interpreter: with the smallest sizes, the greatest, and two others. The model has one
input and one output.

open_small.py MODEL RANGE,... INPUT:KIND:DIMENSIONxDIMENSION... -- glow compile's
  arguments... -- BUILD RUN

BUILD and RUN are lines of a shell; {0} is the folder of the bundle, {1} its code, and
`{0}/run WEIGHTS INPUT OUTPUT` what RUN runs.
"""

import random
import subprocess
import sys

import numpy
from open import KIND, build, check_fixed, glue, parsed, tensors_of


def main():
    first = sys.argv.index("--")
    second = sys.argv.index("--", first + 1)
    model, ranges, text = sys.argv[1:first]
    make, run = sys.argv[second + 1:]
    ranges = ranges.split(",")
    bounds = dict(map(parsed, ranges))
    folder, name, header, code = build(model, ranges, sys.argv[first + 1:second])
    tensors = tensors_of(header)
    choices, generator = random.Random(1), numpy.random.default_rng(1)
    for round in range(4):
        sizes = {one: values[0] if round == 0 else values[-1] if round == 1
                 else choices.choice(values) for one, values in bounds.items()}
        with open(f"{folder}/model.h", "w") as file:
            file.write(f"#define RUN_SIZES {', '.join(map(str, sizes.values()))}\n"
                       + glue(name, tensors, 1))
        subprocess.run(make.format(folder, code), shell=True, check=True)
        input, kind, dimensions = text.split(":")
        shape = [sizes[one] if one in sizes else int(one)
                 for one in dimensions.split("x")]
        array = (generator.standard_normal(shape) if kind.startswith("float")
                 else generator.integers(0, 2, shape)).astype(kind)
        array.tofile(f"{folder}/in.raw")
        subprocess.run(f"{run} {folder}/{name}.weights {folder}/in.raw "
                       f"{folder}/out.raw".format(folder), shell=True, check=True)
        output = numpy.fromfile(f"{folder}/out.raw", KIND[tensors[1][2]])
        check_fixed(model, folder, {input: array}, tensors[1:], [output], sizes,
                    flat=True)
    # Sizes outside of their ranges end the run before its first step.
    high = [values[-1] + 1 for values in bounds.values()]
    with open(f"{folder}/model.h", "w") as file:
        file.write(f"#define RUN_SIZES {', '.join(map(str, high))}\n"
                   + glue(name, tensors, 1))
    subprocess.run(make.format(folder, code), shell=True, check=True)
    failed = subprocess.run(f"{run} {folder}/{name}.weights {folder}/in.raw "
                            f"{folder}/out.raw".format(folder), shell=True,
                            stderr=subprocess.DEVNULL)
    assert failed.returncode != 0
    print("the same for all sizes")


if __name__ == "__main__":
    main()
