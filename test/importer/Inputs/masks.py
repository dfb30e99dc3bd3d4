#!/usr/bin/env python3
"""Writes cases of attention that hides keys, and of attention that graphs change:
masks.py FOLDER. What they must give is computed here, with numpy.

ONNX Runtime adds the filter's value to the scores of hidden keys, and takes the
softmax in f32: of a row all of whose keys are hidden, too.
"""

import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper
from microsoft import heads, rows, softmax
from quantization import F, write

random = numpy.random.RandomState(8)
H, I, L = numpy.float16, numpy.int32, numpy.int64
LEAST = float(numpy.finfo(F).min)
MS = "com.microsoft."


def some(*shape):
    """Numbers whose products f16 holds."""
    return random.randint(-2, 3, shape).astype(F) / 2


def values(*shape):
    """Without a sign, so that means of them are not small."""
    return some(*shape) + 4


def shares(q, k, hidden, later):
    """`hidden` is added; keys to come have the least number."""
    scores = q @ k.swapaxes(2, 3) / numpy.sqrt(F(q.shape[3]))
    with numpy.errstate(over="ignore"):
        scores = (scores + hidden).astype(F)
    return softmax(numpy.where(numpy.triu(numpy.ones(scores.shape[2:]), 1) * later, F(LEAST), scores))


def masks():
    """A mask of each batch's keys, as its inputs have it, and whether a key is seen."""
    some = numpy.array([[1, 1, 0, 1], [0, 0, 0, 0]], I)
    yield "some", some, some
    yield "large", 7 * some, some
    yield "count", numpy.array([3, 0], I), numpy.array([[1, 1, 1, 0], [0, 0, 0, 0]])
    # Ends, then begins; the second end lies past the keys.
    yield "between", numpy.array([3, 9, 1, 2], I), numpy.array([[0, 1, 1, 0], [0, 0, 1, 1]])
    # Lengths, then where queries and keys of each batch would begin if they were packed.
    yield "packed", numpy.array([3, 1, 0, 3, 4, 0, 3, 4], I), numpy.array([[1, 1, 1, 0], [1, 0, 0, 0]])
    each = numpy.array([numpy.tri(4), numpy.eye(4)], I)
    each[1, 2] = 0
    yield "each", each, each


def microsoft():
    x, w = some(2, 4, 8), some(8, 24)
    b = numpy.repeat(F([0.5, -0.5, 9]), 8)
    for name, mask, seen in masks():
        seen = seen[:, None, None] if seen.ndim == 2 else seen[:, None]
        for kind in (H, F):
            for filter in (LEAST, -10000.0):
                for later in (0, 1):
                    given = [a.astype(kind) for a in (x, w, b)]
                    q, k, v = (heads(part, 2) for part in numpy.split(
                        (given[0].astype(F) @ given[1].astype(F) + given[2].astype(F)), 3, -1))
                    share = shares(q, k, numpy.where(seen, F(0), F(filter)), later)
                    yield f"{name}_{kind.__name__}_{-filter:.0e}_{later}", MS + "Attention", [*given, mask], [
                        rows(share @ v).astype(kind)], {"num_heads": 2, "mask_filter_value": filter, "unidirectional": later}, 1
    q, k, v = some(2, 4, 8), some(2, 4, 8), values(2, 4, 8)
    mask = numpy.array([[1, 1, 0, 1], [0, 0, 0, 0]], I)
    share = shares(heads(q, 2), heads(k, 2), numpy.where(mask, F(0), F(LEAST))[:, None, None], 0)
    for kind in (H, F):
        yield f"heads_{kind.__name__}", MS + "MultiHeadAttention", [*(a.astype(kind) for a in (q, k, v)), None, mask], [
            rows(share @ heads(v, 2)).astype(kind)], {"num_heads": 2, "mask_filter_value": LEAST}, 1
    # Rows all of whose visible keys have the lowest number as a bias do not see later ones.
    later = numpy.where(numpy.tri(4), F(0), F(LEAST))
    for kind in (H, F):
        for name, filters in ("bias", later), ("bias_and_mask", numpy.minimum(
                numpy.where(mask, F(0), F(-10000))[:, None, None], later)):
            bias = numpy.zeros((1, 2, 4, 4), kind)
            bias[..., :2, :] = numpy.finfo(kind).min
            scores = (heads(q, 2) @ heads(k, 2).swapaxes(2, 3) / 2 + bias.astype(F)).astype(F)
            with numpy.errstate(over="ignore"):
                share = softmax(scores + filters)
            yield f"{name}_{kind.__name__}", MS + "MultiHeadAttention", [
                *(a.astype(kind) for a in (q, k, v)), None, None if name == "bias" else mask, bias], [
                rows(share @ heads(v, 2)).astype(kind)], {"num_heads": 2, "unidirectional": 1}, 1
    code, weight = random.randint(0, 255, (2, 4, 8)).astype("u1"), random.randint(0, 255, (8, 24)).astype("u1")
    product = (code.astype(F) - 128) @ (weight.astype(F) - 128) * F(0.01 * 0.02) + b
    q, k, v = (heads(part, 2) for part in numpy.split(product, 3, -1))
    for name, mask, seen in masks():
        seen = seen[:, None, None] if seen.ndim == 2 else seen[:, None]
        for later in (0, 1):
            share = shares(q, k, numpy.where(seen, F(0), F(LEAST)), later)
            yield f"quantized_{name}_{later}", MS + "QAttention", [
                code, weight, b, F(0.01), F(0.02), mask, numpy.uint8(128), numpy.uint8(128)], [rows(share @ v)], {
                    "num_heads": 2, "mask_filter_value": LEAST, "unidirectional": later}, 1


def added():
    """A mask of any numbers is added."""
    q, k, v = some(2, 3, 4, 4), some(2, 3, 6, 4), values(2, 3, 6, 5)
    scores = q @ k.swapaxes(2, 3) / 2
    for kind in (I, L, numpy.int8, numpy.uint8, numpy.float64, H):
        mask = random.randint(0, 3, (4, 6)).astype(kind)
        yield f"added_{kind.__name__}", "Attention", [q, k, v, mask], [softmax(scores + mask.astype(F)) @ v], {}, 23
    mask = numpy.where(random.rand(4, 6) < 0.5, 0, LEAST).astype(F)
    mask[:, 0] = 0
    yield "added_to_halves", "Attention", [*(a.astype(H) for a in (q, k, v)), mask], [
        (softmax(scores + mask) @ v).astype(H)], {}, 23


def causal():
    """Keys to come are hidden from rows, too, all of whose visible keys are masked."""
    for keys in 6, 600:  # more than a block of keys
        q, k, v = some(2, 3, 5, 4), some(2, 3, keys, 4), values(2, 3, keys, 5)
        before = keys - 5
        past = [k[:, :, :before], v[:, :, :before]]
        hidden = numpy.where(numpy.tri(5, keys, before), F(0), F(-numpy.inf))
        for kind in (F, H)[:2 if keys == 6 else 1]:
            mask = numpy.zeros((5, keys), kind)
            mask[:3, :before + 3] = mask[3, ::2] = numpy.finfo(kind).min
            share = softmax((q @ k.swapaxes(2, 3) / 2 + mask.astype(F)).astype(F) + hidden)
            new = [a.astype(kind) for a in (q, k[:, :, before:], v[:, :, before:], mask, *past)]
            yield f"{keys}_{kind.__name__}", "Attention", new, [(share @ v).astype(kind)], {"is_causal": 1}, 23
        window = numpy.where(numpy.tri(5, keys, before - 3), F(-numpy.inf), F(0)) + hidden
        share = softmax((q @ k.swapaxes(2, 3) / 2).astype(F) + window)
        yield f"{keys}_window", MS + "GroupQueryAttention", [
            rows(q), rows(k[:, :, before:]), rows(v[:, :, before:, :4]), k[:, :, :before], v[:, :, :before, :4],
            numpy.full(2, keys - 1, I), I(keys)], [rows(share @ v[..., :4])], {
                "num_heads": 3, "kv_num_heads": 3, "local_window_size": 3}, 1


def graph(kind, nodes, *more):
    value = lambda name: helper.make_tensor_value_info(name, kind, [None] * 4)
    return helper.make_graph(nodes, "body", [value("a")], [value("b")], list(more))


def scalar(name, kind, number):
    return helper.make_tensor(name, kind, [], [number])


def flexible():
    q, k, v = some(2, 4, 3, 5), some(2, 2, 6, 5), values(2, 2, 6, 7)
    wide = [a.repeat(2, 1) for a in (k, v)]
    scores = q @ wide[0].swapaxes(2, 3)
    root = numpy.sqrt(F(5))
    name, domain = "FlexAttention", "ai.onnx.preview."
    yield "plain", domain + name, [q, k, v], [softmax(scores / root) @ wide[1]], {}, 1
    yield "scaled", domain + name, [q, k, v], [softmax(scores * F(0.25)) @ wide[1]], {"scale": 0.25}, 1
    cap = graph(TensorProto.FLOAT, [helper.make_node("Tanh", ["a"], ["t"]), helper.make_node("Mul", ["t", "two"], ["b"])],
                scalar("two", TensorProto.FLOAT, 2.0))
    half = graph(TensorProto.FLOAT, [helper.make_node("Mul", ["a", "half"], ["b"])], scalar("half", TensorProto.FLOAT, 0.5))
    yield "changed", domain + name, [q, k, v], [
        F(0.5) * softmax(2 * numpy.tanh(scores / root)) @ wide[1]], {"score_mod": cap, "prob_mod": half}, 1
    yield "halves", domain + name, [a.astype(H) for a in (q, k, v)], [
        (softmax(2 * numpy.tanh(scores / root)) @ wide[1]).astype(H)], {"score_mod": cap}, 1
    double = graph(TensorProto.DOUBLE, [helper.make_node("Neg", ["a"], ["b"])])
    yield "precise", domain + name, [q, k, v], [softmax(-scores / root) @ wide[1]], {
        "score_mod": double, "softmax_precision": TensorProto.DOUBLE}, 1
    # A graph that gives another shape, or kind.
    less = graph(TensorProto.FLOAT, [helper.make_node("ReduceMax", ["a"], ["b"], axes=[3])])
    yield "refused_shape", domain + name, [q, k, v], [v], {"score_mod": less}, 1
    other = graph(TensorProto.FLOAT, [helper.make_node("Cast", ["a"], ["b"], to=TensorProto.DOUBLE)])
    yield "refused_kind", domain + name, [q, k, v], [v], {"prob_mod": other}, 1


if __name__ == "__main__":
    for cases in (microsoft, added, causal, flexible):
        for name, *case in cases():
            part = "refused" if name.startswith("refused") else "cases"
            folder = os.path.join(sys.argv[1], part, f"test_{cases.__name__}_{name}")
            write(folder, *case)
            if cases is flexible:
                path = os.path.join(folder, "model.onnx")
                model = onnx.load(path)
                model.opset_import.append(helper.make_opsetid("", 17))
                onnx.save(model, path)
