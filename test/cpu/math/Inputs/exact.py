#!/usr/bin/env python3
"""Writes models whose values are whole numbers, or jump: exact.py FOLDER.

SIZE.onnx has every node of NODES in front of every step of STEPS, on rows of SIZE
elements: of a row only its own two nodes know, so that they may be fused. f16.onnx and
bf16.onnx have the same for these kinds. means.onnx has means of equal whole numbers in
each layout, ties.onnx products with equal columns, layers.onnx layers of whole numbers in
front of a step, stages.onnx such layers in front of steps that other programs compute.
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

    def __init__(self, kind=TensorProto.FLOAT):
        self.nodes, self.constants, self.results, self.kind = [], [], [], kind

    def value(self, x):
        if isinstance(x, str):
            return x
        x = np.asarray(x)
        isReal = x.dtype == "f8"
        self.constants.append(numpy_helper.from_array(
            x.astype("f4") if isReal else x, f"c{len(self.constants)}"))
        name = self.constants[-1].name
        return name if self.kind == TensorProto.FLOAT or not isReal else self.Cast(name, to=self.kind)

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
    "product": lambda g, x: g.Mul(x, 0.1),
    "products": lambda g, x: g.Mul(g.Mul(x, 0.1), 10.0),
    "quotients": lambda g, x: g.Div(g.Div(x, 3.0), 7.0),
    "there_and_back": lambda g, x: g.Div(g.Mul(x, 0.7), 0.7),
    "sums": lambda g, x: g.Sub(g.Add(g.Mul(x, 0.37), 12582913.0), 12582912.0),
    "affine": lambda g, x: g.Add(g.Mul(x, 0.1), 0.3),
    "scaled": lambda g, x: g.Mul(g.Sub(x, 3.0), 0.2),
    "square": lambda g, x: g.Mul(g.Pow(x, 2.0), 0.01),
    "root": lambda g, x: g.Sqrt(g.Mul(x, x)),
    "inverse": lambda g, x: g.Mul(g.Reciprocal(g.Add(x, 1.0)), 4.0),
    "clipped": lambda g, x: g.Clip(g.Div(x, 7.0), -20.0, 60.0),
    "leaky": lambda g, x: g.LeakyRelu(g.Sub(x, 40.0), alpha=0.1),
    "hard_sigmoid": lambda g, x: g.HardSigmoid(g.Div(x, 100.0), alpha=0.2, beta=0.5),
    "hard_swish": lambda g, x: g.HardSwish(g.Sub(x, 3.0)),
    "ramp": lambda g, x: g.Div(g.Clip(g.Add(g.Sub(x, 3.0), 3.0), 0.0, 6.0), 6.0),
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


def pairs(name, size, kind=TensorProto.FLOAT):
    g = Graph(kind)
    rows = "x" if kind == TensorProto.FLOAT else g.Cast("x", to=kind)
    x = np.zeros((len(NODES) * len(STEPS), size), "f4")
    for node in NODES.values():
        for step in STEPS.values():
            k = len(g.results)
            row = g.Slice(rows, np.array([k]), np.array([k + 1]), np.array([0]))
            x[k] = (np.arange(size) * 7 + k) % 500
            g.give(step(g, node(g, row)))
    g.save(name, x=x)


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


def layers():
    """Each shortcut of default mode, on whole numbers: Winograd, Strassen, tiles, weights of
    24 bits, zeros that are skipped, factors that go into weights."""
    g, inputs = Graph(), {}
    random = np.random.default_rng(6)

    def whole(*shape, most=9):
        return random.integers(-most, most + 1, shape).astype("f4")

    def step(value):
        g.give(g.Cast(value, to=TensorProto.INT32))

    inputs["image"] = whole(1, 32, 28, 28)
    filter = whole(64, 32, 3, 3)
    step(g.Conv("image", filter, pads=[1] * 4))
    step(g.LeakyRelu(g.Conv("image", filter + 1, pads=[1] * 4), alpha=0.5))
    tenths = np.full((64, 1, 1), 0.1, "f4")
    step(g.Mul(g.Conv("image", whole(64, 32, 1, 1)), tenths))
    step(g.Add(g.Conv("image", whole(64, 32, 1, 1), whole(64)), tenths))
    norm = [np.full(64, number, "f4") for number in (0.7, 0.3, 5.0, 0.49)]
    step(g.BatchNormalization(g.Conv("image", whole(64, 32, 3, 3)), *norm, epsilon=0.0))
    step(g.Resize(g.Conv("image", filter + 2, pads=[1] * 4), "", np.array([1, 1, 2, 2], "f4"),
                  mode="nearest"))
    inputs["rows"] = whole(256, 512)
    step(g.MatMul("rows", whole(512, 512)))
    step(g.Mul(g.MatMul("rows", whole(512, 512)), np.full(512, 0.1, "f4")))
    # Weights that have more than 16 bits, and sums of less than 24.
    inputs["row"] = whole(1, 1024, most=1) * (np.arange(1024) % 16 == 0)
    step(g.MatMul("row", whole(1024, 600, most=100000)))
    step(g.MatMul(g.Relu("row"), whole(1024, 1024, most=100000)))
    # Roundings before a sum of products do not count: this one keeps its shortcuts.
    g.give(g.Round(g.Div(g.Conv(g.Relu(g.Conv("image", filter + 3, pads=[1] * 4)),
                                whole(16, 64, 1, 1)), 1e5)))
    g.save("layers", **inputs)


def stages():
    """Steps whose results have sizes of the run, and a step in the body of a loop."""
    g = Graph()
    random = np.random.default_rng(7)
    def layer():
        return g.Conv("image", random.integers(-9, 10, (64, 32, 3, 3)).astype("f4"), pads=[1] * 4)
    g.give(g.NonZero(layer()))
    g.give(g.Unique(layer(), outputs=4))
    body = helper.make_graph(
        [helper.make_node("Floor", ["row"], ["floor"])], "body",
        [helper.make_tensor_value_info("row", TensorProto.FLOAT, None)],
        [helper.make_tensor_value_info("floor", TensorProto.FLOAT, None)])
    g.give(g.Scan(g.Squeeze(layer(), np.array([0])), body=body, num_scan_inputs=1))
    g.save("stages", image=random.integers(-9, 10, (1, 32, 28, 28)))


FOLDER.mkdir(parents=True, exist_ok=True)
for each in SIZES:
    pairs(str(each), each)
pairs("f16", 300, TensorProto.FLOAT16)
pairs("bf16", 300, TensorProto.BFLOAT16)
means()
ties()
layers()
stages()
