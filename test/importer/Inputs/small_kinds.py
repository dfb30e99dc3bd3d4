#!/usr/bin/env python3
"""Writes cases with elements of 2, 4, 6 and 8 bits: small_kinds.py FOLDER.

The package knows none of these kinds, so their numbers stand here, and what they
must give is looked up in tables of all their values.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

F = numpy.float32
INF, NAN = numpy.inf, numpy.nan
F32, I64, U4, I4, E8M0, U2, I2 = 1, 7, 21, 22, 24, 25, 26
WIDTHS = {U4: 4, I4: 4, 23: 4, U2: 2, I2: 2, 27: 6, 28: 6}
# Bits of exponent and mantissa, the bias, the bits of the largest, and whether
# there is a negative zero and an infinity.
FLOATS = {17: (4, 3, 7, 0x7e, True, False), 18: (4, 3, 8, 0x7f, False, False),
          19: (5, 2, 15, 0x7b, True, True), 20: (5, 2, 16, 0x7f, False, False),
          23: (2, 1, 1, 0x7, True, False), 27: (2, 3, 1, 0x1f, True, False), 28: (3, 2, 3, 0x1f, True, False)}
NO_NAN = (23, 27, 28)


def table(kind):
    """The values without a sign, by their bits."""
    exponents, mantissas, bias, largest, *_ = FLOATS[kind]
    bits = numpy.arange(largest + 1)
    exponent, mantissa = bits >> mantissas, bits % 2**mantissas / 2**mantissas
    return numpy.where(exponent, 2.0**(exponent - bias) * (1 + mantissa), 2.0**(1 - bias) * mantissa)


def bits_of(real, kind, saturate=True, opset=19):
    """The bits of a float of few bits. Infinity is too large since opset 24 only."""
    exponents, mantissas, _, largest, negative_zero, infinite = FLOATS[kind]
    sign = 1 << exponents + mantissas
    nan = sign - 1 if negative_zero else sign
    values, size = table(kind), abs(float(real))
    beyond = values[-1] + (values[-1] - values[-2])  # what would follow
    past = size > (values[-1] + beyond) / 2 or size == (values[-1] + beyond) / 2 and largest % 2
    mine = sign if numpy.signbit(real) else 0
    if kind in NO_NAN:
        saturate, past = True, past or numpy.isnan(real)
    elif numpy.isnan(real) or (size == INF and not negative_zero and opset < 24):
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


def power_bits(real, rounding="up", saturate=True):
    """The bits of a power of two."""
    size = abs(float(real))
    if not numpy.isfinite(size):
        return 255
    powers = 2.0**numpy.arange(-127, 129)
    if rounding == "up":
        bits = numpy.searchsorted(powers, size)
    elif rounding == "down":
        bits = max(numpy.searchsorted(powers, size, side="right") - 1, 0)
    else:
        bits = numpy.searchsorted(1.5 * powers, size, side="right")
    return min(int(bits), 254 if saturate else 255)


def packed(codes, width):
    """One behind the other, the first in the lowest bits."""
    bits = sum((int(code) & (1 << width) - 1) << width * i for i, code in enumerate(codes))
    return bits.to_bytes((len(codes) * width + 7) // 8, "little")


def tensor(name, kind, dims, codes, numbers=False):
    codes = numpy.asarray(codes).ravel()
    width = WIDTHS.get(kind, 8)
    raw = packed(codes, width)
    # A number of the other field holds two of 4 bits, but one of 6.
    data = {"int32_data": list(packed(codes, 8) if width == 6 else raw)} if numbers else {"raw_data": raw}
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
LINE = numpy.arange(21) % 16 - 8
case("line", one("Cast", "w", to=F32), [], [array("y", LINE)], [tensor("w", I4, [21], LINE)])
case("uint4", one("Cast", "x", to=F32), [tensor("x", U4, [3], [15, 0, 9])], [array("y", [15, 0, 9])])
# The nearest, of two the even one, and its low bits.
case("to_int4", one("Cast", "x", to=I4), [array("x", [-9, -3.5, 2.9, 8, NAN, 0.5, 1.5])],
     [tensor("y", I4, [7], [7, -4, 3, -8, 0, 0, 2])])
case("to_int2", one("Cast", "x", to=I2), [array("x", [-2, -1.5, 0.6, 3, 1.5], numpy.float16)],
     [tensor("y", I2, [5], [-2, -2, 1, -1, -2])], opset=25)
case("int2", one("Cast", "w", to=F32), [], [array("y", [-2, 1, -1, 0, 1])], [tensor("w", I2, [5], [-2, 1, -1, 0, 1])], opset=25)
case("uint2", one("Cast", "w", to=I64), [], [array("y", [3, 0, 1, 2, 3], numpy.int64)],
     [tensor("w", U2, [5], [3, 0, 1, 2, 3], numbers=True)], opset=25)
case("int4_to_int2", one("Cast", "x", to=I2), [tensor("x", I4, [3], [-8, 7, 2])], [tensor("y", I2, [3], [0, -1, -2])], opset=25)
case("f8_to_int4", one("Cast", "x", to=I4), [tensor("x", 17, [3], [bits_of(v, 17) for v in (2.5, -3.5, 6)])],
     [tensor("y", I4, [3], [2, -4, 6])], opset=21)
case("to_uint4", one("Cast", "x", to=U4), [array("x", [17, 3], numpy.int64)], [tensor("y", U4, [2], [1, 3])])
case("moved", [helper.make_node("Reshape", ["x", "s"], ["r"]), helper.make_node("Transpose", ["r"], ["t"], perm=[1, 0]),
               helper.make_node("Identity", ["t"], ["y"])],
     [tensor("x", I4, [6], [1, -2, 3, -4, 5, -6])], [tensor("y", I4, [3, 2], [1, -4, -2, 5, 3, -6])],
     [array("s", [2, 3], numpy.int64)])

REALS = F([0, -0.0, 1, -1.0625, 1.1875, 447, 460, 470, 240, 250, -60000, 65536, 1e9, 2**-9, 2**-10, 3 * 2**-11, -2**-17,
           -2**-18, 1e-9, INF, -INF, NAN])
OPSETS = {23: 23, 27: 28, 28: 28}
for kind in FLOATS:
    for saturate in (1, 0):
        case(f"to_{kind}_{saturate}", one("Cast", "x", to=kind, saturate=saturate), [array("x", REALS)],
             [tensor("y", kind, REALS.shape, [bits_of(x, kind, saturate) for x in REALS])], opset=OPSETS.get(kind, 19))
    some = [1, 2, 5, FLOATS[kind][3]]
    case(f"from_{kind}", one("Cast", "w", to=F32), [], [array("y", [value_of(b, kind) for b in some])],
         [tensor("w", kind, [4], some)], opset=OPSETS.get(kind, 23))
    case(f"like_{kind}", one("CastLike", "x w"), [array("x", [1e9, 0.5, 3])],
         [tensor("y", kind, [3], [bits_of(x, kind) for x in (1e9, 0.5, 3)])], [tensor("w", kind, [1], [1])], opset=OPSETS.get(kind, 23))
case("from_one_to_another", one("Cast", "x", to=17), [tensor("x", 19, [2], [0x7b, 0x40])],
     [tensor("y", 17, [2], [0x7e, 0x40])], opset=19)
ENDS = F([INF, -INF, NAN, 1e9, -1e9, 1])
for kind in (17, 18, 19, 20):
    for saturate in (1, 0):
        for opset in (19, 23, 24):
            codes = [bits_of(x, kind, saturate, opset) for x in ENDS]
            case(f"ends_{kind}_{saturate}_{opset}",
                 [helper.make_node("Cast", ["x"], ["y"], to=kind, saturate=saturate),
                  helper.make_node("CastLike", ["x", "w"], ["l"], saturate=saturate),
                  helper.make_node("QuantizeLinear", ["x", "s", "w"], ["q"], saturate=saturate)],
                 [array("x", ENDS)], [tensor(name, kind, ENDS.shape, codes) for name in "ylq"],
                 [tensor("w", kind, [], [0]), array("s", 1)], opset=opset)
SIZES = F([0, 1, 0.124, 1.1, 1.4999999, 1.5, 1.9999999, 2, -3, 2**-126, 2.0**127, 3e38, INF, NAN])
for rounding in ("up", "down", "nearest"):
    for saturate in (1, 0):
        case(f"to_power_{rounding}_{saturate}", one("Cast", "x", to=E8M0, round_mode=rounding, saturate=saturate),
             [array("x", SIZES)], [tensor("y", E8M0, SIZES.shape, [power_bits(x, rounding, saturate) for x in SIZES])], opset=25)
case("from_power", one("Cast", "w", to=F32), [], [array("y", F([2**-127, 1, 2.0**127, NAN]))],
     [tensor("w", E8M0, [4], [0, 127, 254, 255])], opset=25)
case("like_power", one("CastLike", "x w", round_mode="down"), [array("x", [3, 4])], [tensor("y", E8M0, [2], [128, 129])],
     [tensor("w", E8M0, [1], [1])], opset=25)
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
case("quantize_uint2", one("QuantizeLinear", "x s z"), [array("x", X)],
     [tensor("y", U2, X.shape, steps(X, F(2), 1, 0, 3))], [array("s", 2), tensor("z", U2, [], [1])], opset=25)
case("dequantize_int2", one("DequantizeLinear", "w s"), [], [array("y", [-4, 2, 0, -2])],
     [tensor("w", I2, [4], [-2, 1, 0, -1]), array("s", 2)], opset=25)
# Blocks of MX: powers of two as scales of floats of 4 bits, and a half block at the end.
fours = [0x7, 0xf, 0x1, 0xa, 0x3, 0x4]
case("dequantize_powers", one("DequantizeLinear", "w s", axis=1, block_size=2, output_dtype=1), [],
     [array("y", F([[6 * 4, -6 * 4, 0.5 * 0.5], [-1 * 8, 1.5 * 8, 2]]))],
     [tensor("w", 23, [2, 3], fours), tensor("s", E8M0, [2, 2], [129, 126, 130, 127])], opset=25)
case("quantize_powers", one("QuantizeLinear", "x s", axis=1, block_size=2, output_dtype=23),
     [array("x", F([[24, -40, 0.3], [-8, 12, 2]]))], [tensor("y", 23, [2, 3], [0x7, 0xf, 0x1, 0xa, 0x3, 0x4])],
     [tensor("s", E8M0, [2, 2], [129, 126, 130, 127])], opset=25)
case("quantize_half", one("QuantizeLinear", "x s", output_dtype=17), [array("x", X, numpy.float16)],
     [tensor("y", 17, X.shape, [bits_of(x, 17) for x in (X.astype(numpy.float16) / numpy.float16(0.25)).ravel()])],
     [array("s", 0.25, numpy.float16)], opset=23)
case("dequantize_half", one("DequantizeLinear", "w s z", axis=0, output_dtype=10), [],
     [array("y", [[0.5, 1], [2, 4]], numpy.float16)],
     [tensor("w", 19, [2, 2], [bits_of(v, 19) for v in (1, 2, 1, 2)]), array("s", [0.5, 2], numpy.float16),
      tensor("z", 19, [2], [0, 0])], opset=23)
SIXES = [1, 0x3f, 0x22, 0x15, 0x2a]
for kind in (27, 28):
    case(f"six_{kind}", one("Cast", "w", to=F32), [], [array("y", [value_of(b, kind) for b in SIXES])],
         [tensor("w", kind, [5], SIXES, numbers=True)], opset=28)
    case(f"move_six_{kind}", [helper.make_node("Reshape", ["x", "s"], ["r"]), helper.make_node("Transpose", ["r"], ["t"], perm=[1, 0]),
                              helper.make_node("Identity", ["t"], ["y"])],
         [tensor("x", kind, [6], SIXES + [0])], [tensor("y", kind, [3, 2], [1, 0x15, 0x3f, 0x2a, 0x22, 0])],
         [array("s", [2, 3], numpy.int64)], opset=28)
    case(f"quantize_{kind}", one("QuantizeLinear", "x s", axis=1, block_size=2, output_dtype=kind), [array("x", X)],
         [tensor("y", kind, X.shape, [bits_of(x, kind) for x in (X / blocks.repeat(2, 1)).ravel()])], [array("s", blocks)], opset=28)
    case(f"dequantize_{kind}", one("DequantizeLinear", "w s", axis=1, block_size=2, output_dtype=1), [],
         [array("y", [[value_of(b, kind) * s for b, s in zip(SIXES, (4, 4, .5))]])],
         [tensor("w", kind, [1, 3], SIXES[:3]), tensor("s", E8M0, [1, 2], [129, 126])], opset=28)
for kind in (17, 20):
    case(f"quantize_{kind}", one("QuantizeLinear", "x s z", axis=0), [array("x", X * 100)],
         [tensor("y", kind, X.shape, [bits_of(x, kind) for x in (X * 100 / ROWS[:, None]).ravel()])],
         [array("s", ROWS), tensor("z", kind, [2], [0, 0])], opset=19)
    held = [1, 0x30, 0x41, 0x7e]
    case(f"dequantize_{kind}", one("DequantizeLinear", "w s"), [], [array("y", [value_of(b, kind) * 0.5 for b in held])],
         [tensor("w", kind, [4], held), array("s", 0.5)], opset=19)
case("quantize_17_unsaturated", one("QuantizeLinear", "x s z", saturate=0), [array("x", [500, -900, 3])],
     [tensor("y", 17, [3], [0x7f, 0xff, bits_of(3, 17)])], [array("s", 1), tensor("z", 17, [], [0])], opset=19)
for kind in (17, 19, 20):
    left, right = F([[1, -2, 0.5], [4, 8, -1]]), F([[2, 1], [-4, 0.25], [1, 64]])
    for name, scales, columns in (("one", F(0.5), F(2)), ("each", F([0.5, 2]), F([1, 4]))):
        product = (left * scales.reshape(-1, 1)) @ (right * columns) / F(0.25)
        case(f"product_{kind}_{name}", one("QLinearMatMul", "a s z b c z t z"),
             [tensor("a", kind, [2, 3], [bits_of(v, kind) for v in left.ravel()]),
              tensor("b", kind, [3, 2], [bits_of(v, kind) for v in right.ravel()])],
             [tensor("y", kind, [2, 2], [bits_of(v, kind) for v in product.ravel()])],
             [array("s", scales), array("c", columns), array("t", 0.25), tensor("z", kind, [], [0])])


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


def refuse(name, weight, nodes=None):
    graph = helper.make_graph(nodes or one("Cast", "w", to=F32), "graph", [],
                              [helper.make_tensor_value_info("y", F32, None)], [weight])
    with open(f"{sys.argv[1]}/{name}.onnx", "wb") as file:
        file.write(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)]).SerializeToString())


for name, parts in CASES.items():
    write(f"{sys.argv[1]}/cases/{name}", *parts)
refuse("short", TensorProto(name="w", data_type=I4, dims=[5], raw_data=b"12"))
refuse("long", TensorProto(name="w", data_type=U2, dims=[4], raw_data=b"12"))
refuse("torn", TensorProto(name="w", data_type=27, dims=[3], raw_data=b"12"))
refuse("few", TensorProto(name="w", data_type=U4, dims=[3], int32_data=[1]))
refuse("many", TensorProto(name="w", data_type=17, dims=[2], int32_data=[1, 2, 3]))
refuse("rounding", tensor("w", 1, [0], []), one("Cast", "w", to=E8M0, round_mode="sideways"))
refuse("sum", tensor("w", I4, [2], [1, 2]), one("Add", "w w"))
numpy.save(f"{sys.argv[1]}/six.npy", numpy.array([1, -2, 3, -4, 5, -6], numpy.int8))
numpy.save(f"{sys.argv[1]}/wide.npy", numpy.array([1, -2, 3, -4, 5, 9], numpy.int8))
numpy.save(f"{sys.argv[1]}/bits.npy", numpy.array([0x7b, 0x40], numpy.uint8))
