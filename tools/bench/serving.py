#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures what a host costs: runs and requests a second of a model that does
nothing, goodput of a host that is sent too much, batches against one of a fixed
size, a model in two parts, and memory over many requests. Each stands beside its bound, which is
measured in the same run where it is one of this machine's."""

import argparse
import json
import os
import statistics
import sys
import tempfile

import onnx
from onnx import numpy_helper

import install
import models
from bench import cache_option, note_load, say
from host import described, processor
from measure import BenchError


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("--glow", metavar="FILE", help="default: the release build of this "
           "tree, which is built first; libglow is where that build has it")
    option("--duration", type=float, default=10, metavar="SECONDS",
           help="of each figure; default 10")
    option("--model", default="bert_tiny", choices=models.MODELS,
           metavar="NAME", help="of tools/bench/models.py, for goodput and "
           "batches; default bert_tiny")
    option("--json", metavar="FILE", help="write what was measured")
    cache_option(option, "where models and programs are kept")
    return parser.parse_args(arguments)


def told(command):
    """What a program prints as JSON."""
    try:
        return json.loads(install.command(command, install.ROOT))
    except json.JSONDecodeError as error:
        raise BenchError(f"'{command[0]}' prints no JSON: {error}") from None


def with_any_batch(name):
    """A model of which dimension 0 of inputs, outputs and reshapes is the
    batch."""
    model = models.make(name).model()
    for value in [*model.graph.input, *model.graph.output]:
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    shapes = {node.input[1] for node in model.graph.node
              if node.op_type == "Reshape"}
    for tensor in model.graph.initializer:
        if tensor.name in shapes:
            shape = numpy_helper.to_array(tensor).copy()
            shape[0] = 0  # as the input has it
            tensor.CopyFrom(numpy_helper.from_array(shape, tensor.name))
    return model


def requests_cost(library, seconds):
    """What the program of clients/requests.c tells, on a device that does nothing."""
    source = os.path.join(install.HERE, "clients", "requests.c")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "requests")
        install.command(["cc", "-O2", source, "-I",
                         os.path.join(install.ROOT, "include"), "-L", library,
                         f"-Wl,-rpath,{library}", "-lglow", "-pthread", "-o",
                         program], install.ROOT)
        digits = os.path.join(install.ROOT, "docs", "models", "digits",
                              "digits.onnx")
        return told([program, digits, "null", str(seconds), "64"])


class Host:
    """Measures one build on one model."""

    def __init__(self, options):
        self.glow = options.glow or install.build_glow(install.ROOT)
        self.build = os.path.dirname(os.path.dirname(os.path.dirname(
            os.path.abspath(self.glow))))
        self.seconds = options.duration
        folder = os.path.join(options.cache, "models")
        os.makedirs(folder, exist_ok=True)
        self.model = os.path.join(folder, f"{options.model}_any_batch.onnx")
        onnx.save(with_any_batch(options.model), self.model)

    def requests(self):
        return requests_cost(os.path.join(self.build, "tools", "libglow"),
                             self.seconds)

    def pipeline(self):
        """Runs a second of a model on one processor, and of its two parts on
        two, taken in turns: the median of each."""
        path = os.path.join(os.path.dirname(self.model), "resnet50.onnx")
        onnx.save(models.make("resnet50").model(), path)
        near = sorted(os.sched_getaffinity(0))[:2]
        if len(near) < 2:
            raise BenchError("two devices need two processors")
        backend = told([self.glow, "device", "--describe",
                        "--json"])[0]["backend"]
        rates = {1: [], 2: []}
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(3):
                for count in rates:
                    name = os.path.join(folder, "devices.json")
                    with open(name, "w") as file:
                        json.dump({"devices": [
                            {"backend": backend, "processors": str(one)}
                            for one in near[:count]]}, file)
                    rates[count].append(self.bench(
                        f"--devices={name}", f"--clients={2 * count}",
                        *["--partition=pipeline"][:count - 1],
                        model=path)["per_second"])
        return [statistics.median(rates[count]) for count in rates]

    def bench(self, *flags, model=None):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            install.command([self.glow, "bench", model or self.model,
                             "--threads=1",
                             f"--duration={self.seconds}",
                             f"--json={file.name}", *flags], install.ROOT)
            with open(file.name) as written:
                return json.load(written)


def figures(host):
    """Names, what was measured, and the bound, as texts; and whether it is
    held."""
    def figure(name, value, bound, holds):
        return {"figure": name, "measured": value, "bound": bound,
                "holds": bool(holds)}

    null = host.requests()
    yield figure("runs that wait, null model, 2 threads",
                 f"{null['waiting']:.0f}/s", "100000/s",
                 null["waiting"] >= 1e5)
    yield figure("requests, null model, 2 threads, 64 on their way each",
                 f"{null['sending']:.0f}/s", "100000/s",
                 null["sending"] >= 1e5)
    yield figure("one request of a null model, sent to told, median",
                 f"{null['median_ns'] / 1e3:.1f} us", "5 us",
                 null["median_ns"] <= 5e3)
    growth = null["resident_after"] / null["resident_before"] - 1
    yield figure(f"growth of memory over {null['sent']:.0f} requests",
                 f"{100 * growth:.2f} %", "1 %", growth < 0.01)

    capacity = host.bench("--clients=2")["per_second"]
    deadline = 20e3 / capacity
    over = host.bench(f"--rate={1.5 * capacity}", f"--deadline={deadline}")
    good = over["goodput_per_second"] / capacity
    yield figure("goodput, sent 1.5 times the capacity, 20 runs of time each",
                 f"{100 * good:.1f} % of {capacity:.0f}/s", "95 %",
                 good >= 0.95)
    yield figure("answers after their deadline", str(over["late"]), "0",
                 over["late"] == 0)

    batches = host.bench("--clients=64", "--batch-sizes=1,2,4,8")
    fixed = host.bench("--clients=2", "--batch-sizes=8")["per_second"] * 8
    share = batches["per_second"] / fixed
    yield figure("64 clients in batches of up to 8",
                 f"{batches['per_second']:.0f}/s, {share:.2f} of a fixed "
                 f"batch's {fixed:.0f}/s", "0.9", share >= 0.9)

    opened = host.bench("--clients=64", "--batch-sizes=1..8")["per_second"]
    yield figure("64 clients in batches of one program for 1 to 8",
                 f"{opened:.0f}/s, {opened / fixed:.2f} of a fixed batch's, "
                 f"{opened / batches['per_second']:.2f} of four programs'",
                 "0.9", opened >= 0.9 * fixed)

    one, two = host.pipeline()
    yield figure("resnet50 in two parts on two processors",
                 f"{two:.1f}/s, {two / one:.2f} of one processor's "
                 f"{one:.1f}/s", "1.8", two >= 1.8 * one)


def main():
    options = parse(sys.argv[1:])
    note_load()
    host = Host(options)
    say(processor(described()))
    say("| figure | measured | bound |\n| --- | --- | --- |")
    rows = []
    for row in figures(host):
        rows.append(row)
        say(f"| {row['figure']} | {row['measured']} | {row['bound']}"
            f"{'' if row['holds'] else ', **not held**'} |")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    return 0 if all(row["holds"] for row in rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BenchError, OSError) as error:
        sys.exit(f"error: {error}")
