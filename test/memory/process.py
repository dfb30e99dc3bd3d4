# SPDX-License-Identifier: MIT
"""Measures what processes take at most while a model is compiled and run.

  process.py FOLDER

A program is a shared library that `glow run` opens. Its process may take 1.2 times
the program's constants and arena, beside what the process of a program of one sum
takes. Compiling, with the linker, may take 2.2 times the weights of the model, the arena,
and 100 MiB. Products of matrices by the processor would have half as much again of
constants, which are three of 16 bits in the place of one of 32.
"""

import pathlib
import re
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

MEBIBYTE = 1 << 20
PROCESSOR = "--cpu=haswell"


class Model:
    """Layers one behind the other."""

    def __init__(self, shape):
        self.random = numpy.random.default_rng(0)
        self.shape, self.nodes, self.weights, self.last = shape, [], [], "x"

    def layer(self, operator, weights=None, **attributes):
        inputs = [self.last]
        if weights:
            values = self.random.standard_normal(weights, dtype="float32") / 32
            inputs.append(f"w{len(self.nodes)}")
            self.weights.append(numpy_helper.from_array(values, inputs[1]))
        self.last = f"y{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [self.last],
                                           **attributes))

    def save(self, path):
        def value(name, shape):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        graph = helper.make_graph(self.nodes, "model",
                                  [value("x", self.shape)],
                                  [value(self.last, None)], self.weights)
        onnx.save(helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
        return sum(len(weight.raw_data) for weight in self.weights)


def trivial():
    model = Model([4])
    model.layer("Relu")
    return model


def dense():
    model = Model([1, 1024])
    for _ in range(16):
        model.layer("MatMul", [1024, 1024])
        model.layer("Tanh")
    return model


def images():
    model = Model([1, 3, 256, 256])
    for size, channels, stride in (3, 64, 1), (64, 64, 1), (64, 512, 4), \
                                  (512, 1024, 4):
        model.layer("Conv", [channels, size, 3, 3], pads=[1] * 4,
                    strides=[stride] * 2)
        model.layer("Relu")
    return model


# The forms of a compiled model, and the flags for each.
FILES = {
    "object": ["obj", PROCESSOR],
    "library.so": ["so", PROCESSOR],
    "bundle": ["bundle", PROCESSOR],
    "embedded": ["bundle", "--bundle-weights=embedded", PROCESSOR],
    "c": ["c"],
}

# A process counts the memory of its parent at its creation: this one has little.
MEASURE = """
import os, sys
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss * 1024)
sys.exit(status != 0)
"""


def peak(*command):
    """The most that a process, or one that it waits for, has in memory."""
    result = subprocess.run([sys.executable, "-S", "-c", MEASURE, *command],
                            check=True, capture_output=True, text=True)
    return int(result.stdout)


def planned(model):
    """Bytes of constants and of the arena, as `glow explain` says."""
    text = subprocess.run(["glow", "explain", PROCESSOR, model], check=True,
                          capture_output=True, text=True).stdout
    return [int(re.search(rf"^{word} +(\d+) bytes", text, re.M)[1])
            for word in ("constants", "arena")]


def check(what, bytes_, most):
    verdict = "fits" if bytes_ <= most else "takes too much"
    print(f"{what}: {verdict}, {bytes_ / MEBIBYTE:.0f} of {most / MEBIBYTE:.0f} MiB")
    return bytes_ <= most


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    base, fits = 0, True
    for build in trivial, dense, images:
        path, program = folder / f"{build.__name__}.onnx", folder / "library.so"
        weights = build().save(path)
        constants, arena = planned(path)
        compiled = {
            kind: peak("glow", "compile", path, f"--emit={flags[0]}", *flags[1:], "-o",
                       folder / kind)
            for kind, flags in FILES.items()}
        run = peak("glow", "run", program, "--random")
        if build is trivial:
            base = run
            continue
        for kind, bytes_ in compiled.items():
            fits &= check(f"compiling {build.__name__} to {kind}", bytes_,
                          2.2 * weights + arena + 100 * MEBIBYTE)
        fits &= check(f"running {build.__name__}", run - base,
                      1.2 * (constants + arena))
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
