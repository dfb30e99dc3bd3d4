# SPDX-License-Identifier: MIT
"""Values and bindings of sessions."""

import gc

import numpy
import pytest

import glow as onnxruntime
from glow import OrtValue


class Foreign:
    """A tensor of another library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.fixture(name="session")
def fixture_session(scale):
    return onnxruntime.InferenceSession(scale)


def test_memory_that_runs_read_and_write(session):
    x, y = numpy.ones((2, 3), "f"), numpy.zeros((2, 3), "f")
    binding = session.io_binding()
    binding.bind_cpu_input("x", x)
    binding.bind_output("y", "cpu", 0, numpy.float32, y.shape, y.ctypes.data)
    for value in (1, 5):
        x[...] = value
        session.run_with_iobinding(binding)
        assert (y == 2 * value).all()
    (found,) = binding.get_outputs()
    assert found.data_ptr() == y.ctypes.data
    (copy,) = binding.copy_outputs_to_cpu()
    y[...] = 0
    assert (copy == 10).all() and (found.numpy() == 0).all()
    assert repr(binding) == "<glow.IOBinding inputs: x; outputs: y>"


def test_each_way_to_bind_an_input(session):
    x = numpy.arange(6, dtype="f").reshape(2, 3)
    binding = session.io_binding()
    binding.bind_output("y")
    for bind in (
            lambda: binding.bind_cpu_input("x", x),
            lambda: binding.bind_cpu_input("x", Foreign(x)),
            lambda: binding.bind_input("x", "cpu", 0, numpy.float32, [2, 3],
                                       x.ctypes.data),
            lambda: binding.bind_input("x", "cpu", 0, 1, (2, 3), x.ctypes.data),
            lambda: binding.bind_ortvalue_input(
                "x", OrtValue.ortvalue_from_numpy(x)),
            lambda: binding.bind_ortvalue_input(
                "x", OrtValue.from_dlpack(Foreign(x)))):
        binding.clear_binding_inputs()
        bind()
        binding.synchronize_inputs()
        session.run_with_iobinding(binding)
        binding.synchronize_outputs()
        (y,) = binding.get_outputs()
        assert (y.numpy() == 2 * x).all()
        assert (numpy.from_dlpack(y) == 2 * x).all()


def test_values_outlive_the_session(session, scale):
    binding = onnxruntime.InferenceSession(scale).io_binding()
    binding.bind_cpu_input("x", numpy.ones((1, 3), "f"))
    output = OrtValue.ortvalue_from_shape_and_type([1, 3], numpy.float32)
    binding.bind_ortvalue_output("y", output)
    session.run_with_iobinding(binding)
    del binding, session
    gc.collect()
    assert (output.numpy() == 2).all()


def test_values():
    x = numpy.arange(6, dtype="int64").reshape(2, 3)
    value = OrtValue.ortvalue_from_numpy(x)
    assert (value.data_type(), value.element_type(), value.shape()) == (
        "tensor(int64)", 7, [2, 3])
    assert value.numpy() is x and value.data_ptr() == x.ctypes.data
    assert value.tensor_size_in_bytes() == 48 and value.device_name() == "cpu"
    assert value.is_tensor() and value.has_value()
    assert not value.is_sparse_tensor() and not value.is_tensor_sequence()
    assert (numpy.asarray(value) == x).all()
    value.update_inplace(numpy.ones((2, 3), "int64"))
    assert (x == 1).all()
    half = OrtValue.ortvalue_from_numpy_with_onnx_type(
        numpy.full(2, 0x3f80, "uint16"), 16)
    assert (half.data_type(), half.element_type()) == ("tensor(bfloat16)", 16)
    texts = OrtValue.ortvalue_from_numpy(numpy.array(["a", "b"]))
    assert (texts.data_type(), texts.shape()) == ("tensor(string)", [2])
    several = OrtValue([x])
    assert several.is_tensor_sequence() and several.data_type() == "seq"
    assert repr(value) == "<glow.OrtValue tensor(int64) [2, 3] on cpu>"


def test_runs_on_values(session):
    x = OrtValue.ortvalue_from_numpy(numpy.ones((2, 3), "f"))
    (y,) = session.run_with_ort_values(["y"], {"x": x})
    assert isinstance(y, OrtValue) and (y.numpy() == 2).all()


def test_refusals(session):
    binding, x = session.io_binding(), numpy.ones((2, 3), "f")
    with pytest.raises(onnxruntime.NotFound, match="no input is named 'z'"):
        binding.bind_cpu_input("z", x)
    with pytest.raises(onnxruntime.NotFound, match="no output is named 'x'"):
        binding.bind_output("x")
    with pytest.raises(onnxruntime.Unsupported, match="'cuda' 0, values of Glow"):
        binding.bind_output("y", "cuda")
    with pytest.raises(onnxruntime.InvalidArgument, match="have a shape"):
        binding.bind_output("y", buffer_ptr=x.ctypes.data)
    with pytest.raises(onnxruntime.InvalidArgument, match="buffer_ptr is 0"):
        binding.bind_input("x", "cpu", 0, numpy.float32, [2, 3], 0)
    with pytest.raises(onnxruntime.InvalidArgument, match="type 99"):
        binding.bind_input("x", "cpu", 0, 99, [2, 3], x.ctypes.data)
    binding.bind_output("y")
    with pytest.raises(onnxruntime.NotFound, match="'x' is not given"):
        session.run_with_iobinding(binding)
    with pytest.raises(onnxruntime.NotFound, match="run_with_iobinding comes"):
        binding.get_outputs()
    binding.bind_cpu_input("x", x)
    binding.bind_ortvalue_output("y", OrtValue.ortvalue_from_shape_and_type(
        [9, 3], numpy.float32))
    with pytest.raises(onnxruntime.ShapeMismatch, match="'y'"):
        session.run_with_iobinding(binding)
    with pytest.raises(onnxruntime.ShapeMismatch, match=r"the value is float32\[9, 3\]"):
        OrtValue.ortvalue_from_shape_and_type([9, 3], 1).update_inplace(x)
    with pytest.raises(onnxruntime.InvalidArgument, match="elements of float32"):
        OrtValue.ortvalue_from_numpy_with_onnx_type(x, 16)
