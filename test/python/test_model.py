# SPDX-License-Identifier: MIT
"""Loading, running and looking at models."""

import json
import os
import subprocess
import sys

import numpy
import pytest

import glow


def test_runs_by_name_and_in_order(digits):
    model = glow.load(digits, threads=2)
    image = numpy.random.default_rng(1).random((1, 1, 28, 28), "f")
    results = model.run({"image": image})
    assert list(results) == ["probabilities"]
    assert results["probabilities"].sum() == pytest.approx(1, abs=1e-5)
    assert (model(image) == results["probabilities"]).all()


def test_describes_itself(digits, scale):
    model = glow.load(str(digits))
    (image,), (probabilities,) = model.inputs, model.outputs
    assert (image.name, image.kind, image.shape) == ("image", "f32",
                                                     (1, 1, 28, 28))
    assert image.dtype == numpy.float32
    assert str(probabilities) == "probabilities f32[1,10]"
    assert repr(model).startswith("<glow.Model digits.onnx: image f32")
    assert glow.load(scale).inputs[0].shape == ("n", 3)


def test_several_outputs(two):
    model = glow.load(two)
    a, b = numpy.arange(4).reshape(2, 2), numpy.full((2, 2), 3)
    total, product = model(a, b)
    assert (total == a + b).all() and (product == a * b).all()
    assert list(model.run({"b": b, "a": a})) == ["sum", "product"]


def test_open_sizes_are_taken_from_inputs(scale):
    model = glow.load(scale)
    for rows in (1, 4, 0, 4):
        x = numpy.arange(rows * 3, dtype="f").reshape(rows, 3)
        assert (model(x) == 2 * x).all()
    for rows in range(1, 12):  # more than are kept
        assert model(numpy.ones((rows, 3), "f")).shape == (rows, 3)


def test_compiled_for_sizes(scale):
    for shapes in ({"n": 2}, {"x": [2, 3]}):
        model = glow.compile(scale, shapes=shapes, math="strict")
        assert (model(numpy.ones((2, 3), "f")) == 2).all()
        with pytest.raises(glow.ShapeMismatch, match=r"'x' is \[4, 3\], it "
                                                     r"should be \[2, 3\]"):
            model(numpy.ones((4, 3), "f"))
    # Messages speak of no flags of the command.
    with pytest.raises(glow.Error, match=r"'n' of input 'x'.*give a shape, "
                                         "as in x=1x3"):
        glow.compile(scale)
    with pytest.raises(glow.NotFound, match="dimension named 'm'"):
        glow.load(scale, shapes={"m": 2})


@pytest.mark.parametrize("number", [2 ** 64 + 1, 2 ** 63, -2 ** 63 - 1])
def test_shapes_fit_into_64_bits(scale, number):
    for shapes in ({"x": [number, 3]}, {"x": [1, number]}, {"n": number}):
        with pytest.raises(glow.InvalidArgument, match=f"{number} does not fit into 64 bits"):
            glow.compile(scale, shapes=shapes)


def test_sizes_that_a_program_computes(nonzero):
    for model in (glow.load(nonzero), glow.compile(nonzero)):
        assert (model(numpy.eye(2, dtype="f")) == [[0, 1], [0, 1]]).all()
        assert model(numpy.zeros((2, 2), "f")).shape == (2, 0)
        assert model.profile(numpy.eye(2, dtype="f")).runs
        out = numpy.empty((2, 2), "int64")
        found = model.run({"x": numpy.eye(2, dtype="f")}, out={"y": out})
        assert found["y"] is out and (out == [[0, 1], [0, 1]]).all()
        with pytest.raises(glow.ShapeMismatch, match=r"'y' is \[2, 1\], the array"):
            model.run({"x": numpy.diag(numpy.array([1, 0], "f"))}, out={"y": out})


def test_sizes_that_only_a_run_knows(unique):
    model = glow.load(unique)
    assert (model(numpy.eye(2, dtype="f")) == [0, 1]).all()
    assert model(numpy.zeros((2, 2), "f")).shape == (1,)
    with pytest.raises(glow.Unsupported, match="no single program"):
        glow.compile(unique)
    with pytest.raises(glow.Unsupported, match="no single program"):
        model.profile(numpy.eye(2, dtype="f"))
    x = numpy.eye(2, dtype="f")
    for feed, name in (({"x": x, "z": x}, "'z'"), ({"z": x}, "'x'"),
                       ({}, "'x' is not given"), ({"x": None}, "'x'")):
        with pytest.raises(glow.NotFound, match=name):
            model.run(feed)  # none of the runs before gives it


def test_from_memory(digits):
    model = glow.load(digits.read_bytes(), name="bytes")
    assert model(numpy.zeros((1, 1, 28, 28), "f")).shape == (1, 10)
    assert "glow.Model bytes" in repr(model)
    with pytest.raises(glow.Error, match="half"):
        glow.load(digits.read_bytes()[:1000], name="half")


def test_explains(digits):
    model = glow.load(digits)
    assert "cpu" in model.explain()
    assert isinstance(model.explain(as_json=True), dict)


def test_explains_as_the_command(digits):
    printed = subprocess.run(["glow", "explain", digits, "--json"], capture_output=True,
                             text=True, check=True).stdout
    command, own = json.loads(printed), glow.load(digits).explain(as_json=True)
    assert own.keys() == command.keys()
    # Milliseconds follow from the clock, which each process measures.
    for key in ("nodes", "run_arena_bytes", "numbers"):
        assert own[key] == command[key]
    for ours, theirs in zip(own["layers"], command["layers"], strict=True):
        assert ours.keys() == theirs.keys()
        assert [ours[key] for key in ("layer", "algorithm", "predicted_cycles", "operations")] == \
            [theirs[key] for key in ("layer", "algorithm", "predicted_cycles", "operations")]
    assert "layer" in glow.load(digits).explain()


def test_explains_an_open_batch_as_one(scale):
    as_one = glow.load(scale, shapes={"n": 1}).explain(as_json=True)
    assert glow.load(scale).explain(as_json=True) == as_one
    for shapes in ({"n": 4}, {"x": [4, 3]}):
        assert glow.load(scale, shapes=shapes).explain(as_json=True) != as_one


def test_profiles(digits):
    model = glow.load(digits)
    profile = model.profile(numpy.zeros((1, 1, 28, 28), "f"), runs=3)
    assert profile.runs == 3 and len(profile.steps) > 3
    assert profile.milliseconds == pytest.approx(
        sum(step.milliseconds for step in profile.steps), abs=1e-3)
    longest = max(profile.steps, key=lambda step: step.milliseconds)
    assert longest.node in str(profile).splitlines()[1]


def test_reasons_of_a_refusal_are_in_the_message(refused, capfd):
    with pytest.raises(glow.Error) as caught:
        glow.load(refused)
    assert "Frobnicate" in str(caught.value)
    assert "Twiddle" in str(caught.value)
    assert "refused.onnx" in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_errors_are_the_expected_ones(digits, tmp_path):
    with pytest.raises(LookupError, match="nowhere.onnx"):
        glow.load(tmp_path / "nowhere.onnx")
    with pytest.raises(ValueError, match="it should be strict"):
        glow.load(digits, math="sloppy")
    with pytest.raises(glow.NotFound, match="no option is named 'colour'"):
        glow.load(digits, colour="red")
    with pytest.raises(glow.NotFound, match="backend"):
        glow.load(digits, backend="abacus")
    assert issubclass(glow.OutOfMemory, MemoryError)


def test_tells_a_log(refused):
    said = []
    glow.log_to("error", lambda level, text: said.append((level, text)))
    try:
        with pytest.raises(glow.Error):
            glow.load(refused)
    finally:
        glow.log_to("off")
    assert [level for level, _ in said] == ["error"]
    assert "Twiddle" in said[0][1]
    with pytest.raises(ValueError, match="one of off, error"):
        glow.log_to("loud")


def test_options_are_listed():
    known = {option.name: option for option in glow.options()}
    assert known["math"].type == "strict|default|fast"
    assert known["threads"].initially == "0"
    assert known["cpu"].backend == "cpu" and known["cpu"].help


def test_version():
    assert glow.__version__ == glow.version()
    assert glow.version()[0].isdigit()


def test_names_are_those_of_the_modules():
    for name in glow.__all__:
        assert getattr(glow, name).__doc__, name
    assert set(glow.__all__) <= set(dir(glow))
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        glow.lode


def test_a_child_of_fork_runs(digits):
    model = glow.load(digits, threads=2)
    image = numpy.ones((1, 1, 28, 28), "f")
    expected = model(image)
    child = os.fork()
    if child == 0:
        os._exit(0 if (model(image) == expected).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_modules_of_the_program_are_no_part_of_the_compiler(digits, tmp_path):
    log = []
    for modules in ("numpy", "numpy, sqlite3, _decimal, google.protobuf, onnx"):
        script = f"import {modules}, glow; glow.load({str(digits)!r}).compile()"
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True,
            env={**os.environ, "GLOW_LOG": "info", "GLOW_CACHE_DIR": str(tmp_path / "kept")})
        log.append(done.stderr)
    assert "compiled for" in log[0]
    assert "found in the cache" in log[1] and "compiled for" not in log[1]
