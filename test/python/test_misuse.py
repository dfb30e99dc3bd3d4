# SPDX-License-Identifier: MIT
"""What makes no sense is refused, and never cut off to something that does."""

import copy
import pickle
import subprocess
import sys

import numpy
import pytest
from conftest import value, write
from onnx import helper

import glow


@pytest.fixture
def both(tmp_path):
    """y = x + x of [n, m]."""
    return write(tmp_path / "both.onnx", [helper.make_node("Add", ["x", "x"],
                                                           ["y"])],
                 [value("x", ["n", "m"])], [value("y", ["n", "m"])])


def test_some_sizes_are_given(both):
    model = glow.load(both, shapes={"n": 2})
    for columns in (3, 5):
        x = numpy.ones((2, columns), "f")
        assert (model(x) == 2).all()
    with pytest.raises(glow.ShapeMismatch, match=r"'x' is \[3, 5\], it should "
                                                 r"be \[2, m\]"):
        model(numpy.ones((3, 5), "f"))
    with pytest.raises(glow.Error, match="has no size"):
        glow.compile(both, shapes={"n": 2})


@pytest.mark.parametrize("shape", [(2, 4), (2, 3, 1), (3,), ()])
def test_inputs_of_other_sizes(scale, shape):
    model = glow.load(scale)
    with pytest.raises(glow.ShapeMismatch) as caught:
        model.run({"x": numpy.ones(shape, "f")})
    assert str(caught.value) == (f"'x' is {list(shape)}, it should be [n, 3]")


@pytest.mark.parametrize("shapes, error, message", [
    ({"q": 2}, glow.NotFound, "no input has a dimension named 'q'; there are: "
                              "n, m"),
    ({"q": [2]}, glow.NotFound, "no input is named 'q'"),
    ({"x": [2]}, glow.ShapeMismatch, r"the shape \[2\], the model takes"),
    ({"x": [2, 3], "n": 4}, glow.ShapeMismatch, "'n' is given as 2 and as 4"),
    ({"n": -1}, glow.InvalidArgument, "dimension 'n' is -1"),
    ({"x": [-1, 2]}, glow.InvalidArgument, "a size of 'x' is -1")])
def test_sizes_that_make_no_sense(both, shapes, error, message):
    for make in (glow.load, glow.compile):
        with pytest.raises(error, match=message):
            make(both, shapes=shapes)


def test_sizes_of_numpy(both):
    assert (glow.load(both, shapes={"n": numpy.int64(2), "m": 3})(
        numpy.ones((2, 3), "f")) == 2).all()


def test_names_with_a_zero(digits):
    for make in (lambda: glow.load(str(digits) + "\0y"),
                 lambda: glow.load(digits.read_bytes(), name="a\0b"),
                 lambda: glow.load(digits, math="strict\0er"),
                 lambda: glow.load(digits, **{"ma\0th": "strict"}),
                 lambda: glow.load(digits, shapes={"a\0b": 1})):
        with pytest.raises((glow.InvalidArgument, glow.NotFound)):
            make()


@pytest.mark.parametrize("option, wrong", [
    ("memory_limit", "1e9"), ("memory_limit", "1.5"), ("memory_limit", "-1"),
    ("memory_limit", " 1G"), ("memory_limit", "1GB"), ("memory_limit", "inf"),
    ("memory_limit", 1e9), ("threads", 1.0), ("threads", -1), ("threads", True),
    ("threads", 2 ** 64 + 1), ("runs_at_once", "1 "), ("model_tiles", "maybe"),
    ("predicate", "yes"), ("max_iterations", -1), ("max_iterations", "1.5"), ("partition", "fast"),
    ("assign", "a=b,"), ("assign", "left")])
def test_values_of_options(digits, option, wrong):
    with pytest.raises(glow.InvalidArgument, match="it should be|should be"):
        glow.load(digits, **{option: wrong})


def test_options_of_a_partition_take_one(digits):
    with pytest.raises(glow.InvalidArgument, match="without partition"):
        glow.load(digits, assign="conv*=left")


def test_values_that_are_right(digits):
    for limit in ("1073741824", "1G", "1.5GiB", ""):
        glow.load(digits, memory_limit=limit)


def test_runs_of_a_profile(digits):
    model = glow.load(digits)
    image = numpy.zeros((1, 1, 28, 28), "f")
    for runs in (-1, 0, 2 ** 64 + 1, 2_000_000):
        with pytest.raises(glow.InvalidArgument):
            model.profile(image, runs=runs)
    with pytest.raises(TypeError):
        model.profile(image, runs=2.5)


def test_outputs_that_are_none(two):
    model = glow.load(two)
    a = numpy.ones((2, 2), "int64")
    with pytest.raises(glow.NotFound, match="no output is named 'typo'; the "
                                            "outputs are sum"):
        model.run({"a": a, "b": a}, out={"typo": a})


def test_nothing_is_pickled_or_copied(digits, unique, capfd):
    model, stages = glow.load(digits), glow.load(unique)
    stages(numpy.eye(2, dtype="f"))
    things = (model, model._only, model._handle, stages, stages._runner,
              glow.InferenceSession(digits))
    for thing in things:
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot copy or pickle"):
                copied(thing)
    assert capfd.readouterr().err == ""


END = """
import asyncio, sys, numpy, glow
model = glow.load(sys.argv[1], threads=1, backend="interpreter")
x = {"x": numpy.zeros((192, 192), "f")}
async def main():
    try:
        await asyncio.wait_for(model.run_async(x), 0.002)
    except asyncio.TimeoutError:
        pass
    for _ in range(3):
        asyncio.ensure_future(model.run_async(x))
    await asyncio.sleep(0)
asyncio.run(main())
print("over")
"""


def test_python_ends_while_a_run_goes_on(products):
    for _ in range(3):
        ended = subprocess.run([sys.executable, "-c", END, str(products)],
                               capture_output=True, text=True)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "over\n",
                                                                  "")


# The model is gone while the thread of the library is still in Python, and the
# process goes on for `sleep(1)`, by its exit status, after Python has ended.
LATE = """
import asyncio, ctypes, sys, time, numpy, glow
libc = ctypes.CDLL(None)
libc.on_exit(libc.sleep, None)
async def main():
    loop = asyncio.get_running_loop()
    told = loop.call_soon_threadsafe
    def slowly(*arguments):
        told(*arguments)
        time.sleep(0.5)
    loop.call_soon_threadsafe = slowly
    model = glow.load(sys.argv[1], threads=1, backend="interpreter")
    await model.run_async({"x": numpy.zeros((192, 192), "f")})
asyncio.run(main())
print("over")
sys.exit(1)
"""


def test_python_ends_after_the_model_of_a_run(products):
    ended = subprocess.run([sys.executable, "-c", LATE, str(products)],
                           capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "over\n", "")
