"""Runs models on two chips in ONNX Runtime, beside Glow's own provider: run.py MODELS LIBRARY

The packages of both chips are installed. LIBRARY is Glow's own provider.
"""

import json
import os
import pathlib
import sys

import chip_ep
import npu_ep
import numpy
import onnxruntime

models, library = pathlib.Path(sys.argv[1]), os.path.abspath(sys.argv[2])
report = pathlib.Path("runs.json").absolute()
os.environ["NPU_REPORT"] = str(report)
onnxruntime.register_execution_provider_library(npu_ep.name, npu_ep.library_path())
onnxruntime.register_execution_provider_library("glow", library)
assert len(chip_ep.register()) == 1 and len(chip_ep.register()) == 1  # once


def devices(name):
    return [one for one in onnxruntime.get_ep_devices() if one.ep_name == name]


def opened(model, name, options=None):
    settings = onnxruntime.SessionOptions()
    settings.add_provider_for_devices(devices(name), {"threads": "1", **(options or {})})
    settings.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    return onnxruntime.InferenceSession(str(models / model), settings)


def compare(model, name, most=0):
    """Runs a model, whose nodes are all the provider's. Bytes differ by `most` from the interpreter's."""
    session = opened(model, name)
    assert {part.ep_name for part in session.get_provider_graph_assignment_info()} == {name}
    (given,) = session.get_inputs()
    random = numpy.random.default_rng(2)
    x = (random.random(given.shape, "f") if given.type == "tensor(float)"
         else random.integers(0, 256, given.shape).astype("uint8"))
    own = opened(model, "GlowExecutionProvider", {"backend": "interpreter"})
    (found,), (wanted,) = session.run(None, {given.name: x}), own.run(None, {given.name: x})
    numpy.testing.assert_allclose(found, wanted, rtol=1e-5, atol=most)
    plain = onnxruntime.SessionOptions()  # ONNX Runtime's products of bytes may saturate
    plain.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    (other,) = onnxruntime.InferenceSession(str(models / model), plain).run(None, {given.name: x})
    if other.dtype == numpy.uint8:
        assert abs(found.astype(int) - other.astype(int)).max() <= 1
    print(model, name, found.shape)


for model in ("window.onnx", "network.onnx"):
    compare(model, npu_ep.name)
cycles = [json.loads(line)["cycles"] for line in report.read_text().splitlines()]
print("the chip has run:", all(count > 0 for count in cycles))
compare("pointwise.onnx", chip_ep.name, most=1)
compare("window.onnx", "GlowExecutionProvider", most=1)
try:
    opened("window.onnx", npu_ep.name, {"thread": "1"})
except Exception as error:
    print(error)
