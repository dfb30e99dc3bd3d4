#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a case for each operator on the numbers at which processors differ or
trap: integers.py FOLDER.

What they must give is computed with Python's integers, which have no end, and is
cut to the element's bits.
"""

import os
import sys

import numpy

from cases import kind_of, model, node, value, write

SIGNED = [numpy.int8, numpy.int16, numpy.int32, numpy.int64]
UNSIGNED = [numpy.uint8, numpy.uint16, numpy.uint32, numpy.uint64]
INTEGERS = SIGNED + UNSIGNED


def edges(kind):
    """Numbers at the ends of a kind, and around 0."""
    about = numpy.iinfo(kind)
    near = [about.min, about.min + 1, about.max - 1, about.max, 0, 1, 2, 3, 7,
            about.bits - 1, about.bits, about.bits + 1]
    if about.min < 0:
        near += [-1, -2, -7]
    return near


def wrapped(numbers, kind):
    bits = numpy.iinfo(kind).bits
    cut = [number % (1 << bits) for number in numbers]
    unsigned = numpy.array(cut, numpy.dtype(f"uint{bits}"))
    return unsigned.view(kind)


def quotient(a, b):
    if b == 0:
        return 0
    whole = abs(a) // abs(b)
    return whole if (a < 0) == (b < 0) else -whole


def power(a, b):
    if b < 0:
        return 1 if a == 1 else (1 if b % 2 == 0 else -1) if a == -1 else 0
    return pow(a, b, 1 << 64)


def shifted(bits, left):
    def shift(a, b):
        if b >= bits:
            return 0
        return a << b if left else a >> b
    return shift


BINARY = {  # the operator, its attributes, its kinds, what it gives
    "add": ("Add", {}, INTEGERS, lambda a, b: a + b),
    "sub": ("Sub", {}, INTEGERS, lambda a, b: a - b),
    "mul": ("Mul", {}, INTEGERS, lambda a, b: a * b),
    "div": ("Div", {}, INTEGERS, quotient),
    "mod": ("Mod", {}, INTEGERS, lambda a, b: a % b if b else 0),
    "fmod": ("Mod", {"fmod": 1}, INTEGERS,
             lambda a, b: a - quotient(a, b) * b if b else 0),
    "pow": ("Pow", {}, [numpy.int32, numpy.int64], power),
    "left": ("BitShift", {"direction": "LEFT"}, UNSIGNED, None),
    "right": ("BitShift", {"direction": "RIGHT"}, UNSIGNED, None),
}
UNARY = {
    "neg": ("Neg", SIGNED, lambda a: -a),
    "abs": ("Abs", INTEGERS, abs),
    "sign": ("Sign", INTEGERS, lambda a: (a > 0) - (a < 0)),
    "not": ("BitwiseNot", INTEGERS, lambda a: ~a),
}


def binary(folder, name):
    op, attributes, kinds, rule = BINARY[name]
    nodes, inputs, outputs = [], {}, {}
    for kind in kinds:
        k = numpy.dtype(kind).name
        pairs = [(a, b) for a in edges(kind) for b in edges(kind)]
        of = rule or shifted(numpy.iinfo(kind).bits, name == "left")
        inputs[f"a_{k}"] = numpy.array([a for a, _ in pairs], kind)
        inputs[f"b_{k}"] = numpy.array([b for _, b in pairs], kind)
        outputs[f"y_{k}"] = wrapped([of(a, b) for a, b in pairs], kind)
        nodes.append(node(op, f"a_{k} b_{k}", f"y_{k}", **attributes))
    write_case(folder, nodes, inputs, outputs)


def unary(folder, name):
    op, kinds, rule = UNARY[name]
    nodes, inputs, outputs = [], {}, {}
    for kind in kinds:
        k = numpy.dtype(kind).name
        inputs[f"a_{k}"] = numpy.array(edges(kind) * 2, kind)
        outputs[f"y_{k}"] = wrapped([rule(a) for a in edges(kind) * 2], kind)
        nodes.append(node(op, f"a_{k}", f"y_{k}"))
    write_case(folder, nodes, inputs, outputs)


def nearest(number, kind):
    """A float as an integer: towards 0, the nearest that fits, 0 for NaN."""
    about = numpy.iinfo(kind)
    if numpy.isnan(number):
        return 0
    if numpy.isinf(number):
        return about.max if number > 0 else about.min
    return min(max(int(number), about.min), about.max)


def casts(folder, source):
    """Of floats to every integer, and to truth; `twice` has another node before,
    with which a backend may make one loop of it."""
    limits = [float(2) ** e for e in (7, 8, 15, 16, 31, 32, 63, 64, 70)]
    numbers = [0.0, -0.0, 0.9, -0.9, 1.5, -1.5, numpy.nan, numpy.inf, -numpy.inf]
    numbers += [sign * limit * part for limit in limits for sign in (1, -1)
                for part in (0.99, 1.0, 1.01)]
    with numpy.errstate(over="ignore"):
        x = numpy.array(numbers, source)
    nodes, outputs = [node("Neg", "x", "minus")], {}
    for kind in INTEGERS:
        k = numpy.dtype(kind).name
        for name, given, values in (("once", "x", x), ("twice", "minus", -x)):
            nodes.append(node("Cast", given, f"{name}_{k}", to=kind_of(numpy.array(0, kind))))
            outputs[f"{name}_{k}"] = numpy.array(
                [nearest(number, kind) for number in values], kind)
    nodes.append(node("Cast", "x", "truth", to=kind_of(numpy.array(False))))
    outputs["truth"] = numpy.array([bool(number != 0) for number in x])
    write_case(folder, nodes, {"x": x}, outputs)


def cuts(folder):
    """Between integers, the low bits; to truth, whether it is not 0."""
    nodes, inputs, outputs = [], {}, {}
    for source in INTEGERS:
        s = numpy.dtype(source).name
        inputs[f"x_{s}"] = numpy.array(edges(source) * 2, source)
        for kind in INTEGERS:
            name = f"y_{s}_{numpy.dtype(kind).name}"
            nodes.append(node("Cast", f"x_{s}", name, to=kind_of(numpy.array(0, kind))))
            outputs[name] = wrapped(edges(source) * 2, kind)
        nodes.append(node("Cast", f"x_{s}", f"t_{s}", to=kind_of(numpy.array(False))))
        outputs[f"t_{s}"] = numpy.array([number != 0 for number in edges(source) * 2])
    write_case(folder, nodes, inputs, outputs)


def sums(folder):
    """What adds or multiplies many, in 32 and 64 bits."""
    nodes, inputs, outputs = [], {}, {}
    for kind in (numpy.int32, numpy.int64):
        k = numpy.dtype(kind).name
        numbers = edges(kind)
        inputs[f"x_{k}"] = numpy.array(numbers, kind)
        inputs[f"o_{k}"] = numpy.array([number | 1 for number in numbers], kind)
        inputs[f"axis_{k}"] = numpy.array(0, numpy.int64)
        product, total, running = 1, 0, []
        for number in numbers:
            total += number
            running.append(total)
            product *= number | 1
        nodes += [node("ReduceSum", f"x_{k}", f"sum_{k}", keepdims=0),
                  node("ReduceProd", f"o_{k}", f"product_{k}", keepdims=0),
                  node("CumSum", f"x_{k} axis_{k}", f"running_{k}")]
        outputs[f"sum_{k}"] = wrapped([total], kind).reshape(())
        outputs[f"product_{k}"] = wrapped([product], kind).reshape(())
        outputs[f"running_{k}"] = wrapped(running, kind)
    write_case(folder, nodes, inputs, outputs)


def pools(folder):
    """Pads are below every element, also the smallest one."""
    nodes, inputs, outputs = [], {}, {}
    for kind in (numpy.int8, numpy.uint8):
        k, least = numpy.dtype(kind).name, numpy.iinfo(kind).min
        x = numpy.arange(25).reshape(5, 5) + least
        padded = numpy.pad(x, 1, constant_values=-1000)
        which = [[6, 7, 8, 9, 9], [11, 12, 13, 14, 14], [16, 17, 18, 19, 19],
                 [21, 22, 23, 24, 24], [21, 22, 23, 24, 24]]
        inputs[f"x_{k}"] = x.astype(kind)[None, None]
        outputs[f"y_{k}"] = numpy.array(
            [[padded[i:i + 3, j:j + 3].max() for j in range(5)] for i in range(5)], kind)[None, None]
        outputs[f"z_{k}"] = numpy.array(which, numpy.int64)[None, None]
        nodes.append(node("MaxPool", f"x_{k}", f"y_{k} z_{k}", kernel_shape=[3, 3], pads=[1] * 4))
    write_case(folder, nodes, inputs, outputs)


def native(folder):
    """All of it that becomes C, in one model, with the arrays as C too."""
    nodes, inputs, outputs = [], {}, {}
    for kind in (numpy.int32, numpy.int64):
        k = numpy.dtype(kind).name
        pairs = [(a, b) for a in edges(kind) for b in edges(kind)]
        inputs[f"a_{k}"] = numpy.array([a for a, _ in pairs], kind)
        inputs[f"b_{k}"] = numpy.array([b for _, b in pairs], kind)
        for name, (op, attributes, kinds, rule) in BINARY.items():
            if kind in kinds:
                nodes.append(node(op, f"a_{k} b_{k}", f"{name}_{k}", **attributes))
                outputs[f"{name}_{k}"] = wrapped([rule(a, b) for a, b in pairs], kind)
        for name, (op, kinds, rule) in UNARY.items():
            if name in ("neg", "abs", "sign"):
                nodes.append(node(op, f"a_{k}", f"{name}_{k}"))
                outputs[f"{name}_{k}"] = wrapped([rule(a) for a, _ in pairs], kind)
    write_case(folder, nodes, inputs, outputs)
    with open(os.path.join(folder, "values.inc"), "w", encoding="ascii") as file:
        for role, arrays in (("GIVE", inputs), ("TAKE", outputs)):
            for name, array in arrays.items():
                numbers = ", ".join(f"{number}u" + "ll" * (array.itemsize == 8)
                                    for number in array.view(f"u{array.itemsize}"))
                file.write(f"{role}(u{array.dtype}_t, {name}, {numbers})\n")


def write_case(folder, nodes, inputs, outputs):
    ports = [[value(name, a.shape, kind_of(a)) for name, a in arrays.items()]
             for arrays in (inputs, outputs)]
    write(folder, model(nodes, *ports), inputs, outputs)


def main():
    def place(name):
        return os.path.join(sys.argv[1], name)
    for name in BINARY:
        binary(place(name), name)
    for name in UNARY:
        unary(place(name), name)
    for source in (numpy.float16, numpy.float32, numpy.float64):
        casts(place(f"cast_{numpy.dtype(source).name}"), source)
    cuts(place("cuts"))
    sums(place("sums"))
    pools(place("pools"))
    native(place("native"))


if __name__ == "__main__":
    main()
