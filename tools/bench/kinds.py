#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures kinds of models and operators whose speed depends on one part of the
compiler: orders and trees, moved elements, long chains, products of two inputs.
Each runs in turns with ONNX Runtime on one thread. Times are those of the
processor, which other programs of the machine change less than those of a
clock. A rate is in bytes or operations a second, to be compared with the limits
of the machine. Run it by a Python that has onnx, NumPy and onnxruntime.

The file is long because the table of cases is one place to look."""

import argparse
import json
import os
import re
import sys
import tempfile
import time

import numpy as np
import onnx

import host
import install
from bench import cores_for, note_load, say
from graph import Graph
from large import F32, I32, I64, floats, ints, one, trees, whole
from measure import BenchError, Program, in_turns, summarize
from report import KINDS, OPERATORS, number, parts_of

sys.path.insert(0, os.path.join(install.HERE, "peer"))
HEAD = ["kind", "case", "before, us", "ours, us", "peer, us", "ratio",
        "ours, G/s"]
TEXT = """Written by `tools/bench/kinds.py --write`. Each case is a model of one kind of work on one
thread, in turns with ONNX Runtime. Times are those of the processor, the medians of slices; the
column before has an earlier Glow. A rate counts bytes that a case moves, steps of its chains and
walks, or operations of its products. One core of this machine, when it is quiet, moves 90 GB/s
within its third-level cache, reading and writing, multiplies and adds 117 GFLOP/s of f32 and 469
Gop/s of bytes.

* processor: {processor}
* peer: ONNX Runtime {peer}
* note: 10 and more other programs ran on the two cores at the same time

Limits of these kinds:

* A product of more than 40 rows by a transposed matrix transposes a panel for its tiles, 16 by 16
  elements in 105 cycles, as the peer does.
* The tanh of the peer is wrong by up to 5.3 units in the last place, ours by 2.4, of the 4 that a
  test allows. A tanh of a chain of 16 takes as long as one of a chain of 2, and 0.98 of what is
  predicted.
* A mean of a window is divided, so that the mean of equal whole numbers is that number.
* Gathers of 262,144 elements by places of 64 bits take 118 us at best on this processor, by
  vectors of 8, vectors of 16 or single elements.
* A mobile block of 24 channels computes 32: vectors have 16. Its multiply-adds take 510 us.
* Winograd's F(4x4) has filters 4 times as large as the model's, F(2x2) 1.8 times. In ResNet-18,
  ResNet-50, U-Net and SqueezeNet each MB more saves 50 us a run or more, by the numbers of the cost
  model. A penalty of 20 us for each MB changes no choice.
* Twelve layers that share their weights (a BERT of 768 channels, a file of 119 MiB) have 119 MiB
  of weights, take 191 ms for 128 tokens and 226 MiB at most; the peer takes 238 ms and 405 MiB.
* 250 layers of three nodes and two constants each are compiled in 2.58 billion instructions, 1000
  in 10.15 billion. Time grows somewhat faster, since more of the nodes lie outside of the caches.
* Two threads were not measured: none of the cores was free.

"""


class OfGraph:
    """A case of several nodes: `build(g)` adds them to a graph."""

    def __init__(self, name, build):
        self.graph = Graph(name, 18, 0)
        build(self.graph)

    def model(self):
        return self.graph.model()

    def feeds(self):
        return self.graph.examples


def mixed(count, size=1 << 20):
    """A chain of cheap steps, with a sigmoid after each twelfth."""
    def build(g):
        x = g.input("x", [size])
        for i in range(count):
            scale, shift = g.constant(1 + i / 128), g.constant(0.5 - i / 64)
            x = [lambda: g.multiply(x, scale), lambda: g.add(x, shift),
                 lambda: g.relu(x), lambda: g.unary("Neg", x),
                 lambda: g.unary("Abs", x),
                 lambda: g.binary("Sub", x, shift)][i % 6]()
            if i % 12 == 11:
                x = g.unary("Sigmoid", x)
        g.output(x, "y")
    return lambda: OfGraph(f"mixed{count}", build)


def repeated(operator, count, size=1 << 18):
    """A function applied again and again, with a product between."""
    def build(g):
        x = g.input("x", [size])
        for i in range(count):
            x = g.multiply(g.unary(operator, x), g.constant(1.5 + i / 64))
        g.output(x, "y")
    return lambda: OfGraph(f"{operator}{count}", build)


def residual(count, size=1 << 18):
    """Each step reads a value of long ago, so that registers run out."""
    def build(g):
        first = x = g.input("x", [size])
        kept = []
        for i in range(count):
            x = g.unary("Tanh", g.multiply(x, g.constant(1.1 + i / 32)))
            kept.append(x)
        for value in kept:
            x = g.add(x, g.multiply(value, first))
        g.output(x, "y")
    return lambda: OfGraph(f"residual{count}", build)


def turned_product(rows, inner, columns, batch=()):
    """x times the transpose of an input."""
    def build(g):
        a = g.input("a", [*batch, rows, inner])
        b = g.input("b", [*batch, columns, inner])
        last = len(batch)
        turned = g.transpose(b, [*range(last), last + 1, last])
        g.output(g.matmul(a, turned), "y")
    return lambda: OfGraph("turned", build)


def plain_product(rows, inner, columns):
    return lambda: one("MatMul", floats(rows, inner), floats(inner, columns),
                       outputs=(F32,))


def integer_product(rows, inner, columns, weights=(), kind=np.int8):
    return lambda: one(
        "MatMulInteger", whole(255, rows, inner, kind=np.uint8),
        whole(127, inner, columns, kind=kind,
              low=-127 if kind == np.int8 else 0),
        weights=weights, outputs=(I32,))


def bottleneck(channels, size, inner=None):
    """A block of ResNet: single pixels, 3 x 3, single pixels, a sum."""
    def build(g):
        x = g.input("x", [1, channels, size, size])
        y = g.relu(g.conv(x, inner or channels // 4, 1, bias=True))
        y = g.relu(g.conv(y, inner or channels // 4, 3, bias=True))
        g.output(g.relu(g.add(x, g.conv(y, channels, 1, bias=True))), "y")
    return lambda: OfGraph(f"bottleneck{channels}", build)


def mobile(channels, size, stride=1, out=None):
    """A block of MobileNetV2, of six times as many channels within."""
    def build(g):
        x = g.input("x", [1, channels, size, size])
        y = g.relu6(g.conv(x, 6 * channels, 1, bias=True))
        y = g.relu6(g.conv(y, 6 * channels, 3, stride=stride,
                           group=6 * channels, bias=True))
        y = g.conv(y, out or channels, 1, bias=True)
        g.output(g.add(x, y) if y.shape == x.shape else y, "y")
    return lambda: OfGraph(f"mobile{channels}", build)


def mobile_work(channels, size, stride=1, out=None):
    return 12 * channels * (channels * size ** 2 + (size // stride) ** 2 *
                            (9 + (out or channels)))


def folded(size):
    """A product of two constants, and of a third with what a run gives."""
    def build(g):
        x = g.input("x", [1, size])
        a, b = (g.weight(g.scaled([size, size], size, 1.0), "w")
                for _ in range(2))
        g.output(g.matmul(x, g.matmul(a, b)), "y")
    return lambda: OfGraph(f"folded{size}", build)


def top(k, *shape, kind=np.float32):
    array = floats(*shape) if kind == np.float32 else whole(
        1 << 30, *shape, kind=kind, low=-(1 << 30))
    return one("TopK", array, ints(k), axis=-1,
               outputs=(F32 if kind == np.float32 else I64, I64))


def scattered(rows, width, reduction, updates=None):
    return one("ScatterND", floats(rows, width),
               whole(rows, updates or rows, 1), floats(updates or rows, width),
               reduction=reduction)


def reduced(name, axes, *shape):
    return one(name, floats(*shape), ints(*axes), opset=18, keepdims=0)


def turned(order, *shape):
    return one("Transpose", floats(*shape), perm=order)


def pooled(channels, size, window, stride, pad=0, name="AveragePool"):
    return one(name, floats(1, channels, size, size),
               kernel_shape=[window] * 2, strides=[stride] * 2,
               pads=[pad] * 4)


def gathered(axis, count, *shape):
    return one("Gather", floats(*shape), whole(shape[axis], count), axis=axis)


def of(size):
    """Bytes of so many elements, for the rates."""
    return 4 * size


# Kind, name, what makes it, and what a run reads, writes or computes.
CASES = [
    ("order", "TopK 1000 of 1000, 100 lines", lambda: top(1000, 100, 1000),
     of(100000)),
    ("order", "TopK 100,000 of as many", lambda: top(100000, 1, 100000),
     of(100000)),
    ("order", "TopK 64 of 64, 4096 lines", lambda: top(64, 4096, 64),
     of(1 << 18)),
    ("order", "TopK 1,000,000 of as many", lambda: top(1000000, 1, 1000000),
     of(1000000)),
    ("order", "TopK 100 of 100,000", lambda: top(100, 1, 100000), of(100000)),
    ("order", "TopK 100 of 100,000, 10 lines", lambda: top(100, 10, 100000),
     of(1000000)),
    ("order", "TopK 10 of 100,000", lambda: top(10, 1, 100000), of(100000)),
    ("order", "TopK 1000 of 100,000", lambda: top(1000, 1, 100000),
     of(100000)),
    ("order", "TopK 8 of 128, 4096 lines", lambda: top(8, 4096, 128),
     of(1 << 19)),
    ("order", "TopK 100 of 1000, 100 lines", lambda: top(100, 100, 1000),
     of(100000)),
    ("order", "TopK 1000 of 1000, i64", lambda: top(
        1000, 100, 1000, kind=np.int64), 2 * of(100000)),
    ("trees", "500 of depth 8, 1 row", lambda: trees(1, 500, 8, 64), 500 * 8),
    ("trees", "500 of depth 8, 64 rows", lambda: trees(64, 500, 8, 64),
     64 * 500 * 8),
    ("trees", "500 of depth 8, 1000 rows", lambda: trees(1000, 500, 8, 64),
     1000 * 500 * 8),
    ("trees", "100 of depth 6, 1 row", lambda: trees(1, 100, 6, 32), 100 * 6),
    ("trees", "100 of depth 6, 64 rows", lambda: trees(64, 100, 6, 32),
     64 * 100 * 6),
    ("trees", "100 of depth 4, 64 rows", lambda: trees(64, 100, 4, 32),
     64 * 100 * 4),
    ("moves", "ReduceMean, middle axis of 32x128x512",
     lambda: reduced("ReduceMean", [1], 32, 128, 512), of(32 * 128 * 512)),
    ("moves", "ReduceMean, middle axis of 64x128x49",
     lambda: reduced("ReduceMean", [1], 64, 128, 49), of(64 * 128 * 49)),
    ("moves", "ReduceSum, middle axis of 16x1024x64",
     lambda: reduced("ReduceSum", [1], 16, 1024, 64), of(1 << 20)),
    ("moves", "ReduceSum, middle axis of 1024x16x64",
     lambda: reduced("ReduceSum", [1], 1024, 16, 64), of(1 << 20)),
    ("moves", "ReduceMean, middle axis of 8x196x768",
     lambda: reduced("ReduceMean", [1], 8, 196, 768), of(8 * 196 * 768)),
    ("moves", "ReduceMax, middle axis of 64x128x49",
     lambda: reduced("ReduceMax", [1], 64, 128, 49), of(64 * 128 * 49)),
    ("moves", "ReduceSum, axes 0 and 2 of 32x64x784",
     lambda: reduced("ReduceSum", [0, 2], 32, 64, 784), of(32 * 64 * 784)),
    ("moves", "ScatterND add, 100,000 numbers", lambda: one(
        "ScatterND", floats(100000), whole(100000, 100000, 1), floats(100000),
        reduction="add"), 4 * of(100000)),
    ("moves", "ScatterND add, 4096 rows of 64",
     lambda: scattered(4096, 64, "add"), 3 * of(1 << 18)),
    ("moves", "ScatterND add, 512 of 20,000 rows of 64",
     lambda: scattered(20000, 64, "add", 512), 2 * of(20000 * 64)),
    ("moves", "ScatterND mul, 4096 rows of 64",
     lambda: scattered(4096, 64, "mul"), 3 * of(1 << 18)),
    ("moves", "ScatterND, 4096 rows of 64",
     lambda: scattered(4096, 64, "none"), 3 * of(1 << 18)),
    ("moves", "Gather 512 of 1024 along the last of 1024x1024",
     lambda: gathered(1, 512, 1024, 1024), 2 * of(1 << 19)),
    ("moves", "Gather 64 of 256 along the last of 4096x256",
     lambda: gathered(1, 64, 4096, 256), 2 * of(1 << 18)),
    ("moves", "Gather 8 of 32 along the last of 65536x32",
     lambda: gathered(1, 8, 65536, 32), 2 * of(1 << 19)),
    ("moves", "Gather 64 of 128 along the middle of 64x128x16",
     lambda: gathered(1, 64, 64, 128, 16), 2 * of(1 << 16)),
    ("moves", "GatherElements along the last of 1024x256", lambda: one(
        "GatherElements", floats(1024, 256), whole(256, 1024, 256), axis=1),
     of(1 << 18)),
    ("moves", "Transpose 1x224x224x3 to channels first",
     lambda: turned([0, 3, 1, 2], 1, 224, 224, 3), 2 * of(224 * 224 * 3)),
    ("moves", "Transpose 1x3x224x224 to channels last",
     lambda: turned([0, 2, 3, 1], 1, 3, 224, 224), 2 * of(224 * 224 * 3)),
    ("moves", "Transpose 262144x4",
     lambda: turned([1, 0], 262144, 4), 2 * of(1 << 20)),
    ("moves", "Transpose 4x262144",
     lambda: turned([1, 0], 4, 262144), 2 * of(1 << 20)),
    ("moves", "Transpose 65536x16",
     lambda: turned([1, 0], 65536, 16), 2 * of(1 << 20)),
    ("moves", "Transpose 300000x2",
     lambda: turned([1, 0], 300000, 2), 2 * of(600000)),
    ("moves", "Transpose 1000x300x4 to 300x1000x4",
     lambda: turned([1, 0, 2], 1000, 300, 4), 2 * of(1200000)),
    ("moves", "Transpose 64x64x64x3 reversed",
     lambda: turned([3, 2, 1, 0], 64, 64, 64, 3), 2 * of(3 << 18)),
    ("moves", "Transpose 1024x1024",
     lambda: turned([1, 0], 1024, 1024), 2 * of(1 << 20)),
    ("moves", "AveragePool 3x3 stride 2, 64 of 112x112",
     lambda: pooled(64, 112, 3, 2, 1), of(64 * 112 * 112)),
    ("moves", "AveragePool 2x2 stride 2, 64 of 112x112",
     lambda: pooled(64, 112, 2, 2), of(64 * 112 * 112)),
    ("moves", "AveragePool 3x3 stride 1, 64 of 56x56",
     lambda: pooled(64, 56, 3, 1, 1), of(64 * 56 * 56)),
    ("moves", "AveragePool 7x7 stride 7, 64 of 112x112",
     lambda: pooled(64, 112, 7, 7), of(64 * 112 * 112)),
    ("moves", "AveragePool 2x2 stride 2, 3 of 224x224",
     lambda: pooled(3, 224, 2, 2), of(3 * 224 * 224)),
    ("moves", "MaxPool 2x2 stride 2, 64 of 112x112",
     lambda: pooled(64, 112, 2, 2, name="MaxPool"), of(64 * 112 * 112)),
    ("chain", "Mul, Add, Relu..., 6 steps of 1 M", mixed(6), 6 << 20),
    ("chain", "Mul, Add, Relu..., 24 steps of 1 M", mixed(24), 24 << 20),
    ("chain", "Mul, Add, Relu..., 60 steps of 1 M", mixed(60), 60 << 20),
    ("chain", "Tanh, 1 of 256 K", repeated("Tanh", 1), 1 << 18),
    ("chain", "Tanh, 2 of 256 K", repeated("Tanh", 2), 2 << 18),
    ("chain", "Tanh, 16 of 256 K", repeated("Tanh", 16), 16 << 18),
    ("chain", "Sigmoid, 16 of 256 K", repeated("Sigmoid", 16), 16 << 18),
    ("chain", "Erf, 16 of 256 K", repeated("Erf", 16), 16 << 18),
    ("chain", "Exp, 2 of 256 K", repeated("Exp", 2), 2 << 18),
    ("chain", "16 values that stay, of 256 K", residual(16), 48 << 18),
    ("product", "512x512 by transposed 512x512",
     turned_product(512, 512, 512), 2 * 512 ** 3),
    ("product", "128x768 by transposed 128x768",
     turned_product(128, 768, 128), 2 * 128 * 768 * 128),
    ("product", "12 of 128x64 by transposed 128x64",
     turned_product(128, 64, 128, (12,)), 24 * 128 * 64 * 128),
    ("product", "64x256 by transposed 4096x256",
     turned_product(64, 256, 4096), 2 * 64 * 256 * 4096),
    ("product", "16x256 by transposed 1024x256",
     turned_product(16, 256, 1024), 2 * 16 * 256 * 1024),
    ("product", "512x512 by 512x512", plain_product(512, 512, 512),
     2 * 512 ** 3),
    ("product", "1024x1024 by 1024x1024", plain_product(1024, 1024, 1024),
     2 * 1024 ** 3),
    ("product", "500x500 by 500x500", plain_product(500, 500, 500),
     2 * 500 ** 3),
    ("product", "64x256 by 256x4096", plain_product(64, 256, 4096),
     2 * 64 * 256 * 4096),
    ("product", "4x256 by transposed 4096x256",
     turned_product(4, 256, 4096), 2 * 4 * 256 * 4096),
    ("product", "1x256 by transposed 4096x256",
     turned_product(1, 256, 4096), 2 * 256 * 4096),
    ("product", "u8 512x512 by i8 512x512",
     integer_product(512, 512, 512), 2 * 512 ** 3),
    ("product", "u8 512x512 by u8 512x512",
     integer_product(512, 512, 512, kind=np.uint8), 2 * 512 ** 3),
    ("product", "u8 128x512 by i8 512x512",
     integer_product(128, 512, 512), 2 * 128 * 512 ** 2),
    ("product", "u8 512x512 by constant i8 512x512",
     integer_product(512, 512, 512, (1,)), 2 * 512 ** 3),
    ("block", "bottleneck, 256 of 56x56", bottleneck(256, 56),
     2 * 56 * 56 * (2 * 256 * 64 + 9 * 64 * 64)),
    ("block", "bottleneck, 512 of 28x28", bottleneck(512, 28),
     2 * 28 * 28 * (2 * 512 * 128 + 9 * 128 * 128)),
    ("block", "bottleneck, 64 of 56x56 with 16", bottleneck(64, 56),
     2 * 56 * 56 * (2 * 64 * 16 + 9 * 16 * 16)),
    ("block", "bottleneck, 32 of 112x112 with 32", bottleneck(32, 112, 32),
     2 * 112 * 112 * (2 * 32 * 32 + 9 * 32 * 32)),
    ("block", "mobile, 24 of 56x56", mobile(24, 56), mobile_work(24, 56)),
    ("block", "mobile, 16 of 112x112 to 24 with stride 2",
     mobile(16, 112, 2, 24), mobile_work(16, 112, 2, 24)),
    ("block", "mobile, 64 of 14x14", mobile(64, 14), mobile_work(64, 14)),
]


class Slices:
    """A program whose runs take the time of the processor: the mean of a
    slice. `nanoseconds` is what its thread has taken so far."""

    def __init__(self, program, nanoseconds):
        self.program, self.nanoseconds = program, nanoseconds

    def run(self, milliseconds):
        before = self.nanoseconds()
        runs = 1 + len(self.program.run(milliseconds))  # the first is not told
        return [(self.nanoseconds() - before) / runs / 1e6]


def thread_of(process):
    """The time that the main thread of a process has taken."""
    def nanoseconds():
        with open(f"/proc/{process}/schedstat") as file:
            return int(file.read().split()[0])
    return nanoseconds


def measure(glow, model, feeds, options):
    """Glow and the peer, in ms, and their ratio: medians of slices, or the
    fastest run of each."""
    from session import Session
    cores = cores_for(1)
    os.sched_setaffinity(0, cores)
    peer = Session(model.SerializeToString(), feeds)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        onnx.save(model, path)
        command = [glow, "bench", path, "--slices", "--backend=cpu",
                   "--threads=1", "--cache-dir=", *options.flag]
        for place, (name, array) in enumerate(feeds.items()):
            file = os.path.join(folder, f"{place}.npy")
            np.save(file, array)
            command.append(f"--input={name}={file}")
        with Program("glow", command, cores) as ours:
            programs = (ours, peer) if options.fastest else (
                Slices(ours, thread_of(ours.process.pid)),
                Slices(peer, time.thread_time_ns))
            rounds = in_turns(programs, options.duration, options.slice)
    if options.fastest:
        first, second = (min(value for times in slices for value in times)
                         for slices in zip(*rounds))
        return first, second, second / first
    return [value["median"] for value in summarize(rounds)]


def row(entry, before):
    rate = entry["work"] / entry["ours_ms"] / 1e6
    earlier = before.get(entry["case"])
    return [entry["kind"], entry["case"],
            number(earlier * 1e3) if earlier else "",
            number(entry["ours_ms"] * 1e3), number(entry["peer_ms"] * 1e3),
            f"{entry['ratio']:.2f}", number(rate)]


def line(cells):
    return f"| {' | '.join(cells)} |\n"


def head():
    return line(HEAD) + line(["---"] * 2 + ["---:"] * 5)


def write(path, results, before):
    """The section of a page."""
    import onnxruntime
    first, _, rest = parts_of(path, KINDS)
    if not rest:
        first, section, rest = parts_of(path, OPERATORS)
        rest = section + rest
    text = TEXT.format(peer=onnxruntime.__version__,
                       processor=host.processor(host.described()))
    table = head() + "".join(line(row(entry, before)) for entry in results)
    with open(path, "w") as file:
        file.write(f"{first}\n{KINDS}\n\n{text}{table}{rest}")


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("filter", nargs="?", default="", metavar="REGEX",
           help="only cases in whose kind and name it is found")
    option("--glow", metavar="FILE", help="default: a release build of this "
           "tree")
    option("--duration", type=float, default=0.3, metavar="SECONDS",
           help="time for each program and case; default %(default)s")
    option("--slice", type=float, default=20, metavar="MS",
           help="how long one runs before the other does; default %(default)s")
    option("--fastest", action="store_true", help="the fastest run of each in "
           "place of the median, where others use the core at times")
    option("--flag", action="append", default=[], metavar="FLAG",
           help="of glow bench, such as --math=strict; may be given again")
    option("--json", metavar="FILE", help="write what was measured")
    option("--from", dest="results", metavar="FILE", nargs="+", default=[],
           help="take what --json wrote, and measure nothing")
    option("--before", metavar="FILE", help="what --json wrote of an earlier "
           "glow, for a column")
    option("--write", nargs="?", metavar="FILE",
           const=os.path.join(install.ROOT, "docs", "performance.md"),
           help="write the section of docs/performance.md")
    options = parser.parse_args(arguments)
    if options.write and options.fastest:
        parser.error("--write is for medians, and --fastest measures none")
    return options


def measure_all(options, before):
    note_load()
    glow = os.path.abspath(options.glow or install.build_glow(install.ROOT))
    say(host.processor(host.described()) + "\n" + head().rstrip("\n"))
    results = []
    for kind, name, make, work in CASES:
        if not re.search(options.filter, f"{kind}: {name}"):
            continue
        case = make()
        try:
            values = measure(glow, case.model(), case.feeds(), options)
        except BenchError as error:
            say(f"not measured: {name}: {error}")
            continue
        entry = dict(zip(("ours_ms", "peer_ms", "ratio"), values),
                     kind=kind, case=name, work=work)
        results.append(entry)
        say(line(row(entry, before)).rstrip("\n"))
    return results


def load(path):
    with open(path) as file:
        return json.load(file)


def main():
    options = parse(sys.argv[1:])
    before = {entry["case"]: entry["ours_ms"] for entry in
              (load(options.before) if options.before else [])}
    if options.results:
        # A later file has a case again that was measured anew.
        found = {entry["case"]: entry for path in options.results
                 for entry in load(path)}
        results = [found[name] for _, name, _, _ in CASES if name in found]
    else:
        results = measure_all(options, before)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)
    if options.write:
        write(options.write, results, before)


if __name__ == "__main__":
    main()
