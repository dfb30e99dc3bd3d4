#!/usr/bin/env python3
"""A model of the vendor's operators and its data set: make.py FOLDER."""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

RANDOM = numpy.random.default_rng(7)

EQUAL = numpy.array([[-1, 0, 0, -3]], numpy.float32)
UNCLEAR = numpy.array([[3, numpy.nan, 5, numpy.nan], [1, 1, -1, 0]], numpy.float32)


def real(*shape):
    return RANDOM.standard_normal(shape).astype(numpy.float32)


def neighbours(x):
    return x * numpy.append(x[1:], 0)


def add_rows(x, places, rows):
    y = x.copy()
    numpy.add.at(y, places, rows)
    return y


def write_rows(x, places, rows):
    y = x.copy()
    for place, row in zip(places, rows):
        y[place] = row
    return y


def gated(x, order):
    term = x / (1 + numpy.exp(-x[:, order]))
    return numpy.maximum(term, 0).sum(1)


def longer(x):
    return numpy.where(numpy.arange(x.size) < 7, 2 * x, 0)


CASES = [
    ("TwoSums", lambda a, b, c: a.sum(1) + (b * b).sum(1) + 2 * c, [real(2, 3), real(2, 4), real(2)]),
    ("TwoSums", lambda a, b: a.sum(1) + (b * b).sum(1), [real(2, 3), real(2, 4)]),
    ("SumOfAll", lambda a, b, c: a + b + c, [real(4), real(4), real(4)]),
    ("AddRows", add_rows, [real(3, 2), numpy.array([2, 0, 2, 2]), real(4, 2)]),
    ("WriteRowsAt", write_rows, [real(3, 2), numpy.array([2, 0, 2, 2]), real(4, 2)]),
    ("WriteRowsAt", write_rows, [real(7, 33), RANDOM.integers(0, 7, 2000), real(2000, 33)]),
    ("Neighbours", neighbours, [real(6)]),
    ("Moments", lambda x: x.sum(1) + (x * x).sum(1) + x.shape[1], [real(3, 5)]),
    ("Gated", gated, [real(3, 4), numpy.array([3, 0, 0, 1])]),
    ("RowSums", lambda x: x[:, :2].sum(1), [real(3, 4)]),
    ("Longer", longer, [real(9)]),
    ("Longer", longer, [real(5)]),
    ("Chosen", lambda x, order, keep: x[order] * keep + keep,
     [real(3), numpy.array([2, 0, 1], numpy.uint16), numpy.array([True, False, True])]),
    ("Peak", lambda x: x.argmax(1) + x.max(1)**2, [real(3, 4)]),
    ("Peak", lambda x: x.argmax(1), [EQUAL]),
    ("Peak", lambda x: x.argmax(1) + x.max(1), [UNCLEAR]),
    ("LowestPlace", lambda x: numpy.array(3), [numpy.array([0, -1, 2, -1, 3], numpy.float32)]),
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
        result = meaning(*operands).astype(numpy.float32)
        nodes.append(helper.make_node(operator, names, [f"y{number}"], domain="com.vendor", name=f"node{number}"))
        outputs.append(helper.make_tensor_value_info(f"y{number}", TensorProto.FLOAT, result.shape))
        results.append(result)
    onnx.save(helper.make_model(helper.make_graph(nodes, "graph", inputs, outputs),
                                opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid("com.vendor", 1)]),
              f"{folder}/model.onnx")
    for kind, tensors in (("input", values), ("output", results)):
        for i, tensor in enumerate(tensors):
            with open(f"{data}/{kind}_{i}.pb", "wb") as file:
                file.write(numpy_helper.from_array(tensor).SerializeToString())


main(sys.argv[1])
