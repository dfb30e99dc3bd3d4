# SPDX-License-Identifier: MIT
"""Models that the tests make, and the one that the project ships."""

import os
import pathlib

import numpy
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def digits():
    return ROOT / "docs" / "models" / "digits" / "digits.onnx"


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def write(path, nodes, inputs, outputs, constants=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, [
        numpy_helper.from_array(array, name) for name, array in constants])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, path)
    return path


@pytest.fixture
def scale(tmp_path):
    """y = 2 x of [n, 3], where n is open."""
    return write(tmp_path / "scale.onnx",
                 [helper.make_node("Mul", ["x", "two"], ["y"])],
                 [value("x", ["n", 3])], [value("y", ["n", 3])],
                 [("two", numpy.array(2, "f"))])


@pytest.fixture
def pair(tmp_path):
    """sum = a + b of [n, m], where both are open."""
    return write(tmp_path / "pair.onnx",
                 [helper.make_node("Add", ["a", "b"], ["sum"])],
                 [value("a", ["n", "m"]), value("b", ["n", "m"])],
                 [value("sum", ["n", "m"])], [])


@pytest.fixture
def two(tmp_path):
    """sum = a + b and product = a * b, of i64[2, 2]."""
    kind = TensorProto.INT64
    return write(tmp_path / "two.onnx",
                 [helper.make_node("Add", ["a", "b"], ["sum"]),
                  helper.make_node("Mul", ["a", "b"], ["product"])],
                 [value("a", [2, 2], kind), value("b", [2, 2], kind)],
                 [value("sum", [2, 2], kind), value("product", [2, 2], kind)])


@pytest.fixture
def unique(tmp_path):
    """The different elements, of which only a run knows how many. A position in a sequence that
    a run gives is for the host."""
    return write(tmp_path / "unique.onnx",
                 [helper.make_node("Unique", ["x"], ["found"]),
                  helper.make_node("SequenceConstruct", ["found"], ["list"]),
                  helper.make_node("Sub", ["x", "x"], ["zeros"]),
                  helper.make_node("ReduceMax", ["zeros"], ["zero"], keepdims=0),
                  helper.make_node("Cast", ["zero"], ["position"], to=7),
                  helper.make_node("SequenceAt", ["list", "position"], ["y"])],
                 [value("x", [2, 2])], [value("y", [None])])


@pytest.fixture
def nonzero(tmp_path):
    """The places of what is not zero: only a run knows how many."""
    return write(tmp_path / "nonzero.onnx",
                 [helper.make_node("NonZero", ["x"], ["y"])],
                 [value("x", [2, 2])],
                 [value("y", [2, None], TensorProto.INT64)])


@pytest.fixture
def refused(tmp_path):
    """Two operators that are none."""
    return write(tmp_path / "refused.onnx",
                 [helper.make_node("Frobnicate", ["x"], ["t"], name="first"),
                  helper.make_node("Twiddle", ["t"], ["y"], name="second")],
                 [value("x", [2])], [value("y", [2])])


@pytest.fixture
def products(tmp_path):
    """Many products of matrices, which take some time."""
    steps = 12
    weights = numpy.eye(192, dtype="f")
    return write(tmp_path / "products.onnx",
                 [helper.make_node(*step) for i in range(steps) for step in (
                     ("MatMul", [f"t{i}" if i else "x", "w"], [f"p{i}"]),
                     ("Sin", [f"p{i}"],
                      [f"t{i + 1}" if i + 1 < steps else "y"]))],
                 [value("x", [192, 192])], [value("y", [192, 192])],
                 [("w", weights)])
