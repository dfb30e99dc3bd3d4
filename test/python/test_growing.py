# SPDX-License-Identifier: MIT
"""Sessions of states that grow: a language model with a cache."""

import pathlib
import subprocess
import sys

import numpy
import pytest
from conftest import value, write
from onnx import helper

import glow

MAKE = pathlib.Path(__file__).resolve().parents[1] / "models/Inputs/decoder.py"
DEPTH, WORDS = 8, 64
SHAPES = {"P": range(0, 33), "S": range(1, 17)}


def decoder(path, *words):
    subprocess.run([sys.executable, MAKE, path, *words], check=True)
    return path


@pytest.fixture(params=["cpu", "interpreter"])
def model(request, tmp_path):
    return glow.load(decoder(tmp_path / "decoder.onnx"), shapes=SHAPES,
                     backend=request.param)


class Copying:
    """The same model, whose caches are copied from outputs to inputs."""

    def __init__(self, model):
        self.model = model
        self.caches = {info.name: numpy.zeros(
            (info.shape[0], info.shape[1], 0, DEPTH), "f")
            for info in model.inputs[1:]}

    def run(self, ids):
        outputs = self.model.run({"input_ids": ids, **self.caches})
        self.caches = {name: outputs[name.replace("past", "present")]
                       for name in self.caches}
        return outputs["logits"]


def ids(*tokens, batch=1):
    return numpy.array([tokens] * batch, "i8")


def close(one, other):
    return one.shape == other.shape and abs(one - other).max() <= \
        1e-4 * abs(other).max()


def same_caches(session, copying):
    """Entries come first in a session, behind batch and heads in the model."""
    return all(close(session[name], array.transpose(2, 0, 1, 3))
               for name, array in copying.caches.items())


def steps(session, count, first=1):
    """The greedy tokens after `first`, and the last logits."""
    token, tokens = first, []
    for _ in range(count):
        logits = session.run({"input_ids": ids(token)})["logits"]
        token = int(logits[0, -1].argmax())
        tokens.append(token)
    return tokens, logits


def lengths(session):
    return {session.state(info.input).length for info in session.states}


@pytest.mark.parametrize("words", [[], ["shared=1"], ["batch=2"],
                                   ["heads=1", "shared=1"], ["heads=1"]])
@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_a_session_equals_copying(tmp_path, words, backend):
    model = glow.load(decoder(tmp_path / "decoder.onnx", *words),
                      shapes=SHAPES, backend=backend)
    session, copying = model.session(), Copying(model)
    batch = session.inputs[0].shape[0]
    assert [info.name for info in session.inputs] == ["input_ids"]
    assert [info.name for info in session.outputs] == ["logits"]
    for tokens in ((1, 2, 3, 4, 5), (6,), (7,), (8, 9), (10,), *((3,),) * 20):
        given = ids(*tokens, batch=batch)
        assert close(session.run({"input_ids": given})["logits"],
                     copying.run(given))
    assert same_caches(session, copying)
    assert lengths(session) == {30}


def test_the_states_of_a_session(model):
    session = model.session()
    assert [(info.input, info.output) for info in session.states] == [
        (f"past.{layer}.{what}", f"present.{layer}.{what}")
        for layer in (0, 1) for what in ("key", "value")]
    for info in session.states:
        assert info.shape == (32, 1, 2, DEPTH) and not info.given
        assert (info.axis, info.capacity, info.length) == (0, 32, 32)
    assert session.state("past.0.key").shape == (0, 1, 2, DEPTH)
    session.run({"input_ids": ids(1, 2)})
    info = session.state("present.0.key")
    assert (info.length, info.capacity, info.shape) == (2, 32,
                                                       (2, 1, 2, DEPTH))
    assert session["past.0.key"].shape == (2, 1, 2, DEPTH)


def test_a_full_capacity(model):
    session = model.session()
    session.run({"input_ids": ids(*range(16))})
    session.run({"input_ids": ids(*range(15))})
    before = {info.input: session[info.input] for info in session.states}
    with pytest.raises(glow.InvalidArgument, match=(
            r"state 'past.0.key' has 31 entries of at most 32, and the run "
            r"appends 2: its capacity is exceeded")):
        session.run({"input_ids": ids(1, 2)})
    assert all((session[name] == array).all()
               for name, array in before.items())
    expected = session.fork().run({"input_ids": ids(5)})["logits"]
    assert (session.run({"input_ids": ids(5)})["logits"] == expected).all()
    with pytest.raises(glow.InvalidArgument, match="32 entries of at most 32"):
        session.run({"input_ids": ids(1)})
    session.rollback(32)
    steps(session, 5)
    assert lengths(session) == {5}


def test_rollback(model):
    session = model.session()
    session.run({"input_ids": ids(1, 2, 3)})
    expected, _ = steps(session.fork(), 6)
    steps(session, 4, first=9)
    session.rollback(4)
    assert lengths(session) == {3}
    assert steps(session, 6)[0] == expected
    with pytest.raises(glow.InvalidArgument, match=(
            "state 'past.0.key' has 9 entries, of which 10 cannot be rolled "
            "back")):
        session.rollback(10)
    assert lengths(session) == {9}
    session.rollback(9)
    session.rollback(0)
    assert lengths(session) == {0}


def test_forks_share_until_one_writes(model):
    session = model.session()
    session.run({"input_ids": ids(1, 2, 3)})
    forks = [session.fork() for _ in range(3)]
    alone = model.session()
    alone.run({"input_ids": ids(1, 2, 3)})
    expected, other = steps(alone.fork(), 8)[0], steps(alone, 8, first=7)[0]
    assert steps(forks[0], 8, first=7)[0] == other
    assert steps(session, 8)[0] == expected
    del session
    assert lengths(forks[1]) == {3}
    last = forks[1].fork()
    del forks[0]
    assert steps(forks[0], 8)[0] == expected
    assert steps(last, 8, first=7)[0] == other


def test_append_and_set(model):
    session, other = model.session(), model.session()
    session.run({"input_ids": ids(1, 2, 3, 4)})
    for info in session.states:
        entries = session[info.input]
        other.append(info.input, entries[:1])
        other.append(info.output, entries[1:])
    assert steps(other.fork(), 6)[0] == steps(session.fork(), 6)[0]
    for info in session.states:
        other[info.input] = session[info.input][:2]
    session.rollback(2)
    assert steps(other, 6)[0] == steps(session, 6)[0]
    with pytest.raises(glow.InvalidArgument, match=(
            "state 'past.0.key' has 8 entries of at most 32, and the caller "
            "appends 25: its capacity is exceeded")):
        other.append("past.0.key", numpy.zeros((25, 1, 2, DEPTH), "f"))
    with pytest.raises(glow.InvalidArgument, match=(
            r"state 'past.0.key' has entries of \[1, 2, 8\], not \[2, 1, 8\]")):
        other.append("past.0.key", numpy.zeros((1, 2, 1, DEPTH), "f"))
    with pytest.raises(glow.Error, match="has a capacity of 32"):
        other["past.0.key"] = numpy.zeros((33, 1, 2, DEPTH), "f")
    assert lengths(other) == {8}
    # States of different lengths contradict each other.
    other.append("past.0.key", numpy.zeros((1, 1, 2, DEPTH), "f"))
    with pytest.raises(glow.ShapeMismatch, match="'P' is 9 in an input before"):
        other.run({"input_ids": ids(1)})


def test_files(model, tmp_path):
    session = model.session()
    session.run({"input_ids": ids(1, 2, 3, 4)})
    path = tmp_path / "decoder.session"
    session.save(path)
    # The entries in use, not those that fit.
    assert path.stat().st_size < 1024 + 4 * 4 * 2 * DEPTH * 4 + 4 * 8
    expected, _ = steps(session, 6)
    other = model.session()
    other.run({"input_ids": ids(9)})
    other.restore(path)
    assert lengths(other) == {4} and steps(other, 6)[0] == expected
    # Another capacity, other weights, and a damaged file.
    less = glow.load(decoder(tmp_path / "decoder.onnx"),
                     shapes={**SHAPES, "P": range(0, 17)}).session()
    weights = glow.load(decoder(tmp_path / "other.onnx", "seed=8"),
                        shapes=SHAPES).session()
    for session in (less, weights):
        session.run({"input_ids": ids(9)})
        with pytest.raises(glow.InvalidArgument, match="for another model"):
            session.restore(path)
        assert lengths(session) == {1}
    bytes_of = path.read_bytes()
    for damaged in (bytes_of[:-1], bytes_of[:-1] + b"\0", bytes_of + b"\0"):
        path.write_bytes(damaged)
        with pytest.raises(glow.InvalidArgument):
            other.restore(path)
    assert lengths(other) == {10}
    other.reset()
    assert lengths(other) == {0}


def test_sessions_share_a_program(model):
    sessions = [model.session() for _ in range(4)]
    for start, session in enumerate(sessions):
        session.run({"input_ids": ids(*range(start, start + 3))})
    interleaved = [[] for _ in sessions]
    tokens = [1] * 4
    for _ in range(6):
        for index, session in enumerate(sessions):
            tokens[index] = steps(session, 1, tokens[index])[0][0]
            interleaved[index].append(tokens[index])
    for start, expected in enumerate(interleaved):
        session = model.session()
        session.run({"input_ids": ids(*range(start, start + 3))})
        assert steps(session, 6)[0] == expected


def test_a_pair_is_given(tmp_path):
    path = decoder(tmp_path / "decoder.onnx", "heads=1")
    given = {f"past.{layer}.{what}": f"present.{layer}.{what}"
             for layer in (0, 1) for what in ("key", "value")}
    session = glow.load(path, shapes=SHAPES, state={**given}).session()
    assert all(info.given for info in session.states)
    with pytest.raises(glow.InvalidArgument, match="no state for a session"):
        glow.load(path, shapes=SHAPES, state="none").session()
    with pytest.raises(glow.Error, match=(
            "they should be equal, or else the output should be the input and "
            "new entries, joined by a Concat")):
        glow.load(path, shapes=SHAPES,
                  state={"past.0.key": "present.0.value"}).session()
    with pytest.raises(glow.Error, match=(
            "'past.0.key=present.0.key' has that input already")):
        glow.load(path, shapes=SHAPES, state=(
            "past.0.key=present.0.key,past.0.key=present.0.value")).session()
    with pytest.raises(glow.Error, match=(
            "their sizes should differ along one axis, which has a range")):
        glow.load(path, shapes={**SHAPES, "P": 4},
                  state={"past.0.key": "present.0.key"}).session()


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_a_state_of_one_size_beside_a_range(tmp_path, backend):
    """y = x + h, and the next h is h and the sum of x."""
    path = write(tmp_path / "sums.onnx",
                 [helper.make_node("Add", ["x", "h0"], ["y"]),
                  helper.make_node("ReduceSum", ["x", "axes"], ["sum"],
                                   keepdims=0),
                  helper.make_node("Add", ["h0", "sum"], ["hn"])],
                 [value("x", ["S", 4]), value("h0", [4])],
                 [value("y", ["S", 4]), value("hn", [4])],
                 [("axes", numpy.array([0]))])
    session = glow.load(path, shapes={"S": range(1, 9)},
                        backend=backend).session()
    total = 0
    for count in (3, 1, 1, 8, 2):
        y = session.run({"x": numpy.ones((count, 4), "f")})["y"]
        assert y.shape == (count, 4) and (y == total + 1).all()
        total += count
    with pytest.raises(glow.Unsupported, match="has no axis that grows"):
        session.rollback(1)
    with pytest.raises(glow.ShapeMismatch, match="'S' should be from 1 to 8"):
        session.run({"x": numpy.ones((9, 4), "f")})
    assert (session["h0"] == total).all()
    # An open size that does not grow is no size of a state.
    rows = write(tmp_path / "rows.onnx",
                 [helper.make_node("Add", ["x", "h0"], ["y"]),
                  helper.make_node("Sin", ["y"], ["hn"])],
                 [value("x", ["N", 4]), value("h0", ["N", 4])],
                 [value("y", ["N", 4]), value("hn", ["N", 4])])
    with pytest.raises(glow.Unsupported, match=(
            r"state 'h0' has the sizes \[N, 4\], N = 1..8, but does not grow")):
        glow.load(rows, shapes={"N": range(1, 9)}, backend=backend).session()
