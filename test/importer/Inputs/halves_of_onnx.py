#!/usr/bin/env python3
"""Runs ONNX's recorded cases of one node with f16 in place of f32: halves_of_onnx.py TESTDATA.

The interpreter's result is that of f32 on the same numbers, rounded once, whatever nodes an
operator becomes: within one unit in the last place. Inputs have the numbers of the case, and
numbers of 60 to 300, whose squares and sums f16 does not hold.
"""

import pathlib
import sys

import glow
import numpy
import onnx
from onnx import TensorProto, numpy_helper

F16, F32 = numpy.float16, numpy.float32


def inputs_of(folder, model):
    """The arrays of a case, or none where an input is a list or the case has no f32."""
    found = {}
    for i, port in enumerate(model.graph.input):
        tensor = TensorProto()
        if not port.type.HasField("tensor_type"):
            return {}
        tensor.ParseFromString((folder / "test_data_set_0" / f"input_{i}.pb").read_bytes())
        found[port.name] = numpy_helper.to_array(tensor)
    return found if any(array.dtype == F32 for array in found.values()) else {}


def as_halves(model):
    """The model with f16 in place of f32, also in its attributes."""
    halves = onnx.ModelProto()
    halves.CopyFrom(model)
    for port in halves.graph.input:
        if port.type.tensor_type.elem_type == TensorProto.FLOAT:
            port.type.tensor_type.elem_type = TensorProto.FLOAT16
    for port in halves.graph.output:
        port.ClearField("type")  # inputs decide, and some results stay f32
    for attribute in halves.graph.node[0].attribute:
        if attribute.t.data_type == TensorProto.FLOAT:
            attribute.t.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(attribute.t).astype(F16)))
        if attribute.name in ("to", "dtype") and attribute.i == TensorProto.FLOAT:
            attribute.i = TensorProto.FLOAT16
    return halves


def large(feed):
    """Numbers of 60 to 300 in place of f32, but for scalars: these are rates and thresholds."""
    random = numpy.random.RandomState(3)
    return {name: random.uniform(60, 300, array.shape).astype(F32) * numpy.where(array < 0, F32(-1), F32(1))
            if array.dtype == F32 and array.ndim else array for name, array in feed.items()}


def run(model, feed):
    return glow.load(model.SerializeToString(), backend="interpreter", memory_limit="1MiB").run(feed)


def units_off(found, exact):
    """How many units in the last place a result is off, at most."""
    order = lambda array: numpy.where(array.view(numpy.int16) < 0, -(array.view(numpy.int16) & 0x7fff).astype(int),
                                      array.view(numpy.int16).astype(int))
    expected = exact.astype(F16)
    off = numpy.abs(order(found) - order(expected))
    return numpy.where(numpy.isnan(found) & numpy.isnan(expected), 0, off).max(initial=0)


def check(name, model, feed):
    """The number of results that are off; nothing for a case that f32 itself refuses."""
    halves = {key: array.astype(F16) if array.dtype == F32 else array for key, array in feed.items()}
    whole = {key: array.astype(F32) if array.dtype == F16 else array for key, array in halves.items()}
    try:
        exact = run(model, whole)
    except glow.Error:
        return 0
    wrong = 0
    for key, found in run(as_halves(model), halves).items():
        # ONNX leaves some results in f32, as the mean of a norm.
        if isinstance(found, numpy.ndarray) and found.dtype == F16 and exact[key].dtype == F32:
            units = units_off(found, exact[key])
            wrong += units > 1
            if units > 1:
                print(f"{name}: '{key}' is {units} units off")
    return wrong


# Each element kind is written in the case: an input of f16 beside f32 is not the same operator.
CONVERTING = ("Cast", "CastLike")


def main(testdata):
    tried = wrong = 0
    for folder in sorted(pathlib.Path(testdata).glob("node/test_*")):
        model = onnx.load(str(folder / "model.onnx"))
        if len(model.graph.node) != 1 or model.graph.node[0].op_type in CONVERTING:
            continue
        if any(attribute.HasField("g") for attribute in model.graph.node[0].attribute):
            continue
        feed = inputs_of(folder, model)
        for label, numbers in (("", feed), (", large", large(feed))) if feed else ():
            tried += 1
            wrong += check(folder.name + label, model, numbers)
    print(f"{tried} cases, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    with numpy.errstate(over="ignore", invalid="ignore"):
        sys.exit(main(*sys.argv[1:]))
