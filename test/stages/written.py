#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model whose outputs are values of every form, and one that takes them:
written.py FOLDER."""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper
from make import F32, TEXT, graph, node, value
from maps import map_type, ml, typed

X = numpy.array([[0.5, -1, 2], [3, 0.25, -2]], numpy.float32)
FLOATS = helper.make_sequence_type_proto(helper.make_tensor_type_proto(F32, None))
FEW_BITS = helper.make_sequence_type_proto(helper.make_tensor_type_proto(22, None))
MAP = map_type(TEXT, numpy.float32)


def save(path, nodes, inputs, outputs):
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", 1)]
    with open(path, "wb") as file:
        file.write(helper.make_model(graph(nodes, inputs, outputs), opset_imports=opsets).SerializeToString())


def main(folder):
    os.makedirs(folder)
    absent = node("Optional", "", "nothing")
    absent.attribute.append(helper.make_attribute("type", FLOATS))
    writes = [node("Identity", "x", "same"), node("StringConcat", "t t", "texts"), node("SplitToSequence", "x", "parts", axis=0),
              ml("ZipMap", "x", "maps", classlabels_strings=["a", "b", "c"]), node("Constant", "", "one", value_int=1),
              node("SequenceAt", "maps one", "map"), absent, node("Optional", "parts", "some"),
              node("Cast", "x", "few", to=22), node("SequenceConstruct", "few few", "fews"),
              node("SequenceEmpty", "", "empty")]
    outputs = [value("same", [2, 3]), value("texts", [2], TEXT), typed("parts", FLOATS),
               typed("maps", helper.make_sequence_type_proto(MAP)), typed("map", MAP),
               typed("nothing", helper.make_optional_type_proto(FLOATS)), typed("some", helper.make_optional_type_proto(FLOATS)),
               typed("fews", FEW_BITS), typed("empty", FLOATS)]
    save(f"{folder}/writes.onnx", writes, [value("x", [2, 3]), value("t", [2], TEXT)], outputs)
    reads = [node("StringConcat", "texts texts", "four"), node("ConcatFromSequence", "parts", "whole", axis=0),
             ml("DictVectorizer", "map", "row", string_vocabulary=["c", "a"]), node("OptionalGetElement", "some", "got"),
             node("SequenceLength", "got", "count"), node("OptionalHasElement", "nothing", "has"),
             node("ConcatFromSequence", "fews", "bits", axis=0), node("Cast", "bits", "numbers", to=F32),
             node("SequenceLength", "empty", "none")]
    save(f"{folder}/reads.onnx", reads, outputs[1:3] + outputs[4:],
         [value("four", None, TEXT), value("whole", None), value("row", None), value("count", [], TensorProto.INT64),
          value("has", [], TensorProto.BOOL), value("numbers", None), value("none", [], TensorProto.INT64)])
    with open(f"{folder}/x.pb", "wb") as file:
        file.write(numpy_helper.from_array(X, "x").SerializeToString())
    for name, texts in (("t", [b"one", b""]), ("u", [b"one", b"two"])):
        with open(f"{folder}/{name}.pb", "wb") as file:
            file.write(helper.make_tensor("t", TEXT, [2], texts).SerializeToString())


main(sys.argv[1])
