# SPDX-License-Identifier: MIT
"""Models whose sizes have ranges: one program for all of them."""

import asyncio

import numpy
import pytest

import glow


def test_one_program_for_a_range(scale):
    model = glow.load(scale, shapes={"n": range(1, 17)})
    for rows in (16, 1, 7, 16):
        x = numpy.arange(rows * 3, dtype="f").reshape(rows, 3)
        assert (model(x) == 2 * x).all()


def test_multiples(scale):
    model = glow.load(scale, shapes={"n": range(8, 65, 8)})
    assert model(numpy.ones((24, 3), "f")).shape == (24, 3)
    with pytest.raises(glow.ShapeMismatch,
                       match="dimension 0 of input 'x' is 12, but 'n' should "
                             "be a multiple of 8"):
        model(numpy.ones((12, 3), "f"))


def test_sizes_outside_of_a_range(scale):
    model = glow.load(scale, shapes={"n": range(2, 9)})
    for rows in (1, 9):
        with pytest.raises(glow.ShapeMismatch,
                           match=f"dimension 0 of input 'x' is {rows}, but 'n' "
                                 "should be from 2 to 8"):
            model(numpy.ones((rows, 3), "f"))
    assert model(numpy.ones((2, 3), "f")).shape == (2, 3)  # as before


def test_ranges_that_are_none(scale):
    for sizes in (range(0), range(8, 0, -1), range(4, 65, 8)):
        with pytest.raises(glow.InvalidArgument, match="'n' has the sizes"):
            glow.load(scale, shapes={"n": sizes})
    with pytest.raises(glow.NotFound, match="no input has a dimension named "
                                            "'m'; there are: n"):
        glow.load(scale, shapes={"m": range(1, 5)})


def test_sizes_beside_ranges(pair):
    model = glow.compile(pair, shapes={"n": range(1, 5), "m": 2})
    x = numpy.ones((3, 2), "f")
    assert (model(x, x) == 2).all()
    with pytest.raises(glow.ShapeMismatch, match="dimension 1 of input 'a' is "
                                                 "3, it should be 2"):
        model(numpy.ones((3, 3), "f"), numpy.ones((3, 3), "f"))


def test_sizes_beside_ranges_come_from_a_run(pair):
    model = glow.load(pair, shapes={"n": range(1, 5)})
    for columns in (2, 3, 2):
        for rows in (4, 1):
            x = numpy.ones((rows, columns), "f")
            assert (model(x, x) == 2).all()
    with pytest.raises(glow.ShapeMismatch, match="dimension 1 of 'b' is 2, but "
                                                 "'m' is 3 in another input"):
        model(numpy.ones((3, 3), "f"), numpy.ones((3, 2), "f"))
    with pytest.raises(glow.ShapeMismatch, match="'n' should be from 1 to 4"):
        model(numpy.ones((5, 2), "f"), numpy.ones((5, 2), "f"))


def test_a_program_is_compiled_once(scale):
    model = glow.compile(scale, shapes={"n": range(1, 5)})
    assert model(numpy.ones((3, 3), "f")).shape == (3, 3)
    with pytest.raises(glow.ShapeMismatch, match="it should be x f32"):
        model(numpy.ones(3, "f"))
    with pytest.raises(glow.ShapeMismatch, match="dimension 1 of input 'x' is 4"):
        model(numpy.ones((3, 4), "f"))


def test_outputs_of_the_caller(scale):
    model = glow.load(scale, shapes={"n": range(1, 9)})
    out = numpy.zeros((4, 3), "f")
    result = model.run({"x": numpy.ones((4, 3), "f")}, {"y": out})
    assert result["y"] is out and (out == 2).all()
    with pytest.raises(glow.ShapeMismatch, match=r"array of float32\[5, 3\]"):
        model.run({"x": numpy.ones((5, 3), "f")}, {"y": out})
    # On its input: read before it is written.
    both = numpy.ones((6, 3), "f")
    model.run({"x": both}, {"y": both})
    assert (both == 2).all()


def test_runs_of_many_sizes_at_once(scale):
    model = glow.load(scale, shapes={"n": range(1, 65)})

    async def all_of_them():
        return await asyncio.gather(*(
            model.run_async({"x": numpy.full((rows, 3), rows, "f")})
            for rows in range(1, 65)))

    for rows, result in enumerate(asyncio.run(all_of_them()), 1):
        assert result["y"].shape == (rows, 3)
        assert (result["y"] == 2 * rows).all()


def test_a_profile(scale):
    model = glow.load(scale, shapes={"n": range(1, 65)})
    assert model.profile(numpy.ones((7, 3), "f"), runs=2).steps
