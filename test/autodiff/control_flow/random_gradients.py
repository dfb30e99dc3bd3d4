# SPDX-License-Identifier: MIT
"""Gradients of random models with nested branches and loops: random_gradients.py COUNT DIR.

The models are those of test/controlflow, in f64, with trips that a count bounds, and with
weights in place of inputs. The first output is differentiated by all weights, and compared
with a central difference.
"""

import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

import glow

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "controlflow"))
# pylint: disable=wrong-import-position
from random_models import WIDTH, Maker

STEP = 1e-5
TOLERANCE = 1e-6


class Bounded(Maker):
    """Makes models whose loops have a count."""

    TRIPS = ("three",)


def to_double(graph):
    """Makes f64 of all values of f32 in a graph and the graphs of its nodes."""
    for port in [*graph.input, *graph.output]:
        if port.type.tensor_type.elem_type == TensorProto.FLOAT:
            port.type.tensor_type.elem_type = TensorProto.DOUBLE
    for tensor in graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            tensor.CopyFrom(numpy_helper.from_array(
                numpy_helper.to_array(tensor).astype(np.float64), tensor.name))
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                to_double(attribute.g)


def bounded_model(number):
    """A model whose inputs of floats are weights."""
    model, random = Bounded(number).model(), np.random.default_rng(number)
    to_double(model.graph)
    for port in list(model.graph.input):
        if port.type.tensor_type.elem_type == TensorProto.DOUBLE:
            model.graph.initializer.append(
                numpy_helper.from_array(random.standard_normal(WIDTH), port.name))
            model.graph.input.remove(port)
    return model


def differentiated(path, output):
    """Writes the gradients; false if no weight leads to the output."""
    done = subprocess.run(
        ["glow", "compile", path + ".onnx", "--emit=gradient", "--of", output, "-o",
         path + ".mlirbc"], capture_output=True, text=True, check=False)
    if done.returncode and ("no constant can be trained" not in done.stderr
                            and "depends on no trainable weight" not in done.stderr):
        sys.exit(f"{path}: {done.stderr}")
    return done.returncode == 0


def test(number, folder):
    model = bounded_model(number)
    path, output = f"{folder}/{number}", model.graph.output[0].name
    onnx.save(model, path + ".onnx")
    if not differentiated(path, output):
        return False
    random = np.random.default_rng(number)
    inputs = {"trips": np.array(3)}
    weights = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    for backend in ("interpreter", "cpu"):
        program = glow.load(path + ".mlirbc", backend=backend)
        given = {info.name for info in program.inputs}
        ways = {name: random.uniform(-1, 1, value.shape)
                for name, value in weights.items() if name in given}

        def at(move):
            # pylint: disable=cell-var-from-loop
            values = {**inputs, **{name: weights[name] + move * way
                                   for name, way in ways.items()}}
            return program.run({name: values[name] for name in given})

        values = at(0)
        found = sum((values[name + ".gradient"] * way).sum() for name, way in ways.items()
                    if name + ".gradient" in values)
        expected = (at(STEP)[output].sum() - at(-STEP)[output].sum()) / (2 * STEP)
        error = abs(found - expected) / max(1, abs(expected))
        if not error <= TOLERANCE:
            sys.exit(f"model {number} on {backend}: the gradient is {found}, but the "
                     f"difference {expected}: {error} apart")
    return True


def main():
    count, folder = int(sys.argv[1]), sys.argv[2]
    tested = sum(test(number, folder) for number in range(count))
    print(f"{tested} of {count} models have gradients, as the differences")


main()
