# SPDX-License-Identifier: MIT
"""Initializers that are inputs too."""

import numpy
import onnx
import pytest
from conftest import value, write
from onnx import helper

import glow

W = numpy.array([2, 2], "f")


@pytest.fixture(params=["whole", "in stages"])
def model(request, tmp_path):
    nodes = [helper.make_node("Mul", ["x", "w"], ["y"])]
    outputs = [value("y", [2])]
    if request.param == "in stages":
        nodes.append(helper.make_node("NonZero", ["y"], ["n"]))
        outputs.append(value("n", [1, None], onnx.TensorProto.INT64))
    return write(tmp_path / "model.onnx", nodes,
                 [value("x", [2]), value("w", [2])], outputs, [("w", W)])


def test_each_run_has_its_own(model):
    session = glow.InferenceSession(model)
    assert [one.name for one in session.get_inputs()] == ["x"]
    assert [one.name for one in session.get_overridable_initializers()] == [
        "w"]
    x = numpy.array([1, 3], "f")
    for _ in range(2):
        assert session.run([], {"x": x})[0].tolist() == [2, 6]
        for factor in (5, 7):
            w = numpy.full(2, factor, "f")
            assert session.run(["y"], {"x": x, "w": w})[0].tolist() == [
                factor, 3 * factor]


def test_what_is_refused(model):
    loaded = glow.load(model)
    x = numpy.array([1, 3], "f")
    for feed, error in (({"w": W}, glow.NotFound),
                        ({"x": x, "q": W}, glow.NotFound),
                        ({"x": x, "w": numpy.ones(3, "f")}, glow.Error),
                        ({"x": x, "w": numpy.ones(2)}, glow.ShapeMismatch)):
        with pytest.raises(error):
            loaded.run(feed)
        assert loaded.run({"x": x})["y"].tolist() == [2, 6]


def test_older_files_have_none(model):
    proto = onnx.load(model)
    proto.ir_version = 3
    proto.opset_import[0].version = 8
    onnx.save(proto, model)
    try:
        assert glow.load(model).overridable == ()
    except glow.Error as error:  # of an operator that opset 8 has not
        assert "NonZero" in str(error)
