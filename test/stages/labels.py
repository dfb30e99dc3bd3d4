#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cases of labels and categories that are texts: labels.py FOLDER.

`wrong` below the folder are those that are refused.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper
from make import F32, I64, TEXT, array, graph, node, save, value

ML = {"domain": "ai.onnx.ml"}
KINDS = {"O": TEXT, "l": I64, "f": F32, "d": TensorProto.DOUBLE, "i": TensorProto.INT32,
         "h": TensorProto.INT16}
WORDS = numpy.array([["dog"], ["ape"], ["eel"]], object)


def texts(*words):
    return numpy.array(words, object)


def tensor(values):
    """An attribute: texts or numbers."""
    values = numpy.asarray(values)
    if values.dtype != object:
        return numpy_helper.from_array(values)
    return helper.make_tensor("", TEXT, values.shape, [word.encode() for word in values.ravel()])


def port(name, values):
    return value(name, values.shape, KINDS[values.dtype.char])


def write(folder, nodes, inputs, outputs, weights=()):
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 4)]
    made = graph(nodes, [port(*pair) for pair in inputs.items()], [port(*pair) for pair in outputs.items()], weights)
    save(folder, helper.make_model(made, opset_imports=opsets), inputs, outputs)


def encoders():
    """Keys, values, what is looked up and found, and further attributes."""
    some = texts("b", "x", "a")
    yield "text_to_whole", some, numpy.array([6, -1, 5]), dict(keys_strings=["a", "b"], values_int64s=[5, 6])
    yield "whole_to_text", numpy.array([6, 7]), texts("b", "_Unused"), dict(keys_int64s=[5, 6], values_strings=["a", "b"])
    yield "text_to_real", some, numpy.array([2, 9, 1], numpy.float32), dict(
        keys_strings=["a", "b"], values_floats=[1.0, 2.0], default_float=9.0)
    yield "default_text", numpy.array([6, 7]), texts("b", "none"), dict(
        keys_tensor=tensor([5, 6]), values_tensor=tensor(texts("a", "b")), default_tensor=tensor(texts("none")))
    for kind, missing in (("float64", 0.1), ("int32", -7), ("int16", -7), ("int64", 2 ** 60 + 1)):
        values = numpy.array([1, 2], kind)
        yield "to_" + kind, some, numpy.array([2, missing, 1], kind), dict(
            keys_strings=["a", "b"], values_tensor=tensor(values), default_tensor=tensor(numpy.array([missing], kind)))
        yield "usual_" + kind, some[:2], numpy.array([2, -0.0 if kind == "float64" else -1], kind), dict(
            keys_strings=["a", "b"], values_tensor=tensor(values))
        yield "from_" + kind, values, texts("_Unused", "two"), dict(
            keys_tensor=tensor(values[1:]), values_tensor=tensor(texts("two")))
    yield "nan", numpy.array([numpy.nan, 0], numpy.float32), numpy.array([1, 2]), dict(
        keys_floats=[numpy.nan, -0.0], values_int64s=[1, 2])


def hot(words, categories):
    return (words[..., None] == numpy.array(categories, words.dtype)).astype(numpy.float32)


def categories():
    known = ["ape", "cat", "dog"]
    yield "hot_texts", WORDS, hot(WORDS, known), dict(cats_strings=known)
    yield "hot_row", WORDS[:, 0], hot(WORDS[:, 0], known), dict(cats_strings=known)
    yield "hot_all", WORDS[:2], hot(WORDS[:2], known), dict(cats_strings=known, zeros=0)
    whole = numpy.array([2, 5, 7])
    yield "hot_all_whole", whole, hot(whole, [7, 5, 2]), dict(cats_int64s=[7, 5, 2], zeros=0)


def pipeline():
    """Columns of text, one by one, beside one of numbers, into a classifier whose classes
    are texts."""
    colour, size = texts("red", "blue", "red", "pink")[:, None], texts("S", "L", "XL", "S")[:, None]
    weight = numpy.array([[1], [2], [3], [4]], numpy.float32)
    colours, sizes = ["blue", "red"], ["L", "S", "XL"]
    features = numpy.concatenate([hot(colour, colours)[:, 0], hot(size, sizes)[:, 0], (weight - 2) * 0.5], 1)
    table = numpy.random.default_rng(3).standard_normal((3, 6)).astype(numpy.float32)
    scores = features @ table.T
    scores = numpy.exp(scores - scores.max(1, keepdims=True))
    scores /= scores.sum(1, keepdims=True)
    labels = texts("x", "y", "z")[scores.argmax(1)]
    nodes = [node("Concat", "colour size", "columns", axis=1),
             node("ArrayFeatureExtractor", "columns first", "c0", "extract_0", **ML),
             node("ArrayFeatureExtractor", "columns second", "c1", "extract_1", **ML),
             node("OneHotEncoder", "c0", "h0", "encode_0", cats_strings=colours, **ML),
             node("OneHotEncoder", "c1", "h1", "encode_1", cats_strings=sizes, **ML),
             node("Concat", "h0 h1", "h", "concat_hot", axis=2),
             node("Reshape", "h flat", "hot"),
             node("Scaler", "weight", "scaled", offset=[2.0], scale=[0.5], **ML),
             node("Concat", "hot scaled", "features", "concat_all", axis=1),
             node("LinearClassifier", "features", "label scores", coefficients=[float(c) for c in table.ravel()],
                  intercepts=[0.0] * 3, classlabels_strings=["x", "y", "z"], post_transform="SOFTMAX", **ML)]
    whole = [array("first", [0], numpy.int64), array("second", [1], numpy.int64), array("flat", [-1, 5], numpy.int64)]
    return nodes, {"colour": colour, "size": size, "weight": weight}, {"label": labels, "scores": scores}, whole


def round_trip():
    """Labels to numbers, through a gather, and back."""
    words = texts("b", "a", "b", "c")
    nodes = [node("LabelEncoder", "x", "n", "there", keys_strings=["a", "b"], values_int64s=[0, 1], default_int64=2, **ML),
             node("Gather", "next n", "m"),
             node("LabelEncoder", "m", "y", "back", keys_int64s=[0, 1, 2], values_strings=["A", "B", "?"], **ML)]
    return nodes, {"x": words}, {"y": texts("A", "B", "A", "?")}, [array("next", [1, 0, 2], numpy.int64)]


def wrong():
    known = dict(keys_strings=["a"], values_int64s=[1])
    yield "default", "LabelEncoder", texts("a"), dict(known, default_tensor=tensor(texts("b")))
    yield "defaults", "LabelEncoder", texts("a"), dict(known, default_tensor=tensor([1, 2]))
    yield "counts", "LabelEncoder", texts("a"), dict(keys_strings=["a", "b"], values_int64s=[1])
    yield "input", "LabelEncoder", numpy.array([5]), known
    yield "unknown", "OneHotEncoder", texts("a", "b"), dict(cats_strings=["a"], zeros=0)
    yield "numbers", "OneHotEncoder", numpy.array([1.0], numpy.float32), dict(cats_strings=["a"])


def main(folder):
    for op, cases in (("LabelEncoder", encoders()), ("OneHotEncoder", categories())):
        for name, given, found, attributes in cases:
            write(os.path.join(folder, name), [node(op, "x", "y", **attributes, **ML)], {"x": given}, {"y": found})
    for case in (pipeline, round_trip):
        write(os.path.join(folder, case.__name__), *case())
    for name, op, given, attributes in wrong():
        write(os.path.join(folder, "wrong", name), [node(op, "x", "y", **attributes, **ML)], {"x": given},
              {"y": numpy.array([1])})


if __name__ == "__main__":
    main(sys.argv[1])
