# SPDX-License-Identifier: MIT
"""Gradients of whole models against central differences, in f64.

A model of ONNX is differentiated by all of its weights, once and twice. The
derivative of the loss along a random direction of all weights must be that of
the gradients, and the derivative of the sum of one gradient that of the second
gradient, where there is one.
"""

import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import glow

STEP = 1e-5
TOLERANCE = 1e-6


class Model:
    """Nodes whose weights are drawn by one generator."""

    def __init__(self, name, inputs):
        self.name = name
        self.inputs = inputs          # name to array
        self.random = np.random.default_rng(7)
        self.nodes, self.weights = [], {}

    def weight(self, name, *shape, low=-0.5, high=0.5):
        self.weights[name] = self.random.uniform(low, high, shape)
        return name

    def add(self, operator, inputs, **attributes):
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [result], result,
                                           **attributes))
        return result

    def save(self, path, loss, integers=None):
        self.nodes.append(helper.make_node("Identity", [loss], ["loss"]))
        kinds = {np.dtype("float64"): TensorProto.DOUBLE,
                 np.dtype("int64"): TensorProto.INT64}
        ports = [helper.make_tensor_value_info(name, kinds[value.dtype],
                                               value.shape)
                 for name, value in self.inputs.items()]
        constants = {**self.weights, **(integers or {})}
        graph = helper.make_graph(
            self.nodes, self.name, ports,
            [helper.make_tensor_value_info("loss", TensorProto.DOUBLE, [])],
            [numpy_helper.from_array(v, k) for k, v in constants.items()])
        onnx.save(helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
            path)


def uniform(*shape):
    return np.random.default_rng(3).uniform(-1, 1, shape)


def perceptron():
    m = Model("perceptron", {"x": uniform(4, 5), "labels": np.array([0, 2, 1, 2])})
    h = m.add("Gemm", ["x", m.weight("w1", 6, 5), m.weight("b1", 6)], transB=1)
    h = m.add("LayerNormalization", [m.add("Tanh", [h]),
                                     m.weight("scale", 6), m.weight("shift", 6)])
    h = m.add("Gemm", [h, m.weight("w2", 6, 3), m.weight("b2", 3)])
    return m, m.add("SoftmaxCrossEntropyLoss", [h, "labels"]), {}


def convolutions():
    m = Model("convolutions", {"x": uniform(2, 3, 8, 8)})
    h = m.add("Conv", ["x", m.weight("c1", 4, 3, 3, 3), m.weight("b1", 4)],
              pads=[1, 1, 1, 1], strides=[2, 2])
    h = m.add("BatchNormalization",
              [h, m.weight("scale", 4), m.weight("shift", 4), m.weight("mean", 4),
               m.weight("variance", 4, low=0.5, high=2)])
    h = m.add("MaxPool", [m.add("Softplus", [h])], kernel_shape=[2, 2], strides=[2, 2])
    h = m.add("Conv", [h, m.weight("c2", 4, 2, 2, 2)], group=2)
    h = m.add("ConvTranspose", [h, m.weight("c3", 4, 2, 2, 2)], strides=[2, 2])
    h = m.add("GlobalAveragePool", [m.add("Sigmoid", [h])])
    h = m.add("Concat", [h, h], axis=1)
    return m, m.add("ReduceSumSquare", [h], keepdims=0), {}


def attention():
    m = Model("attention", {"ids": np.array([[1, 4, 2], [0, 3, 3]])})
    x = m.add("Gather", [m.weight("table", 6, 4), "ids"], axis=0)
    q, k, v = (m.add("MatMul", [x, m.weight(name, 4, 4)]) for name in "qkv")
    scores = m.add("MatMul", [q, m.add("Transpose", [k], perm=[0, 2, 1])])
    scores = m.add("Mul", [scores, "half"])
    h = m.add("MatMul", [m.add("Softmax", [scores], axis=-1), v])
    h = m.add("Add", [x, m.add("MatMul", [h, m.weight("o", 4, 4)])])
    h = m.add("Erf", [m.add("Reshape", [h, "flat"])])
    return m, m.add("ReduceMean", [h], keepdims=0), {
        "half": np.array(0.5), "flat": np.array([2, -1])}


def recurrent(name, operator, gates, directions=1, lengths=False, cell=False, **attributes):
    """The sum of the squares of all results of a cell."""
    m = Model(name, {"x": uniform(5, 2, 3)})
    operands = ["x", m.weight("w", directions, gates * 4, 3), m.weight("r", directions, gates * 4, 4),
                m.weight("b", directions, gates * 8), "lengths" if lengths else "",
                m.weight("h0", directions, 2, 4)]
    results = ["y", "last"]
    if cell:
        operands += [m.weight("c0", directions, 2, 4), m.weight("p", directions, 12)]
        results.append("cell")
    m.nodes.append(helper.make_node(
        operator, operands, results, name, hidden_size=4,
        direction="bidirectional" if directions == 2 else "forward", **attributes))
    sums = [m.add("ReduceSumSquare", [result], keepdims=0) for result in results]
    integers = {"lengths": np.array([5, 3], np.int32)} if lengths else {}
    return m, m.add("Sum", sums), integers


RECURRENT = [
    ("rnn", "RNN", 1, {"directions": 2, "lengths": True, "activations": ["Tanh", "Elu"]}),
    ("gru", "GRU", 3, {"clip": 0.7}),
    ("gru by lengths", "GRU", 3, {"directions": 2, "lengths": True}),
    ("gru after", "GRU", 3, {"directions": 2, "lengths": True, "linear_before_reset": 1}),
    ("lstm", "LSTM", 4, {"cell": True, "clip": 0.9}),
    ("lstm by lengths", "LSTM", 4, {"cell": True, "directions": 2, "lengths": True, "activations": [
        "Sigmoid", "Tanh", "Softsign", "HardSigmoid", "ScaledTanh", "Affine"],
        "activation_alpha": [0.3, 0.7, 0.5], "activation_beta": [0.5, 1.5, 0.1]}),
    ("lstm coupled", "LSTM", 4, {"cell": True, "input_forget": 1})]


def run_tool(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")


def check(what, expected, found):
    error = abs(expected - found) / max(1, abs(expected))
    if error > TOLERANCE:
        sys.exit(f"{what}: the gradient is {found}, but the difference "
                 f"{expected}: {error} apart")
    print(f"{what}: {error:.1e}")


def test(folder, make, names, second):
    model, loss, integers = make()
    path = f"{folder}/{model.name}"
    model.save(path + ".onnx", loss, integers)
    pattern = [f"--trainable={name}" for name in names]
    run_tool("glow", "compile", path + ".onnx", "--emit=gradient", *pattern,
             "-o", path + ".mlirbc")
    program = glow.load(path + ".mlirbc", backend="interpreter")
    weights = {name: value for name, value in model.weights.items()
               if name + ".gradient" in [info.name for info in program.outputs]}
    if set(names) - set(weights):
        sys.exit(f"{model.name}: no gradient of {set(names) - set(weights)}")
    generator = np.random.default_rng(11)
    way = {name: generator.uniform(-1, 1, value.shape)
           for name, value in weights.items()}

    def at(move):
        return program.run({**model.inputs, **{
            name: value + move * way[name] for name, value in weights.items()}})

    slopes = at(0)
    check(f"{model.name}", (at(STEP)["loss"] - at(-STEP)["loss"]) / (2 * STEP),
          sum((slopes[name + ".gradient"] * way[name]).sum() for name in weights))

    if not second:
        return
    run_tool("glow-opt", path + ".mlirbc", f"--differentiate=of={second}.gradient "
             f"names={second} suffix=.second", "--emit-bytecode", "-o",
             path + ".second.mlirbc")
    program = glow.load(path + ".second.mlirbc", backend="interpreter")

    def total(move):
        moved = {**weights, second: weights[second] + move * way[second]}
        return program.run({**model.inputs, **moved})

    gradient = second + ".gradient"
    check(f"{model.name} twice",
          (total(STEP)[gradient].sum() - total(-STEP)[gradient].sum()) / (2 * STEP),
          (total(0)[second + ".second"]
           * way[second]).sum())


def main():
    folder = sys.argv[1]
    test(folder, perceptron, ["w1", "b1", "scale", "shift", "w2", "b2"], "w1")
    test(folder, convolutions, ["c1", "b1", "scale", "shift", "c2", "c3"], "c1")
    test(folder, attention, ["table", "q", "k", "v", "o"], "q")
    for name, operator, gates, more in RECURRENT:
        weights = ["w", "r", "b", "h0"] + ["c0", "p"] * (operator == "LSTM")
        test(folder, lambda: recurrent(name, operator, gates, **more), weights, "r")


main()
