#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes recurrent nodes whose sequences have lengths, and inputs: sequence_lengths.py FOLDER.

Each case is a model and an input file for each of its inputs. Lengths are 0, all steps and
what is between.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
F, I32 = TensorProto.FLOAT, TensorProto.INT32


def write(folder, name, kind, hidden, steps, items, direction="forward", is_open=False,
          gives_weights=False, **attributes):
    random = numpy.random.default_rng(len(name))
    count, width, gates = 2 if direction == "bidirectional" else 1, 5, GATES[kind]

    def weights(label, *shape):
        array = random.standard_normal(shape) / shape[-1] ** 0.5
        return numpy_helper.from_array(array.astype(numpy.float32), label)

    states = ["h0", "c0"][:1 + (kind == "LSTM")]
    outputs = ["y", "last", "cell"][:1 + len(states)]
    t, n = ("T", "N") if is_open else (steps, items)
    given = [helper.make_tensor_value_info("x", F, [t, n, width]),
             helper.make_tensor_value_info("lengths", I32, [n])]
    given += [helper.make_tensor_value_info(state, F, [count, n, hidden]) for state in states]
    cell = helper.make_node(kind, ["x", "w", "r", "b", "lengths", *states], outputs, "cell",
                            hidden_size=hidden, direction=direction, **attributes)
    constants = [weights("w", count, gates * hidden, width),
                 weights("r", count, gates * hidden, hidden),
                 weights("b", count, 2 * gates * hidden)]
    os.makedirs(f"{folder}/{name}")
    if gives_weights:
        given += [helper.make_tensor_value_info(one.name, F, one.dims) for one in constants]
        for one in constants:
            numpy.save(f"{folder}/{name}/{one.name}.npy", numpy_helper.to_array(one))
        constants = []
    graph = helper.make_graph(
        [cell], name, given, [helper.make_tensor_value_info(one, F, None) for one in outputs],
        constants)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
         f"{folder}/{name}/model.onnx")
    lengths = random.permutation(numpy.linspace(0, steps, items).round().astype(numpy.int32))
    arrays = {"x": random.standard_normal((steps, items, width)), "lengths": lengths,
              **{state: random.standard_normal((count, items, hidden)) for state in states}}
    for label, array in arrays.items():
        kept = array if label == "lengths" else array.astype(numpy.float32)
        numpy.save(f"{folder}/{name}/{label}.npy", kept)


def main():
    folder = sys.argv[1]
    for kind in GATES:
        for direction in ("forward", "reverse", "bidirectional"):
            write(folder, f"{kind}_{direction}", kind, 20, 6, 5, direction)
        write(folder, f"{kind}_many", kind, 36, 9, 17, "bidirectional")
        write(folder, f"{kind}_one", kind, 3, 4, 1)
        write(folder, f"{kind}_given", kind, 20, 6, 5, "bidirectional", gives_weights=True)
        # Two threads share a time step.
        write(folder, f"{kind}_wide", kind, 512, 5, 7, "bidirectional")
    write(folder, "LSTM_open", "LSTM", 20, 6, 5, "bidirectional", is_open=True)
    write(folder, "GRU_after", "GRU", 20, 6, 5, linear_before_reset=1)
    for name, length in (("more", 7), ("less", -1)):
        lengths = numpy.load(f"{folder}/LSTM_forward/lengths.npy")
        lengths[2] = length
        numpy.save(f"{folder}/{name}.npy", lengths)


if __name__ == "__main__":
    main()
