# SPDX-License-Identifier: MIT
"""Runs in other threads, runs that are ended, and profiles."""

import json
import threading
import time

import numpy
import pytest

import glow as onnxruntime


def test_callbacks(scale):
    session, found = onnxruntime.InferenceSession(scale), {}
    done = threading.Semaphore(0)

    def callback(results, number, error):
        found[number] = (results, error, threading.current_thread())
        done.release()

    for number in range(6):
        x = numpy.full((1 + number % 2, 3), number, "f")
        session.run_async(["y"], {"x": x}, callback, number)
    session.run_async(None, {}, callback, "none")
    for _ in range(7):
        done.acquire()
    assert found["none"][0] == [] and "input 'x' is not given" in found["none"][1]
    for number in range(6):
        (y,), error, thread = found[number]
        assert error == "" and (y == 2 * number).all()
        assert thread is not threading.current_thread()
    with pytest.raises(TypeError, match="callback is None"):
        session.run_async(None, {}, None, None)


def test_callback_that_fails(scale, capfd):
    session, done = onnxruntime.InferenceSession(scale), threading.Event()

    def callback(results, user_data, error):
        done.set()
        raise ValueError("of the callback")

    session.run_async(None, {"x": numpy.ones((1, 3), "f")}, callback, None)
    done.wait()
    text = ""
    while "of the callback" not in text:
        text += capfd.readouterr().err
        time.sleep(0.01)


def test_ended_runs(products):
    """terminate ends runs that go on, and later ones; others go on."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        products, options, [("GlowExecutionProvider", {"backend": "interpreter"})])
    run, errors = onnxruntime.RunOptions(), []
    feed = {"x": numpy.zeros((192, 192), "f")}

    def runs():
        try:
            while True:
                session.run(None, feed, run)
        except onnxruntime.Cancelled as error:
            errors.append(error)

    threads = [threading.Thread(target=runs) for _ in range(2)]
    for thread in threads:
        thread.start()
    while len(run._calls) < 2:
        time.sleep(0.001)
    run.terminate = True
    for thread in threads:
        thread.join()
    assert len(errors) == 2 and not run._calls
    with pytest.raises(onnxruntime.Cancelled, match="terminate = True"):
        session.run(None, feed, run)
    run.terminate = False
    assert session.run(None, feed, run)[0].shape == (192, 192)


def test_ended_runs_in_stages(unique):
    session, run = onnxruntime.InferenceSession(unique), onnxruntime.RunOptions()
    feed = {info.name: numpy.eye(2, dtype="f") for info in session.get_inputs()}
    assert session.run(None, feed, run)
    run.terminate = True
    with pytest.raises(onnxruntime.Cancelled):
        session.run(None, feed, run)


def test_profile(digits, tmp_path):
    options = onnxruntime.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "run_")
    before = time.monotonic_ns()
    session = onnxruntime.InferenceSession(digits, options)
    assert before <= session.get_profiling_start_time_ns() <= time.monotonic_ns()
    feed = {"image": numpy.zeros((1, 1, 28, 28), "f")}
    for _ in range(2):
        session.run(None, feed)
    path = session.end_profiling()
    assert path.startswith(str(tmp_path / "run_")) and path.endswith(".json")
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    runs = [event for event in events if event["name"] == "model_run"]
    steps = [event for event in events if event["cat"] == "Node"]
    assert len(runs) == 2 and len(steps) >= 2 * 5
    assert any(step["args"]["op_name"] == "cpu_conv" for step in steps)
    assert all(event["ph"] == "X" and event["dur"] >= 0 for event in events)
    assert runs[1]["ts"] >= runs[0]["ts"] + runs[0]["dur"]
    assert session.end_profiling() == ""
    session.run(None, feed)
    assert onnxruntime.InferenceSession(digits).get_profiling_start_time_ns() == 0


def test_levels_of_the_log(scale, capfd):
    with pytest.raises(onnxruntime.InvalidArgument, match="severity is 5"):
        onnxruntime.set_default_logger_severity(5)
    onnxruntime.set_default_logger_severity(1)
    try:
        onnxruntime.InferenceSession(scale).run(None, {"x": numpy.ones((2, 3), "f")})
    finally:
        onnxruntime.set_default_logger_severity(4)
    assert "compiled for 'cpu'" in capfd.readouterr().err


def test_notebooks(digits, scale, unique):
    for source in (digits, scale):
        text = onnxruntime.InferenceSession(source)._repr_html_()
        assert text.count("<tr>") == 3 and "<svg" in text
    text = onnxruntime.load(digits)._repr_html_()
    assert "digits.onnx</b> on cpu" in text and "<td>[1,1,28,28]</td>" in text
    assert "conv1" in text and "cpu_conv" in text
    assert onnxruntime.load(unique)._repr_html_().count("<tr>") >= 3
    ranged = onnxruntime.load(scale, shapes={"n": range(2, 9, 2)})
    assert "[n = 2..8 by 2,3]" in repr(ranged) and "n = 2..8 by 2" in ranged._repr_html_()
