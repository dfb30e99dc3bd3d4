#!/usr/bin/env python3
"""Writes cases of quantised operators: quantization.py FOLDER.

What they must give is computed here from ONNX's definitions.
"""

import os
import sys

import numpy
from onnx import helper, mapping, numpy_helper

F, I, U, W = numpy.float32, numpy.int8, numpy.uint8, numpy.int32


def column(parameter, rank, axis):
    """A parameter of each index of an axis, as it broadcasts."""
    parameter = numpy.asarray(parameter)
    if parameter.size == 1 or parameter.ndim == rank:
        return parameter.reshape(()) if parameter.size == 1 else parameter
    return parameter.reshape([-1 if i == axis else 1 for i in range(rank)])


def saturate(real, kind):
    limits = numpy.iinfo(kind)
    return numpy.clip(real, limits.min, limits.max).astype(kind)


def quantize(x, scale, zero, axis=1):
    zero = numpy.asarray(zero)
    steps = numpy.rint((x / column(scale, x.ndim, axis)).astype(F))
    return saturate(steps + column(zero, x.ndim, axis).astype(F), zero.dtype)


def dequantize(x, scale, zero, axis=1):
    steps = x.astype(W) - column(zero, x.ndim, axis).astype(W)
    return steps.astype(F) * column(scale, x.ndim, axis)


def requantize(total, factor, zero):
    return saturate(numpy.rint(total.astype(F) * factor) + F(zero), zero.dtype)


def convolve(x, w, pads=0, stride=1, group=1):
    x = numpy.pad(x.astype(W), ((0, 0), (0, 0), (pads, pads), (pads, pads)))
    sizes = [(n - k) // stride + 1 for n, k in zip(x.shape[2:], w.shape[2:])]
    result = numpy.zeros((x.shape[0], w.shape[0], *sizes), W)
    inside, outside = w.shape[1], w.shape[0] // group
    for o, i, j in numpy.ndindex(w.shape[0], *sizes):
        first = o // outside * inside
        window = x[:, first:first + inside, i * stride:i * stride + w.shape[2],
                   j * stride:j * stride + w.shape[3]]
        result[:, o, i, j] = (window * w[o].astype(W)).sum((1, 2, 3))
    return result


def dynamic(x):
    low, high = min(x.min(), F(0)), max(x.max(), F(0))
    scale = F((high - low) / F(255)) or F(1)
    zero = saturate(numpy.rint(-low / scale), U)
    return quantize(x, scale, zero), scale, zero


random = numpy.random.RandomState(7)


def real(*shape, least=-3, most=3):
    return random.uniform(least, most, shape).astype(F)


def whole(kind, *shape):
    limits = numpy.iinfo(kind)
    return random.randint(limits.min, limits.max + 1, shape).astype(kind)


def to_and_from():
    x = real(2, 3, 4, most=40, least=-40)
    # Halves, to even, and what is too large.
    halves = numpy.array([[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 400, -400]], F)
    for kind in (I, U, numpy.int16, numpy.uint16):
        name, zero = kind.__name__, numpy.array(3, kind)
        scale, scales, zeros = F(0.25), real(3, least=0.1, most=1), whole(kind, 3)
        q = whole(kind, 2, 3, 4)
        opset = {I: 13, U: 13}.get(kind, 21)
        yield f"q_{name}", "QuantizeLinear", [x, scale, zero], [quantize(x, scale, zero)], {}, opset
        yield f"q_halves_{name}", "QuantizeLinear", [halves, F(1), zero], [
            quantize(halves, F(1), zero)], {}, opset
        yield f"q_axis_{name}", "QuantizeLinear", [x, scales, zeros], [
            quantize(x, scales, zeros)], {"axis": -2}, opset
        yield f"d_{name}", "DequantizeLinear", [q, scale, zero], [dequantize(q, scale, zero)], {}, opset
        yield f"d_axis_{name}", "DequantizeLinear", [q, scales, zeros], [
            dequantize(q, scales, zeros)], {"axis": 1}, opset
    one = numpy.array([0.5], F)
    yield "q_one", "QuantizeLinear", [halves, one, numpy.array([1], U)], [
        quantize(halves, one, U(1))], {}, 10
    yield "q_plain", "QuantizeLinear", [x, F(0.5)], [quantize(x, F(0.5), U(0))], {}, 13
    yield "q_kind", "QuantizeLinear", [x, F(0.5)], [quantize(x, F(0.5), I(0))], {"output_dtype": 3}, 21
    yield "q_integers", "QuantizeLinear", [whole(I, 3, 4).astype(W), F(0.75), I(1)], None, {}, 13
    sums = whole(W, 5) // 4
    yield "d_sums", "DequantizeLinear", [sums, F(0.5)], [sums.astype(F) * F(0.5)], {}, 13
    # Blocks of 3 along an axis of 4.
    scales, zeros, q = real(2, 2, 4, least=0.1, most=1), whole(I, 2, 2, 4), whole(I, 2, 4, 4)
    spread = lambda p: p.repeat(3, 1)[:, :4]
    yield "d_blocks", "DequantizeLinear", [q, scales, zeros], [
        dequantize(q, spread(scales), spread(zeros))], {"block_size": 3, "axis": 1}, 21
    x = real(2, 4, 4)
    yield "q_blocks", "QuantizeLinear", [x, scales, zeros], [
        quantize(x, spread(scales), spread(zeros))], {"block_size": 3, "axis": 1}, 21
    for name, x in (("mixed", real(3, 4)), ("above", real(5, least=1)),
                    ("below", real(5, most=-1)), ("zero", numpy.zeros(3, F))):
        yield f"dynamic_{name}", "DynamicQuantizeLinear", [x], list(dynamic(x)), {}, 11


def products():
    for left, right in ((U, I), (I, I), (U, U)):
        name = left.__name__ + right.__name__
        a, b = whole(left, 3, 5), whole(right, 5, 4)
        za, zb, rows, columns = whole(left), whole(right), whole(left, 3), whole(right, 4)
        total = lambda p, q: (a.astype(W) - numpy.asarray(p, W)) @ (b.astype(W) - numpy.asarray(q, W))
        yield f"matmul_{name}", "MatMulInteger", [a, b, za, zb], [total(za, zb)], {}, 10
        yield f"matmul_plain_{name}", "MatMulInteger", [a, b], [total(0, 0)], {}, 10
        yield f"matmul_lines_{name}", "MatMulInteger", [a, b, rows, columns], [
            total(rows[:, None], columns)], {}, 10
        scales, y = real(4, least=0.01, most=0.02), whole(left)
        yield f"qmatmul_{name}", "QLinearMatMul", [a, F(0.03), za, b, F(0.02), zb, F(0.5), y], [
            requantize(total(za, zb), F(0.03) * F(0.02) / F(0.5), y)], {}, 10
        yield f"qmatmul_columns_{name}", "QLinearMatMul", [a, F(0.03), za, b, scales, columns, F(0.25), y], [
            requantize(total(za, columns), F(0.03) * scales / F(0.25), y)], {}, 10
        yield f"qmatmul_newer_{name}", "QLinearMatMul", [a, F(0.03), za, b, scales, columns, F(0.25), y], [
            requantize(total(za, columns), F(0.03) * scales / F(0.25), y)], {}, 21
        c = whole(I, 4).astype(W)
        yield f"qgemm_{name}", "com.microsoft.QGemm", [
            a, F(0.03), za, b.T.copy(), F(0.02), zb, c, F(0.5), y], [
            requantize(total(za, zb) + c, F(0.03) * F(0.02) / F(0.5), y)], {"transB": 1}, 1
        yield f"matmul_real_{name}", "com.microsoft.MatMulIntegerToFloat", [a, b, F(0.03), scales, za, columns], [
            total(za, columns).astype(F) * (F(0.03) * scales)], {}, 1

        x, w = whole(left, 2, 4, 6, 5), whole(right, 6, 2, 3, 3)
        zw, y = whole(right, 6), whole(left)
        sizes = {"pads": [1] * 4, "strides": [2, 2], "group": 2}
        part = lambda p, q: convolve(x.astype(W) - p, w.astype(W) - column(q, 4, 0).astype(W), 1, 2, 2)
        yield f"conv_{name}", "ConvInteger", [x, w, za, zw], [part(W(za), zw)], sizes, 10
        scales, bias = real(6, least=0.01, most=0.02), whole(I, 6).astype(W) * 9
        yield f"qconv_{name}", "QLinearConv", [x, F(0.03), za, w, scales, zw, F(0.5), y, bias], [
            requantize(part(W(za), zw) + column(bias, 4, 1), F(0.03) * column(scales, 4, 1) / F(0.5), y)], sizes, 10
    a, b = whole(U, 2, 3, 5), whole(I, 5, 4)
    rows = whole(U, 3)
    yield "matmul_batch", "MatMulInteger", [a, b, rows], [
        (a.astype(W) - rows[:, None].astype(W)) @ b.astype(W)], {}, 10
    x, bias = real(2, 3, 5), real(4)
    q, scale, zero = dynamic(x)
    yield "dynamic_matmul", "com.microsoft.DynamicQuantizeMatMul", [x, b, F(0.02), I(5), bias], [
        ((q.astype(W) - W(zero)) @ (b.astype(W) - 5)).astype(F) * (scale * F(0.02)) + bias], {}, 1


def by_reals():
    for kind in (I, U):
        name, z, y = kind.__name__, whole(kind), whole(kind)
        a, b = whole(kind, 2, 3, 4, 4), whole(kind, 3, 1, 1)
        p, q = dequantize(a, F(0.03), z), dequantize(b, F(0.05), y)
        two = [a, F(0.03), z, b, F(0.05), y, F(0.07), z]
        steps = (a.astype(F) - F(z)) * (F(0.03) / F(0.07)) + ((b.astype(F) - F(y)) * (F(0.05) / F(0.07)) + F(z))
        yield f"add_{name}", "com.microsoft.QLinearAdd", two, [saturate(numpy.rint(steps), kind)], {}, 1
        yield f"mul_{name}", "com.microsoft.QLinearMul", two, [quantize(p * q, F(0.07), z)], {}, 1
        one = [a, F(0.03), z, F(0.02), y]
        yield f"sigmoid_{name}", "com.microsoft.QLinearSigmoid", one, [
            quantize(1 / (1 + numpy.exp(-p)), F(0.02), y)], {}, 1
        yield f"leaky_{name}", "com.microsoft.QLinearLeakyRelu", one, [
            quantize(numpy.where(p < 0, F(0.1) * p, p), F(0.02), y)], {"alpha": 0.1}, 1
        mean = lambda v: v.reshape(2, 3, 2, 2, 2, 2).mean((3, 5), dtype=F)
        yield f"pool_{name}", "com.microsoft.QLinearAveragePool", one, [
            quantize(mean(p), F(0.02), y)], {"kernel_shape": [2, 2], "strides": [2, 2]}, 1
        total = (a.astype(W) - W(z)).sum((2, 3), keepdims=True)
        yield f"global_{name}", "com.microsoft.QLinearGlobalAveragePool", one, [
            requantize(total, F(0.03) / (F(0.02) * F(16)), y)], {}, 1


def packed(codes, bits):
    """Codes of the last axis in bytes, the first in the lowest bits."""
    each = 8 // bits
    codes = numpy.pad(codes, [(0, 0)] * (codes.ndim - 1) + [(0, -codes.shape[-1] % each)])
    parts = codes.reshape(*codes.shape[:-1], -1, each) << (numpy.arange(each) * bits).astype(U)
    return numpy.bitwise_or.reduce(parts, -1)


def blocks():
    """Weights of few bits, in blocks of 16."""
    a, codes, scales = real(2, 3, 20), whole(U, 5, 2, 16), real(5, 2, least=0.01, most=0.1)
    zeros, bias = whole(U, 5, 2), real(5)
    sizes = {"K": 20, "N": 5, "block_size": 16}
    order = random.randint(0, 2, 20).astype(W)
    rows, table, steps = numpy.array([[3, -1], [0, 3]], numpy.int64), whole(U, 4, 40), real(4, 3, least=0.01, most=0.1)
    points = whole(U, 4, 3)
    for bits in (2, 4, 8):
        c, z = codes >> 8 - bits, zeros >> 8 - bits
        b, middle = packed(c, bits), F(1 << bits - 1)
        product = lambda w: a @ w.reshape(5, 32)[:, :20].T
        for name, more, zero in (("plain", [], middle), ("zeros", [packed(z, bits).ravel()], z[..., None]),
                                 ("reals", [z.astype(F) + F(0.5)], z[..., None] + F(0.5))):
            y = product((c.astype(F) - zero) * scales[..., None])
            yield f"nbits_{bits}_{name}", "com.microsoft.MatMulNBits", [a, b, scales.ravel(), *more], [y], {**sizes, "bits": bits}, 1
        yield f"nbits_{bits}_bias", "com.microsoft.MatMulNBits", [a, b, scales, packed(z, bits), None, bias], [
            product((c.astype(F) - z[..., None]) * scales[..., None]) + bias], {**sizes, "bits": bits}, 1
        w = (c.reshape(5, 32)[:, :20].astype(F) - z[:, order]) * scales[:, order]
        yield f"nbits_{bits}_groups", "com.microsoft.MatMulNBits", [a, b, scales, packed(z, bits), order], [a @ w.T], {
            **sizes, "bits": bits}, 1
        t, p = table >> 8 - bits, points >> 8 - bits
        each = numpy.repeat(steps, 16, 1)[:, :40]
        for name, more, zero in (("plain", [], middle), ("zeros", [packed(p, bits)], numpy.repeat(p, 16, 1)[:, :40].astype(F))):
            yield f"gather_{bits}_{name}", "com.microsoft.GatherBlockQuantized", [packed(t, bits), rows, steps, *more], [
                ((t.astype(F) - zero) * each)[rows]], {"bits": bits, "block_size": 16}, 1
    # Blocks along the first axis, and what is taken along the second.
    few, numbers = real(2, 6, least=0.01, most=0.1), whole(U, 20, 6)
    each = numpy.repeat(few, 16, 0)[:20]
    yield "gather_columns", "com.microsoft.GatherBlockQuantized", [numbers, rows, few], [
        ((numbers.astype(F) - F(128)) * each)[:, rows]], {"bits": 8, "block_size": 16, "gather_axis": 1, "quantize_axis": 0}, 1


def large():
    parts = [(whole(U, 2, n, 3), F(0.1 * n), whole(U)) for n in (1, 3, 2)]
    joined = numpy.concatenate([dequantize(*part) for part in parts], 1)
    yield "concat", "com.microsoft.QLinearConcat", [F(0.3), U(9), *sum(parts, ())], [
        quantize(joined, F(0.3), U(9))], {"axis": 1}, 1

    x, w, bias, columns = whole(U, 2, 4, 6), whole(I, 6, 24), real(24), whole(I, 24)
    scales, mask = real(24, least=0.001, most=0.01), numpy.array([[1, 1, 1, 0], [1, 0, 1, 1]], W)
    y = ((x.astype(W) - 100) @ (w.astype(W) - columns)).astype(F) * (F(0.02) * scales) + bias
    q, k, v = y.reshape(2, 4, 3, 2, 4).transpose(2, 0, 3, 1, 4)
    scores = q @ k.swapaxes(2, 3) / 2 + (1 - mask[:, None, None]) * F(-10000)
    for name, later in (("whole", 0), ("earlier", 1)):
        s = scores + numpy.triu(numpy.full((4, 4), -10000.0), 1) * later
        power = numpy.exp(s - s.max(3, keepdims=True))
        mixed = power / power.sum(3, keepdims=True) @ v
        yield f"attention_{name}", "com.microsoft.QAttention", [
            x, w, bias, F(0.02), scales, mask, U(100), columns], [
            mixed.transpose(0, 2, 1, 3).reshape(2, 4, 8).astype(F)], {"num_heads": 2, "unidirectional": later}, 1


def write(folder, operator, inputs, outputs, attributes, opset):
    domain, _, operator = operator.rpartition(".")
    # An operand that is None is absent.
    named = {"input": [(f"x{i}", array if array is None else numpy.asarray(array))
                       for i, array in enumerate(inputs)]}
    outputs = outputs or [quantize(inputs[0].astype(F), *inputs[1:])]
    named["output"] = [(f"y{i}", array if array is None else numpy.asarray(array))
                       for i, array in enumerate(outputs)]
    lists = {word: [name if array is not None else "" for name, array in arrays]
             for word, arrays in named.items()}
    named = {word: [pair for pair in arrays if pair[1] is not None]
             for word, arrays in named.items()}
    node = helper.make_node(operator, lists["input"], lists["output"], domain=domain, **attributes)
    write_graph(folder, operator, [node], named["input"], named["output"], domain, opset)


def write_graph(folder, name, nodes, inputs, outputs, domain, opset):
    """Inputs and outputs are names and arrays."""
    named = {"input": inputs, "output": outputs}
    info = {word: [helper.make_tensor_value_info(
        name, mapping.NP_TYPE_TO_TENSOR_TYPE[array.dtype], array.shape) for name, array in arrays]
            for word, arrays in named.items()}
    graph = helper.make_graph(nodes, name, info["input"], info["output"])
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid(domain, opset)])
    open(os.path.join(folder, "model.onnx"), "wb").write(model.SerializeToString())
    for word, arrays in named.items():
        for i, (name, array) in enumerate(arrays):
            path = os.path.join(data, f"{word}_{i}.pb")
            open(path, "wb").write(numpy_helper.from_array(array, name).SerializeToString())


if __name__ == "__main__":
    for cases in (to_and_from, products, by_reals, blocks, large):
        for name, *case in cases():
            write(os.path.join(sys.argv[1], "test_" + name), *case)
