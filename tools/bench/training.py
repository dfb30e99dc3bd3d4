#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures a step of training beside a run of the same model and batch, in turns:
training.py MODEL.onnx... [--glow GLOW]. The first output must be scores of classes. A step is
cross entropy, all weights, momentum, and statistics of the batch for its normalizations. Times
are processor time of one thread, medians over rounds, so that other programs on the machine
count little. Prints a row of a table for each model.

With --torch, the models are those of peer/torch_models.py, by name, and PyTorch, which this Python
needs to have, trains them in turns with Glow: eagerly and by torch.compile. Both begin with the
same weights. The last column is the largest relative difference of the losses of some steps."""

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
    step = os.path.join(folder, "step.mlirbc")
    subprocess.run([options.glow, "-q", "compile", model, "--train", "--function=train",
                    "--optimizer=momentum", f"--batch-norm={options.batch_norm}", "--emit=graph",
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


def losses_of(options, model, batch, labels, folder, steps):
    """The losses of so many steps on one batch."""
    paths = [os.path.join(folder, name) for name in ("x.npy", "labels.npy", "curve.json")]
    np.save(paths[0], batch)
    np.save(paths[1], labels)
    subprocess.run([options.glow, "-q", "train", model, "--data", paths[0], "--labels", paths[1],
                    "--optimizer=momentum", "--rate=0.01", f"--epochs={steps}", "--threads=1",
                    f"--batch={len(batch)}", f"--math={options.math}", f"--json={paths[2]}",
                    "-o", os.path.join(folder, "trained.onnx")], check=True,
                   stdout=subprocess.DEVNULL)
    with open(paths[2], encoding="utf-8") as file:
        return [epoch["loss"] for epoch in json.load(file)["epochs"]]


def measure(options, model):
    with tempfile.TemporaryDirectory() as folder:
        step, arguments = make_step(options, model, folder), inputs_of(model, folder)
        times = [(processor_ms(options, model), processor_ms(options, step, *arguments))
                 for _ in range(options.rounds)]
    forward, whole = (statistics.median(column) for column in zip(*times))
    name = os.path.basename(model).removesuffix(".onnx")
    print(f"| {name} | {options.math} | {forward:.4g} | {whole:.4g} | {whole / forward:.1f} |",
          flush=True)


def measure_peer(options, name):
    from peer import torch_training  # pylint: disable=import-outside-toplevel
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, name + ".onnx")
        peer = torch_training.Peer(name, model)
        step, arguments = make_step(options, model, folder), inputs_of(model, folder)
        programs = [lambda: processor_ms(options, step, *arguments), peer.eager_ms,
                    peer.compiled_ms]
        times = [[program() for program in programs] for _ in range(options.rounds)]
        ours = losses_of(options, model, peer.batch, peer.labels, folder, options.steps)
        theirs = peer.losses(options.steps)
    own, eager, compiled = (statistics.median(column) for column in zip(*times))
    off = max(abs(a - b) / max(abs(b), 1e-3) for a, b in zip(ours, theirs))
    print(f"| {name} | {own:.4g} | {eager:.4g} | {compiled:.4g} | {eager / own:.2f} | "
          f"{compiled / own:.2f} | {off:.1e} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--glow", default="glow")
    parser.add_argument("--torch", action="store_true", help="measure PyTorch, too")
    parser.add_argument("--steps", type=int, default=10, help="of which losses are compared")
    parser.add_argument("--batch-norm", default="train", choices=["train", "frozen"])
    parser.add_argument("--cpu", help="as for glow bench; default: the host's")
    parser.add_argument("--math", default="default", choices=["strict", "default", "fast"])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if options.torch:
        print("| model | ours, ms | eager, ms | compiled, ms | eager / ours | compiled / ours | "
              "losses |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    else:
        print("| model | arithmetic | run, ms | step, ms | step / run |\n"
              "| --- | --- | ---: | ---: | ---: |")
    for model in options.models:
        (measure_peer if options.torch else measure)(options, model)


if __name__ == "__main__":
    main()
