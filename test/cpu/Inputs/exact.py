#!/usr/bin/env python3
"""Writes models whose values are whole numbers, or jump: exact.py FOLDER.

SIZE.onnx has every node of NODES in front of every step of STEPS, on rows of SIZE
elements: of a row only its own two nodes know, so that they may be fused. means.onnx
has means of equal whole numbers in each layout, ties.onnx products with equal columns.
Inputs are beside them.
"""

import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

FOLDER = pathlib.Path(sys.argv[1])
SIZES = [3, 255, 256, 257, 5000]
COUNTS = [7, 13, 14, 15, 26, 49]


class Graph:
    """Nodes in order; a number, or an array, is a constant."""

    def __init__(self):
        self.nodes, self.constants, self.results = [], [], []

    def value(self, x):
        if isinstance(x, str):
            return x
        x = np.asarray(x)
        self.constants.append(numpy_helper.from_array(
            x.astype("f4") if x.dtype == "f8" else x, f"c{len(self.constants)}"))
        return self.constants[-1].name

    def __getattr__(self, operator):
        def add(*inputs, outputs=1, **attributes):
            inputs = [self.value(x) for x in inputs]
            names = [f"{operator}_{len(self.nodes)}_{i}" for i in range(outputs)]
            self.nodes.append(helper.make_node(operator, inputs, names, **attributes))
            return names[-1]
        return add

    def give(self, value):
        """Adds a result; what is no float is made one, which loses nothing here."""
        self.results.append(self.Cast(value, to=TensorProto.FLOAT))

    def save(self, name, **inputs):
        def information(name, dims):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
        graph = helper.make_graph(
            self.nodes, "exact", [information(k, v.shape) for k, v in inputs.items()],
            [information(result, None) for result in self.results], self.constants)
        save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)],
                               ir_version=9), FOLDER / f"{name}.onnx")
        for key, array in inputs.items():
            np.save(FOLDER / f"{name}.{key}.npy", array.astype("f4"))


# Each on a row x of whole numbers, of which its result may be one.
NODES = {
    "quotient": lambda g, x: g.Div(x, 41.0),
    "quotient_of_row": lambda g, x: g.Div(x, np.array([41.0])),
    "seventh": lambda g, x: g.Div(x, 7.0),
    "tenth": lambda g, x: g.Div(x, 0.1),
    "root": lambda g, x: g.Sqrt(g.Mul(x, x)),
    "inverse": lambda g, x: g.Mul(g.Reciprocal(g.Add(x, 1.0)), 4.0),
    "clipped": lambda g, x: g.Clip(g.Div(x, 7.0), -20.0, 60.0),
    "softsign": lambda g, x: g.Softsign(x),
    "mean": lambda g, x: g.ReduceMean(g.Concat(x, x, x, axis=0), np.array([0])),
}

STEPS = {
    "floor": lambda g, x: g.Floor(x),
    "ceil": lambda g, x: g.Ceil(x),
    "round": lambda g, x: g.Round(x),
    "sign": lambda g, x: g.Sign(g.Sub(x, 1.0)),
    "i32": lambda g, x: g.Cast(x, to=TensorProto.INT32),
    "u8": lambda g, x: g.Cast(g.Clip(x, 0.0, 200.0), to=TensorProto.UINT8),
    "less": lambda g, x: g.Less(x, 1.0),
    "equal": lambda g, x: g.Equal(x, 1.0),
    "above": lambda g, x: g.Where(g.GreaterOrEqual(x, 2.0), x, -5.0),
    "quantized": lambda g, x: g.QuantizeLinear(x, 0.5, np.uint8(3)),
    "argmax": lambda g, x: g.ArgMax(g.Mod(x, 3.0, fmod=1), axis=1),
    "topk": lambda g, x: g.TopK(x, np.array([3]), axis=1, outputs=2),
}


def pairs(size):
    g = Graph()
    x = np.zeros((len(NODES) * len(STEPS), size), "f4")
    for node in NODES.values():
        for step in STEPS.values():
            k = len(g.results)
            row = g.Slice("x", np.array([k]), np.array([k + 1]), np.array([0]))
            x[k] = (np.arange(size) * 7 + k) % 500
            g.give(step(g, node(g, row)))
    g.save(str(size), x=x)


def means():
    g, inputs = Graph(), {}
    for n in COUNTS:
        x = np.repeat(np.arange(1, 4001, dtype="f4")[:, None], n, 1)
        inputs[f"rows{n}"], inputs[f"columns{n}"] = x, x.T
        g.give(g.ReduceMean(f"rows{n}", np.array([1])))
        g.give(g.ReduceMean(f"columns{n}", np.array([0])))
        image = g.Reshape(f"rows{n}", np.array([1, 4000, 1, n]))
        g.give(g.AveragePool(image, kernel_shape=[1, n]))
        g.give(g.GlobalAveragePool(image))
    g.save("means", **inputs)


def ties():
    """The same column in all places; the first place of the largest is 0."""
    g, inputs = Graph(), {}
    random = np.random.default_rng(5)
    for rows in (1, 2, 4):
        inputs[f"x{rows}"] = random.standard_normal((rows, 512))
        for columns in (65, 257, 300, 1000):
            column = random.integers(-1000, 1000, (512, 1)) * 0.1
            product = g.MatMul(f"x{rows}", np.repeat(column, columns, 1))
            # The value is a result of its own, so that no step follows it.
            g.give(g.Sub(g.ReduceMax(product, np.array([1])),
                         g.ReduceMin(product, np.array([1]))))
    g.save("ties", **inputs)


FOLDER.mkdir(parents=True, exist_ok=True)
for each in SIZES:
    pairs(each)
means()
ties()
