# SPDX-License-Identifier: MIT
"""Runs a model and the file that was written of it on inputs of many sizes,
and compares the results bit by bit.

exported.py MODEL EXPORTED COUNT RANGE,... INPUT:KIND:DIMENSIONxDIMENSION...

With `--peer`, ONNX Runtime runs both, and results may differ in the last digits.
"""

import random
import sys
import tempfile

import numpy
import sweep


def with_glow(model, folder, arrays):
    given = []
    for name, array in arrays.items():
        numpy.save(f"{folder}/{name}.npy", array)
        given += ["--input", f"{name}={folder}/{name}.npy"]
    return sweep.outputs(model, f"{folder}/out", "--backend=interpreter", *given)


def with_peer(model, folder, arrays):
    import onnxruntime
    session = onnxruntime.InferenceSession(model)
    return dict(zip((one.name for one in session.get_outputs()),
                    session.run(None, arrays)))


def main():
    arguments = sys.argv[1:]
    run = with_peer if arguments[0] == "--peer" else with_glow
    model, exported, count, ranges, *inputs = arguments[run is with_peer:]
    bounds = dict(map(sweep.parsed, ranges.split(",")))
    choices = random.Random(2)
    for seed in range(int(count)):
        sizes = {name: values[0] if seed == 0 else values[-1] if seed == 1
                 else choices.choice(values)
                 for name, values in bounds.items()}
        generator = numpy.random.default_rng(seed)
        arrays = {}
        for text in inputs:
            name, kind, dimensions = text.rsplit(":", 2)
            separator = "*" if "*" in dimensions else "x"
            shape = [sizes[one] if one in sizes else int(one)
                     for one in dimensions.split(separator)]
            arrays[name] = (generator.standard_normal(shape) if kind.startswith("float")
                            else generator.integers(0, 2, shape)).astype(kind)
        with tempfile.TemporaryDirectory() as folder:
            wanted, found = (run(one, folder, arrays) for one in (model, exported))
        assert wanted and wanted.keys() == found.keys(), (wanted, found)
        for name, array in wanted.items():
            same = (numpy.array_equal(array, found[name]) if run is with_glow
                    else numpy.allclose(array, found[name], rtol=1e-4, atol=1e-4))
            assert same, (sizes, name, array.shape, found[name].shape)
    print("the same for all sizes")


if __name__ == "__main__":
    main()
