# SPDX-License-Identifier: MIT
"""The provider in PyPI's onnxruntime, and models for it."""

import os
import pathlib

import numpy
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ["GLOW_PROVIDER"]
NAME = "GlowExecutionProvider"


@pytest.fixture(scope="session")
def devices():
    """The devices of the registered provider."""
    onnxruntime.register_execution_provider_library("glow", LIBRARY)
    found = [device for device in onnxruntime.get_ep_devices()
             if device.ep_name == NAME]
    assert len(found) == 1
    return found


@pytest.fixture
def open_session(devices):
    """Opens a session whose nodes Glow runs; `claimed` counts them."""

    def opened(model, **options):
        settings = onnxruntime.SessionOptions()
        settings.add_provider_for_devices(devices, {"threads": "1", **options})
        settings.add_session_config_entry(
            "session.record_ep_graph_assignment_info", "1")
        source = model if isinstance(model, (str, bytes)) else str(model)
        return onnxruntime.InferenceSession(source, settings)

    return opened


def claimed(session):
    """The operators that Glow runs, a list for each part."""
    return [[node.op_type for node in part.get_nodes()]
            for part in session.get_provider_graph_assignment_info()
            if part.ep_name == NAME]


@pytest.fixture
def digits():
    return ROOT / "docs" / "models" / "digits" / "digits.onnx"


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def model_of(nodes, inputs, outputs, constants=(), opset=17, between=()):
    """The bytes of a model."""
    graph = helper.make_graph(nodes, "g", inputs, outputs, [
        numpy_helper.from_array(array, name) for name, array in constants],
        value_info=between)
    model = helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)])
    model.ir_version = 8
    return model.SerializeToString()


@pytest.fixture
def scale():
    """y = 2 x of [n, 3], where n is open."""
    return model_of([helper.make_node("Mul", ["x", "two"], ["y"])],
                    [value("x", ["n", 3])], [value("y", ["n", 3])],
                    [("two", numpy.array(2, "f"))])
