#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures glow and ONNX Runtime in turns on models of others: folders with
model.onnx and test_data_set_0, as ONNX lays out its tests."""

import argparse
import functools
import glob
import os
import statistics
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

import install
from bench import (about, cache_option, cores_for, note_load, say,
                   time_options)
from measure import (BenchError, Program, first_results, in_turns,
                     summarize)
from report import Mode, number


class Folder:
    """A model, and its first data set as files of NumPy in `target`."""

    def __init__(self, folder, target):
        self.name = os.path.basename(os.path.normpath(folder))
        self.model = os.path.join(folder, "model.onnx")
        graph = onnx.load(self.model, load_external_data=False).graph
        known = {tensor.name for tensor in graph.initializer}
        names = [value.name for value in graph.input
                 if value.name not in known]
        self.files = {}
        for place, name in enumerate(names):
            tensor = onnx.TensorProto()
            stored = os.path.join(folder, "test_data_set_0",
                                  f"input_{place}.pb")
            with open(stored, "rb") as file:
                tensor.ParseFromString(file.read())
            self.files[name] = os.path.join(target,
                                            f"{self.name}_{place}.npy")
            np.save(self.files[name], numpy_helper.to_array(tensor))

    def inputs(self):
        return self.files


def measure(folder, start_other, options):
    """Times to the first result, and of runs: glow's, and the other's over
    glow's."""
    cores = cores_for(options.threads)
    command = install.glow_command(options.glow, folder,
                                   Mode(1, options.threads), "cpu")
    ours = functools.partial(Program, "glow", command, cores)
    theirs = functools.partial(start_other, folder, cores)
    first, other = first_results((ours, theirs), options.starts)
    with ours() as one, theirs() as two:
        run, _, ratio = summarize(in_turns((one, two), options.duration,
                                           options.slice))
    return run["median"], ratio["median"], first, first / other


def start_peer(peer, threads, folder, cores):
    return Program("the peer", peer.command(folder, threads), cores,
                   peer.environment())


def start_glow(other, threads, folder, cores):
    return Program("the other glow", install.glow_command(
        other, folder, Mode(1, threads), "cpu"), cores)


HEAD = ("| model | run, ms | times as fast | first result, ms | times as long |"
        "\n| --- | ---: | ---: | ---: | ---: |\n")


def page(known, rows, medians):
    """What was measured, for a reader."""
    facts = "".join(f"* {key}: {value}\n" for key, value in known.items())
    return f"""# Models of others

Written by `tools/bench/folders.py --write`; [Benchmark](Benchmark.md) says how it
measures. How many times as fast as ONNX Runtime a run is, the median over rounds
in turns; how many times as long the first result takes, from the model's file, in
new processes and with nothing kept from runs before: medians of some starts.

{facts}
{HEAD}{"".join(rows)}
{medians}
"""


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("folders", nargs="+", metavar="DIR")
    option("--glow", required=True, metavar="FILE")
    option("--against", metavar="FILE", help="another program glow, in place "
           "of ONNX Runtime")
    option("--threads", type=int, default=1, metavar="N",
           help="of each program; default 1")
    time_options(option, duration=0.6, slice=60, starts=3)
    cache_option(option, "where ONNX Runtime is installed")
    option("--write", metavar="FILE", help="write a page about it")
    return parser.parse_args(arguments)


def measure_all(options, start):
    """Rows of the table, both columns of ratios, and what failed."""
    rows, faster, longer, failures = [], [], [], []
    for path in options.folders:
        with tempfile.TemporaryDirectory() as target:
            try:
                folder = Folder(path, target)
                run, ratio, first, first_ratio = measure(folder, start,
                                                         options)
            except (BenchError, OSError) as error:
                failures.append(f"{path}: {error}")
                continue
        faster.append(ratio)
        longer.append(first_ratio)
        rows.append(f"| {folder.name} | {number(run)} | {ratio:.2f} | "
                    f"{number(first)} | {first_ratio:.2f} |\n")
        say(rows[-1], end="")
    return rows, faster, longer, failures


def main():
    options = parse(sys.argv[1:])
    if options.against:
        start = functools.partial(start_glow, options.against,
                                  options.threads)
    else:
        peer = install.Peer(options.cache)
        start = functools.partial(start_peer, peer, options.threads)
    note_load()
    say(HEAD, end="")
    rows, faster, longer, failures = measure_all(options, start)
    if rows:
        medians = (f"median: {statistics.median(faster):.2f} times as fast; "
                   f"first result {statistics.median(longer):.2f} times as "
                   f"long, at most {max(longer):.2f}")
        say("\n" + medians)
        if options.write and not options.against:
            options.backend = "cpu"
            with open(options.write, "w") as file:
                file.write(page(about(options, peer), rows, medians))
    for failure in failures:
        print(f"folders: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
