#!/usr/bin/env python3
"""Prints with which status each case of empty.WRONG ends: wrong.py FOLDER GLOW

FOLDER has the plug-in. Files, as C, have the data of the case in their inputs.
"""

import os
import pathlib
import subprocess
import sys

import empty

FOLDER, GLOW = sys.argv[1:]
HERE = os.path.dirname(__file__)


def glow(*arguments):
    plugin = f"{FOLDER}/vendor/libRanges.so"
    return subprocess.run([GLOW, "--load-backend", plugin, *arguments], capture_output=True,
                          text=True, check=False)


def status_on(backend, case, inputs):
    done = glow("run", f"{case}/model.onnx", f"--backend={backend}", *inputs)
    if done.returncode and "node 'node0': an index" not in done.stderr:
        sys.exit(done.stderr)
    return done.returncode


def status_in_c(case, files):
    made = glow("compile", f"{case}/model.onnx", "--emit=c", "--bundle-api=dynamic",
                "--bundle-weights=embedded", "-o", f"{case}/c")
    if made.returncode:
        sys.exit(made.stderr)
    subprocess.run(["cc", "-std=c11", "-w", "-I", f"{case}/c", f"{HERE}/given.c", f"{case}/c/model.c",
                    "-lm", "-o", f"{case}/c/run"], check=True)
    return subprocess.run([f"{case}/c/run", *files], check=False).returncode


for name, (_, _, operands) in sorted(empty.WRONG.items()):
    folder = f"{FOLDER}/{name}"
    subprocess.run([sys.executable, f"{HERE}/make.py", folder, name], check=True)
    inputs, files = [], []
    for number, value in enumerate(operands):
        path = pathlib.Path(f"{folder}/x0_{number}.raw")
        path.write_bytes(value.tobytes())
        inputs += ["--input", f"x0_{number}={path}"]
        files += [f"x0_{number}", str(path)]
    print(f"{name}: {status_on('interpreter', folder, inputs)} in the interpreter, "
          f"{status_on('cpu', folder, inputs)} on the CPU, {status_in_c(folder, files)} in C")
