#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures a step of training beside a run of the same model and batch, in turns:
training.py MODEL.onnx... [--glow GLOW --opt GLOW_OPT]. The first output must be scores of
classes. Times are processor time of one thread, medians over rounds, so that other programs
on the machine count little. Prints a row of a table for each model."""

import argparse
import json
import os
import statistics
import subprocess
import tempfile

import numpy as np
import onnx


def rows_and_classes(model):
    """The first two sizes of the first output."""
    output = onnx.load(model, load_external_data=False).graph.output[0]
    return [dim.dim_value for dim in output.type.tensor_type.shape.dim][:2]


def make_step(options, model, folder):
    """Writes the graph of a step, with plain momentum as the optimizer."""
    imported, step = (os.path.join(folder, name) for name in ("imported.mlirbc", "step.mlirbc"))
    subprocess.run([options.glow, "-q", "compile", model, "--emit=import", "-o", imported],
                   check=True)
    subprocess.run([options.opt, imported, "--add-loss", "--make-trainable", "--differentiate",
                    "--add-optimizer=optimizer=momentum", "--emit-bytecode",
                    "-o", step], check=True)
    return step


def inputs_of(model, folder):
    """The arguments of a step's inputs beside the data."""
    rows, classes = rows_and_classes(model)
    values = {"training.labels": np.arange(rows, dtype=np.int64) % classes,
              "training.rows": np.ones(rows, np.float32),
              "training.rate": np.float32(0.01), "training.steps": np.float32(0)}
    arguments = []
    for name, value in values.items():
        path = os.path.join(folder, name + ".npy")
        np.save(path, value)
        arguments += ["--input", f"{name}={path}"]
    return arguments


def processor_ms(options, model, *arguments):
    command = [options.glow, "bench", model, "--no-cache", "--threads=1", "--json",
               f"--math={options.math}", *arguments]
    if options.cpu:
        command.append(f"--cpu={options.cpu}")
    result = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return json.loads(result.stdout)["processor_ms"]


def measure(options, model):
    with tempfile.TemporaryDirectory() as folder:
        step, arguments = make_step(options, model, folder), inputs_of(model, folder)
        times = [(processor_ms(options, model), processor_ms(options, step, *arguments))
                 for _ in range(options.rounds)]
    forward, whole = (statistics.median(column) for column in zip(*times))
    name = os.path.basename(model).removesuffix(".onnx")
    print(f"| {name} | {options.math} | {forward:.4g} | {whole:.4g} | {whole / forward:.1f} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--glow", default="glow")
    parser.add_argument("--opt", default="glow-opt")
    parser.add_argument("--cpu", help="as for glow bench; default: the host's")
    parser.add_argument("--math", default="default", choices=["strict", "default", "fast"])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("| model | arithmetic | run, ms | step, ms | step / run |\n"
          "| --- | --- | ---: | ---: | ---: |")
    for model in options.models:
        measure(options, model)


if __name__ == "__main__":
    main()
