#!/usr/bin/env python3
"""A model of the vendor's operators and its data set: make.py FOLDER."""

import os
import sys

import numpy
import onnx
from onnx import helper, numpy_helper

RANDOM = numpy.random.default_rng(7)

def real(*shape):
    return RANDOM.standard_normal(shape).astype(numpy.float32)


def resonator(x, poles):
    y = numpy.zeros((x.shape[0], x.shape[1] + 2), numpy.float64)
    for t in range(x.shape[1]):
        y[:, t + 2] = x[:, t] + poles[0] * y[:, t + 1] + poles[1] * y[:, t]
    return y[:, 2:]


def remember(x, weights, state):
    states = []
    for row in x:
        state = numpy.tanh(state @ weights + row)
        states.append(state)
    return numpy.stack(states)


def arrivals(counts, bins):
    counts, ranks = counts.copy(), []
    for place in bins:
        ranks.append(counts[place])
        counts[place] += 1
    return numpy.concatenate([counts, ranks])


def highest(x):
    return numpy.maximum.accumulate(x[::-1], 0)[::-1]


def ahead(x):
    y = x.astype(numpy.float64)
    y[:-1] += x[1:]
    for t in range(1, len(y)):
        y[t] += y[t - 1] / 2
    return y


def steps(x, places):
    y = numpy.zeros((len(x), 5))
    for row, into, to in zip(x, y, places):
        numpy.add.at(into, to, row)
    return y + numpy.cumsum(y, 0)


CASES = [
    ("Resonator", resonator, [real(3, 40), real(2) / 4]),
    ("Resonator", resonator, [real(1, 1), real(2)]),
    ("Remember", remember, [real(6, 5, 37), real(37, 37) / 6, real(5, 37)]),
    ("Remember", remember, [real(1, 2, 3), real(3, 3), real(2, 3)]),
    ("Arrivals", arrivals, [numpy.array([5, 0, 7, 1]), RANDOM.integers(0, 4, 30)]),
    ("Highest", highest, [real(7, 3, 50)]),
    ("Highest", highest, [real(9)]),
    ("Ahead", ahead, [real(6, 20)]),
    ("Steps", steps, [real(6, 8), RANDOM.integers(0, 5, (6, 8))]),
]


def main(folder):
    data = f"{folder}/test_data_set_0"
    os.makedirs(data)
    nodes, inputs, outputs, values, results = [], [], [], [], []
    for number, (operator, meaning, operands) in enumerate(CASES):
        names = [f"x{number}_{i}" for i in range(len(operands))]
        for name, value in zip(names, operands):
            inputs.append(helper.make_tensor_value_info(name, numpy_helper.from_array(value).data_type, value.shape))
        values += operands
        result = meaning(*operands)
        result = result.astype(operands[0].dtype)
        nodes.append(helper.make_node(operator, names, [f"y{number}"], domain="com.vendor", name=f"node{number}"))
        outputs.append(helper.make_tensor_value_info(f"y{number}", numpy_helper.from_array(result).data_type, result.shape))
        results.append(result)
    onnx.save(helper.make_model(helper.make_graph(nodes, "graph", inputs, outputs),
                                opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid("com.vendor", 1)]),
              f"{folder}/model.onnx")
    for kind, tensors in (("input", values), ("output", results)):
        for i, tensor in enumerate(tensors):
            with open(f"{data}/{kind}_{i}.pb", "wb") as file:
                file.write(numpy_helper.from_array(tensor).SerializeToString())


main(sys.argv[1])
