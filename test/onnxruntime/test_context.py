# SPDX-License-Identifier: MIT
"""Compiled programs in EPContext nodes."""

import os
import subprocess
import sys

import numpy
import onnx
import onnxruntime
import pytest
from onnx import helper

from conftest import NAME, model_of, value

PROCESS = """
import sys, numpy, onnxruntime
library, model, context, embedded, image, result = sys.argv[1:]
onnxruntime.register_execution_provider_library("glow", library)
devices = [d for d in onnxruntime.get_ep_devices() if d.ep_name == "GlowExecutionProvider"]
options = onnxruntime.SessionOptions()
options.add_provider_for_devices(devices, {"threads": "1"})
if context:
    options.add_session_config_entry("ep.context_enable", "1")
    options.add_session_config_entry("ep.context_embed_mode", embedded)
    options.add_session_config_entry("ep.context_file_path", context)
session = onnxruntime.InferenceSession(model, options)
numpy.save(result, session.run(None, {"image": numpy.load(image)})[0])
"""


def write(devices, model, path, embedded, **options):
    """Opens a session that writes the model with contexts."""
    settings = onnxruntime.SessionOptions()
    settings.add_provider_for_devices(devices, {"threads": "1", **options})
    settings.add_session_config_entry("ep.context_enable", "1")
    settings.add_session_config_entry("ep.context_embed_mode", str(int(embedded)))
    settings.add_session_config_entry("ep.context_file_path", str(path))
    source = model if isinstance(model, bytes) else str(model)
    return onnxruntime.InferenceSession(source, settings)


def attributes(path):
    (node,) = onnx.load(path).graph.node
    assert (node.op_type, node.domain) == ("EPContext", "com.microsoft")
    return {one.name: helper.get_attribute_value(one) for one in node.attribute}


@pytest.mark.parametrize("embedded", [False, True])
def test_another_process_compiles_nothing(digits, tmp_path, embedded):
    def process(model, context, result):
        """The log of a process that runs a model, and its result."""
        other = subprocess.run(
            [sys.executable, "-c", PROCESS, os.environ["GLOW_PROVIDER"], model, context,
             str(int(embedded)), tmp_path / "image.npy", tmp_path / result],
            env={**os.environ, "GLOW_LOG": "info"}, text=True, stderr=subprocess.PIPE)
        assert other.returncode == 0, other.stderr
        return other.stderr, numpy.load(tmp_path / result)

    image = numpy.random.default_rng(0).random((1, 1, 28, 28), "f")
    numpy.save(tmp_path / "image.npy", image)
    path = tmp_path / "digits_ctx.onnx"
    log, wanted = process(digits, path, "wanted.npy")
    assert "compiled for" in log
    found = attributes(path)
    assert found["source"] == NAME.encode() and found["embed_mode"] == embedded
    assert len(list(tmp_path.glob("*.glow"))) == (not embedded)
    log, result = process(path, "", "result.npy")
    assert "compiled for" not in log and "compiled again" not in log, log
    numpy.testing.assert_array_equal(result, wanted)


def test_parts(devices, tmp_path, open_session):
    """Nodes that Glow refuses stay beside the contexts of its parts."""
    names = [f"v{i}" for i in range(10)]
    nodes = [helper.make_node("Sin" if i % 2 else "Cos", [names[i]], [names[i + 1]])
             for i in range(9)]
    nodes[4] = helper.make_node("CDist", ["v4", "v4"], ["v5"], domain="com.microsoft",
                                metric="euclidean")
    model = model_of(nodes, [value("v0", [3, 3])], [value("v9", [3, 3])],
                     between=[value("v5", [3, 3])])
    path = tmp_path / "parts_ctx.onnx"
    wanted = write(devices, model, path, True)
    assert [node.op_type for node in onnx.load(path).graph.node] == [
        "EPContext", "CDist", "EPContext"]
    x = numpy.random.default_rng(0).random((3, 3), "f")
    numpy.testing.assert_array_equal(open_session(path).run(None, {"v0": x})[0],
                                     wanted.run(None, {"v0": x})[0])


def changed(path, change):
    model = onnx.load(path)
    for one in model.graph.node[0].attribute:
        if one.name == "ep_cache_context":
            one.s = change(one.s)
    onnx.save(model, path)


def test_refused(digits, devices, tmp_path, open_session):
    path = tmp_path / "digits_ctx.onnx"
    write(devices, digits, path, True)
    whole = path.read_bytes()

    def refused(message, change=lambda context: context, **options):
        path.write_bytes(whole)
        changed(path, change)
        with pytest.raises(Exception, match=message):
            open_session(path, **options)

    version = attributes(path)["ep_sdk_version"]
    refused("was written by Glow 9.9.9, this is " + version.decode(),
            lambda context: context.replace(version, b"9.9.9", 1))
    refused("no context of this form", lambda context: b"other" + context)
    refused("was written for a processor of .*, this is one of",
            lambda context: context.replace(b"\nflags", b"\nflagz", 1)
            .replace(b"\nFeatures", b"\nfeatures", 1))


def test_other_options(digits, devices, tmp_path, open_session, capfd):
    """A program that the context does not have is compiled, with a warning."""
    path = tmp_path / "digits_ctx.onnx"
    write(devices, digits, path, True)
    capfd.readouterr()
    open_session(path)
    assert "compiled again" not in capfd.readouterr().err
    open_session(path, math="fast")
    assert "with other options or in a process" in capfd.readouterr().err


def test_absent_file(digits, devices, tmp_path, open_session):
    path = tmp_path / "digits_ctx.onnx"
    write(devices, digits, path, False)
    (file,) = tmp_path.glob("*.glow")
    file.unlink()
    with pytest.raises(Exception, match="cannot read the context .*" + file.name):
        open_session(path)
