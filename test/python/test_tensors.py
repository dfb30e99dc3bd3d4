# SPDX-License-Identifier: MIT
"""What is taken for a tensor, and what is not copied."""

import numpy
import pytest

import glow


class ByDlpack:
    """An array of another library."""

    def __init__(self, array):
        self.array, self.asked = array, 0

    def __dlpack__(self, **arguments):
        self.asked += 1
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.fixture
def double(scale):
    return glow.compile(scale, shapes={"n": 2})


def test_arrays_of_any_layout(double):
    x = numpy.arange(6, dtype="f").reshape(2, 3)
    frozen = x.copy()
    frozen.flags.writeable = False
    odd = numpy.frombuffer(b"x" + x.tobytes(), "f", offset=1).reshape(2, 3)
    for array in (x, frozen, odd, numpy.asfortranarray(x),
                  numpy.repeat(x, 2, 1)[:, ::2]):
        assert (double(array) == 2 * x).all()


def test_numbers_and_other_libraries(double):
    x = [[1, 2, 3], [4, 5, 6]]
    assert double(x).tolist() == [[2, 4, 6], [8, 10, 12]]
    other = ByDlpack(numpy.array(x, "f"))
    result = double(other)
    assert result.tolist() == [[2, 4, 6], [8, 10, 12]]
    assert other.asked == 1
    # Other libraries can use the result, too.
    assert (numpy.from_dlpack(result) == result).all()


def test_elements_of_another_kind_are_refused(double):
    with pytest.raises(glow.ShapeMismatch) as caught:
        double(numpy.ones((2, 3)))
    assert str(caught.value) == (
        "'x' has elements of float64, x f32[2,3] takes float32; give it "
        "value.astype('float32')")


def test_inputs_are_named(double):
    x = numpy.ones((2, 3), "f")
    for feed, message in (
            ({}, "input 'x' is not given; the inputs are x f32[2,3]"),
            ({"y": x}, "input 'x' is not given; the inputs are x f32[2,3]"),
            ({"x": x, "y": x},
             "no input is named 'y'; the inputs are x f32[2,3]")):
        with pytest.raises(glow.NotFound) as caught:
            double.run(feed)
        assert str(caught.value) == message
    with pytest.raises(glow.InvalidArgument, match="2 inputs are given, "
                                                   "scale.onnx takes 1"):
        double(x, x)


def test_outputs_are_written_where_they_should_be(double):
    x, y = numpy.ones((2, 3), "f"), numpy.zeros((2, 3), "f")
    assert double.run({"x": x}, out={"y": y})["y"] is y
    assert (y == 2).all()
    for wrong in (numpy.zeros((3, 2), "f"), numpy.zeros((2, 3)),
                  numpy.zeros((3, 2), "f").T):
        with pytest.raises(glow.ShapeMismatch, match="dense, writable array "
                                                     r"of float32\[2, 3\]"):
            double.run({"x": x}, out={"y": wrong})


def test_inputs_are_read_where_they_are(double):
    """A copy would have another address than the one that is bound."""
    x = numpy.ones((2, 3), "f")
    # By the way of _program.py; test/python/fast looks at the other one.
    double.run({"x": x}, out={"y": numpy.empty_like(x)})
    call = double._only.take_call()
    assert call.inputs[0] == x.ctypes.data


def test_nothing_is_held_after_a_run(double):
    import sys
    x = numpy.ones((2, 3), "f")
    before = sys.getrefcount(x)
    for _ in range(10):
        double(x)
    assert sys.getrefcount(x) == before
    x.resize((4, 3), refcheck=False)  # its memory is not exported any more


def test_kinds_without_a_word_of_numpy_are_bits(tmp_path):
    from conftest import value, write
    from onnx import TensorProto, helper
    path = write(tmp_path / "cast.onnx",
                 [helper.make_node("Cast", ["x"], ["y"],
                                   to=TensorProto.BFLOAT16)],
                 [value("x", [2])], [value("y", [2], TensorProto.BFLOAT16)])
    model = glow.load(path)
    assert model.outputs[0].kind == "bf16"
    y = model(numpy.array([1, -2], "f"))
    assert y.dtype == numpy.uint16 and y.tolist() == [0x3f80, 0xc000]
