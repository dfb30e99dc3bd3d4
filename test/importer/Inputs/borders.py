#!/usr/bin/env python3
"""Writes cases at the borders of what operators are defined for: empty tensors, sums
of 0, integers that no f64 holds, axes that repeat: borders.py FOLDER.

What they must give is computed here, with numpy.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper
from microsoft import softmax
from newer import smoothed
from quantization import F, quantize, write, write_graph

random = numpy.random.RandomState(6)
I, L = numpy.int32, numpy.int64
B = numpy.bool_
MS = "com.microsoft."


def real(*shape):
    return random.uniform(-2, 2, shape).astype(F)


def parts(x):
    return numpy.stack([x.real, x.imag], -1).astype(F)


def signals():
    for n in (8, 7):
        x = real(2, n, 3)
        half = numpy.fft.rfft(x, axis=1)
        length = numpy.array(n, L)
        yield f"irfft_{n}", "DFT", [parts(half), length, numpy.array(1, L)], [x[..., None]], {"inverse": 1, "onesided": 1}, 20
        yield f"irfft_early_{n}", "DFT", [parts(half), length], [x[..., None]], {"inverse": 1, "onesided": 1, "axis": 1}, 17
        if n == 8:
            yield "irfft_plain", "DFT", [parts(half), None, numpy.array(-3, L)], [x[..., None]], {"inverse": 1, "onesided": 1}, 20
        for other in (4, 12):
            yield f"irfft_{n}_{other}", "DFT", [parts(half), numpy.array(other, L), numpy.array(1, L)], [
                numpy.fft.irfft(half, other, 1)[..., None].astype(F)], {"inverse": 1, "onesided": 1}, 20
    x, window = real(2, 20), real(8)
    pieces = numpy.stack([x[:, i:i + 8] * window for i in range(0, 13, 4)], 1)
    yield "stft", "STFT", [x, numpy.array(4, L), window], [parts(numpy.fft.rfft(pieces))], {}, 17
    yield "stft_whole", "STFT", [x, numpy.array(4, L), window], [parts(numpy.fft.fft(pieces))], {"onesided": 0}, 17


def norms():
    x = real(3, 4)
    x[1] = 0
    yield "zero_norm", "LpNormalization", [x], [x / numpy.maximum(numpy.sqrt((x * x).sum(1, keepdims=True)), F(1e-30))], {}, 22
    yield "zero_sum", "LpNormalization", [x], [x / numpy.maximum(abs(x).sum(1, keepdims=True), F(1e-30))], {"p": 1}, 1
    image = real(2, 3, 4)
    for size in (5, 7, 2**31, 2**62):
        reach = min(size, 9) // 2
        squares = numpy.stack([(image[:, max(c - (min(size, 9) - 1) // 2, 0):c + reach + 1] ** 2).sum(1) for c in range(3)], 1)
        yield f"lrn_{size}", "LRN", [image], [image / (1 + squares * 0.5) ** F(0.75)], {"size": size, "alpha": 0.5 * size}, 13
    yield "lrn_none", "LRN", [real(2, 0, 4)], [real(2, 0, 4)], {"size": 3}, 13
    yield "lrn_no_pixel", "LRN", [real(2, 3, 0)], [real(2, 3, 0)], {"size": 3}, 13
    # Where no weight is left, none is divided by their sum; with a = 4 that is so half-way.
    line = F([[[3, 5]]])
    for smooth in (0, 1):
        yield f"cubic_{smooth}", "Resize", [line[..., :1], None, F([1, 1, 4])], [F([[[3, 3, 0, 3]]])], {
            "mode": "cubic", "exclude_outside": 1, "cubic_coeff_a": 4.0, "antialias": smooth,
            "coordinate_transformation_mode": "asymmetric"}, 18


def integers():
    near = 2**62 + 1
    for name, ends in {"far": (near, near + 5, 2), "down": (-near, -near - 7, -3), "small": (3, 10, 2), "none": (near, near, 1),
                       "wide": (-2**63, 2**63 - 1, 2**62), "wide_down": (2**63 - 1, -2**63, -2**62 - 1),
                       "times": (1700000000123456789, 1700000000123456789 + 3000000001, 1000000000)}.items():
        values = numpy.array(list(range(*ends)), L)
        yield f"range_{name}", "Range", [numpy.array(end, L) for end in ends], [values], {}, 11
    yield "range_int32", "Range", [numpy.array(end, I) for end in (-2**31, 2**31 - 1, 2**30)], [
        numpy.arange(-2**31, 2**31 - 1, 2**30, dtype=L).astype(I)], {}, 11
    times = numpy.array([[1700000000123456789, -2**63], [2**63 - 1, 0]], L)
    for name, value in (("least", -2**63), ("most", 2**63 - 1), ("time", 1700000000123456789)):
        yield f"pad_{name}", "Pad", [times, numpy.array([1, 0, 0, 2], L), numpy.array(value, L)], [
            numpy.pad(times, ((1, 0), (0, 2)), constant_values=value)], {}, 13
    for kind in (L, I, numpy.int8, numpy.uint8, numpy.uint64):
        x = numpy.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 0, 0]]).astype(kind) + kind(numpy.iinfo(kind).max - 1)
        for operator, x in (("ArgMax", x), ("ArgMin", kind(numpy.iinfo(kind).min) + (kind(numpy.iinfo(kind).max) - x))):
            yield f"{operator}_{kind.__name__}", operator, [x], [numpy.array([[1], [0], [0]], L)], {"axis": 1}, 13
            yield f"{operator}_last_{kind.__name__}", operator, [x], [numpy.array([3, 2, 3], L)], {
                "axis": 1, "keepdims": 0, "select_last_index": 1}, 13
    yield "pad_edge_far", "Pad", [times, numpy.array([1, 0, 0, 2], L)], [numpy.pad(times, ((1, 0), (0, 2)), "edge")], {"mode": "edge"}, 13


def empty():
    none = real(0, 3)
    for mode in ("edge", "reflect", "wrap"):
        yield f"pad_{mode}_none", "Pad", [none, numpy.array([0, 2, 0, 1], L)], [real(0, 6)], {"mode": mode}, 19
    yield "pad_none", "Pad", [none, numpy.array([1, 0, 0, 1], L), F(2)], [numpy.full((1, 4), 2, F)], {}, 13
    for mode in ("nearest", "linear", "cubic"):
        for smooth in (0, 1):
            yield f"resize_{mode}_{smooth}", "Resize", [real(0, 2, 3), None, F([2, 1.5, 0.5])], [real(0, 3, 1)], {
                "mode": mode, "antialias": smooth}, 18
        yield f"resize_to_none_{mode}", "Resize", [real(2, 3), None, None, numpy.array([4, 0], L)], [real(4, 0)], {"mode": mode}, 18
        yield f"resize_sizes_{mode}", "Resize", [none, None, None, numpy.array([0, 5], L)], [real(0, 5)], {"mode": mode}, 18
    yield "crop_none", "Resize", [none, F([0, 0.25, 1, 0.75]), None, numpy.array([0, 5], L)], [real(0, 5)], {
        "mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}, 18
    yield "arg_max_none", "ArgMax", [real(2, 3, 0)], [numpy.zeros((2, 1, 0), L)], {"axis": 1}, 13
    yield "upsample_none", "Upsample", [real(1, 0, 2), F([1, 2, 2])], [real(1, 0, 4)], {}, 9
    for shape in ((0, 3), (2, 0), (2, 0, 3)):
        for operator in ("Hardmax", "Softmax", "LogSoftmax"):
            yield f"{operator}_{'x'.join(map(str, shape))}", operator, [real(*shape)], [real(*shape)], {"axis": 1}, 13


def repeated():
    x, y = real(1, 4, 2, 3), real(5, 1, 3, 6)
    yield "dots", "Einsum", [x, y], [x @ y], {"equation": "...ij,...jk->...ik"}, 12
    yield "dots_fewer", "Einsum", [real(1, 2, 3), y], None, {"equation": "...ij,...jk->...ik"}, 12
    yield "dots_three", "Einsum", [real(1, 3), real(2, 1), real(2, 3)], None, {"equation": "...,...,...->..."}, 12
    yield "dots_empty", "Einsum", [real(1, 3), real(0, 3)], None, {"equation": "...i,...i->..."}, 12
    yield "one", "Einsum", [real(2, 1), real(2, 3)], None, {"equation": "ij,ij->ij"}, 12
    yield "one_summed", "Einsum", [real(2, 1), real(2, 3)], None, {"equation": "ij,ij->i"}, 12


def truth():
    x = random.rand(3, 4, 2) < 0.5
    x[0], x[1] = False, True
    for axes in ((0,), (1,), (1, 2)):
        given = numpy.array(axes, L)
        yield f"any_{len(axes)}{axes[0]}", "ReduceMax", [x, given], [x.any(axes, keepdims=True)], {}, 20
        yield f"all_{len(axes)}{axes[0]}", "ReduceMin", [x, given], [x.all(axes)], {"keepdims": 0}, 20
    none = numpy.zeros((2, 0), B)
    yield "any_none", "ReduceMax", [none, L([1])], [none.any(1)], {"keepdims": 0}, 20
    yield "all_none", "ReduceMin", [none, L([1])], [none.all(1)], {"keepdims": 0}, 20


def products():
    a, b = real(2, 3, 4, 5), real(2, 3, 5, 6)
    first = lambda x: numpy.moveaxis(x, 2, 0)  # rows before the batch
    flip = lambda x: x.swapaxes(2, 3)
    y = a @ b
    for name, left, right, given in (
            ("a", first(a), b, {"transBatchA": 1}), ("b", a, first(b), {"transBatchB": 1}),
            ("both", first(a), first(b), {"transBatchA": 1, "transBatchB": 1}),
            ("turned", first(flip(a)), first(flip(b)), {"transA": 1, "transB": 1, "transBatchA": 1, "transBatchB": 1})):
        yield f"batch_{name}", MS + "FusedMatMul", [numpy.ascontiguousarray(left), numpy.ascontiguousarray(right)], [2 * y], {
            "alpha": 2.0, **given}, 1
    m = real(2, 4, 4) + 3 * numpy.eye(4, dtype=F)
    m[1] = m[1][::-1]  # needs other rows as pivots
    for kind in (F, numpy.float64, numpy.float16):
        yield f"inverse_{kind.__name__}", MS + "Inverse", [m.astype(kind)], [
            numpy.linalg.inv(m.astype(kind).astype(numpy.float64)).astype(kind)], {}, 1
    yield "inverse_one", MS + "Inverse", [F([[4]])], [F([[0.25]])], {}, 1
    yield "inverse_none", MS + "Inverse", [real(0, 3, 3)], [real(0, 3, 3)], {}, 1
    yield "inverse_empty", MS + "Inverse", [real(2, 0, 0)], [real(2, 0, 0)], {}, 1
    code = random.randint(0, 255, (2, 3, 4)).astype("u1")
    x = (code.astype(F) - 120) * F(0.05)
    for name, axis, opset, shares in (("last", -1, 13, softmax(x)), ("flat", 1, 12, softmax(x.reshape(2, 12)).reshape(2, 3, 4)),
                                      ("middle", 1, 13, softmax(x.swapaxes(1, 2)).swapaxes(1, 2))):
        yield f"softmax_{name}", MS + "QLinearSoftmax", [code, F(0.05), numpy.uint8(120), F(1 / 256), numpy.uint8(3)], [
            quantize(shares.astype(F), F(1 / 256), numpy.uint8(3))], {"axis": axis, "opset": opset}, 1


def ranks():
    """Sixteen axes, for operators that take any number of them."""
    shape = (1, 2, 1, 1, 2, 1, 3, 1, 1, 2, 1, 1, 2, 1, 1, 2)
    x, y = real(*shape), real(*shape)
    order = tuple(reversed(range(16)))
    yield "add", "Add", [x, y], [x + y], {}, 13
    yield "row", "Mul", [x, real(3, 1, 1, 2, 1, 1, 2, 1, 1, 2)], None, {}, 13
    yield "transpose", "Transpose", [x], [x.transpose(order)], {"perm": order}, 13
    yield "sum", "ReduceSum", [x, L([0, 4, 15])], [x.sum((0, 4, 15))], {"keepdims": 0}, 13
    yield "most", "ReduceMax", [x], [x.max((6, 12), keepdims=True)], {"axes": [6, 12]}, 13
    yield "softmax", "Softmax", [x], [softmax(numpy.moveaxis(x, 6, -1)).transpose(*range(6), 15, *range(6, 15))], {"axis": 6}, 13
    yield "concat", "Concat", [x, y], [numpy.concatenate([x, y], 9)], {"axis": 9}, 13
    yield "slice", "Slice", [x, L([1, 0]), L([2, 3]), L([1, 6]), L([1, 2])], [x[:, 1:2, :, :, :, :, ::2]], {}, 13
    yield "pad", "Pad", [x, L([0] * 6 + [1] + [0] * 24 + [2])], [
        numpy.pad(x, [(1, 0) if i == 6 else (0, 2) if i == 15 else (0, 0) for i in range(16)])], {}, 13
    yield "gather", "Gather", [x, L([2, 0])], [x.take([2, 0], 6)], {"axis": 6}, 13
    yield "matmul", "MatMul", [x, real(*shape[:14], 2, 3)], None, {}, 13
    yield "tile", "Tile", [x, L([1] * 14 + [2, 3])], [numpy.tile(x, [1] * 14 + [2, 3])], {}, 13
    yield "resize", "Resize", [x, None, F([1] * 15 + [2])], [x.repeat(2, 15)], {
        "mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}, 13
    long = real(*shape[:15], 6)
    yield "smooth", "Resize", [long, None, F([1] * 15 + [0.5])], [smoothed(long, 15, 3, 0.5).astype(F)], {"mode": "linear", "antialias": 1}, 18
    yield "arg_max", "ArgMax", [x], [x.argmax(6)], {"axis": 6, "keepdims": 0}, 13
    yield "scatter", "ScatterElements", [x, L([2]).reshape([1] * 16), F([9]).reshape([1] * 16)], [
        numpy.where((numpy.arange(x.size) == numpy.ravel_multi_index((0,) * 6 + (2,) + (0,) * 9, shape)).reshape(shape), F(9), x)], {
            "axis": 6}, 13
    yield "squeeze", "Squeeze", [x], [x.squeeze()], {}, 13


def lists():
    """A tree of 131,071 nodes, and what its lists have for each."""
    depth = 16
    inner, count = 2**depth - 1, 2**(depth + 1) - 1
    nodes = numpy.arange(count)
    bound = numpy.zeros(count, F)
    low, high = numpy.zeros(count), numpy.ones(count)
    for node in range(inner):  # the halves of what leads there
        bound[node] = (low[node] + high[node]) / 2
        for child, ends in ((2 * node + 1, (low[node], bound[node])), (2 * node + 2, (bound[node], high[node]))):
            low[child], high[child] = ends
    leaves = nodes[inner:]
    x = random.rand(7, 1).astype(F)
    below = lambda child: numpy.where(nodes < inner, 2 * nodes + child, 0).tolist()
    yield "tree", "ai.onnx.ml.TreeEnsembleRegressor", [x], [(numpy.ceil(x * 2**depth) - 1).astype(F)], {
        "n_targets": 1, "nodes_treeids": [0] * count, "nodes_nodeids": nodes.tolist(), "nodes_featureids": [0] * count,
        "nodes_values": bound.tolist(), "nodes_modes": ["BRANCH_LEQ"] * inner + ["LEAF"] * (count - inner),
        "nodes_truenodeids": below(1), "nodes_falsenodeids": below(2), "target_treeids": [0] * len(leaves),
        "target_nodeids": leaves.tolist(), "target_ids": [0] * len(leaves), "target_weights": [float(i) for i in range(len(leaves))]}, 3


def expected(operator, inputs, attributes):
    if operator == "Einsum":
        return [numpy.einsum(attributes["equation"], *inputs)]
    return [inputs[0] @ inputs[1] if operator == "MatMul" else inputs[0] * inputs[1]]


def loops():
    """No trip at all: what is gathered has the sizes and the kind that the body gives."""
    value = lambda name, kind, shape: helper.make_tensor_value_info(name, kind, shape)
    outputs = [value("go", TensorProto.BOOL, []), value("w", TensorProto.FLOAT, [2, 3]), value("n", TensorProto.INT64, [2, None])]
    body = helper.make_graph(
        [helper.make_node("Identity", ["cond"], ["go"]), helper.make_node("Identity", ["v"], ["w"]),
         helper.make_node("Cast", ["v"], ["n"], to=TensorProto.INT64)], "body",
        [value("i", TensorProto.INT64, []), value("cond", TensorProto.BOOL, []), value("v", TensorProto.FLOAT, [2, 3])],
        [outputs[0], outputs[1], outputs[1], outputs[2]])
    x = real(2, 3)
    yield "loop", [helper.make_node("Loop", ["m", "", "x"], ["last", "all", "some"], body=body)], [
        ("m", L(0)), ("x", x)], [("last", x), ("all", real(0, 2, 3)), ("some", numpy.zeros((0, 2, 3), L))]
    body = helper.make_graph(
        [helper.make_node("Identity", ["s"], ["t"]), helper.make_node("Cast", ["e"], ["n"], to=TensorProto.INT32)], "body",
        [value("s", TensorProto.FLOAT, []), value("e", TensorProto.FLOAT, [3])],
        [value("t", TensorProto.FLOAT, []), value("n", TensorProto.INT32, [3])])
    yield "scan", [helper.make_node("Scan", ["s", "x"], ["t", "n"], body=body, num_scan_inputs=1, scan_output_axes=[1])], [
        ("s", F(2)), ("x", real(0, 3))], [("t", F(2)), ("n", numpy.zeros((3, 0), I))]


REFUSED = {
    "resize": ("Resize", [real(0, 3), None, None, numpy.array([2, 3], L)], {"mode": "linear"}, 18),
    "smooth": ("Resize", [real(0, 3), None, None, numpy.array([2, 3], L)], {"mode": "linear", "antialias": 1}, 18),
    "reflect": ("Pad", [real(0, 3), numpy.array([1, 0, 0, 0], L)], {"mode": "reflect"}, 18),
    "edge": ("Pad", [real(0, 3), numpy.array([1, 0, 0, 0], L)], {"mode": "edge"}, 18),
    "irfft": ("DFT", [real(2, 1, 2), None, numpy.array(1, L)], {"inverse": 1, "onesided": 1}, 20),
    "real": ("DFT", [real(2, 5, 1), None, numpy.array(1, L)], {"inverse": 1, "onesided": 1}, 20),
    "einsum": ("Einsum", [real(2, 3), real(3, 3)], {"equation": "...i,...i->..."}, 12),
    "axes": ("Identity", [real(*[1] * 17)], {}, 13),
}

if __name__ == "__main__":
    for cases in (signals, norms, integers, empty, repeated, truth, products, ranks, lists):
        for name, operator, inputs, outputs, *rest in cases():
            write(os.path.join(sys.argv[1], "cases", f"test_{cases.__name__}_{name}"), operator, inputs,
                  outputs or expected(operator, inputs, rest[0]), *rest)
    for name, *case in loops():
        write_graph(os.path.join(sys.argv[1], "cases", f"test_{name}"), name, *case, "", 13)
    for name, (operator, inputs, *rest) in REFUSED.items():
        write(os.path.join(sys.argv[1], "refused", name), operator, inputs, [inputs[0]], *rest)
