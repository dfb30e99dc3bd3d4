# SPDX-License-Identifier: MIT
"""Outputs that are written to the memory of inputs, or of other outputs."""

import asyncio

import numpy
import pytest
from conftest import value, write
from onnx import helper

import glow

N = 512


@pytest.fixture(params=["cpu", "interpreter"])
def step(request, tmp_path):
    """hn = h + x and cn = h - 2 x: both read both inputs."""
    path = write(tmp_path / "step.onnx",
                 [helper.make_node("Add", ["h", "x"], ["hn"]),
                  helper.make_node("Add", ["x", "x"], ["two"]),
                  helper.make_node("Sub", ["h", "two"], ["cn"])],
                 [value("h", [N]), value("x", [N])],
                 [value("hn", [N]), value("cn", [N])])
    return glow.compile(path, backend=request.param)


def arrays():
    memory = numpy.arange(4 * N, dtype="f")
    h, x = memory[:N], memory[N:2 * N]
    return memory, h, x, (h + x, h - 2 * x)


def overlaps(memory, h, x):
    apart = memory[3 * N:]
    yield {"hn": h}
    yield {"cn": h}
    yield {"hn": x, "cn": h}
    yield {"hn": h, "cn": x}
    yield {"hn": memory[N // 2:N // 2 + N], "cn": apart}
    yield {"cn": memory[N // 2:N // 2 + N]}
    yield {"hn": memory[1:N + 1], "cn": memory[N + 1:2 * N + 1]}


def runs(model):
    yield model.run
    yield lambda feed, out: asyncio.run(model.run_async(feed, out))


def test_outputs_on_inputs(step):
    for which in range(7):
        for run in runs(step):
            memory, h, x, (hn, cn) = arrays()
            out = list(overlaps(memory, h, x))[which]
            results = run({"h": h, "x": x}, out)
            assert all(results[name] is array for name, array in out.items())
            assert (results["hn"] == hn).all() and (results["cn"] == cn).all()


def test_a_state_is_updated_in_place(step):
    h, x = numpy.zeros(N, "f"), numpy.ones(N, "f")
    for i in range(5):
        assert step.run({"h": h, "x": x}, {"hn": h})["cn"][0] == i - 2
    assert (h == 5).all()


def test_outputs_on_outputs_are_refused(step):
    memory, h, x, _ = arrays()
    apart = memory[2 * N:]
    for out in ({"hn": apart[:N], "cn": apart[:N]},
                {"hn": apart[:N], "cn": apart[N - 1:2 * N - 1]}):
        with pytest.raises(glow.InvalidArgument, match="outputs 'hn' and 'cn' "
                                                       "share memory"):
            step.run({"h": h, "x": x}, out)
    # The next run is as good as before.
    assert (step.run({"h": h, "x": x})["hn"] == h + x).all()


def test_inputs_may_share_memory(step):
    x = numpy.ones(N, "f")
    assert (step.run({"h": x, "x": x})["cn"] == -1).all()


def test_many_tensors(tmp_path):
    """More than are compared one by one."""
    count = 12
    names = range(count)
    path = write(tmp_path / "many.onnx",
                 [helper.make_node("Add", [f"x{i}", f"x{(i + 1) % count}"],
                                   [f"y{i}"]) for i in names],
                 [value(f"x{i}", [4]) for i in names],
                 [value(f"y{i}", [4]) for i in names])
    model = glow.compile(path)
    memory = numpy.arange(4 * 2 * count, dtype="f").reshape(2 * count, 4)
    feed = {f"x{i}": memory[i] for i in names}
    expected = {f"y{i}": memory[i] + memory[(i + 1) % count] for i in names}
    for out in ({}, {"y3": memory[20]}, {"y3": memory[5], "y7": memory[20]},
                {f"y{i}": memory[(i + 5) % count] for i in names}):
        before = memory.copy()
        results = model.run(feed, out)
        for name, array in expected.items():
            assert (results[name] == array).all()
        memory[:] = before
    with pytest.raises(glow.InvalidArgument, match="'y2' and 'y9' share"):
        model.run(feed, {"y9": memory[20], "y2": memory[20]})


def test_a_model_in_stages(tmp_path):
    path = write(tmp_path / "stages.onnx",
                 [helper.make_node("NonZero", ["x"], ["n"]),
                  helper.make_node("Gather", ["x", "n"], ["y"]),
                  helper.make_node("Add", ["x", "x"], ["z"])],
                 [value("x", [3])], [value("y", [1, None]), value("z", [3])])
    model = glow.load(path)
    x = numpy.array([1, 0, 2], "f")
    y = numpy.empty((1, 2), "f")
    results = model.run({"x": x}, out={"y": y, "z": x})
    assert results["y"] is y and y.tolist() == [[1, 2]]
    assert results["z"] is x and x.tolist() == [2, 0, 4]
    with pytest.raises(glow.ShapeMismatch, match=r"'y' is \[1, 2\], the array"):
        model.run({"x": x}, out={"y": numpy.empty((1, 3), "f")})
    memory = numpy.empty(4, "f")
    with pytest.raises(glow.InvalidArgument, match="share memory"):
        model.run({"x": x}, out={"y": memory[:2].reshape(1, 2),
                                 "z": memory[1:]})
    with pytest.raises(glow.NotFound, match="no output is named 'typo'"):
        model.run({"x": x}, out={"typo": y})
