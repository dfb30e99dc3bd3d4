# SPDX-License-Identifier: MIT
"""Steps of each optimizer in a session against its formula in numpy.

The model is x * w, its loss the mean of the squares of what that is off.
"""

import subprocess
import sys

import numpy as np

import glow

ROWS, STEPS, RATE = 4, 6, 0.05
MODEL = f"""
glow.placeholder @x input : tensor<{ROWS}x3xf32>
glow.placeholder @y output : tensor<{ROWS}x3xf32>
glow.constant @w = dense<[[0.5, -1.0, 2.0], [1.0, 0.25, -0.5], [3.0, 1.5, -2.0], [0.1, 0.2, 0.3]]> : tensor<{ROWS}x3xf32>
glow.func @main {{
  %x = glow.read @x : tensor<{ROWS}x3xf32>
  %w = glow.read @w : tensor<{ROWS}x3xf32>
  %y = glow.mul %x, %w : (tensor<{ROWS}x3xf32>, tensor<{ROWS}x3xf32>) -> tensor<{ROWS}x3xf32>
  glow.save %y, @y : tensor<{ROWS}x3xf32>
}}
"""
START = np.array([[0.5, -1, 2], [1, 0.25, -0.5], [3, 1.5, -2], [0.1, 0.2, 0.3]])


def sgd(w, g, state, step):
    return w - RATE * g


def momentum(w, g, state, step):
    state["v"] = 0.8 * state.get("v", 0) + g
    return w - RATE * state["v"]


def nesterov(w, g, state, step):
    state["v"] = 0.8 * state.get("v", 0) + g
    return w - RATE * (g + 0.8 * state["v"])


def adam(w, g, state, step, decay=0):
    state["m"] = 0.7 * state.get("m", 0) + 0.3 * g
    state["v"] = 0.9 * state.get("v", 0) + 0.1 * g * g
    mean, square = state["m"] / (1 - 0.7**step), state["v"] / (1 - 0.9**step)
    return w * (1 - RATE * decay) - RATE * mean / (np.sqrt(square) + 1e-8)


def adamw(w, g, state, step):
    return adam(w, g, state, step, decay=0.1)


def rmsprop(w, g, state, step):
    state["v"] = 0.6 * state.get("v", 0) + 0.4 * g * g
    return w - RATE * g / (np.sqrt(state["v"]) + 1e-8)


def adagrad(w, g, state, step):
    state["v"] = state.get("v", 0) + g * g
    return w - RATE * g / (np.sqrt(state["v"]) + 1e-10)


def clipped_value(w, g, state, step):
    return sgd(w, np.clip(g, -0.1, 0.1), state, step)


def clipped_norm(w, g, state, step):
    return sgd(w, g * min(1, 0.3 / np.sqrt((g * g).sum())), state, step)


def penalized(w, g, state, step):
    return sgd(w, g + 0.1 * np.sign(w) + 0.2 * w, state, step)


CASES = [(sgd, "optimizer=sgd"), (momentum, "optimizer=momentum momentum=0.8"),
         (nesterov, "optimizer=nesterov momentum=0.8"),
         (adam, "optimizer=adam beta1=0.7 beta2=0.9"),
         (adamw, "optimizer=adamw beta1=0.7 beta2=0.9 decay=0.1"),
         (rmsprop, "optimizer=rmsprop keep=0.6"), (adagrad, "optimizer=adagrad"),
         (clipped_value, "optimizer=sgd clip-value=0.1"),
         (clipped_norm, "optimizer=sgd clip-norm=0.3"),
         (penalized, "optimizer=sgd l1=0.1 l2=0.2")]


def test(folder, backend, update, options):
    path = f"{folder}/{update.__name__}"
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(MODEL)
    subprocess.run(["glow-opt", path + ".mlir", "--add-loss=loss=squared-error",
                    "--make-trainable", "--differentiate",
                    "--add-optimizer=" + options, "-o", path + ".step.mlir"],
                   check=True)
    session = glow.load(path + ".step.mlir", backend=backend).session()
    session["w"] = START.astype("float32")
    random = np.random.default_rng(2)
    w, state = START.copy(), {}
    for step in range(1, STEPS + 1):
        x, labels = (random.uniform(-1, 1, w.shape) for _ in range(2))
        loss = session.run({
            "x": x.astype("float32"), "training.labels": labels.astype("float32"),
            "training.rows": np.ones(ROWS, "float32"),
            "training.rate": np.float32(RATE)})["training.loss"]
        off = x * w - labels
        assert abs(loss - (off * off).mean()) < 1e-5, (update, step, loss)
        w = update(w, 2 * off * x / off.size, state, step)
        error = np.abs(session["w"] - w).max()
        assert error < 1e-5, (backend, update, step, error)
    print(f"{backend} {update.__name__}: {STEPS} steps")


for name in ("interpreter", "cpu"):
    for case in CASES:
        test(sys.argv[1], name, *case)
