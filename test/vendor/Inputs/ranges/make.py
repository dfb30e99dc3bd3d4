#!/usr/bin/env python3
"""A model of the vendor's operators and its data set: make.py FOLDER, and with
`bags`, `branch`, `pairs` or `scale` behind it one that leads out of a tensor; with
`empty`, one of tensors without elements, and with a name of empty.WRONG, that case."""

import os
import sys

import empty
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

RANDOM = numpy.random.default_rng(7)


def real(*shape):
    return RANDOM.standard_normal(shape).astype(numpy.float32)


def ints(most, *shape):
    return RANDOM.integers(0, most, shape)


def turns(starts):
    """The indices of each bag: none where starts fall."""
    return [range(a, b) for a, b in zip(starts, starts[1:])]


def sums(starts, term, *shape):
    zero = numpy.zeros(shape, numpy.float32)
    return numpy.array([sum((term(j) for j in bag), zero) for bag in turns(starts)])


def spread(x, starts, scale):
    y = numpy.zeros((len(scale), *x.shape[1:]), numpy.float32)
    for row, bag in zip(x, turns(starts)):
        for j in bag:
            y[j] += row * scale[j]
    return y


def means(x, starts):
    return numpy.array([x[list(bag)].mean() + bag[0] + x[list(bag)].argmax() if bag else -1 for bag in turns(starts)])


def around(x):
    n = len(x)
    near = [sum(x[i, j] for j in range(max(i - 1, 0), min(i + 2, n))) for i in range(n)]
    return numpy.array(near) + 3 * numpy.triu(x).sum(1)


def first_ones(x, lengths):
    return numpy.where(numpy.arange(x.shape[1]) < lengths[:, None], 2 * x, x)


def running(x, begins, ends):
    y, last = [], 0
    for begin, end in zip(begins, ends):
        last = x[begin:end].sum() + last / 2
        y.append(last)
    return numpy.array(y)


def pairs(x, begins, ends, beside, lows, highs, scales, which):
    return numpy.array([x[b:e].sum() * beside[l:h].sum() * scales[w] if b < e and l < h else 0
                        for b, e, l, h, w in zip(begins, ends, lows, highs, which)])


STARTS = numpy.array([0, 3, 3, 1, 6, 7])
MANY = numpy.sort(ints(900, 61))

CASES = [
    ("RaggedSum", lambda t, r, w, s: sums(s, lambda j: w[j] * t[r[j]], 3), [real(5, 3), ints(5, 7), real(7), STARTS]),
    ("RaggedSum", lambda t, r, w, s: sums(s, lambda j: w[j] * t[r[j]], 37),
     [real(40, 37), ints(40, 900), real(900), MANY]),
    ("CsrProduct", lambda v, c, s, x: sums(s, lambda j: v[j] * x[c[j]], 2), [real(7), ints(4, 7), STARTS, real(4, 2)]),
    ("CsrProduct", lambda v, c, s, x: sums(s, lambda j: v[j] * x[c[j]], 64), [real(900), ints(50, 900), MANY, real(50, 64)]),
    ("CsrVector", lambda v, c, s, x: sums(s, lambda j: v[j] * x[c[j]]), [real(900), ints(50, 900), MANY, real(50)]),
    ("BlockSparseProduct", lambda v, c, s, x: sums(s, lambda j: v[j] @ x[c[j]], 2, 3), [real(7, 2, 4), ints(5, 7), STARTS, real(5, 4, 3)]),
    ("BlockSparseProduct", lambda v, c, s, x: sums(s, lambda j: v[j] @ x[c[j]], 8, 33),
     [real(900, 8, 8), ints(20, 900), MANY, real(20, 8, 33)]),
    ("Spread", spread, [real(5, 3), STARTS, real(9)]),
    ("Spread", spread, [real(60, 20), MANY, real(900)]),
    ("SpreadNumbers", spread, [real(60), MANY, real(900)]),
    ("SumsOfSums", lambda x, i, o: numpy.array([sum((x[list(bag)]**2).sum() for bag in turns(i)[a:b]) for a, b in zip(o, o[1:])]),
     [real(7), STARTS, numpy.array([1, 0, 2, 5])]),
    ("RaggedMax", lambda x, b, e: numpy.array([x[i:j].max(0) for i, j in zip(b, e)]),
     [real(900, 20), numpy.arange(0, 800, 90), numpy.arange(7, 807, 90)]),
    ("RaggedMean", means, [real(7), STARTS]),
    ("Around", around, [real(5, 5)]),
    ("Around", around, [real(40, 40)]),
    ("FirstOnes", first_ones, [real(3, 40), numpy.array([0, 40, 17])]),
    ("RunningSums", running, [real(7), numpy.array([0, 2, 5, 3]), numpy.array([4, 2, 7, 6])]),
    ("RowsThere", lambda t, r: numpy.where(r[:, None] < 0, 0, t[r]), [real(5, 20), numpy.array([3, -1, 0, -5])]),
    ("RowsInBranch", lambda t, r: t[r], [real(5, 20), ints(5, 4)]),
    # The first bag alone has pairs: of the others one or both are empty, and lead outside.
    ("PairSums", pairs, [real(40), numpy.array([0, 2, 5, 1, 3]), numpy.array([33, 2, 4, 4, 3]), real(50), numpy.array([1, -9, 0, 2, 7]),
                         numpy.array([44, 77, 3, 2, 99]), real(2), numpy.array([1, 5, -7, 99, 0])]),
]
OUTSIDE = {
    "bags": ("RaggedSum", lambda t, r, w, s: numpy.zeros((2, 3)), [real(5, 3), ints(5, 7), real(7), numpy.array([0, 3, 8])]),
    "branch": ("RowsInBranch", lambda *_: numpy.zeros((2, 3)), [real(5, 3), numpy.array([3, -1])]),
    "pairs": ("PairSums", lambda *_: numpy.zeros(1), [real(6), ints(1, 1), ints(1, 1) + 3, real(4), ints(1, 1) - 3, ints(1, 1), real(2), ints(1, 1)]),
    "scale": ("PairSums", lambda *_: numpy.zeros(1), [real(6), ints(1, 1), ints(1, 1) + 3, real(4), ints(1, 1), ints(1, 1) + 2, real(2), ints(1, 1) + 2]),
}


def main(folder, cases):
    data = f"{folder}/test_data_set_0"
    os.makedirs(data)
    nodes, inputs, outputs, values, results = [], [], [], [], []
    for number, (operator, meaning, operands) in enumerate(cases):
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


GIVEN = {"empty": empty.RIGHT} | {name: [case] for name, case in [*OUTSIDE.items(), *empty.WRONG.items()]}
main(sys.argv[1], GIVEN[sys.argv[2]] if sys.argv[2:] else CASES)
