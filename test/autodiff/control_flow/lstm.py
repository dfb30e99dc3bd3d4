# SPDX-License-Identifier: MIT
"""The gradients of an LSTM as Scan and as Loop are those of the node: lstm.py DIR."""

import subprocess
import sys

import numpy as np

import glow
from recurrent_models import lstm, lstm_weights

TOLERANCE = 1e-12


def gradients(form, folder, xs):
    path = f"{folder}/{form}"
    lstm(form, path + ".onnx")
    subprocess.run(["glow", "compile", path + ".onnx", "--emit=gradient", "-o",
                    path + ".mlirbc"], check=True)
    program = glow.load(path + ".mlirbc")
    names = {info.name for info in program.inputs}
    zeros = np.zeros((2, 4))
    values = {**lstm_weights(3, 4)[1], "h0": zeros, "c0": zeros, "xs": xs}
    return program.run({name: values[name] for name in names})


def main():
    xs = np.random.default_rng(3).uniform(-1, 1, (5, 2, 3))
    expected = gradients("node", sys.argv[1], xs)
    for form in ("scan", "loop"):
        found = gradients(form, sys.argv[1], xs)
        for name in ("w.gradient", "r.gradient", "b.gradient"):
            error = np.abs(found[name] - expected[name]).max() / np.abs(expected[name]).max()
            if not error <= TOLERANCE:
                sys.exit(f"{form}: {name} is {error} apart")
        print(f"{form}: as the node")


main()
