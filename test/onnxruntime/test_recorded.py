# SPDX-License-Identifier: MIT
"""Recorded cases of ONNX, one for each operator, and models of others."""

import os
import pathlib

import numpy
import onnx
import onnxruntime
import pytest
from onnx import numpy_helper

from conftest import claimed

CASES = os.environ.get("GLOW_ONNX_CASES", "")
MODELS = os.environ.get("GLOW_SHARED_DATA", "")

# Random numbers differ from those that were recorded.
RANDOM = {"Bernoulli", "Dropout", "RandomNormalLike", "RandomUniformLike"}
# Values of these are strings, sequences or optionals, or only constants.
LEFT = {"Constant", "OptionalGetElement", "OptionalHasElement", "SequenceInsert",
        "SequenceMap", "Shape", "StringNormalizer",
        # Inputs are axes and indices, all different, which a trial does not have.
        "MaxUnpool", "Slice"}
# The part of the largest value by which a result may differ: quantised nodes are rounded
# in more than one place, and a spectrum has differences of large numbers.
TOLERANCES = {"mobilenetv2-qdq": 0.05, "basic-pitch": 0.005}


def read(path):
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(tensor)


def tensors(folder, side):
    """The inputs or outputs in a folder, by their numbers."""
    return [read(folder / f"{side}_{number}.pb")
            for number in range(len(list(folder.glob(f"{side}_*.pb"))))]


def sample():
    """A case for each operator that ONNX Runtime has."""
    cases = {}
    for folder in sorted(pathlib.Path(CASES).glob("test_*")) if CASES else ():
        nodes = onnx.load(str(folder / "model.onnx")).graph.node
        if RANDOM.isdisjoint(node.op_type for node in nodes):
            cases.setdefault(nodes[-1].op_type, []).append(folder)
    return sorted(cases.items())


def feeds_of(session, data):
    return {value.name: array for value, array in
            zip(session.get_inputs(), tensors(data, "input"))}


def runs(folder):
    """Whether ONNX Runtime itself runs a case."""
    try:
        session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
        session.run(None, feeds_of(session, folder / "test_data_set_0"))
        return True
    except Exception:  # operators and types that it does not have, and sequences
        return False


def check_case(session, folder):
    data = folder / "test_data_set_0"
    wanted = tensors(data, "output")
    half = any(array.dtype == numpy.float16 for array in wanted)
    # Some cases were recorded with four digits.
    compare(session.run(None, feeds_of(session, data)), wanted, 1e-3 if half else 2e-4)


def compare(found, wanted, tolerance):
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        if ours.dtype.kind != "f":
            assert (ours == theirs).all()
            continue
        finite = theirs[numpy.isfinite(theirs)]
        largest = float(abs(finite).max()) if finite.size else 0
        numpy.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * largest)


@pytest.mark.parametrize("operator, folders", sample(), ids=lambda value: str(value)[:20])
def test_operator(operator, folders, open_session):
    folder = next(filter(runs, folders), None)
    if not folder:
        pytest.skip("ONNX Runtime runs no recorded case")
    session = open_session(folder / "model.onnx")
    assert bool(claimed(session)) == (operator not in LEFT)
    if operator not in LEFT:
        check_case(session, folder)


@pytest.mark.parametrize("operator, folders", sample(), ids=lambda value: str(value)[:20])
def test_cases(operator, folders, open_session):
    """Every case that ONNX Runtime runs and Glow takes gives what was recorded."""
    for folder in filter(runs, folders):
        session = open_session(folder / "model.onnx")
        if claimed(session):
            check_case(session, folder)


@pytest.mark.parametrize("folder", sorted(pathlib.Path(MODELS, "models").glob("*/"))
                         if MODELS else (), ids=lambda folder: folder.name)
def test_model(folder, open_session):
    """A whole model is one part."""
    if not (folder / "model.onnx").is_file():
        pytest.skip("no model")
    session = open_session(folder / "model.onnx")
    assert len(claimed(session)) == 1
    for data in sorted(folder.glob("test_data_set_*")):
        compare(session.run(None, feeds_of(session, data)), tensors(data, "output"),
                TOLERANCES.get(folder.name, 1e-4))
