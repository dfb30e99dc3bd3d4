#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures tokens a second of decoders: one token after 1, 128 and 2,048
others, in a session of Glow and in turns with ONNX Runtime, on one thread of
one process. The models have the shapes of published ones and random weights: a
model of 110 million parameters in floats, and one of 1.1 billion in 4 bits.

ONNX Runtime takes the caches as inputs and gives them as outputs. A model in 4
bits is measured there without `accuracy_level`, and with 4, which permits
products of bytes."""

import argparse
import os
import statistics
import sys
import tempfile
import time

import numpy
import onnx

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# pylint: disable=wrong-import-position
import decoder
import lengths
from bench import note_load, say
from graph import Graph
from host import described, processor

HELD = (1, 128, 2048)
CAPACITY = 2304


def floats(g, x, width):
    """x times a matrix of floats."""
    features = x.shape[-1]
    g.macs += numpy.prod(x.shape) * width
    weights = g.weight(g.scaled([features, width], features, 1.0), "weights")
    return g.node("MatMul", [x, weights], [*x.shape[:-1], width])


MODELS = {
    "decoder-110m": (decoder.Shape(12, 768, 2048, 12, 12), floats),
    "decoder-1.1b-int4": (decoder.Shape(22), decoder.few_bits),
}


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("--build", required=True, metavar="DIR", help="a build of this tree")
    option("--models", nargs="+", choices=MODELS, default=list(MODELS))
    option("--layers", type=int, metavar="N", help="of the model's, for a try")
    option("--rounds", type=int, default=6, metavar="N",
           help="of all programs forwards and backwards; default 6")
    option("--processor-time", action="store_true", help="measure the time of "
           "the processor, for a busy machine")
    return parser.parse_args(arguments)


def write(path, shape, product, level=None):
    """The model, with open lengths of the texts and of the caches."""
    g = Graph("tokens", 17, 0)
    decoder.decode(g, 1, 1, 8, shape, product)
    for value in g.inputs:
        sizes = value.type.tensor_type.shape.dim
        axis, name = ((2, "P") if value.name.startswith("past") else
                      (1, "T" if value.name == "attention_mask" else "S"))
        sizes[axis].dim_param = name
    for value in g.outputs:
        value.type.tensor_type.ClearField("shape")
    if level:
        for node in g.nodes:
            if node.op_type == "MatMulNBits":
                node.attribute.append(
                    onnx.helper.make_attribute("accuracy_level", level))
    graph = onnx.helper.make_graph(g.nodes, "tokens", g.inputs, g.outputs,
                                   g.weights)
    model = onnx.helper.make_model(
        graph, ir_version=8,
        opset_imports=[onnx.helper.make_opsetid(domain, 1 if domain else 17)
                       for domain in sorted(g.domains)])
    onnx.save(model, path, save_as_external_data=True,
              location=os.path.basename(path) + ".data")


def feeds(shape, held, draw):
    feed = {"input_ids": draw.integers(0, shape.words, (1, 1)),
            "attention_mask": numpy.ones((1, held + 1), "i8")}
    for layer in range(shape.layers):
        for part in ("key", "value"):
            feed[f"past_key_values.{layer}.{part}"] = draw.standard_normal(
                (1, shape.shared, held, shape.each)).astype("f4")
    return feed


def measure(name, options, folder):
    import glow
    shape, product = MODELS[name]
    shape.layers = options.layers or shape.layers
    path = os.path.join(folder, f"{name}.onnx")
    write(path, shape, product)
    peers = {"ONNX Runtime": lengths.peer_session(path)}
    if product is decoder.few_bits:
        exact = os.path.join(folder, f"{name}-4.onnx")
        write(exact, shape, product, level=4)
        peers["ONNX Runtime, level 4"] = lengths.peer_session(exact)
    model = glow.load(path, threads=1, shapes={
        "S": range(1, 65), "P": range(CAPACITY + 1),
        "T": range(1, CAPACITY + 65)})
    session = model.session()
    draw = numpy.random.default_rng(1)
    say(f"{name}: {shape.layers} layers of {shape.width}, tokens a second")
    say("| after | Glow | " + " | ".join(peers)
        + " | to the best | difference |")
    say("| ---: |" + " ---: |" * (len(peers) + 3))
    for held in HELD:
        feed = feeds(shape, held, draw)
        token = {key: feed[key] for key in ("input_ids", "attention_mask")}
        for state in session.states:
            session[state.input] = feed[state.input].transpose(2, 0, 1, 3)

        def step():
            result = session.run(token)
            session.rollback(1)
            return result

        wanted = peers["ONNX Runtime"].run(["logits"], feed)
        off = lengths.differ(step(), {"logits": wanted[0]})
        times = in_turns([step, *(lambda peer=peer: peer.run(None, feed)
                                  for peer in peers.values())],
                         options.rounds)
        say(f"| {held} | " + " | ".join(f"{1e6 / one:.1f}" for one in times)
            + f" | {min(times[1:]) / times[0]:.2f} | {off:.1e} |")


def in_turns(runs, rounds):
    """The median time of each in microseconds, A B C C B A."""
    times = [[] for _ in runs]
    for _ in range(rounds):
        for index in [*range(len(runs)), *reversed(range(len(runs)))]:
            times[index].append(lengths.time_of(runs[index]))
    return [statistics.median(of) for of in times]


def main(arguments):
    options = parse(arguments)
    if options.processor_time:
        lengths.CLOCK = time.process_time
    os.environ["GLOW_LIBRARY"] = os.path.join(options.build, "tools", "libglow",
                                              "libglow.so")
    sys.path.insert(0, os.path.join(options.build, "python"))
    note_load()
    say(processor(described()))
    with tempfile.TemporaryDirectory() as folder:
        for name in options.models:
            measure(name, options, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
