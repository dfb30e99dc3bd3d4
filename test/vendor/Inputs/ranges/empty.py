"""Cases of tensors without elements: of RIGHT nothing is looked at, or what is looked at
is right; each of WRONG leads to an element that is not there."""

import numpy


def ones(*shape):
    return numpy.ones(shape, numpy.float32)


def ints(*values):
    return numpy.array(values, numpy.int64)


def zeros(*shape):
    return lambda *operands: numpy.zeros(shape)


RIGHT = [
    ("RaggedSum", zeros(2, 3), [ones(0, 3), ints(0, 0), ones(2), ints(0, 0, 0)]),
    ("RaggedSum", zeros(2, 0), [ones(4, 0), ints(0, 9), ones(2), ints(0, 9, 9)]),
    ("CsrProduct", zeros(1, 2), [ones(0), ints(), ints(0, 0), ones(0, 2)]),
    ("BlockSparseProduct", zeros(1, 2, 2), [ones(2, 2, 0), ints(0, 9), ints(0, 9), ones(4, 0, 2)]),
    ("Spread", zeros(0, 3), [ones(2, 3), ints(0, 0, 0), ones(0)]),
    ("Spread", zeros(4, 0), [ones(2, 0), ints(0, 9, 9), ones(4)]),
    ("SpreadNumbers", zeros(0), [ones(2), ints(3, 1, 1), ones(0)]),
    ("SumsOfSums", zeros(1), [ones(0), ints(0, 0), ints(0, 1)]),
    ("FirstOnes", zeros(3, 0), [ones(3, 0), ints(0, 0, 0)]),
    ("FirstOnes", zeros(0, 3), [ones(0, 3), ints()]),
    ("RunningSums", zeros(2), [ones(0), ints(0, 0), ints(0, 0)]),
    ("RunningSums", zeros(0), [ones(3), ints(), ints()]),
]
WRONG = {
    "row": ("RaggedSum", zeros(2, 3), [ones(0, 3), ints(0, 0), ones(2), ints(0, 2, 2)]),
    "column": ("CsrVector", zeros(1), [ones(2), ints(0, 0), ints(0, 2), ones(0)]),
    "block": ("BlockSparseProduct", zeros(1, 2, 2), [ones(2, 2, 3), ints(0, 0), ints(0, 2), ones(0, 3, 2)]),
    "places": ("Spread", zeros(0, 3), [ones(2, 3), ints(0, 1, 1), ones(0)]),
    "numbers": ("SpreadNumbers", zeros(0), [ones(2), ints(0, 1, 1), ones(0)]),
    "first": ("FirstOnes", zeros(3, 0), [ones(3, 0), ints(0, 5, 0)]),
    "step": ("RunningSums", zeros(2), [ones(0), ints(0, 0), ints(0, 1)]),
    "inner": ("SumsOfSums", zeros(1), [ones(0), ints(0, 1), ints(0, 1)]),
}
