#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes small networks and data for them: networks.py FOLDER.

Each is a folder with a model, data to calibrate with and data to judge by.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

F = numpy.float32


def save(folder, nodes, inputs, outputs, weights, opset=13, seed=1, make=None, **model):
    """Inputs and outputs have shapes. Data is random, or what `make` gives; what judges is
    a little smaller, so that nothing is out of range."""
    os.makedirs(folder)
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
             for name, shape in inputs.items()]
    outs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in outputs.items()]
    graph = helper.make_graph(nodes, "network", infos, outs,
                              [numpy_helper.from_array(value, name)
                               for name, value in weights.items()])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], **model)
    with open(folder + "/model.onnx", "wb") as file:
        file.write(proto.SerializeToString())
    random = numpy.random.default_rng(seed)
    make = make or (lambda shape: random.standard_normal(shape).astype(F))
    for k in range(4):
        arrays = [make([2 if extent == "N" else extent for extent in shape])
                  for shape in inputs.values()]
        for name, size in ("data", F(1)), ("judge", F(0.99)):
            path = f"{folder}/{name}/test_data_set_{k}"
            os.makedirs(path)
            for j, (value, array) in enumerate(zip(inputs, arrays)):
                with open(f"{path}/input_{j}.pb", "wb") as file:
                    file.write(numpy_helper.from_array(size * array, value).SerializeToString())


def network(folder, seed=2, opset=13, **more):
    """A convolution with its normalization, one by groups, a residual, a pool, a product."""
    random = numpy.random.default_rng(seed)
    normal = lambda *shape: random.standard_normal(shape).astype(F)
    weights = {
        "w1": normal(8, 3, 3, 3) * numpy.linspace(0.1, 2, 8).reshape(8, 1, 1, 1).astype(F),
        "b1": normal(8), "g": normal(8), "be": normal(8), "m": normal(8),
        "v": numpy.abs(normal(8)) + F(0.5), "w2": normal(8, 1, 3, 3), "b2": normal(8),
        "w3": normal(5, 8) / 8, "b3": normal(5)}
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w1", "b1"], ["c1"], "first", pads=[1, 1, 1, 1]),
        node("BatchNormalization", ["c1", "g", "be", "m", "v"], ["n1"], "normal"),
        node("Relu", ["n1"], ["r1"], "relu"),
        node("Conv", ["r1", "w2", "b2"], ["c2"], "deep", pads=[1, 1, 1, 1], group=8),
        node("Add", ["c2", "r1"], ["a"], "residual"),
        node("MaxPool", ["a"], ["p"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
        node("GlobalAveragePool", ["p"], ["q"], "mean"),
        node("Flatten", ["q"], ["f"], "flat"),
        node("Gemm", ["f", "w3", "b3"], ["y"], "last", transB=1)]
    save(folder, nodes, {"x": ["N", 3, 8, 8]}, {"y": ["N", 5]}, weights, opset, **more)


def relu(folder, **more):
    save(folder, [helper.make_node("Relu", ["x"], ["y"], "relu")], {"x": [2, 50]}, {"y": [2, 50]}, {}, **more)


def zeros(folder):
    """A product of nothing but zeros; what it must give is its bias."""
    weights = {"w": numpy.ones((4, 3), F), "b": numpy.array([1, 2, 3], F)}
    save(folder, [helper.make_node("Gemm", ["x", "w", "b"], ["y"], "product")],
         {"x": [25, 4]}, {"y": [25, 3]}, weights, make=lambda shape: numpy.zeros(shape, F))
    os.makedirs(folder + "/expected")
    for name, array in ("input_0", numpy.zeros((25, 4), F)), ("output_0", numpy.tile(weights["b"], (25, 1))):
        with open(f"{folder}/expected/{name}.pb", "wb") as file:
            file.write(numpy_helper.from_array(array, name).SerializeToString())


def masked(folder):
    """A product of what a mask is in, and one whose weights are not finite."""
    weights = {"w": numpy.eye(4, 3, dtype=F), "v": numpy.full((3, 2), numpy.nan, F),
               "zero": numpy.zeros((), F), "low": numpy.full((), -3e38, F)}
    node = helper.make_node
    plain = node("MatMul", ["x", "w"], ["u"], "plain")
    save(folder, [node("Greater", ["x", "zero"], ["m"], "where"),
                  node("Where", ["m", "x", "low"], ["s"], "select"),
                  node("MatMul", ["s", "w"], ["t"], "hidden"), plain],
         {"x": [5, 4]}, {"t": [5, 3], "u": [5, 3]}, weights,
         make=lambda shape: numpy.linspace(-1, 1, 20, dtype=F).reshape(shape))
    save(folder + "/odd", [plain, node("MatMul", ["u", "v"], ["y"], "odd")],
         {"x": [5, 4]}, {"y": [5, 2]}, weights)


def uneven(folder):
    """Two products whose weights differ much from channel to channel."""
    random = numpy.random.default_rng(7)
    normal = lambda *shape: random.standard_normal(shape).astype(F)
    size = F(10) ** numpy.linspace(-2, 1, 16).astype(F)
    weights = {"w1": normal(16, 3, 3, 3) * size.reshape(16, 1, 1, 1), "b1": normal(16) * size,
               "w2": normal(16, 1, 3, 3) / size.reshape(16, 1, 1, 1), "b2": normal(16),
               "w3": normal(4, 16, 1, 1), "b3": normal(4)}
    node = helper.make_node
    save(folder, [node("Conv", ["x", "w1", "b1"], ["c1"], "one", pads=[1, 1, 1, 1]),
                  node("Relu", ["c1"], ["r1"], "relu1"),
                  node("Conv", ["r1", "w2", "b2"], ["c2"], "two", pads=[1, 1, 1, 1], group=16),
                  node("Relu", ["c2"], ["r2"], "relu2"),
                  node("Conv", ["r2", "w3", "b3"], ["y"], "three")],
         {"x": [1, 3, 16, 16]}, {"y": [1, 4, 16, 16]}, weights)


def residual(folder):
    """A sum of two products with their normalizations, behind pads, and one that reads the sum."""
    random = numpy.random.default_rng(37)
    normal = lambda *shape: random.standard_normal(shape).astype(F)
    weights = {"w1": normal(6, 3, 3, 3), "w2": normal(8, 6, 1, 1), "w3": normal(4, 8, 1, 1),
               "pads": numpy.array([0, 0, 0, 0, 0, 2, 0, 0], numpy.int64)}
    for name, size in ("1", 6), ("2", 8):
        weights |= {"g" + name: normal(size), "b" + name: normal(size), "m" + name: normal(size),
                    "v" + name: numpy.abs(normal(size)) + F(0.5)}
    node = helper.make_node
    batch = lambda name, x, y: node("BatchNormalization", [x, *(f"{c}{name}" for c in "gbmv")], [y], "normal" + name)
    save(folder, [node("Conv", ["x", "w1"], ["c1"], "one", pads=[1, 1, 1, 1]), batch("1", "c1", "n1"),
                  node("Conv", ["n1", "w2"], ["c2"], "two"), batch("2", "c2", "n2"),
                  node("Pad", ["n1", "pads"], ["p"], "wider"),
                  node("Add", ["p", "n2"], ["s"], "sum"),
                  node("Conv", ["s", "w3"], ["y"], "three")],
         {"x": [1, 3, 8, 8]}, {"y": [1, 4, 8, 8]}, weights)


def attention(folder):
    """Products with weights, elements between them, sums beside them, and products of values."""
    random = numpy.random.default_rng(9)
    normal = lambda *shape: random.standard_normal(shape).astype(F)
    weights = {"g": normal(6), **{f"w{i}": normal(6, 6) / F(2) for i in (1, 2, 3)}}
    node = helper.make_node
    save(folder, [node("Mul", ["x", "g"], ["n"], "before"),
                  node("MatMul", ["n", "w1"], ["a"], "first"),
                  node("Sigmoid", ["a"], ["s"], "gate"),
                  node("Mul", ["a", "s"], ["b"], "both"),
                  node("MatMul", ["b", "w2"], ["c"], "second"),
                  node("Add", ["c", "x"], ["r"], "sum"),
                  node("MatMul", ["r", "w3"], ["v"], "third"),
                  node("Transpose", ["v"], ["t"], "turned"),
                  node("MatMul", ["v", "t"], ["p"], "scores"),
                  node("Softmax", ["p"], ["q"], "softmax", axis=-1),
                  node("MatMul", ["q", "v"], ["m"], "mixed"),
                  node("Add", ["m", "v"], ["y"], "late")],
         {"x": [5, 6]}, {"y": [5, 6]}, weights)


def wide(folder):
    """Layers that take most of the time, one of which loses much as bytes."""
    random = numpy.random.default_rng(31)
    normal = lambda *shape: random.standard_normal(shape).astype(F)
    loud = normal(256, 256) / F(16)
    loud[0] *= F(40)
    weights = {"w1": normal(64, 32, 3, 3) / F(17), "b1": normal(64), "w2": loud, "b2": normal(256),
               "w3": normal(256, 192) / F(16)}
    node = helper.make_node
    save(folder, [node("Conv", ["x", "w1", "b1"], ["c"], "conv", pads=[1, 1, 1, 1], strides=[2, 2]),
                  node("Relu", ["c"], ["r"], "relu"),
                  node("Reshape", ["r", "rows"], ["m"], "rows"),
                  node("Gemm", ["m", "w2", "b2"], ["g"], "loud"),
                  node("Tanh", ["g"], ["t"], "tanh"),
                  node("MatMul", ["t", "w3"], ["y"], "last")],
         {"x": [1, 32, 32, 32]}, {"y": [64, 192]}, {**weights, "rows": numpy.array([64, 256], numpy.int64)})


def shared(folder):
    """A matrix that two products read, and one of the same numbers under another name."""
    random = numpy.random.default_rng(11)
    matrix = random.standard_normal((64, 64)).astype(F) / F(8)
    node = helper.make_node
    save(folder, [node("MatMul", ["x", "w"], ["a"], "one"), node("MatMul", ["a", "w"], ["b"], "two"),
                  node("MatMul", ["b", "v"], ["y"], "three")],
         {"x": [5, 64]}, {"y": [5, 64]}, {"w": matrix, "v": matrix.copy()})


def stored(folder):
    """Weights that a node holds, turned."""
    matrix = numpy.random.default_rng(23).standard_normal((48, 64)).astype(F) / F(8)
    node = helper.make_node
    save(folder, [node("Constant", [], ["c"], "weights", value=numpy_helper.from_array(matrix)),
                  node("Transpose", ["c"], ["w"], "turned"), node("MatMul", ["x", "w"], ["y"], "product")],
         {"x": [5, 64]}, {"y": [5, 48]}, {})


def loud(folder):
    """Data of which one number is 1e6, and data to judge by that is twice as large as the rest."""
    random = numpy.random.default_rng(13)
    arrays = [random.standard_normal((100, 64)).astype(F) for _ in range(4)]
    arrays[2][3, 5] = 1e6
    given = iter(arrays)
    save(folder, [helper.make_node("MatMul", ["x", "w"], ["y"], "product")], {"x": [100, 64]}, {"y": [100, 8]},
         {"w": random.standard_normal((64, 8)).astype(F)}, make=lambda shape: next(given))
    for k, array in enumerate(arrays):
        array[numpy.abs(array) > 1e5] = 1
        with open(f"{folder}/judge/test_data_set_{k}/input_0.pb", "wb") as file:
            file.write(numpy_helper.from_array(2 * array, "x").SerializeToString())


def ancient(folder):
    """Operators that newer opsets write otherwise, in opset 7."""
    random = numpy.random.default_rng(17)
    normal = lambda *shape: random.standard_normal(shape).astype(F)
    node = helper.make_node
    nodes = [node("Conv", ["x", "w1"], ["a"], "first", pads=[1, 1, 1, 1]),
             node("Clip", ["a"], ["b"], "bounds", min=0.0, max=6.0),
             node("Pad", ["b"], ["c"], "border", pads=[0, 0, 1, 1, 0, 0, 1, 1], value=0.5),
             node("Slice", ["c"], ["d"], "part", starts=[1, 1], ends=[9, 9], axes=[2, 3]),
             node("Conv", ["d", "w2"], ["e"], "second"),
             node("ReduceSum", ["e"], ["f"], "sum", axes=[2, 3], keepdims=0),
             node("Unsqueeze", ["f"], ["g"], "wider", axes=[2]),
             node("Squeeze", ["g"], ["h"], "narrower", axes=[2]),
             node("Gemm", ["h", "w3", "b3"], ["y"], "last")]
    save(folder, nodes, {"x": [1, 3, 8, 8]}, {"y": [1, 4]},
         {"w1": normal(6, 3, 3, 3), "w2": normal(6, 6, 1, 1), "w3": normal(6, 4), "b3": normal(4)},
         opset=7, ir_version=3)
    # Softmax of opset 13 is another one.
    nodes[-1:] = [node("Gemm", ["h", "w3", "b3"], ["z"], "last"), node("Softmax", ["z"], ["y"], "likely")]
    save(folder + "/softmax", nodes, {"x": [1, 3, 8, 8]}, {"y": [1, 4]},
         {"w1": normal(6, 3, 3, 3), "w2": normal(6, 6, 1, 1), "w3": normal(6, 4), "b3": normal(4)},
         opset=7, ir_version=3)
    save(folder + "/upsample", [nodes[0], node("Upsample", ["a"], ["u"], "larger", scales=[1.0, 1.0, 2.0, 2.0]),
                                node("Conv", ["u", "w2"], ["y"], "second")],
         {"x": [1, 3, 8, 8]}, {"y": [1, 6, 16, 16]}, {"w1": normal(6, 3, 3, 3), "w2": normal(6, 6, 1, 1)},
         opset=7, ir_version=3)


def recurrent(folder):
    """A GRU and an LSTM, of which only weights become integers."""
    random = numpy.random.default_rng(19)
    normal = lambda *shape: random.standard_normal(shape).astype(F) / F(4)
    node = helper.make_node
    weights = {"w1": normal(1, 48, 8), "r1": normal(1, 48, 16), "w2": normal(1, 64, 16), "r2": normal(1, 64, 16),
               "axes": numpy.array([1], numpy.int64)}
    save(folder, [node("GRU", ["x", "w1", "r1"], ["a"], "gru", hidden_size=16),
                  node("Squeeze", ["a", "axes"], ["b"], "flat"),
                  node("LSTM", ["b", "w2", "r2"], ["", "y"], "lstm", hidden_size=16)],
         {"x": [12, 2, 8]}, {"y": [1, 2, 16]}, weights)


def bidirectional(folder):
    """An LSTM of both directions with a bias."""
    random = numpy.random.default_rng(41)
    normal = lambda *shape: random.standard_normal(shape).astype(F) / F(4)
    save(folder, [helper.make_node("LSTM", ["x", "w", "r", "b"], ["", "y"], "both", hidden_size=8,
                                   direction="bidirectional")],
         {"x": [6, 2, 8]}, {"y": [2, 2, 8]},
         {"w": normal(2, 32, 8), "r": normal(2, 32, 8), "b": normal(2, 64)})


def whole():
    """Numbers whose sums are exact, so that their order does not matter."""
    random = numpy.random.default_rng(5)
    return lambda shape: random.integers(-3000, 3000, shape).astype(F)


def main(folder):
    network(folder + "/network")
    network(folder + "/other", seed=3)
    network(folder + "/old", opset=7, ir_version=3)
    relu(folder + "/relu", make=whole())
    relu(folder + "/nan", make=lambda shape: numpy.full(shape, numpy.nan, F))
    zeros(folder + "/zero")
    masked(folder + "/mask")
    uneven(folder + "/uneven")
    residual(folder + "/residual")
    attention(folder + "/attention")
    wide(folder + "/wide")
    shared(folder + "/shared")
    stored(folder + "/stored")
    loud(folder + "/loud")
    ancient(folder + "/ancient")
    recurrent(folder + "/recurrent")
    bidirectional(folder + "/bidirectional")
    os.makedirs(folder + "/empty")


if __name__ == "__main__":
    main(sys.argv[1])
