#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures branches and loops: a program that has them, in turns with the same
model in stages and with ONNX Runtime, on one thread. Times are those of the
process's threads, medians of rounds. Run it by a Python that has onnx, NumPy and
onnxruntime, with Glow's module on its path."""

import numpy
from onnx import TensorProto, helper

import computed

FLOAT, INT, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def body(nodes, inputs, outputs):
    def ports(names):
        return [helper.make_tensor_value_info(name, kind, shape)
                for name, (kind, shape) in names.items()]
    return helper.make_graph(nodes, "body", ports(inputs), ports(outputs))


def random(*shape, scale=1.0):
    return (scale * numpy.random.standard_normal(shape)).astype("f")


def trips(count, width):
    """Four nodes on a vector, `count` times."""
    loop = body(
        [node("Mul", "h w", "a"), node("Add", "a b", "c"), node("Tanh", "c", "d"),
         node("Sub", "d h", "next"), node("Identity", "going", "again")],
        {"i": (INT, []), "going": (BOOL, []), "h": (FLOAT, [width])},
        {"again": (BOOL, []), "next": (FLOAT, [width])})
    return ([node("Loop", "count going0 x", "y", body=loop)],
            {"x": random(width), "w": random(width), "b": random(width)},
            {"count": numpy.array(count), "going0": numpy.array(True)}, ["y"])


def lstm(steps, width):
    """An LSTM as a Scan, gate by gate."""
    cell = body(
        [node("MatMul", "row wx", "p"), node("MatMul", "h wh", "q"), node("Add", "p q", "r"),
         node("Add", "r bias", "gates"), node("Split", "gates", "i0 o0 f0 g0", axis=1),
         node("Sigmoid", "i0", "i"), node("Sigmoid", "o0", "o"), node("Sigmoid", "f0", "f"),
         node("Tanh", "g0", "g"), node("Mul", "f c", "fc"), node("Mul", "i g", "ig"),
         node("Add", "fc ig", "c1"), node("Tanh", "c1", "t"), node("Mul", "o t", "h1"),
         node("Identity", "h1", "out")],
        {name: (FLOAT, [1, width]) for name in ("h", "c", "row")},
        {name: (FLOAT, [1, width]) for name in ("h1", "c1", "out")})
    scale = width ** -0.5
    return ([node("Scan", "h0 c0 x", "hn cn y", body=cell, num_scan_inputs=1)],
            {"x": random(steps, 1, width)},
            {"h0": random(1, width), "c0": random(1, width), "bias": random(4 * width),
             "wx": random(width, 4 * width, scale=scale),
             "wh": random(width, 4 * width, scale=scale)}, ["y"])


def gated_delta(steps, width):
    """The state is a matrix: it decays, and a row replaces what it holds for a key."""
    cell = body(
        [node("Mul", "s decay", "kept"), node("MatMul", "key kept", "old"),
         node("Sub", "row old", "error"), node("Mul", "error rate", "step"),
         node("Transpose", "key", "column", perm=[1, 0]), node("MatMul", "column step", "change"),
         node("Add", "kept change", "s1"), node("MatMul", "query s1", "out")],
        {"s": (FLOAT, [width, width]), "row": (FLOAT, [1, width]), "key": (FLOAT, [1, width]),
         "query": (FLOAT, [1, width]), "decay": (FLOAT, [1, 1]), "rate": (FLOAT, [1, 1])},
        {"s1": (FLOAT, [width, width]), "out": (FLOAT, [1, width])})
    scale = width ** -0.5
    return ([node("Scan", "s0 x keys queries decays rates", "sn y", body=cell,
                  num_scan_inputs=5)],
            {"x": random(steps, 1, width)},
            {"s0": numpy.zeros((width, width), "f"), "keys": random(steps, 1, width, scale=scale),
             "queries": random(steps, 1, width, scale=scale),
             "decays": numpy.full((steps, 1, 1), 0.97, "f"),
             "rates": numpy.full((steps, 1, 1), 0.5, "f")}, ["y"])


def selective_scan(steps, width, states):
    """A state space whose coefficients depend on the input, as in Mamba."""
    cell = body(
        [node("Mul", "delta a", "da"), node("Exp", "da", "decay"), node("Mul", "s decay", "kept"),
         node("Mul", "delta row", "dx"), node("Mul", "dx b", "new"), node("Add", "kept new", "s1"),
         node("Mul", "s1 c", "sc"), node("ReduceSum", "sc last", "out", keepdims=0)],
        {"s": (FLOAT, [width, states]), "row": (FLOAT, [width, 1]), "delta": (FLOAT, [width, 1]),
         "b": (FLOAT, [1, states]), "c": (FLOAT, [1, states])},
        {"s1": (FLOAT, [width, states]), "out": (FLOAT, [width])})
    return ([node("Scan", "s0 x deltas bs cs", "sn y", body=cell, num_scan_inputs=4)],
            {"x": random(steps, width, 1)},
            {"s0": numpy.zeros((width, states), "f"), "a": -numpy.abs(random(width, states)),
             "deltas": numpy.full((steps, width, 1), 0.1, "f"), "bs": random(steps, 1, states),
             "cs": random(steps, 1, states), "last": numpy.array([1])}, ["y"])


def chosen(width):
    """One of two small products."""
    then = body([node("MatMul", "x w", "p")], {}, {"p": (FLOAT, [1, width])})
    other = body([node("MatMul", "x v", "q")], {}, {"q": (FLOAT, [1, width])})
    return ([node("ReduceSum", "x", "sum", keepdims=0), node("Greater", "sum zero", "c"),
             node("If", "c", "y", then_branch=then, else_branch=other)],
            {"x": random(1, width)},
            {"zero": numpy.float32(0), "w": random(width, width), "v": random(width, width)},
            ["y"])


CASES = {
    "Loop, 1,000 trips of 4 nodes on 256": lambda: trips(1000, 256),
    "Loop, 1,000 trips of 4 nodes on 4,096": lambda: trips(1000, 4096),
    "LSTM of 128 as Scan, 64 steps": lambda: lstm(64, 128),
    "LSTM of 512 as Scan, 64 steps": lambda: lstm(64, 512),
    "Gated delta rule of 64 as Scan, 128 steps": lambda: gated_delta(128, 64),
    "Selective scan of 64 by 16, 256 steps": lambda: selective_scan(256, 64, 16),
    "If, products of 128": lambda: chosen(128)}


if __name__ == "__main__":
    computed.main(__doc__, CASES, tolerance=1e-4)
