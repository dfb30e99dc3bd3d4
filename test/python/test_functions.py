# SPDX-License-Identifier: MIT
"""Functions of a module are programs over one storage."""

import os

import numpy
import pytest

import glow

MODULE = os.path.join(os.path.dirname(__file__), "..", "functions", "Inputs",
                      "learn.mlir")
GOAL = numpy.array([8, 4, 2, 0], "f")
X = numpy.full(4, 10, "f")
BIAS = numpy.array([1, 2, 3, 4], "f")


@pytest.fixture(params=["cpu", "interpreter"])
def module(request):
    return glow.load(MODULE, backend=request.param)


def test_names(module):
    assert module.functions == ("infer", "train", "reset")
    assert module.chosen is None
    train = module.function("train")
    assert [info.name for info in train.inputs] == ["goal", "w", "steps"]
    assert [info.name for info in train.outputs] == ["w.next", "steps.next",
                                                     "error"]
    assert train.chosen == "train"
    assert module.function("train") is train


def test_a_function_runs_alone(module):
    infer = glow.load(MODULE, function="infer")
    assert (infer.run({"x": X, "w": GOAL})["y"] == X * GOAL + BIAS).all()
    assert (module.function("infer")(X, GOAL) == X * GOAL + BIAS).all()


def test_a_function_is_named(module):
    with pytest.raises(glow.NotFound, match="'infer', 'train', 'reset'"):
        module.function("learn")
    with pytest.raises(glow.NotFound, match="has no function 'learn'"):
        glow.load(MODULE, function="learn")
    with pytest.raises(glow.Error, match="choose one"):
        module.run({"x": X, "goal": GOAL, "w": GOAL,
                    "steps": numpy.zeros(1, "f")})


def test_functions_share_the_states_of_a_session(module):
    session = module.session()
    assert list(session.functions) == ["infer", "train", "reset"]
    assert {state.input for state in session.states} == {"w", "steps"}
    assert [info.name for info in session.functions["infer"].inputs] == ["x"]
    w = numpy.zeros(4, "f")
    for step in range(5):
        error = session.run({"goal": GOAL}, function="train")["error"]
        assert (error == GOAL - w).all()
        w = w + (GOAL - w) / 2
        y = session.run({"x": X}, function="infer")["y"]
        assert (y == X * w + BIAS).all()
        assert (session["w"] == w).all()
        assert session["steps"][0] == step + 1
    fork = session.fork()
    session.run({}, function="reset")
    assert session["steps"][0] == 0 and fork["steps"][0] == 5
    session.reset()
    assert (fork.run({"x": X}, function="infer")["y"] == y).all()
    assert (session.run({"x": X}, function="infer")["y"] == BIAS).all()


def test_a_session_in_a_file_is_of_all_functions(module, tmp_path):
    path = tmp_path / "learn.session"
    session = module.session()
    session.run({"goal": GOAL}, function="train")
    session.save(path)
    other = module.session()
    other.restore(path)
    assert (other.run({"x": X}, function="infer")["y"]
            == X * GOAL / 2 + BIAS).all()


def test_a_session_of_one_function(module):
    session = module.function("train").session()
    session.run({"goal": GOAL})
    assert (session["w"] == GOAL / 2).all()
    with pytest.raises(glow.InvalidArgument, match="no state"):
        module.function("infer").session()


def test_a_run_of_a_session_names_a_function(module):
    session = module.session()
    with pytest.raises(glow.NotFound, match="the session has the functions"):
        session.run({"x": X})
    with pytest.raises(glow.NotFound, match="no function 'learn'"):
        session.run({"x": X}, function="learn")
    with pytest.raises(glow.NotFound):
        session.run({"goal": GOAL}, function="infer")
