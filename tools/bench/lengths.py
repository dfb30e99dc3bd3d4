#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures one program for a range of sizes, in turns with programs of one size
and with ONNX Runtime, on one thread of one process. Python's modules glow and
onnxruntime run the models, so that a time has the call in Python.

The models are an encoder of texts, as an exporter writes it, and a decoder with
a cache, which `--decoder` names: its inputs are input_ids [1,S] and any number
of past_key_values [1,heads,P,depth]. `--model` names any other model, on random
inputs, and leaves the encoder out."""

import argparse
import os
import random
import statistics
import sys
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

import install
from bench import note_load, say
from host import described, processor

LONGEST = 512
ENCODER = [(1, 1), (1, 5), (1, 16), (1, 40), (1, 128), (1, 384), (1, 512),
           (4, 8), (4, 60), (16, 1), (16, 20), (16, 100)]
DECODER = [0, 1, 16, 63, 128, 255, 400, 511]


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("--build", metavar="DIR", help="a build of this tree; default: the "
           "release build, which is built first")
    option("--rounds", type=int, default=12, metavar="N",
           help="of the three programs forwards and backwards; default 12")
    option("--decoder", metavar="MODEL", help="measure a decoder, too")
    option("--model", nargs="+", action="append", default=[],
           metavar=("MODEL", "SIZE=LOW..HIGH"), help="measure a model on the "
           "least, the greatest and three other sizes; LOW..HIGH:8 are "
           "multiples, and SIZE=8 is one size")
    option("--sizes", type=int, default=0, metavar="N", help="also run the "
           "decoder on so many random sizes, and report the memory")
    option("--count", type=int, default=0, metavar="N", help="measure models "
           "on so many different sizes in random order instead, with the first "
           "run of each")
    option("--bert", action="store_true", help="measure an encoder of 12 "
           "layers of 768, too")
    option("--processor-time", action="store_true", help="measure the time of "
           "the processor, for a busy machine")
    return parser.parse_args(arguments)


class Encoder:
    """Six layers of twelve heads, 384 wide, with the sizes of a text computed
    by Shape, Gather and Concat."""

    LAYERS, WIDTH, HEADS, WORDS = 6, 384, 12, 1000

    def __init__(self, layers=LAYERS, width=WIDTH):
        self.LAYERS, self.WIDTH = layers, width
        self.random = numpy.random.RandomState(1)
        self.nodes, self.weights = [], []

    def weight(self, array):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def floats(self, *shape):
        drawn = self.random.standard_normal(shape) / numpy.sqrt(shape[0])
        return self.weight(drawn.astype("f4"))

    def number(self, value):
        return self.weight(numpy.array(value, "f4"))

    def integers(self, value):
        return self.weight(numpy.array(value, "i8"))

    def node(self, operator, *inputs, **attributes):
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output],
                                           name=output, **attributes))
        return output

    def norm(self, x):
        scale = 0.8 + 0.4 * self.random.rand(self.WIDTH)
        return self.node("LayerNormalization", x,
                         self.weight(scale.astype("f4")),
                         self.floats(self.WIDTH), axis=-1, epsilon=1e-5)

    def linear(self, x, inner, columns):
        product = self.node("MatMul", x, self.floats(inner, columns))
        return self.node("Add", product, self.floats(columns))

    def heads(self, x, sizes):
        rows = self.node("Reshape", x, sizes)
        return self.node("Transpose", rows, perm=[0, 2, 1, 3])

    def attention(self, x, batch, length, mask):
        each = self.WIDTH // self.HEADS
        sizes = self.node("Concat", batch, length, self.integers([self.HEADS]),
                          self.integers([each]), axis=0)
        q, k, v = (self.heads(self.linear(x, self.WIDTH, self.WIDTH), sizes)
                   for _ in range(3))
        scores = self.node("MatMul", q,
                           self.node("Transpose", k, perm=[0, 1, 3, 2]))
        scores = self.node("Div", scores, self.number(numpy.sqrt(each)))
        shares = self.node("Softmax", self.node("Add", scores, mask), axis=-1)
        rows = self.node("Transpose", self.node("MatMul", shares, v),
                         perm=[0, 2, 1, 3])
        joined = self.node("Concat", batch, length,
                           self.integers([self.WIDTH]), axis=0)
        return self.linear(self.node("Reshape", rows, joined), self.WIDTH,
                           self.WIDTH)

    def gelu(self, x):
        wide = self.node("Erf", self.node("Div", x,
                                          self.number(numpy.sqrt(2))))
        wide = self.node("Add", wide, self.number(1))
        return self.node("Mul", self.node("Mul", x, wide), self.number(0.5))

    def write(self, path):
        sizes = self.node("Shape", "ids")
        batch, length = (
            self.node("Unsqueeze",
                      self.node("Gather", sizes, self.integers(axis), axis=0),
                      self.integers([0])) for axis in (0, 1))
        words = self.node("Gather", self.floats(self.WORDS, self.WIDTH), "ids")
        places = self.node("Slice", self.floats(LONGEST, self.WIDTH),
                           self.integers([0]), length, self.integers([0]))
        x = self.norm(self.node("Add", words, places))
        mask = self.node("Cast", self.node("Unsqueeze", "mask",
                                           self.integers([1, 2])),
                         to=TensorProto.FLOAT)
        mask = self.node("Mul", self.node("Sub", self.number(1), mask),
                         self.number(-1e4))
        for _ in range(self.LAYERS):
            x = self.norm(self.node("Add", x, self.attention(x, batch, length,
                                                             mask)))
            inner = self.gelu(self.linear(x, self.WIDTH, 4 * self.WIDTH))
            x = self.norm(self.node("Add", x, self.linear(
                inner, 4 * self.WIDTH, self.WIDTH)))
        self.nodes.append(helper.make_node("Identity", [x], ["y"]))
        graph = helper.make_graph(
            self.nodes, "encoder",
            [helper.make_tensor_value_info(name, TensorProto.INT64, ["N", "S"])
             for name in ("ids", "mask")],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT,
                                           ["N", "S", self.WIDTH])],
            self.weights)
        onnx.save(helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
            path)


def peer_session(path):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    return onnxruntime.InferenceSession(path, options)


CLOCK = time.perf_counter


def time_of(run, count=1):
    begin = CLOCK()
    for _ in range(count):
        run()
    return (CLOCK() - begin) / count * 1e6


def in_turns(runs, rounds):
    """The median time of each in microseconds, A B C C B A."""
    for run in runs:
        run()
    count = max(1, int(2e4 / max(1.0, time_of(runs[1], 1))))
    times = [[] for _ in runs]
    for _ in range(rounds):
        for index in [*range(len(runs)), *reversed(range(len(runs)))]:
            times[index].append(time_of(runs[index], count))
    return [statistics.median(of) for of in times]


def differ(ours, theirs):
    """The largest difference of all outputs, in parts of the largest element."""
    return max(abs(ours[name] - array).max(initial=0)
               / max(abs(array).max(initial=0), 1e-9)
               for name, array in theirs.items())


def measure(path, ranges, cases, rounds):
    """Rows of a table; `cases` has a name, sizes and inputs for each."""
    import glow
    begin = CLOCK()
    many = glow.load(path, shapes=ranges, threads=1)
    say(f"compiled once in {CLOCK() - begin:.2f} s")
    peer = peer_session(path)
    names = [output.name for output in peer.get_outputs()]
    say("| sizes | range, us | one size, us | ONNX Runtime, us | to one size "
        "| to ONNX Runtime | difference |")
    say("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, sizes, feed in cases:
        one = glow.load(path, shapes=sizes, threads=1)
        off = differ(many.run(feed), dict(zip(names, peer.run(None, feed))))
        ours, fixed, theirs = in_turns(
            [lambda: many.run(feed), lambda: one.run(feed),
             lambda: peer.run(None, feed)], rounds)
        say(f"| {name} | {ours:.0f} | {fixed:.0f} | {theirs:.0f} "
            f"| {ours / fixed:.2f} | {theirs / ours:.2f} | {off:.1e} |")
    return many, peer


def measure_order(path, ranges, cases, rounds):
    """Each size once in random order, then in turns with its own program."""
    import glow
    many, peer = glow.load(path, shapes=ranges, threads=1), peer_session(path)
    cases = list(cases)
    firsts = [time_of(lambda: many.run(feed)) for _, _, feed in cases]
    rows = []
    for (name, sizes, feed), first in zip(cases, firsts):
        one = glow.load(path, shapes=sizes, threads=1)
        times = in_turns([lambda: many.run(feed), lambda: one.run(feed),
                          lambda: peer.run(None, feed)], rounds)
        rows.append((times[0] / times[1], first / times[1],
                     times[2] / times[0], name))
    say("| | least | median | greatest | sizes of the greatest |")
    say("| --- | ---: | ---: | ---: | --- |")
    # The first two runs take memory and touch pages.
    for title, index, chosen in (("to one size", 0, rows),
                                 ("first run, to one size", 1, rows[2:]),
                                 ("to ONNX Runtime", 2, rows)):
        ordered = sorted(chosen, key=lambda row: row[index])
        middle = statistics.median(row[index] for row in chosen)
        say(f"| {title} | {ordered[0][index]:.2f} | {middle:.2f} "
            f"| {ordered[-1][index]:.2f} | {ordered[-1][3]} |")


def encoder_cases():
    draw = numpy.random.default_rng(1)
    for batch, length in ENCODER:
        yield (f"{batch} x {length}", {"N": batch, "S": length}, {
            "ids": draw.integers(0, Encoder.WORDS, (batch, length)),
            "mask": numpy.ones((batch, length), "i8")})


def measure_encoder(rounds, layers=Encoder.LAYERS, width=Encoder.WIDTH):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "encoder.onnx")
        Encoder(layers, width).write(path)
        say(f"encoder of {layers} layers of {width}, batch x length")
        measure(path, {"N": range(1, 17), "S": range(1, LONGEST + 1)},
                encoder_cases(), rounds)


def decoder_feed(model, past, draw):
    feed = {"input_ids": draw.integers(0, 100, (1, 1))}
    for value in model.graph.input:
        if value.name != "input_ids":
            sizes = value.type.tensor_type.shape.dim
            shape = [size.dim_value or past for size in sizes]
            feed[value.name] = draw.standard_normal(shape).astype("f4")
    return feed


def sizes_of(text):
    """The name and the sizes of `S=8..512:8`."""
    name, bounds = text.split("=")
    bounds, _, multiple = bounds.partition(":")
    low, _, high = bounds.partition("..")
    return name, range(int(low), int(high or low) + 1, int(multiple or 1))


def random_input(info, sizes, draw):
    shape = [size if isinstance(size, int) else sizes.get(size, 1)
             for size in info.shape]
    if "float" in info.type:
        return draw.random(shape, dtype="f4")
    kind = info.type[len("tensor("):-1]
    return draw.integers(0, 2, shape).astype(kind)


def model_cases(path, sizes, count):
    """The least, the greatest and three other sizes, or so many others."""
    draw, choose = numpy.random.default_rng(1), random.Random(1)
    inputs = peer_session(path).get_inputs()
    seen = []
    for pick in ([choose.choice] * count if count else
                 [min, max, choose.choice, choose.choice, choose.choice]):
        chosen = {name: pick(values) for name, values in sizes.items()}
        while count and chosen in seen:
            chosen = {name: pick(values) for name, values in sizes.items()}
        seen.append(chosen)
        yield (" x ".join(map(str, chosen.values())), chosen,
               {info.name: random_input(info, chosen, draw)
                for info in inputs})


def measure_sessions(path, many, rounds):
    """A token in a session, whose caches stay, and in runs that copy nothing
    either, since they read one cache again and again."""
    session = many.session()
    draw = numpy.random.default_rng(3)
    model = onnx.load(path, load_external_data=False)
    say("| after | in a session, us | a run, us | to a run |")
    say("| --- | ---: | ---: | ---: |")
    for past in DECODER:
        feed = decoder_feed(model, past, draw)
        token = {"input_ids": feed["input_ids"]}
        for state in session.states:
            session[state.input] = feed[state.input].transpose(2, 0, 1, 3)

        def step():
            session.run(token)
            session.rollback(1)

        times = in_turns([step, lambda: many.run(feed)], rounds)
        say(f"| {past} | {times[0]:.0f} | {times[1]:.0f} "
            f"| {times[0] / times[1]:.2f} |")


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 10


def random_sizes(many, model, count):
    """Memory must not grow once every size has come."""
    draw, memory = numpy.random.default_rng(2), 0
    feeds = {}
    for run in range(count):
        past = random.Random(run).randrange(LONGEST)
        if past not in feeds:
            feeds[past] = decoder_feed(model, past, draw)
        many.run(feeds[past])
        if run == count // 2:
            memory = resident()
    say(f"{count} random sizes: {resident() - memory} KiB more after the second "
        "half")


def main(arguments):
    options = parse(arguments)
    if options.processor_time:
        global CLOCK
        CLOCK = time.process_time
    build = options.build or os.path.dirname(os.path.dirname(os.path.dirname(
        os.path.abspath(install.build_glow(install.ROOT)))))
    os.environ["GLOW_LIBRARY"] = os.path.join(build, "tools", "libglow",
                                              "libglow.so")
    sys.path.insert(0, os.path.join(build, "python"))
    note_load()
    say(processor(described()))
    if not options.model:
        measure_encoder(options.rounds)
    if options.bert:
        measure_encoder(options.rounds, 12, 768)
    for path, *texts in options.model:
        sizes = dict(map(sizes_of, texts))
        say(f"{os.path.basename(os.path.dirname(os.path.abspath(path)))}, "
            f"{' x '.join(sizes)}")
        how = measure_order if options.count else measure
        how(path, {name: values if len(values) > 1 else values[0]
                   for name, values in sizes.items()},
            model_cases(path, sizes, options.count), options.rounds)
    if options.decoder:
        model = onnx.load(options.decoder, load_external_data=False)
        draw = numpy.random.default_rng(1)
        say("decoder, a token after so many")
        many, _ = measure(
            options.decoder, {"S": range(1, 129), "P": range(LONGEST + 1)},
            ((past, {"S": 1, "P": past}, decoder_feed(model, past, draw))
             for past in DECODER), options.rounds)
        measure_sessions(options.decoder, many, options.rounds)
        if options.sizes:
            random_sizes(many, model, options.sizes)


if __name__ == "__main__":
    main(sys.argv[1:])
