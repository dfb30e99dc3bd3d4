# SPDX-License-Identifier: MIT
"""Steps of training of open sizes against steps of fixed sizes: sizes.py FOLDER MODEL BACKEND.
BACKEND `so` is a shared library of the cpu backend."""

import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

chance = np.random.default_rng(1)
node = helper.make_node


def weight(*shape):
    return chance.normal(0, shape[0] ** -0.5, shape).astype("float32")


# Rows of different lengths: a layer, a normalization and attention.
ROWS = ([
    node("MatMul", ["x", "w1"], ["a"]), node("Add", ["a", "b1"], ["b"]),
    node("Sigmoid", ["b"], ["c"]), node("Mul", ["b", "c"], ["d"]),
    node("MatMul", ["d", "w2"], ["e"]), node("Add", ["x", "e"], ["f"]),
    node("LayerNormalization", ["f", "scale", "shift"], ["g"]),
    node("MatMul", ["g", "wq"], ["q"]), node("MatMul", ["g", "wk"], ["k"]),
    node("MatMul", ["g", "wv"], ["v"]), node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
    node("MatMul", ["q", "kt"], ["scores"]), node("Softmax", ["scores"], ["shares"], axis=2),
    node("MatMul", ["shares", "v"], ["h"]), node("ReduceMean", ["h"], ["i"], axes=[1], keepdims=0),
    node("Gemm", ["i", "w3", "b3"], ["y"])], ["N", "S", 8],
    {"w1": weight(8, 16), "b1": weight(16), "w2": weight(16, 8), "scale": weight(8),
     "shift": weight(8), "wq": weight(8, 8), "wk": weight(8, 8), "wv": weight(8, 8),
     "w3": weight(8, 3), "b3": weight(3)})

# Images, which are normalized by their batch.
IMAGES = ([
    node("Conv", ["x", "w1", "b1"], ["a"], pads=[1, 1, 1, 1]),
    node("BatchNormalization", ["a", "scale", "shift", "mean", "variance"], ["b"]),
    node("Relu", ["b"], ["c"]), node("MaxPool", ["c"], ["d"], kernel_shape=[2, 2], strides=[2, 2]),
    node("Conv", ["d", "w2"], ["e"], strides=[2, 2], pads=[1, 1, 1, 1]),
    node("Relu", ["e"], ["f"]), node("GlobalAveragePool", ["f"], ["g"]),
    node("Flatten", ["g"], ["h"]), node("Gemm", ["h", "w3", "b3"], ["y"])], ["N", 2, 8, 8],
    {"w1": weight(16, 2, 3, 3), "b1": weight(16), "scale": weight(16), "shift": weight(16),
     "mean": np.zeros(16, "float32"), "variance": np.ones(16, "float32"),
     "w2": weight(32, 16, 3, 3), "w3": weight(32, 3), "b3": weight(3)})

# A recurrence.
STEPS = ([
    node("Transpose", ["x"], ["t"], perm=[1, 0, 2]),
    node("LSTM", ["t", "w", "r", "b"], ["", "last"], hidden_size=20),
    node("Squeeze", ["last", "zero"], ["a"]), node("Gemm", ["a", "w3", "b3"], ["y"])],
    ["N", "S", 5],
    {"w": weight(1, 80, 5), "r": weight(1, 80, 20), "b": weight(1, 160),
     "zero": np.array([0]), "w3": weight(20, 3), "b3": weight(3)})

MODELS = {"rows": ROWS, "images": IMAGES, "steps": STEPS}
SIZES = [{"N": 8, "S": 12}, {"N": 1, "S": 2}, {"N": 5, "S": 7}]


def save(path, nodes, shape, weights):
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "model", [info("x", TensorProto.FLOAT, shape)],
        [info("y", TensorProto.FLOAT, ["N", 3])],
        [numpy_helper.from_array(value, name) for name, value in weights.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
              path)


def compiled(model, output, shapes):
    subprocess.run(["glow", "-q", "compile", model, "--train", "--function=train",
                    "--optimizer=momentum", *(f"--shape={text}" for text in shapes),
                    *([] if output.endswith(".so") else ["--emit=graph"]), "-o", output],
                   check=True)
    return output


def outputs(program, folder, given, *arguments):
    os.makedirs(folder + "/in", exist_ok=True)
    command = ["glow", "run", program, "--output-dir", folder + "/out", *arguments]
    for name, value in given.items():
        np.save(f"{folder}/in/{name}.npy", value)
        command += ["--input", f"{name}={folder}/in/{name}.npy"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {name: np.load(f"{folder}/out/{name}") for name in sorted(os.listdir(folder + "/out"))}


def inputs(shape, weights, sizes):
    random = np.random.default_rng(2)
    rows = sizes["N"]
    given = {name: value for name, value in weights.items() if value.dtype == "float32"}
    for name in list(given):
        if name not in ("mean", "variance"):
            given[name + ".velocity"] = random.normal(0, 0.1, given[name].shape).astype("float32")
    given["x"] = random.normal(0, 1, [sizes.get(size, size) for size in shape]).astype("float32")
    given["training.labels"] = np.arange(rows) % 3
    given["training.rows"] = np.linspace(0.5, 1.5, rows, dtype="float32")
    given["training.rate"], given["training.steps"] = np.float32(0.1), np.float32(0)
    return given


def main():
    folder, name, backend = sys.argv[1:]
    nodes, shape, weights = MODELS[name]
    model = f"{folder}/{name}.onnx"
    save(model, nodes, shape, weights)
    ranges = [text for text in ("N=1..8", "S=2..12") if text[0] in shape]
    kind = ".so" if backend == "so" else ".mlirbc"
    how = [] if backend == "so" else [f"--backend={backend}"]
    step = compiled(model, f"{folder}/open{kind}", ranges)
    for number, sizes in enumerate(SIZES):
        given = inputs(shape, weights, sizes)
        fixed = compiled(model, f"{folder}/fixed{number}.mlirbc",
                         [f"{key}={size}" for key, size in sizes.items() if key in shape])
        wanted = outputs(fixed, f"{folder}/{number}.fixed", given, "--backend=interpreter")
        found = outputs(step, f"{folder}/{number}.open", given, *how,
                        *(f"--shape={text}" for text in ranges if how))
        assert wanted and wanted.keys() == found.keys(), (wanted.keys(), found.keys())
        for key, value in wanted.items():
            off = np.abs(found[key] - value).max()
            assert found[key].shape == value.shape and off < 2e-5, (name, backend, sizes, key, off)
        loss = wanted["training.loss.npy"]
        print(f"{name} {backend} {sizes}: loss {loss:.4f}, {len(wanted)} values agree")


main()
