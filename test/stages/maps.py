#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cases of maps from keys to values: maps.py FOLDER.

Those that fail are in FOLDER/wrong.
"""

import os
import sys

import numpy
from onnx import MapProto, SequenceProto, TensorProto, TypeProto, helper, numpy_helper
from make import F32, I64, TEXT, array, graph, node, save, value

TYPES = {numpy.float32: F32, numpy.int64: I64, str: TEXT}


def element(number, kind):
    if kind is str:
        return helper.make_tensor("", TEXT, [], [number.encode()])
    return numpy_helper.from_array(numpy.array(number, kind))


def map_of(name, pairs, kind):
    proto = MapProto(name=name)
    texts = any(isinstance(key, str) for key in pairs)
    proto.key_type = TEXT if texts else I64
    if texts:
        proto.string_keys.extend(key.encode() for key in pairs)
    else:
        proto.keys.extend(pairs)
    proto.values.elem_type = SequenceProto.TENSOR
    proto.values.tensor_values.extend(element(number, kind) for number in pairs.values())
    return proto


def map_type(key, kind):
    proto = TypeProto()
    proto.map_type.key_type = key
    proto.map_type.value_type.CopyFrom(helper.make_tensor_type_proto(TYPES[kind], []))
    return proto


def rows(name, maps):
    proto = SequenceProto(name=name, elem_type=SequenceProto.MAP)
    proto.map_values.extend(map_of("", pairs, numpy.float32) for pairs in maps)
    return proto


def ml(op, inputs, outputs, **attributes):
    made = node(op, inputs, outputs, **attributes)
    made.domain = "ai.onnx.ml"
    return made


def write_case(folder, nodes, inputs, outputs, given, made, weights=()):
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 1)]
    save(folder, helper.make_model(graph(nodes, inputs, outputs, weights), opset_imports=opsets), given, made)


def typed(name, type_proto):
    return helper.make_value_info(name, type_proto)


def zip_map(folder, keys, scores, **attributes):
    maps = rows("maps", [dict(zip(keys, row)) for row in numpy.atleast_2d(scores)])
    key = TEXT if isinstance(keys[0], str) else I64
    write_case(folder, [node("Identity", "x", "scores"), ml("ZipMap", "scores", "maps", **attributes)],
               [value("x", scores.shape)],
               [typed("maps", helper.make_sequence_type_proto(map_type(key, numpy.float32)))],
               {"x": scores}, {"maps": maps})


def from_map(folder, op, pairs, kind, result, **attributes):
    texts = any(isinstance(key, str) for key in pairs)
    made = numpy.array(result, object if isinstance(result[0][0], str) else None)
    out = {"O": TEXT, "l": I64, "f": F32, "d": TensorProto.DOUBLE}[made.dtype.char]
    if out == TensorProto.DOUBLE:
        made, out = made.astype(numpy.float32), F32
    write_case(folder, [ml(op, "m", "y", **attributes)], [typed("m", map_type(TEXT if texts else I64, kind))],
               [value("y", made.shape, out)], {"m": map_of("m", pairs, kind)}, {"y": made})


def classifier(folder):
    """As exporters write one: a label, and a map from labels to what each has."""
    x = numpy.array([[1, 2], [-3, 1], [2, -5]], numpy.float32)
    w = numpy.array([[1, -1, 0.5], [0.25, 1, -2]], numpy.float32)
    scores = x @ w
    shares = numpy.exp(scores) / numpy.exp(scores).sum(1, keepdims=True)
    names = numpy.array(["cat", "dog", "ape"], object)
    write_case(folder, [
        node("MatMul", "x w", "scores"), node("Softmax", "scores", "shares", axis=1),
        node("ArgMax", "scores", "which", axis=1, keepdims=0), node("Gather", "names which", "label"),
        ml("ZipMap", "shares", "maps", classlabels_strings=list(names))],
        [value("x", ["n", 2])],
        [value("label", ["n"], TEXT), typed("maps", helper.make_sequence_type_proto(map_type(TEXT, numpy.float32)))],
        {"x": x}, {"label": names[scores.argmax(1)], "maps": rows("maps", [dict(zip(names, row)) for row in shares])},
        [array("w", w), helper.make_tensor("names", TEXT, [3], [n.encode() for n in names])])


def main(folder):
    def at(name):
        return os.path.join(folder, name)
    scores = numpy.array([[0.5, 0.25, 0.125], [1, 2, 3]], numpy.float32)
    zip_map(at("zip_numbers"), [7, -1, 3], scores, classlabels_int64s=[7, -1, 3])
    zip_map(at("zip_row"), [7, -1, 3], scores[0], classlabels_int64s=[7, -1, 3])
    zip_map(at("zip_texts"), ["b", "a", ""], scores, classlabels_strings=["b", "a", ""])
    classifier(at("classifier"))
    floats, texts = {5: 1.5, 0: -2.75, 3: 4}, {4: "8", 1: "-3"}
    from_map(at("cast"), "CastMap", floats, numpy.float32, [[-2.75, 4.0, 1.5]])
    from_map(at("cast_whole"), "CastMap", floats, numpy.float32, [[-2, 4, 1]], cast_to="TO_INT64")
    from_map(at("cast_text"), "CastMap", floats, numpy.float32, [["-2.75", "4", "1.5"]], cast_to="TO_STRING")
    from_map(at("cast_sparse"), "CastMap", floats, numpy.float32, [[-2.75, 0.0, 0.0, 4.0, 0.0, 1.5, 0.0]],
             map_form="SPARSE", max_map=7)
    from_map(at("cast_words"), "CastMap", texts, str, [[-3, 8]], cast_to="TO_INT64")
    from_map(at("cast_word_floats"), "CastMap", texts, str, [[-3.0, 8.0]])
    from_map(at("vector_texts"), "DictVectorizer", {"b": 2, "a": 1}, numpy.float32, [[1.0, 0.0, 2.0, 1.0]],
             string_vocabulary=["a", "c", "b", "a"])
    from_map(at("vector_numbers"), "DictVectorizer", {9: "nine", 2: "two"}, str, [["two", "", "nine"]],
             int64_vocabulary=[2, 4, 9])
    from_map(at("vector_whole"), "DictVectorizer", {"x": 3, "y": 4}, numpy.int64, [[4, 3]], string_vocabulary=["y", "x"])
    from_map(at("wrong/sparse"), "CastMap", floats, numpy.float32, [[0.0]], map_form="SPARSE", max_map=5)
    from_map(at("wrong/keys"), "DictVectorizer", {"a": 1}, numpy.float32, [[1.0]], int64_vocabulary=[1])
    zip_map(at("wrong/columns"), [7, 3], scores, classlabels_int64s=[7, 3])
    zip_map(at("wrong/twice"), [7, 3, 7], scores, classlabels_int64s=[7, 3, 7])
    # The same model, with another value expected.
    zip_map(at("wrong/value"), [7, 3, 1], scores, classlabels_int64s=[7, 3, 1])
    maps = rows("maps", [{7: 0.5, 3: 0.25, 1: 0.125}, {7: 1, 3: 2.5, 1: 3}])
    open(at("wrong/value/test_data_set_0/output_0.pb"), "wb").write(maps.SerializeToString())


if __name__ == "__main__":
    main(sys.argv[1])
