# SPDX-License-Identifier: MIT
"""Sessions of states that are updated in place: caches with room for all tokens."""

import numpy
import onnx
import pytest
from conftest import value
from onnx import TensorProto, helper

import glow

ROOM, HEADS, SHARED, DEPTH = 16, 4, 2, 8
ROWS = {"S": range(1, 9)}
WHOLE = {"S": range(1, 9), "T": range(1, ROOM + 1)}


def write(path, nodes, inputs, outputs, constants=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, [
        onnx.numpy_helper.from_array(array, name) for name, array in constants])
    onnx.save(helper.make_model(graph, ir_version=11, opset_imports=[
        helper.make_opsetid("", 24), helper.make_opsetid("com.microsoft", 1)]), path)
    return path


def cache(name):
    return value(name, [1, SHARED, ROOM, DEPTH])


@pytest.fixture
def scattered(tmp_path):
    """Rows are written with TensorScatter, and read as far as there are any."""
    return write(tmp_path / "scattered.onnx", [
        helper.make_node("TensorScatter", ["past_key", "k", "at"], ["present_key"]),
        helper.make_node("TensorScatter", ["past_value", "v", "at"], ["present_value"]),
        helper.make_node("Attention", ["q", "present_key", "present_value", "", "", "", "count"],
                         ["y"])],
        [value("q", [1, HEADS, "S", DEPTH]), value("k", [1, SHARED, "S", DEPTH]),
         value("v", [1, SHARED, "S", DEPTH]), cache("past_key"), cache("past_value"),
         value("at", [1], TensorProto.INT64), value("count", [1], TensorProto.INT64)],
        [value("y", [1, HEADS, "S", DEPTH]), cache("present_key"), cache("present_value")])


@pytest.fixture
def grouped(tmp_path):
    """GroupQueryAttention with one buffer for past and present."""
    return write(tmp_path / "grouped.onnx", [
        helper.make_node("ReduceSum", ["mask", "one"], ["count"], keepdims=0),
        helper.make_node("Sub", ["count", "one"], ["last64"]),
        helper.make_node("Cast", ["last64"], ["last"], to=TensorProto.INT32),
        helper.make_node("Shape", ["mask"], ["total64"], start=1),
        helper.make_node("Cast", ["total64"], ["total"], to=TensorProto.INT32),
        helper.make_node("GroupQueryAttention",
                         ["q", "k", "v", "past_key", "past_value", "last", "total"],
                         ["y", "present_key", "present_value"], domain="com.microsoft",
                         num_heads=HEADS, kv_num_heads=SHARED)],
        [value("q", [1, "S", HEADS * DEPTH]), value("k", [1, "S", SHARED * DEPTH]),
         value("v", [1, "S", SHARED * DEPTH]), cache("past_key"), cache("past_value"),
         value("mask", [1, "T"], TensorProto.INT64)],
        [value("y", [1, "S", HEADS * DEPTH]), cache("present_key"), cache("present_value")],
        [("one", numpy.array([1]))])


def parts(random, rows, packed):
    for name, heads in (("q", HEADS), ("k", SHARED), ("v", SHARED)):
        array = random.standard_normal((1, heads, rows, DEPTH)).astype("f")
        yield name, (array.transpose(0, 2, 1, 3).reshape(1, rows, heads * DEPTH)
                     if packed else array)


def steps(packed, counts=(5, 1, 1, 3, 1, 1), start=0, seed=1):
    """The inputs of runs, beside the caches."""
    random = numpy.random.default_rng(seed)
    for rows in counts:
        given = dict(parts(random, rows, packed))
        end = start + rows
        yield {**given, "mask": numpy.ones((1, end), "i8")} if packed else {
            **given, "at": numpy.array([start]), "count": numpy.array([end])}
        start = end


class Expected:
    """Attention over all rows so far, in numpy."""

    def __init__(self):
        self.k = self.v = numpy.zeros((SHARED, 0, DEPTH), "f")

    @staticmethod
    def heads(array, packed):
        return (array.reshape(array.shape[1], -1, DEPTH).transpose(1, 0, 2)
                if packed else array[0])

    def run(self, inputs, causal):
        q, k, v = (self.heads(inputs[name], causal) for name in "qkv")
        self.k, self.v = (numpy.concatenate(pair, 1) for pair in ((self.k, k), (self.v, v)))
        keys, values = (numpy.repeat(x, HEADS // SHARED, 0) for x in (self.k, self.v))
        scores = q @ keys.transpose(0, 2, 1) / DEPTH ** 0.5
        if causal:
            behind = numpy.tri(q.shape[1], keys.shape[1], keys.shape[1] - q.shape[1])
            scores = numpy.where(behind, scores, -numpy.inf)
        shares = numpy.exp(scores - scores.max(-1, keepdims=True))
        y = shares / shares.sum(-1, keepdims=True) @ values
        return y.transpose(1, 0, 2).reshape(1, q.shape[1], -1) if causal else y[None]


@pytest.fixture(params=["scattered", "grouped"])
def case(request):
    return request.getfixturevalue(request.param), request.param == "grouped"


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_a_session_equals_numpy(case, backend):
    path, packed = case
    model = glow.load(path, shapes=WHOLE if packed else ROWS, backend=backend)
    session, expected = model.session(), Expected()
    assert [(info.input, info.output) for info in session.states] == [
        ("past_key", "present_key"), ("past_value", "present_value")]
    for inputs in steps(packed):
        y = session.run(inputs)["y"]
        assert abs(y - expected.run(inputs, packed)).max() < 1e-5
        count = expected.k.shape[1]
        assert (session["past_key"][0, :, :count] == expected.k).all()
        assert not session["past_value"][0, :, count:].any()
    assert session.state("past_key").shape == (1, SHARED, ROOM, DEPTH)
    with pytest.raises(glow.Unsupported, match="has no axis that grows"):
        session.rollback(1)


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_a_session_equals_copying(case, backend):
    path, packed = case
    model = glow.load(path, shapes=WHOLE if packed else ROWS, backend=backend)
    session = model.session()
    caches = {name: numpy.zeros((1, SHARED, ROOM, DEPTH), "f")
              for name in ("past_key", "past_value")}
    for inputs in steps(packed):
        before = {name: array.copy() for name, array in caches.items()}
        outputs = model.run({**inputs, **caches})
        assert all((array == before[name]).all() for name, array in caches.items())
        assert (session.run(inputs)["y"] == outputs["y"]).all()
        caches = {name: outputs[name.replace("past", "present")] for name in caches}
        assert all((session[name] == array).all() for name, array in caches.items())


def test_forks_and_files(case, tmp_path):
    path, packed = case
    session = glow.load(path, shapes=WHOLE if packed else ROWS).session()
    for inputs in steps(packed, (5, 1)):
        session.run(inputs)
    fork = session.fork()
    session.save(tmp_path / "cache.session")
    one = [session.run(inputs)["y"] for inputs in steps(packed, (1, 1, 2), start=6, seed=2)]
    other = [fork.run(inputs)["y"] for inputs in steps(packed, (1, 1, 2), start=6, seed=3)]
    assert not (one[2] == other[2]).all()
    session.restore(tmp_path / "cache.session")
    again = [session.run(inputs)["y"] for inputs in steps(packed, (1, 1, 2), start=6, seed=3)]
    assert all((a == b).all() for a, b in zip(again, other))
    session.reset()
    assert not session["past_key"].any()


# Rows beyond the cache are refused before anything is written.
def test_a_full_cache(case):
    path, packed = case
    session = glow.load(path, shapes=WHOLE if packed else ROWS).session()
    for inputs in steps(packed, (8, 7)):
        session.run(inputs)
    before = {name: session[name] for name in ("past_key", "past_value")}
    wrong = ("dimension 1 of input 'mask' is 17, but 'T' should be from 1 to 16" if packed
             else "an index is out of the range of the 16 places it counts")
    for inputs in steps(packed, (2,), start=15):
        with pytest.raises(glow.Error, match=wrong):
            session.run(inputs)
    assert all((session[name] == array).all() for name, array in before.items())
    for inputs in steps(packed, (1,), start=15):
        session.run(inputs)


def test_a_pair_is_given(tmp_path):
    """A ring of rows, whose names suggest nothing."""
    rows = [value("x", [1, "S", 3]), value("at", [1], TensorProto.INT64), value("ring", [1, 4, 3])]
    path = write(tmp_path / "ring.onnx", [
        helper.make_node("TensorScatter", ["ring", "x", "at"], ["next"], axis=1, mode="circular"),
        helper.make_node("ReduceSum", ["next"], ["y"], keepdims=0)],
        rows, [value("next", [1, 4, 3]), value("y", [])])
    shapes = {"S": range(1, 5)}
    with pytest.raises(glow.InvalidArgument, match="no state for a session"):
        glow.load(path, shapes=shapes).session()
    for backend in "cpu", "interpreter":
        session = glow.load(path, shapes=shapes, state={"ring": "next"}, backend=backend).session()
        assert session.states[0].given
        ring = numpy.zeros((4, 3), "f")
        for start, count in ((0, 3), (3, 2), (5, 1), (6, 4)):
            x = numpy.random.default_rng(start).integers(-9, 9, (1, count, 3)).astype("f")
            ring[(start + numpy.arange(count)) % 4] = x[0]
            y = session.run({"x": x, "at": numpy.array([start])})["y"]
            assert y == ring.sum() and (session["ring"] == ring).all()
