# SPDX-License-Identifier: MIT
"""A step of two layers whose products have factors of bf16, against the same in numpy:
bf16.py FOLDER."""

import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1]
chance = np.random.default_rng(1)


def rounded(value):
    """The nearest numbers of bf16, of two the even one."""
    bits = np.ascontiguousarray(value, "float32").view("uint32")
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view("float32")


def product(a, b):
    return rounded(rounded(a).astype("float64") @ rounded(b).astype("float64"))


x = chance.normal(0, 1, (16, 40)).astype("float32")
labels = chance.normal(0, 1, (16, 3)).astype("float32")
weights = {"v": chance.normal(0, 0.2, (40, 50)).astype("float32"),
           "w": chance.normal(0, 0.2, (50, 3)).astype("float32")}


def step(product):
    """The loss, and the next weights."""
    v, w = weights["v"], weights["w"]
    a = np.tanh(product(x, v))
    off = product(a, w) - labels
    slope = 2 * off / off.size
    slope_a = product(slope, w.T) * (1 - a * a)
    return ((off * off).mean(), {"v": v - product(x.T, slope_a), "w": w - product(a.T, slope)})


info = helper.make_tensor_value_info
graph = helper.make_graph(
    [helper.make_node("MatMul", ["x", "v"], ["a"]), helper.make_node("Tanh", ["a"], ["b"]),
     helper.make_node("MatMul", ["b", "w"], ["y"])], "two",
    [info("x", TensorProto.FLOAT, [16, 40])], [info("y", TensorProto.FLOAT, [16, 3])],
    [numpy_helper.from_array(value, name) for name, value in weights.items()])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
          f"{folder}/two.onnx")
given = {"x": x, "training.labels": labels, "training.rows": np.ones(16, "float32"),
         "training.rate": np.float32(1), "training.steps": np.float32(0), **weights}
arguments = []
for name, value in given.items():
    np.save(f"{folder}/{name}.npy", value)
    arguments += ["--input", f"{name}={folder}/{name}.npy"]


def run(passes, *flags):
    """The outputs of a step by these passes."""
    subprocess.run(["glow-opt", f"{folder}/two.mlirbc", "--add-loss=loss=squared-error",
                    "--make-trainable", *passes, "--add-optimizer", "-o", f"{folder}/step.mlir"],
                   check=True)
    subprocess.run(["glow", "run", f"{folder}/step.mlir", *arguments, *flags, "--output-dir",
                    f"{folder}/out"], check=True, stdout=subprocess.DEVNULL)
    return {name: np.load(f"{folder}/out/{name}.npy")
            for name in ("training.loss", "v.next", "w.next")}


def error(wanted, found):
    """How far the loss and the steps of the weights are from those of `wanted`."""
    loss, after = wanted
    off = abs(found["training.loss"] - loss) / loss
    for name, value in after.items():
        own = found[name + ".next"]
        assert own.dtype == np.float32
        off = max(off, np.abs(own - value).max() / np.abs(value - weights[name]).max())
    return off


os.makedirs(f"{folder}/out", exist_ok=True)
subprocess.run(["glow", "-q", "compile", f"{folder}/two.onnx", "--emit=import", "-o",
                f"{folder}/two.mlirbc"], check=True)
exact, halves = step(np.matmul), step(product)
bf16 = ["--round-factors", "--differentiate"]
print("f32", error(exact, run(["--differentiate"])) < 1e-5)
found = run(bf16, "--backend=interpreter")
print("interpreter", error(halves, found) < 5e-3, error(exact, found) > 1e-3)
print("cpu", error(exact, run(bf16)) < 2e-2)
plain, scaled = (run([f"--differentiate=scale={scale}"], "--math=strict") for scale in (1, 1024))
print("scaled", all((plain[name] == scaled[name]).all() for name in plain))
