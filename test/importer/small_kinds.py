#!/usr/bin/env python3
"""Writes cases with elements of 4 and 8 bits: small_kinds.py FOLDER.

The package knows none of these kinds, so their numbers stand here, and what they
must give is looked up in tables of all their values.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

F = numpy.float32
INF, NAN = numpy.inf, numpy.nan
F32, I64, U4, I4 = 1, 7, 21, 22
# Bits of exponent and mantissa, the bias, the bits of the largest, and whether
# there is a negative zero and an infinity.
FLOATS = {17: (4, 3, 7, 0x7e, True, False), 18: (4, 3, 8, 0x7f, False, False),
          19: (5, 2, 15, 0x7b, True, True), 20: (5, 2, 16, 0x7f, False, False),
          23: (2, 1, 1, 0x7, True, False)}


def table(kind):
    """The values without a sign, by their bits."""
    exponents, mantissas, bias, largest, *_ = FLOATS[kind]
    bits = numpy.arange(largest + 1)
    exponent, mantissa = bits >> mantissas, bits % 2**mantissas / 2**mantissas
    return numpy.where(exponent, 2.0**(exponent - bias) * (1 + mantissa), 2.0**(1 - bias) * mantissa)


def bits_of(real, kind, saturate=True):
    """The bits of a float of few bits."""
    exponents, mantissas, _, largest, negative_zero, infinite = FLOATS[kind]
    sign = 1 << exponents + mantissas
    nan = sign - 1 if negative_zero else sign
    values, size = table(kind), abs(float(real))
    beyond = values[-1] + (values[-1] - values[-2])  # what would follow
    past = size > (values[-1] + beyond) / 2 or size == (values[-1] + beyond) / 2 and largest % 2
    mine = sign if numpy.signbit(real) else 0
    if kind == 23:
        saturate, past = True, past or numpy.isnan(real)
    elif numpy.isnan(real) or (size == INF and not negative_zero):
        return nan
    if past:
        overflow = sign - 2**mantissas if infinite else nan
        return mine | largest if saturate else overflow | mine
    near = abs(values - size)
    best = [int(i) for i in numpy.flatnonzero(near == near.min())]
    chosen = next((i for i in best if i % 2 == 0), best[0])
    return chosen | mine if chosen or negative_zero else 0


def value_of(bits, kind):
    exponents, mantissas, _, largest, _, _ = FLOATS[kind]
    sign = 1 << exponents + mantissas
    size = table(kind)[bits % sign]
    return -size if bits & sign else size


def packed(codes):
    """Two of 4 bits to a byte, the first in the lower half."""
    low = [int(code) & 15 for code in codes] + [0] * (len(codes) % 2)
    return bytes(a | b << 4 for a, b in zip(low[::2], low[1::2]))


def tensor(name, kind, dims, codes, numbers=False):
    codes = numpy.asarray(codes).ravel()
    raw = packed(codes) if kind in (U4, I4, 23) else bytes(int(code) & 255 for code in codes)
    data = {"int32_data": list(raw)} if numbers else {"raw_data": raw}
    return TensorProto(name=name, data_type=kind, dims=dims, **data)


def array(name, values, kind=F):
    return numpy_helper.from_array(numpy.asarray(values, kind), name)


CASES = {}


def case(name, nodes, inputs, outputs, weights=(), opset=21):
    CASES[name] = (nodes, inputs, outputs, list(weights), opset)


def one(operator, inputs, **attributes):
    return [helper.make_node(operator, inputs.split(), ["y"], **attributes)]


NUMBERS = [-8, 7, -1, 3, 0]
case("int4", one("Cast", "w", to=F32), [], [array("y", NUMBERS)], [tensor("w", I4, [5], NUMBERS)])
case("int4_numbers", one("Cast", "w", to=I64), [], [array("y", NUMBERS, numpy.int64)],
     [tensor("w", I4, [5], NUMBERS, numbers=True)])
case("uint4", one("Cast", "x", to=F32), [tensor("x", U4, [3], [15, 0, 9])], [array("y", [15, 0, 9])])
case("to_int4", one("Cast", "x", to=I4), [array("x", [-9, -3.5, 2.9, 8, NAN])], [tensor("y", I4, [5], [-8, -3, 2, 7, 0])])
case("to_uint4", one("Cast", "x", to=U4), [array("x", [17, 3], numpy.int64)], [tensor("y", U4, [2], [1, 3])])
case("moved", [helper.make_node("Reshape", ["x", "s"], ["r"]), helper.make_node("Transpose", ["r"], ["t"], perm=[1, 0]),
               helper.make_node("Identity", ["t"], ["y"])],
     [tensor("x", I4, [6], [1, -2, 3, -4, 5, -6])], [tensor("y", I4, [3, 2], [1, -4, -2, 5, 3, -6])],
     [array("s", [2, 3], numpy.int64)])

REALS = F([0, -0.0, 1, -1.0625, 1.1875, 447, 460, 470, 240, 250, -60000, 65536, 1e9, 2**-9, 2**-10, 3 * 2**-11, -2**-17,
           -2**-18, 1e-9, INF, -INF, NAN])
for kind in FLOATS:
    for saturate in (1, 0):
        case(f"to_{kind}_{saturate}", one("Cast", "x", to=kind, saturate=saturate), [array("x", REALS)],
             [tensor("y", kind, REALS.shape, [bits_of(x, kind, saturate) for x in REALS])], opset=19 if kind < 21 else 23)
    some = [1, 2, 5, FLOATS[kind][3]]
    case(f"from_{kind}", one("Cast", "w", to=F32), [], [array("y", [value_of(b, kind) for b in some])],
         [tensor("w", kind, [4], some)], opset=23)
    case(f"like_{kind}", one("CastLike", "x w"), [array("x", [1e9, 0.5, 3])],
         [tensor("y", kind, [3], [bits_of(x, kind) for x in (1e9, 0.5, 3)])], [tensor("w", kind, [1], [1])], opset=23)
case("from_one_to_another", one("Cast", "x", to=17), [tensor("x", 19, [2], [0x7b, 0x40])],
     [tensor("y", 17, [2], [0x7e, 0x40])], opset=19)
case("of_integers", one("Cast", "x", to=20), [array("x", [3, -70000], numpy.int64)],
     [tensor("y", 20, [2], [bits_of(3, 20), bits_of(-70000, 20)])], opset=19)

X = F([[-3, 0.4, 2.6, 9], [0.5, -7, 1.5, 40]])
ROWS = F([0.5, 2])


def steps(x, scale, zero, low, high):
    return numpy.clip(numpy.rint(x / scale) + zero, low, high)


case("quantize_uint4", one("QuantizeLinear", "x s z"), [array("x", X)],
     [tensor("y", U4, X.shape, steps(X, F(0.5), 3, 0, 15))], [array("s", 0.5), tensor("z", U4, [], [3])])
case("quantize_rows", one("QuantizeLinear", "x s z", axis=0), [array("x", X)],
     [tensor("y", I4, X.shape, steps(X, ROWS[:, None], F([[1], [-2]]), -8, 7))], [array("s", ROWS), tensor("z", I4, [2], [1, -2])])
blocks = F([[0.5, 2], [1, 4]])
case("quantize_blocks", one("QuantizeLinear", "x s", axis=1, block_size=2, output_dtype=I4), [array("x", X)],
     [tensor("y", I4, X.shape, steps(X, blocks.repeat(2, 1), 0, -8, 7))], [array("s", blocks)])
codes = numpy.array([[-8, 7, 3, -1], [0, 5, -6, 2]])
case("dequantize_blocks", one("DequantizeLinear", "w s z", axis=1, block_size=2), [],
     [array("y", (codes - numpy.array([[1, -1], [0, 2]]).repeat(2, 1)) * blocks.repeat(2, 1))],
     [tensor("w", I4, codes.shape, codes), array("s", blocks), tensor("z", I4, [2, 2], [1, -1, 0, 2])])
case("dequantize_uint4", one("DequantizeLinear", "w s z"), [], [array("y", (codes + 8 - 3) * 0.5)],
     [tensor("w", U4, codes.shape, codes + 8), array("s", 0.5), tensor("z", U4, [], [3])])
for kind in (17, 20):
    case(f"quantize_{kind}", one("QuantizeLinear", "x s z", axis=0), [array("x", X * 100)],
         [tensor("y", kind, X.shape, [bits_of(x, kind) for x in (X * 100 / ROWS[:, None]).ravel()])],
         [array("s", ROWS), tensor("z", kind, [2], [0, 0])], opset=19)
    held = [1, 0x30, 0x41, 0x7e]
    case(f"dequantize_{kind}", one("DequantizeLinear", "w s"), [], [array("y", [value_of(b, kind) * 0.5 for b in held])],
         [tensor("w", kind, [4], held), array("s", 0.5)], opset=19)
case("quantize_17_unsaturated", one("QuantizeLinear", "x s z", saturate=0), [array("x", [500, -900, 3])],
     [tensor("y", 17, [3], [0x7f, 0xff, bits_of(3, 17)])], [array("s", 1), tensor("z", 17, [], [0])], opset=19)


def write(folder, nodes, inputs, outputs, weights, opset):
    data = f"{folder}/test_data_set_0"
    os.makedirs(data)
    ports = [[helper.make_tensor_value_info(t.name, t.data_type, list(t.dims)) for t in side] for side in (inputs, outputs)]
    graph = helper.make_graph(nodes, "graph", *ports, weights)
    with open(f"{folder}/model.onnx", "wb") as file:
        file.write(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)]).SerializeToString())
    for direction, tensors in (("input", inputs), ("output", outputs)):
        for i, value in enumerate(tensors):
            with open(f"{data}/{direction}_{i}.pb", "wb") as file:
                file.write(value.SerializeToString())


for name, parts in CASES.items():
    write(f"{sys.argv[1]}/{name}", *parts)
