# SPDX-License-Identifier: MIT
"""Models whose weights are beside them or in memory only, and sessions that end while they run."""

import gc
import threading

import numpy
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, external_data_helper, helper

from conftest import claimed, model_of, value

WEIGHTS = numpy.arange(12, dtype="f").reshape(3, 4)
X = numpy.ones((2, 3), "f")


@pytest.fixture
def product(tmp_path):
    """The path of a model of one product, whose weights are in another file."""
    model = onnx.load_from_string(model_of(
        [helper.make_node("MatMul", ["x", "w"], ["y"])], [value("x", [2, 3])],
        [value("y", [2, 4])], [("w", WEIGHTS)]))
    onnx.save(model, str(tmp_path / "product.onnx"), save_as_external_data=True,
              location="product.weights", size_threshold=0)
    assert (tmp_path / "product.weights").stat().st_size == WEIGHTS.nbytes
    return tmp_path / "product.onnx"


def check(session):
    assert claimed(session) == [["MatMul"]]
    (y,) = session.run(None, {"x": X})
    assert (y == X @ WEIGHTS).all()


def test_external_weights(product, open_session):
    check(open_session(product))


def test_external_weights_that_are_gone(product, open_session):
    (product.parent / "product.weights").unlink()
    with pytest.raises(Exception, match="product.weights"):
        open_session(product)


def test_weights_in_memory(devices):
    """The file has the place of the weights, and the application the weights."""
    model = onnx.load_from_string(model_of(
        [helper.make_node("MatMul", ["x", "w"], ["y"])], [value("x", [2, 3])],
        [value("y", [2, 4])], [("w", WEIGHTS)]))
    (weights,) = model.graph.initializer
    external_data_helper.set_external_data(weights, "nowhere.weights", 0, WEIGHTS.nbytes)
    weights.ClearField("raw_data")
    weights.data_location = TensorProto.EXTERNAL
    settings = onnxruntime.SessionOptions()
    settings.add_provider_for_devices(devices, {"threads": "1"})
    settings.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    given = onnxruntime.OrtValue.ortvalue_from_numpy(WEIGHTS)
    settings.add_external_initializers(["w"], [given])
    session = onnxruntime.InferenceSession(model.SerializeToString(), settings)
    del settings, given
    gc.collect()
    check(session)


def test_session_that_ends_while_it_runs(open_session):
    """The run goes on, and the threads that wait for it have their results."""
    steps = [helper.make_node("MatMul", [f"x{i}", "w"], [f"x{i + 1}"]) for i in range(40)]
    weights = numpy.eye(256, dtype="f")
    model = model_of(steps, [value("x0", [256, 256])], [value("x40", [256, 256])],
                     [("w", weights)])
    sessions, results = [open_session(model)], []
    x = numpy.random.default_rng(0).random((256, 256), "f")
    begun = threading.Barrier(3)

    def run(session):
        begun.wait()
        results.append(session.run(None, {"x0": x})[0])

    threads = [threading.Thread(target=run, args=(sessions[0],)) for _ in range(2)]
    for thread in threads:
        thread.start()
    begun.wait()
    sessions.clear()
    gc.collect()
    for thread in threads:
        thread.join()
    assert len(results) == 2
    for result in results:
        numpy.testing.assert_allclose(result, x, rtol=0, atol=1e-4)
