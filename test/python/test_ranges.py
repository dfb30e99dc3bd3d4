# SPDX-License-Identifier: MIT
"""Models whose sizes have ranges: one program for all of them."""

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
    with pytest.raises(glow.Unsupported, match="give one size for each"):
        glow.compile(scale, shapes={"n": range(1, 5)})
