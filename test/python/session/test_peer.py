# SPDX-License-Identifier: MIT
"""Parts of programs that give the same with the peer's module and with Glow's."""

import json
import os
import threading

import numpy
import onnxruntime
import pytest

import glow

MODULES = (onnxruntime, glow)


def arguments(session):
    return [[(one.name, one.type, one.shape) for one in every] for every in (
        session.get_inputs(), session.get_outputs(),
        session.get_overridable_initializers())]


def opened(module, path, options=None):
    return module.InferenceSession(str(path), options,
                                   providers=["CPUExecutionProvider"])


def both(part):
    """A part's results, which are plain data, are equal."""
    first, second = map(part, MODULES)
    assert first == second


@pytest.mark.parametrize("name", ["digits", "scale", "pair", "two", "zipped"])
def test_descriptions(name, request):
    path = request.getfixturevalue(name)

    def part(module):
        session = opened(module, path)
        meta = session.get_modelmeta()
        return arguments(session), {name: getattr(meta, name) for name in (
            "producer_name", "graph_name", "domain", "description",
            "graph_description", "version", "custom_metadata_map")}

    both(part)


def test_bindings(scale):
    def part(module):
        session, x = opened(module, scale), numpy.ones((2, 3), "f")
        y = numpy.zeros((2, 3), "f")
        binding = session.io_binding()
        binding.bind_cpu_input("x", x)
        binding.bind_output("y")
        session.run_with_iobinding(binding)
        (first,) = binding.get_outputs()
        binding.bind_output("y", "cpu", 0, numpy.float32, (2, 3), y.ctypes.data)
        session.run_with_iobinding(binding)
        binding.bind_ortvalue_input("x", first)
        session.run_with_iobinding(binding)
        return (first.numpy().tolist(), first.data_type(), first.element_type(),
                list(first.shape()), first.device_name().lower(), y.tolist(),
                [one.tolist() for one in binding.copy_outputs_to_cpu()])

    both(part)


def test_values():
    def part(module):
        found = []
        for array in (numpy.ones((2, 3), "f"), numpy.arange(3), numpy.eye(2) > 0):
            value = module.OrtValue.ortvalue_from_numpy(array)
            found.append((value.data_type(), value.element_type(),
                          list(value.shape()), value.tensor_size_in_bytes(),
                          value.is_tensor(), value.has_value(),
                          value.is_sparse_tensor(), value.is_tensor_sequence(),
                          value.numpy().tolist(), list(value.__dlpack_device__())))
        return found

    both(part)


def test_callbacks(scale):
    def part(module):
        options, done, found = module.SessionOptions(), threading.Event(), []
        options.intra_op_num_threads = 2  # the peer needs a thread of its own
        session = opened(module, scale, options)

        def callback(results, user_data, error):
            found.append(([one.tolist() for one in results], user_data, error))
            done.set()

        session.run_async(["y"], {"x": numpy.ones((1, 3), "f")}, callback, "data")
        done.wait()
        return found

    both(part)


def test_profiles(digits, tmp_path):
    def part(module):
        options = module.SessionOptions()
        options.enable_profiling = True
        options.profile_file_prefix = str(tmp_path / module.__name__)
        session = opened(module, digits, options)
        session.run(None, {"image": numpy.zeros((1, 1, 28, 28), "f")})
        path = session.end_profiling()
        with open(path, encoding="utf-8") as file:
            events = json.load(file)
        names = {event["name"] for event in events}
        return (os.path.basename(path).startswith(module.__name__),
                "model_run" in names, {"cat", "pid", "tid", "dur", "ts", "ph",
                                       "name", "args"} <= set(events[-1]))

    both(part)


def test_settings():
    """Options that the peer has are those that Glow's classes have."""
    for name in ("SessionOptions", "RunOptions"):
        theirs, ours = (getattr(module, name)() for module in MODULES)
        fields = [field for field in dir(theirs) if not field.startswith("_")
                  and not callable(getattr(theirs, field))]
        for field in fields:
            assert int_or_text(getattr(ours, field)) == int_or_text(
                getattr(theirs, field)), field


def int_or_text(value):
    return value if isinstance(value, (str, bool)) else int(value)
