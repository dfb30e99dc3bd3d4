# SPDX-License-Identifier: MIT
"""Writes models with a normalization of batches into a folder, or checks that a model trained
from them is that of the formulas of PyTorch, in f64: normalized.py FOLDER [TRAINED MODE STEPS].
All rows are one batch, which has room for more."""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder = sys.argv[1] + "/"
random = np.random.default_rng(7)
ROWS = 6
RATE, EPSILON, KEPT = (float(np.float32(x)) for x in (0.1, 1e-3, 0.8))  # as ONNX has them
WEIGHTS = {
    "w1": random.normal(0, 1, (3, 5)), "b1": random.normal(0, 1, 5),
    "scale": random.uniform(0.5, 2, 5), "shift": random.normal(0, 1, 5),
    "mean": random.normal(0, 1, 5), "variance": random.uniform(0.5, 2, 5),
    "w2": random.normal(0, 1, (5, 2)), "b2": random.normal(0, 1, 2)}
X, LABELS = random.normal(1, 2, (ROWS, 3)), random.normal(0, 1, (ROWS, 2))


def save(name, opset, outputs=("h",), statistics=("mean", "variance"), **attributes):
    node, info = helper.make_node, helper.make_tensor_value_info
    nodes = [node("Gemm", ["x", "w1", "b1"], ["g"], "first"),
             node("BatchNormalization", ["g", "scale", "shift", *statistics], list(outputs), "norm",
                  epsilon=EPSILON, momentum=KEPT, **attributes),
             node("Relu", ["h"], ["r"], "relu"),
             node("Gemm", ["r", "w2", "b2"], ["y"], "last")]
    graph = helper.make_graph(
        nodes, name, [info("x", TensorProto.DOUBLE, ["n", 3])],
        [info("y", TensorProto.DOUBLE, ["n", 2])],
        [numpy_helper.from_array(value, key) for key, value in WEIGHTS.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)],
                                ir_version=8), folder + name + ".onnx")


def step(w, isTrained):
    """A step of gradient descent on half the mean of squares, by the chain rule."""
    g = X @ w["w1"] + w["b1"]
    mean, variance = (g.mean(0), g.var(0)) if isTrained else (w["mean"], w["variance"])
    inverse = 1 / np.sqrt(variance + EPSILON)
    normal = (g - mean) * inverse
    h = normal * w["scale"] + w["shift"]
    r = np.maximum(h, 0)
    d_y = 2 * (r @ w["w2"] + w["b2"] - LABELS) / LABELS.size
    d_h = (d_y @ w["w2"].T) * (h > 0)
    d_g = d_h * w["scale"] * inverse
    if isTrained:
        d_g = d_g - d_g.mean(0) - normal * (d_g * normal).mean(0)
    slopes = {"w1": X.T @ d_g, "b1": d_g.sum(0), "scale": (d_h * normal).sum(0),
              "shift": d_h.sum(0), "w2": r.T @ d_y, "b2": d_y.sum(0)}
    for name, slope in slopes.items():
        w[name] = w[name] - RATE * slope
    if isTrained:
        w["mean"] = KEPT * w["mean"] + (1 - KEPT) * mean
        w["variance"] = KEPT * w["variance"] + (1 - KEPT) * g.var(0, ddof=1)


if len(sys.argv) == 2:
    save("model", 9)
    save("new", 15)
    save("training", 15, ["h", "next_mean", "next_variance"], training_mode=1)
    save("shared", 15, statistics=["shift", "variance"])
    np.save(folder + "x.npy", X)
    np.save(folder + "labels.npy", LABELS)
    sys.exit()
expected = {name: value.copy() for name, value in WEIGHTS.items()}
for _ in range(int(sys.argv[4])):
    step(expected, sys.argv[3] == "train")
for tensor in onnx.load(folder + sys.argv[2]).graph.initializer:
    np.testing.assert_allclose(numpy_helper.to_array(tensor), expected[tensor.name], rtol=1e-9,
                               atol=1e-9, err_msg=tensor.name)
print("as the formulas")
