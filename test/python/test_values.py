# SPDX-License-Identifier: MIT
"""Strings, sequences, maps and nothing, as inputs and outputs."""

import numpy
import pytest
from conftest import value
from onnx import TensorProto, TypeProto, helper, save

import glow

VALUE = helper.make_value_info


def of_sequence(name, kind=TensorProto.FLOAT):
    return helper.make_tensor_sequence_value_info(name, kind, None)


def map_type(key, kind):
    proto = TypeProto()
    proto.map_type.key_type = key
    proto.map_type.value_type.CopyFrom(helper.make_tensor_type_proto(kind, []))
    return proto


def of_map(name, key, kind):
    return VALUE(name, map_type(key, kind))


@pytest.fixture
def write(tmp_path):
    def write(nodes, inputs, outputs):
        model = helper.make_model(
            helper.make_graph(nodes, "g", inputs, outputs), ir_version=8,
            opset_imports=[helper.make_opsetid("", 17),
                           helper.make_opsetid("ai.onnx.ml", 3)])
        path = tmp_path / "model.onnx"
        save(model, path)
        return path
    return write


@pytest.fixture
def zipped(write):
    """What a classifier gives: a label, and a map for each row."""
    return write(
        [helper.make_node("ZipMap", ["x"], ["scores"], domain="ai.onnx.ml",
                          classlabels_strings=["cat", "dög"]),
         helper.make_node("LabelEncoder", ["i"], ["label"],
                          domain="ai.onnx.ml", keys_int64s=[0, 1],
                          values_strings=["cat", "dög"])],
        [value("x", [2, 2]), value("i", [2], TensorProto.INT64)],
        [value("label", [2], TensorProto.STRING),
         VALUE("scores", helper.make_sequence_type_proto(
             map_type(TensorProto.STRING, TensorProto.FLOAT)))])


FEED = {"x": numpy.array([[1, 2], [3, 4]], "f"), "i": numpy.array([1, 0])}


def test_a_classifier(zipped):
    model = glow.load(zipped)
    assert [info.kind for info in model.outputs] == ["string", "sequence"]
    results = model.run(FEED)
    assert results["label"].dtype == object
    assert results["label"].tolist() == ["dög", "cat"]
    assert results["scores"] == [{"cat": 1, "dög": 2}, {"cat": 3, "dög": 4}]
    session = glow.InferenceSession(zipped)
    label, scores = session.run([], FEED)
    assert label.tolist() == ["dög", "cat"] and scores == results["scores"]
    assert [output.type for output in session.get_outputs()] == [
        "tensor(string)", "seq(map(string,tensor(float)))"]


def test_texts_are_inputs(write):
    model = glow.load(write(
        [helper.make_node("StringNormalizer", ["x"], ["y"],
                          case_change_action="UPPER")],
        [value("x", ["n"], TensorProto.STRING)],
        [value("y", ["n"], TensorProto.STRING)]))
    assert model.inputs[0].kind == "string"
    for x in (["ab", "ö"], numpy.array(["ab", "ö"]),
              numpy.array(["ab", "ö"], object),
              [b"ab", "ö".encode()]):
        assert model(x).tolist() == ["AB", "Ö"]
    assert model(["a\0b"]).tolist() == ["A\0B"]
    out = numpy.empty(2, object)
    assert model.run({"x": ["a", "b"]}, out={"y": out})["y"] is out
    assert out.tolist() == ["A", "B"]
    with pytest.raises(glow.ShapeMismatch, match="'x' has an element of int"):
        model([1, 2])


def test_sequences(write):
    model = glow.load(write(
        [helper.make_node("SequenceInsert", ["s", "x"], ["t"])],
        [of_sequence("s"), value("x", [2])], [of_sequence("t")]))
    x = numpy.array([5, 6], "f")
    for count in (0, 2):
        given = [numpy.full(3, i, "f") for i in range(count)]
        result = model.run({"s": given, "x": x})["t"]
        assert [one.tolist() for one in result] == [
            *(one.tolist() for one in given), [5, 6]]
    for wrong in (x, {"a": 1}):
        with pytest.raises(glow.ShapeMismatch, match="takes a list"):
            model.run({"s": wrong, "x": x})
    with pytest.raises(glow.ShapeMismatch, match="cannot be written"):
        model.run({"s": [x], "x": x}, out={"t": x})
    with pytest.raises(glow.InvalidArgument, match="element 1 of a sequence"):
        model.run({"s": [x, numpy.array(["a"])], "x": x})


@pytest.mark.parametrize("key, given, expected", [
    (TensorProto.STRING, {"b": 2, "a": 1.5, "z": 9}, [1.5, 2, 0]),
    (TensorProto.INT64, {7: 2.0, 3: 1.0}, [1, 0, 2])])
def test_maps(write, key, given, expected):
    vocabulary = ({"string_vocabulary": ["a", "b", "c"]}
                  if key == TensorProto.STRING
                  else {"int64_vocabulary": [3, 5, 7]})
    model = glow.load(write(
        [helper.make_node("DictVectorizer", ["m"], ["y"], domain="ai.onnx.ml",
                          **vocabulary)],
        [of_map("m", key, TensorProto.FLOAT)], [value("y", [1, 3])]))
    assert model.inputs[0].kind == "map"
    assert model(given).reshape(-1).tolist() == expected
    with pytest.raises(glow.ShapeMismatch, match="takes a dict"):
        model([1])


def test_nothing(write):
    tensor = helper.make_tensor_type_proto(TensorProto.FLOAT, [2])
    model = glow.load(write(
        [helper.make_node("OptionalHasElement", ["o"], ["y"])],
        [VALUE("o", helper.make_optional_type_proto(tensor))],
        [value("y", [], TensorProto.BOOL)]))
    assert not model.run({"o": None})["y"]
    assert model.run({"o": numpy.ones(2, "f")})["y"]
    with pytest.raises(glow.NotFound, match="'o' is not given"):
        model.run({})


def test_a_sequence_of_tensors_is_one_list(write):
    session = glow.InferenceSession(write(
        [helper.make_node("SplitToSequence", ["x"], ["s"], axis=0)],
        [value("x", [4])], [of_sequence("s")]))
    (parts,) = session.run([], {"x": numpy.arange(4, dtype="f")})
    assert [part.tolist() for part in parts] == [[0], [1], [2], [3]]
