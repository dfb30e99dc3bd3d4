# SPDX-License-Identifier: MIT
"""Sessions keep the states of a model between its runs."""

import gc
import threading

import numpy
import pytest
from conftest import value, write
from onnx import helper

import glow

N = 512


def step(path, factor=2.0, names=("h0", "hn"), **options):
    """y = factor * (x + h), the next h is sin(y)."""
    given, next_one = names
    constant = helper.make_tensor("factor", 1, [], [factor])
    return glow.compile(write(
        path, [helper.make_node("Constant", [], ["two"], value=constant),
               helper.make_node("Add", ["x", given], ["sum"]),
               helper.make_node("Mul", ["sum", "two"], ["y"]),
               helper.make_node("Sin", ["y"], [next_one])],
        [value("x", [N]), value(given, [N])],
        [value("y", [N]), value(next_one, [N])]), **options)


@pytest.fixture(params=["cpu", "interpreter"])
def model(request, tmp_path):
    return step(tmp_path / "step.onnx", backend=request.param)


def xs(count, seed=1):
    random = numpy.random.default_rng(seed)
    return [random.standard_normal(N, "f") for _ in range(count)]


def by_hand(model, inputs, h=None):
    """The results if outputs are fed back, and the last state."""
    h = numpy.zeros(N, "f") if h is None else h
    results = []
    for x in inputs:
        outputs = model.run({"x": x, "h0": h})
        h = outputs["hn"]
        results.append(outputs["y"])
    return results, h


def run_all(session, inputs):
    return [session.run({"x": x})["y"] for x in inputs]


def same(results, others):
    return all((one == other).all() for one, other in zip(results, others))


def test_a_session_equals_feeding_back(model):
    inputs = xs(7)
    expected, last = by_hand(model, inputs)
    session = model.session()
    assert [info.name for info in session.inputs] == ["x"]
    assert [info.name for info in session.outputs] == ["y"]
    assert same(run_all(session, inputs), expected)
    assert (session["h0"] == last).all() and (session["hn"] == last).all()
    session.reset()
    assert same(run_all(session, inputs), expected)


def test_the_states_of_a_session(model):
    assert model.session().states == (glow.StateInfo(
        "h0", "hn", "f32", (N,), numpy.dtype("f"), False, None, 1, 1),)


def test_a_state_is_set(model):
    inputs, h = xs(3), xs(1, seed=2)[0]
    session = model.session()
    session["h0"] = h
    assert same(run_all(session, inputs), by_hand(model, inputs, h)[0])
    for wrong in (numpy.zeros(3, "f"), numpy.zeros(N, "int32")):
        with pytest.raises(ValueError, match="h0"):
            session["h0"] = wrong
    with pytest.raises(glow.NotFound, match="no state named 'x'; its states "
                                            "are 'h0'"):
        session["x"]


def test_a_fork_outlives_its_parent(model):
    inputs = xs(8)
    expected = by_hand(model, inputs)[0]
    parent = model.session()
    run_all(parent, inputs[:3])
    fork = parent.fork()
    assert same(run_all(parent, inputs[3:]), expected[3:])
    second = fork.fork()
    del parent
    gc.collect()
    assert same(run_all(fork, inputs[3:]), expected[3:])
    assert same(run_all(second, inputs[3:]), expected[3:])


def test_a_run_that_fails_changes_nothing(model):
    inputs = xs(3)
    expected = by_hand(model, inputs)[0]
    session = model.session()
    run_all(session, inputs[:1])
    with pytest.raises(glow.NotFound, match="no input is named 'h0'"):
        session.run({"x": inputs[1], "h0": inputs[1]})
    with pytest.raises(glow.ShapeMismatch):
        session.run({"x": numpy.zeros(3, "f")})
    assert same(run_all(session, inputs[1:]), expected[1:])


def test_an_output_on_an_input(model):
    """The run reads the input as it was, and the states are right."""
    inputs = xs(4)
    expected = by_hand(model, inputs)[0]
    session = model.session()
    for x, y in zip(inputs, expected):
        array = x.copy()
        session.run({"x": array}, out={"y": array})
        assert (array == y).all()


def test_saving_and_restoring(model, tmp_path):
    inputs = xs(5)
    expected = by_hand(model, inputs)[0]
    session, path = model.session(), tmp_path / "one.session"
    run_all(session, inputs[:2])
    session.save(path)
    other = model.session()
    other.restore(path)
    assert same(run_all(other, inputs[2:]), expected[2:])
    run_all(session, inputs[2:])
    before = session["h0"]
    session.restore(path)
    assert same(run_all(session, inputs[2:]), expected[2:])
    assert (session["h0"] == before).all()


def test_files_that_are_refused(model, tmp_path):
    session, path = model.session(), tmp_path / "one.session"
    run_all(session, xs(2))
    session.save(path)
    before, saved = session["h0"], path.read_bytes()
    damaged = tmp_path / "damaged.session"
    for size in (0, 10, 60, 100, len(saved) - 1, len(saved) + 1):
        damaged.write_bytes((saved + b"x")[:size])
        with pytest.raises(glow.InvalidArgument, match="damaged.session"):
            session.restore(damaged)
    for place in (0, 17, 30, 70, len(saved) // 2, len(saved) - 1):
        changed = bytearray(saved)
        changed[place] ^= 1
        damaged.write_bytes(changed)
        with pytest.raises(glow.InvalidArgument, match="damaged.session"):
            session.restore(damaged)
    damaged.write_bytes(saved.replace(b"session 1", b"session 7"))
    with pytest.raises(glow.Unsupported, match="its format is 7.*reads format "
                                               "1"):
        session.restore(damaged)
    with pytest.raises(glow.NotFound, match="nowhere"):
        session.restore(tmp_path / "nowhere")
    with pytest.raises(glow.InvalidArgument, match="cannot write"):
        session.save(tmp_path / "no" / "folder")
    assert (session["h0"] == before).all()


def test_files_of_other_models(model, tmp_path):
    session, path = model.session(), tmp_path / "one.session"
    session.save(path)
    names = step(tmp_path / "names.onnx", names=("c0", "cn")).session()
    with pytest.raises(glow.InvalidArgument,
                       match=r"another model with the states h0=hn "
                             r"f32\[512\], the session has c0=cn"):
        names.restore(path)


def test_a_state_of_a_fixed_size_does_not_grow(model):
    session = model.session()
    with pytest.raises(glow.Unsupported, match=r"state 'h0' is f32\[512\] in "
                                               "all runs and has no axis"):
        session.append("h0", numpy.zeros(N, "f"))
    with pytest.raises(glow.Unsupported, match="state 'h0' .*no axis"):
        session.rollback(1)


def test_pairs_that_are_given(tmp_path):
    names = ("before", "after")
    with pytest.raises(glow.InvalidArgument, match="no state for a session"):
        step(tmp_path / "none.onnx", names=names).session()
    for state in ("before=after", {"before": "after"}):
        model = step(tmp_path / "given.onnx", names=names, state=state)
        state, = model.session().states
        assert (state.input, state.output, state.given) == (*names, True)
    for pairs, message in {
            "past=after": "no input named 'past'; its inputs are 'x', 'before'",
            "before=next": "no output named 'next'; its outputs are 'y', "
                           "'after'",
            "before=after,before=y": "state 'before=y': state 'before=after' "
                                     "has that input already",
            "before=after,x=after": "'before=after' has that output"}.items():
        with pytest.raises(glow.Error, match=message):
            step(tmp_path / "bad.onnx", names=names, state=pairs)
    for text in ("before", "=after", "before="):
        with pytest.raises(glow.InvalidArgument, match="INPUT=OUTPUT"):
            step(tmp_path / "bad.onnx", state=text)
    with pytest.raises(glow.InvalidArgument, match="no state"):
        step(tmp_path / "off.onnx", state="none").session()


def test_open_sizes(tmp_path):
    path = write(tmp_path / "open.onnx",
                 [helper.make_node("Add", ["x", "h0"], ["hn"]),
                  helper.make_node("Neg", ["x"], ["y"])],
                 [value("x", ["n"]), value("h0", ["n"])],
                 [value("y", ["n"]), value("hn", ["n"])])
    with pytest.raises(glow.InvalidArgument, match="known sizes"):
        glow.load(path).session()
    session = glow.load(path, shapes={"n": 4}).session()
    session.run({"x": numpy.ones(4, "f")})
    assert session.run({"x": numpy.ones(4, "f")})["y"].tolist() == [-1] * 4
    assert session["hn"].tolist() == [2] * 4


def test_many_sessions_on_threads(model):
    """Each thread has its session, and a fork of one that all share."""
    inputs = [xs(20, seed) for seed in range(4)]
    expected = [by_hand(model, each)[0] for each in inputs]
    parent, right = model.session(), []

    def work(session, index):
        right.append(same(run_all(session, inputs[index]), expected[index]))

    threads = [threading.Thread(target=work, args=(parent.fork(), index))
               for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 4


def test_one_session_on_threads(model):
    """Each use is whole or an error: states are those of some order of runs."""
    session, x = model.session(), numpy.ones(N, "f")
    errors, done = [], []

    def work():
        for _ in range(100):
            try:
                session.run({"x": x})
                done.append(1)
            except glow.InvalidArgument as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) + len(errors) == 400
    assert all("in use already" in error for error in errors)
    assert (session["h0"] == by_hand(model, [x] * len(done))[1]).all()
