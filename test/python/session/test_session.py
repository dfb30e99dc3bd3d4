# SPDX-License-Identifier: MIT
"""The interface of the peer."""

import numpy
import pytest

import glow as onnxruntime


def test_runs(digits, recwarn):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL)
    session = onnxruntime.InferenceSession(
        str(digits), options, providers=["CPUExecutionProvider"])
    (image,), (probabilities,) = session.get_inputs(), session.get_outputs()
    assert (image.name, image.type, image.shape) == (
        "image", "tensor(float)", [1, 1, 28, 28])
    feed = {image.name: numpy.zeros(image.shape, "f")}
    (all_of_them,) = session.run(None, feed)
    (named,) = session.run([probabilities.name], feed,
                           onnxruntime.RunOptions())
    assert (all_of_them == named).all()
    assert session.get_providers() == ["CPUExecutionProvider"]
    assert session.get_session_options() is options
    assert not recwarn.list


def test_takes_bytes_and_open_sizes(scale):
    session = onnxruntime.InferenceSession(scale.read_bytes())
    assert session.get_inputs()[0].shape == ["n", 3]
    (y,) = session.run(["y"], {"x": numpy.ones((2, 3), "f")})
    assert (y == 2).all()
    options = onnxruntime.SessionOptions()
    options.add_free_dimension_override_by_name("n", 2)
    session = onnxruntime.InferenceSession(str(scale), options)
    with pytest.raises(onnxruntime.ShapeMismatch):
        session.run(None, {"x": numpy.ones((3, 3), "f")})


def test_several_outputs_in_the_order_asked_for(two):
    session = onnxruntime.InferenceSession(two)
    a = numpy.full((2, 2), 3)
    product, total = session.run(["product", "sum"], {"a": a, "b": a})
    assert (product == 9).all() and (total == 6).all()
    with pytest.raises(onnxruntime.NotFound, match="'quotient'; there are: "
                                                   "sum, product"):
        session.run(["quotient"], {"a": a, "b": a})


def test_says_which_providers_are_not_used(digits):
    with pytest.warns(UserWarning, match="'CUDAExecutionProvider' is not used"):
        onnxruntime.InferenceSession(
            digits, providers=[("CUDAExecutionProvider", {"device_id": 0}),
                               "CPUExecutionProvider"])


def test_says_once_what_has_no_effect(digits, recwarn):
    for _ in range(2):
        options = onnxruntime.SessionOptions()
        options.add_session_config_entry("session.load_model_format", "ONNX")
        options.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL
        options.enable_mem_pattern = True  # as it is
        options.add_free_dimension_override_by_denotation("DATA_BATCH", 1)
        run = onnxruntime.RunOptions()
        run.only_execute_path_to_fetches = True
        run.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    assert options.get_session_config_entry(
        "session.load_model_format") == "ONNX"
    assert options.execution_mode == onnxruntime.ExecutionMode.ORT_PARALLEL
    assert run.get_run_config_entry(
        "memory.enable_memory_arena_shrinkage") == "cpu:0"
    assert [str(warning.message) for warning in recwarn] == [
        f"option '{name}' has no effect on Glow" for name in
        ("session.load_model_format", "execution_mode",
         "add_free_dimension_override_by_denotation",
         "only_execute_path_to_fetches", "memory.enable_memory_arena_shrinkage")]
    assert all(warning.filename == __file__ for warning in recwarn)
    assert repr(options) == "<glow.SessionOptions execution_mode=<ExecutionMode.ORT_PARALLEL: 1>>"
    onnxruntime.InferenceSession(digits, options)
    assert onnxruntime.get_device() == "CPU"


def test_refuses_options_that_are_none(digits):
    for options in (onnxruntime.SessionOptions(), onnxruntime.RunOptions()):
        with pytest.raises(AttributeError, match="has no option 'typo'; there"):
            options.typo = 1
    with pytest.raises(TypeError, match="typo"):
        onnxruntime.InferenceSession(digits, typo=1)
    with pytest.raises(TypeError, match="should be a SessionOptions"):
        onnxruntime.InferenceSession(digits, {"threads": 1})


def test_all_outputs_without_a_name(two):
    session = onnxruntime.InferenceSession(two)
    a = numpy.full((2, 2), 3)
    for names in (None, [], ()):
        total, product = session.run(names, {"a": a, "b": a})
        assert (product == 9).all() and (total == 6).all()


def test_options_of_glow(digits):
    """They are given as those of a provider, in each of the three ways."""
    glow, options = "GlowExecutionProvider", {"backend": "interpreter"}
    added = onnxruntime.SessionOptions()
    added.add_provider(glow, options)
    assert added.has_providers()
    for session in (
            onnxruntime.InferenceSession(digits, providers=[(glow, options)]),
            onnxruntime.InferenceSession(digits, None, [glow], [options]),
            onnxruntime.InferenceSession(digits, added)):
        assert repr(session).endswith("on interpreter>")
        assert repr(session).startswith("<glow.InferenceSession digits.onnx: image")
        (found,) = session.get_provider_options().values()
        assert found["backend"] == "interpreter"
    with pytest.raises(onnxruntime.NotFound, match="'mad'"):
        onnxruntime.InferenceSession(digits, providers=[(glow, {"mad": 1})])
    with pytest.raises(onnxruntime.InvalidArgument, match="has 1 elements"):
        onnxruntime.InferenceSession(digits, None, [], [options])


def test_metadata_and_types(zipped):
    meta = onnxruntime.InferenceSession(zipped).get_modelmeta()
    assert (meta.producer_name, meta.graph_name, meta.version) == ("tests", "g", 7)
    assert meta.custom_metadata_map == {"author": "Ada", "licence": "MIT"}
    assert (meta.domain, meta.description, meta.graph_description) == (
        "org.example", "A map.", "Of a graph.")
    for source in (zipped, zipped.read_bytes()):
        (output,) = onnxruntime.InferenceSession(source).get_outputs()
        assert output.type == "seq(map(string,tensor(float)))"


def test_a_file_that_is_gone(zipped):
    session = onnxruntime.InferenceSession(zipped)
    zipped.unlink()
    assert session.get_modelmeta().producer_name == ""
    assert session.get_outputs()[0].type in ("seq", "map")
