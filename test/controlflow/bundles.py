#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares bundles of models with their recorded outputs: bundles.py HOW CASES FOLDER FLAG...

HOW is x86-64, aarch64 (in an emulator) or c. CASES has a folder for each model. The flags are
those of glow compile.
"""

import os
import pathlib
import subprocess
import sys

import numpy
import onnx
from onnx import numpy_helper

COMPILERS = {
    "x86-64": (["--emit=bundle"], ["cc"], []),
    "aarch64": (["--emit=bundle", "--target=aarch64-linux-gnu"],
                ["aarch64-linux-gnu-gcc", "-static"], ["qemu-aarch64"]),
    "c": (["--emit=c"], ["cc", "-Wall", "-Wextra", "-Werror"], []),
}


def tensors_of(case, word):
    for number in range(99):
        path = case / "test_data_set_0" / f"{word}_{number}.pb"
        if not path.exists():
            return
        tensor = onnx.TensorProto()
        tensor.ParseFromString(path.read_bytes())
        yield tensor.name, numpy_helper.to_array(tensor)


def run(*arguments):
    return subprocess.run([str(argument) for argument in arguments], check=False,
                          capture_output=True, text=True)


def fault_of(case, how, folder, flags):
    options, compiler, emulator = COMPILERS[how]
    folder.mkdir(parents=True)
    model = folder / "kernels.onnx"
    model.write_bytes((case / "model.onnx").read_bytes())
    made = run("glow", "compile", model, *options, "-o", folder, "--bundle-api=dynamic",
               "--bundle-weights=embedded", *flags)
    if made.returncode:
        return made.stderr
    code = folder / ("kernels.c" if how == "c" else "kernels.o")
    sized = "struct BundleSizes kernels_sizes" in (folder / "kernels.h").read_text()
    linked = run(*compiler, "-std=c99", "-I", folder, *(["-DCOMPUTES_SIZES"] * sized),
                 pathlib.Path(__file__).parent / "Inputs" / "ports.c", code, "-lm",
                 "-o", folder / "ports")
    if linked.returncode:
        return linked.stderr
    arguments, expected = [], dict(tensors_of(case, "output"))
    for name, array in tensors_of(case, "input"):
        numpy.ascontiguousarray(array).tofile(folder / f"{name}.raw")
        arguments.append(f"{name}={array.nbytes}")
    arguments.append("--")
    arguments += [f"{name}={array.nbytes}" for name, array in expected.items()]
    done = run(*emulator, folder / "ports", folder, *arguments)
    if done.returncode:
        return f"exit status {done.returncode}"
    for name, array in expected.items():
        found = numpy.fromfile(folder / f"{name}.raw", array.dtype).reshape(array.shape)
        if not numpy.allclose(found, array, rtol=1e-4, atol=1e-5, equal_nan=True):
            return f"{name} is {found.tolist()}, but should be {array.tolist()}"
    return ""


def main():
    how, cases, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    names = sorted(os.listdir(cases))
    faults = {name: fault_of(cases / name, how, folder / name, sys.argv[4:]) for name in names}
    for name, fault in faults.items():
        if fault:
            print(f"{name}: {fault}")
    print(f"{len(names)} bundles, {sum(map(bool, faults.values()))} failed")


if __name__ == "__main__":
    main()
