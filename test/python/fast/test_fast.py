# SPDX-License-Identifier: MIT
"""Runs by the module of the stable interface and without it give the same."""

import ctypes
import sys
import threading

import numpy
import pytest
from onnx import TensorProto, helper

import glow
from conftest import value, write
from glow import _program


@pytest.fixture(params=["fast", "slow"])
def way(request, monkeypatch):
    """Runs go the one way or the other."""
    if request.param == "slow":
        monkeypatch.setattr(_program, "_fast_run", None)
    elif not _program._fast_run:
        pytest.skip("the build has no headers of Python")
    return request.param


@pytest.fixture
def double(scale, way):
    return glow.compile(scale, shapes={"n": 2})


X = numpy.arange(6, dtype="f").reshape(2, 3)


class Derived(numpy.ndarray):
    """An array of a class of its own."""


def test_module_is_used(scale, monkeypatch):
    if not _program._fast_run:
        pytest.skip("the build has no headers of Python")
    found = []

    def run(plan, feed):
        found.append(run_of_module(plan, feed))
        return found[-1]

    run_of_module = _program._fast_run
    monkeypatch.setattr(_program, "_fast_run", run)
    model = glow.compile(scale, shapes={"n": 2})
    results = model.run({"x": X})
    assert found == [results] and (results["y"] == 2 * X).all()
    # These are for the other way.
    model.run({"x": X.tolist()})
    model.run({"x": numpy.asfortranarray(X)})
    model.run({"x": X}, {"y": numpy.empty_like(X)})
    assert found[1:] == [None, None]


def test_arrays_are_used_where_they_are(scale):
    """A copy would have another address than the library is given."""
    if not _program._fast_run:
        pytest.skip("the build has no headers of Python")
    places = ctypes.POINTER(ctypes.c_void_p)
    seen = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, places, places)
    def run_on(call, inputs, outputs):
        seen.append((call, inputs[0], outputs[0]))
        return 0

    call = glow.compile(scale, shapes={"n": 2})._only.take_call()
    plan = (ctypes.cast(run_on, ctypes.c_void_p).value, *call._plan[1:])
    results = _program._fast_run(plan, {"x": X})
    assert seen == [(call.handle.value, X.ctypes.data, results["y"].ctypes.data)]


def test_layouts(double):
    frozen = X.copy()
    frozen.flags.writeable = False
    odd = numpy.frombuffer(b"x" + X.tobytes(), "f", offset=1).reshape(2, 3)
    for array in (X, frozen, odd, numpy.asfortranarray(X), X.tolist(),
                  numpy.repeat(X, 2, 1)[:, ::2], X.view(Derived)):
        assert (double.run({"x": array})["y"] == 2 * X).all()


@pytest.mark.parametrize("feed, kind, text", [
    ({}, glow.NotFound, "input 'x' is not given; the inputs are x f32"),
    ({"z": X}, glow.NotFound, "input 'x' is not given"),
    ({"x": X, "z": X}, glow.NotFound, "no input is named 'z'"),
    ({"x": X.astype("d")}, glow.ShapeMismatch, "'x' has elements of float64"),
    ({"x": X.astype(">f4")}, glow.ShapeMismatch, "'x' has elements of >f4"),
    ({"x": X.T}, glow.ShapeMismatch, r"'x' is \[3, 2\], it should be \[2, 3\]"),
    ({"x": X[0]}, glow.ShapeMismatch, r"'x' is \[3\], it should be"),
])
def test_refusals(double, feed, kind, text):
    with pytest.raises(kind, match=text):
        double.run(feed)
    assert (double.run({"x": X})["y"] == 2 * X).all()


def test_error_of_a_run(tmp_path, way):
    """An index that is out of bounds is known in the run alone."""
    path = write(tmp_path / "gather.onnx", [helper.make_node("Gather", ["x", "i"], ["y"])],
                 [value("x", [4]), value("i", [1], TensorProto.INT64)], [value("y", [1])])
    model = glow.compile(path)
    x = numpy.arange(4, dtype="f")
    assert model.run({"x": x, "i": numpy.array([3])})["y"].tolist() == [3]
    with pytest.raises(glow.InvalidArgument, match="node"):
        model.run({"x": x, "i": numpy.array([7])})
    assert model.run({"x": x, "i": numpy.array([2])})["y"].tolist() == [2]


def test_kinds_and_scalars(tmp_path, way):
    for kind, dtype in ((TensorProto.INT64, "int64"), (TensorProto.UINT8, "uint8"),
                        (TensorProto.FLOAT16, "float16"), (TensorProto.DOUBLE, "float64"),
                        (TensorProto.BOOL, "bool")):
        for shape in ([], [0], [3]):
            path = write(tmp_path / "same.onnx", [helper.make_node("Identity", ["x"], ["y"])],
                         [value("x", shape, kind)], [value("y", shape, kind)])
            x = numpy.ones(shape, dtype)
            y = glow.compile(path).run({"x": x})["y"]
            assert y.dtype == x.dtype and y.shape == x.shape and (y == x).all()


def test_references(double):
    """Neither a run nor a refusal keeps arrays."""
    feed, before = {"x": X}, sys.getrefcount(X)
    wrong = X.T.copy()
    for _ in range(100):
        y = double.run(feed)["y"]
        with pytest.raises(glow.ShapeMismatch):
            double.run({"x": wrong})
    assert sys.getrefcount(X) == before
    assert sys.getrefcount(wrong) == 2
    assert sys.getrefcount(y) == 2


def test_threads(double):
    wrong = []

    def run(number):
        x = X + number
        for _ in range(300):
            if not (double.run({"x": x})["y"] == 2 * x).all():
                wrong.append(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
