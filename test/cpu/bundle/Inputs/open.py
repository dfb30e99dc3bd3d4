# SPDX-License-Identifier: MIT
"""Compiles a model of open sizes to a bundle or to C, and runs it in one process for
many sizes, beside the interpreter: the smallest sizes, the greatest, and others.

open.py MODEL COUNT RANGE,... INPUT:KIND:DIMENSIONxDIMENSION... -- glow compile's
  arguments... -- [EMULATOR] COMPILER ARGUMENTS...

The first FIXED of them are compared with `glow run` for fixed sizes, all with the
interpreter's program of open sizes. GLOW_OPEN_COUNT replaces COUNT.
"""

import os
import random
import re
import shutil
import subprocess
import sys

import numpy

FIXED = 4


def parsed(text):
    name, bounds = text.split("=")
    bounds, _, multiple = bounds.partition(":")
    low, high = bounds.split("..")
    return name, range(int(low), int(high) + 1, int(multiple or 1))


def tensors_of(header):
    """Macro, field, kind and bytes of each tensor that the header describes."""
    body = re.search(r"struct \w+_tensors \{\n(.*?)\n\};", header, re.S).group(1)
    fields = re.findall(r"\} (\w+); /\* (.*): (\w+)\[(.*)\] \*/", body)
    found = re.findall(r"/\* (.*): \w+\[.*\], (?:at most )?(\d+) bytes \*/\n"
                       r"#define (\w+) \d+", header)
    assert len(fields) == len(found), (fields, found)
    return [(macro, field, kind, int(most), label, sizes)
            for (field, label, kind, sizes), (_, most, macro) in zip(fields, found)]


WIDTH = {"f32": 4, "i64": 8, "i32": 4, "u8": 1, "i8": 1}
KIND = {"f32": "float32", "i64": "int64", "i32": "int32", "u8": "uint8", "i8": "int8"}


def glue(name, tensors, inputs):
    upper = name.upper()
    rows = "".join(
        f"  {{offsetof(struct {name}_tensors, {field}.elements), {macro},"
        f" {WIDTH[kind]}, {most}}},\n"
        for macro, field, kind, most, _, _ in tensors)
    return f"""#include "{name}.h"
#define ENTRY {name}
#define MEASURE {name}_measure
#define MISTAKE {name}_mistake
#define CONSTANT_BYTES {upper}_CONSTANT_MEM_SIZE
#define MUTABLE_BYTES {upper}_MUTABLE_MEM_SIZE
#define ACTIVATION_BYTES {upper}_ACTIVATIONS_MEM_SIZE
#define INPUTS {inputs}
#define OUTPUTS {len(tensors) - inputs}
typedef struct {name}_sizes SIZES;
typedef struct {name}_tensors TENSORS;
struct Tensor {{ size_t place, offset, width, most; }};
static const struct Tensor list[] = {{
{rows}}};
"""


class Runner:
    """The process that runs the entry point."""

    def __init__(self, folder, command, tensors, inputs):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.tensors, self.inputs = tensors, inputs

    def give(self, array):
        self.process.stdin.write(array.tobytes())

    def take(self, count, kind="int64"):
        bytes_ = numpy.dtype(kind).itemsize * int(count)
        data = self.process.stdout.read(bytes_)
        assert len(data) == bytes_, f"ended with status {self.process.wait()}"
        return numpy.frombuffer(data, kind)

    def number(self):
        return int(self.take(1)[0])

    def begin(self, sizes):
        """The status, and the shapes of all tensors."""
        self.give(numpy.array(sizes, numpy.int64))
        self.process.stdin.flush()
        status = self.number()
        if status:
            return status, None
        shapes = []
        for *_, expressions in self.tensors:
            rank = expressions.count(",") + 1 if expressions else 0
            elements, *shape = (int(one) for one in self.take(1 + rank))
            assert elements == numpy.prod(shape, dtype=int), (elements, shape)
            shapes.append(tuple(shape))
        return 0, shapes

    def mistakes(self):
        """The status of the run, and the texts."""
        status, texts = self.number(), []
        while (length := self.number()) >= 0:
            texts.append(self.take(length, "uint8").tobytes().decode())
        return status, texts

    def run(self, arrays, shapes):
        for array in arrays:
            self.give(array)
        self.process.stdin.flush()
        status = self.number()
        return status, [
            self.take(numpy.prod(shape, dtype=int), KIND[kind]).reshape(shape)
            for (_, _, kind, *_), shape in zip(self.tensors[self.inputs:],
                                               shapes[self.inputs:])]

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0, self.process.returncode


def same(found, wanted, sizes):
    assert found.shape == wanted.shape, (sizes, found.shape, wanted.shape)
    largest = float(abs(wanted).max(initial=0))
    assert numpy.allclose(found, wanted, rtol=1e-4, atol=1e-5 * max(largest, 1)), (
        sizes, abs(found - wanted).max())


def build(model, ranges, compile_):
    """The bundle's folder, its name, the text of its header, and its code."""
    folder = model + ".open"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["glow", "compile", model, "-q", "-o", folder, *compile_,
                    *(f"--shape={text}" for text in ranges)], check=True)
    name = os.path.basename(model).removesuffix(".onnx")
    with open(f"{folder}/{name}.h") as file:
        header = file.read()
    # The part of the first entry point.
    header = header.split(f"/* ---- {name} ---- */")[1].split("/* ---- ")[0]
    code = next(f"{folder}/{name}{end}" for end in (".c", ".o", ".a")
                if os.path.exists(f"{folder}/{name}{end}"))
    return folder, name, header, code


def main():
    first = sys.argv.index("--")
    second = sys.argv.index("--", first + 1)
    model, count, ranges, *inputs = sys.argv[1:first]
    count = int(os.environ.get("GLOW_OPEN_COUNT", count))
    compiler = sys.argv[second + 1:]
    emulator = [compiler.pop(0)] if compiler[0].startswith("qemu") else []
    ranges = ranges.split(",")
    bounds = dict(map(parsed, ranges))
    folder, name, header, code = build(model, ranges, sys.argv[first + 1:second])
    tensors = tensors_of(header)
    with open(f"{folder}/model.h", "w") as file:
        file.write(glue(name, tensors, len(inputs)))
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([*compiler, f"-I{folder}", f"{here}/open.c", code, "-lm", "-o",
                    f"{folder}/run"], check=True)
    runner = Runner(folder, [*emulator, f"{folder}/run", f"{folder}/{name}.weights"],
                    tensors, len(inputs))

    import glow  # pylint: disable=import-outside-toplevel
    reference = glow.load(model, backend="interpreter", shapes=dict(bounds))
    body = re.search(r"struct \w+_sizes \{\n(.*?)\n\};", header, re.S).group(1)
    names = re.findall(r"/\* (.*): from", body)
    assert sorted(names) == sorted(bounds), (names, bounds)
    choices, generator = random.Random(1), numpy.random.default_rng(1)
    for round in range(count):
        sizes = {name: values[0] if round == 0 else values[-1] if round == 1
                 else choices.choice(values) for name, values in bounds.items()}
        status, shapes = runner.begin([sizes[name] for name in names])
        assert status == 0, (sizes, runner.mistakes())
        arrays = []
        for text, shape in zip(inputs, shapes):
            input, kind, dimensions = text.split(":")
            wanted = tuple(sizes[one] if one in sizes else int(one)
                           for one in dimensions.split("x"))
            assert shape == wanted, (sizes, input, shape, wanted)
            array = (generator.standard_normal(shape) if kind.startswith("float")
                     else generator.integers(0, 2, shape))
            arrays.append(array.astype(kind))
        status, outputs = runner.run(arrays, shapes)
        assert status == 0, (sizes, status)
        given = {text.split(":")[0]: array for text, array in zip(inputs, arrays)}
        for (*_, label, _), output in zip(tensors[len(inputs):], outputs):
            same(output, reference.run(given)[label], sizes)
        if round < FIXED:
            check_fixed(model, folder, given, tensors[len(inputs):], outputs, sizes)
    # Sizes outside of their ranges, one and all of them.
    for wrong in [names[:1], names]:
        sizes = [bounds[name][-1] + (name in wrong) for name in names]
        status, _ = runner.begin(sizes)
        assert status == 3, status
        status, texts = runner.mistakes()
        assert status == 3 and texts == [
            f"'{name}' should be from {bounds[name][0]} to {bounds[name][-1]}"
            for name in wrong], (status, texts)
    for name in names:
        sizes = [bounds[one][0] - (one == name) for one in names]
        assert runner.begin(sizes)[0] == 3 and runner.mistakes()[0] == 3, sizes
        sizes = [-1 << 63 if one == name else bounds[one][0] for one in names]
        assert runner.begin(sizes)[0] == 3 and runner.mistakes()[0] == 3, sizes
    runner.end()
    print("the same for all sizes")


def check_fixed(model, folder, given, tensors, outputs, sizes, flat=False):
    """Compares with `glow run` for these sizes alone."""
    arguments = []
    for name, array in given.items():
        numpy.save(f"{folder}/{name}.npy", array)
        arguments += ["--input", f"{name}={folder}/{name}.npy"]
    subprocess.run(["glow", "run", model, "--output-dir", f"{folder}/fixed",
                    "--backend=interpreter", *arguments], check=True,
                   stdout=subprocess.DEVNULL)
    for (*_, label, _), output in zip(tensors, outputs):
        wanted = numpy.load(f"{folder}/fixed/{label}.npy")
        same(output, wanted.ravel() if flat else wanted, sizes)


if __name__ == "__main__":
    main()
