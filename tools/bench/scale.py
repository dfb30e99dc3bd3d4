#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Predicts the throughput of a host with up to 64 devices in other processes,
by the simulator of the runtime's tests, with costs that are measured here: a
run of a model on one thread, what the host does for a request, and the link to
a process of this machine."""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile

import install
import models
from bench import cache_option, note_load, say
from host import described, processor
from measure import BenchError
from serving import requests_cost, told


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("--build", default=os.path.join(install.ROOT, "build-check"),
           metavar="DIR", help="a build with tests; default build-check of "
           "this tree")
    option("--models", nargs="+", metavar="NAME",
           default=["bert_tiny", "resnet50"], choices=models.MODELS,
           help="of tools/bench/models.py; default bert_tiny and resnet50")
    option("--duration", type=float, default=5, metavar="SECONDS",
           help="of each measurement; default 5")
    option("--network", nargs=2, type=float, metavar=("US", "GBIT"),
           help="latency and rate of a link to other machines, in place of "
           "that to a process of this one")
    cache_option(option, "where models and programs are kept")
    return parser.parse_args(arguments)


@contextlib.contextmanager
def far_device(glow, folder):
    """A file of devices with one that is in another process."""
    server = subprocess.Popen([glow, "device", "--threads=1",
                               "--listen=127.0.0.1:0"],
                              stdout=subprocess.PIPE, text=True)
    try:
        line = server.stdout.readline()
        if " at " not in line:
            raise BenchError("glow device does not listen")
        name = os.path.join(folder, "far.json")
        with open(name, "w") as file:
            json.dump({"devices": [{"backend": line.split("'")[1],
                                    "address": line.split(" at ")[1].strip()}]},
                      file)
        yield name
    finally:
        server.terminate()
        server.wait()


def link_to(glow):
    """Seconds of a message, and bytes a second."""
    with tempfile.TemporaryDirectory() as folder:
        with far_device(glow, folder) as devices:
            device, = told([glow, "device", "--describe", "--json",
                            "--devices", devices])
    return device["link_latency"], device["link_bandwidth"]


def bytes_of(model):
    """Of all inputs and outputs."""
    total = 0
    for value in [*model.graph.input, *model.graph.output]:
        count = 1
        for dimension in value.type.tensor_type.shape.dim:
            count *= dimension.dim_value
        total += count * (8 if value.type.tensor_type.elem_type == 7 else 4)
    return total


def seconds_of_run(glow, path, duration):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        install.command([glow, "bench", path, "--threads=1", "--clients=1",
                         f"--duration={duration}", f"--json={file.name}"],
                        install.ROOT)
        with open(file.name) as written:
            return json.load(written)["median_ms"] / 1e3


def main():
    options = parse(sys.argv[1:])
    note_load()
    tools = os.path.join(options.build, "tools")
    glow = os.path.join(tools, "glow", "glow")
    simulation = os.path.join(options.build, "test", "runtime",
                              "GlowSimulation")
    host = 1 / requests_cost(os.path.join(tools, "libglow"),
                             options.duration)["sending"]
    latency, rate = ((options.network[0] / 1e6, options.network[1] / 8 * 1e9)
                     if options.network else link_to(glow))
    say(processor(described()))
    say(f"host {host * 1e6:.1f} us a request; link {latency * 1e6:.0f} us, "
        f"{rate / 1e9:.2f} GB/s")
    folder = os.path.join(options.cache, "models")
    os.makedirs(folder, exist_ok=True)
    for name in options.models:
        model = models.make(name).model()
        path = os.path.join(folder, f"{name}.onnx")
        with open(path, "wb") as file:
            file.write(model.SerializeToString())
        run = seconds_of_run(glow, path, options.duration)
        transfer = bytes_of(model) / rate
        costs = ":".join(f"{1e6 * cost:.2f}"
                         for cost in (run, host, latency, transfer))
        say(f"{name}: {1e3 * run:.2f} ms a run, {1e6 * transfer:.1f} us for "
            f"its tensors\n| devices | requests a second | of as many alone |"
            "\n| --- | --- | --- |")
        alone = None
        for line in install.command([simulation, "--scale", costs],
                                    install.ROOT).splitlines():
            devices, throughput = (float(word) for word in line.split())
            alone = alone or throughput
            say(f"| {devices:.0f} | {throughput:.0f} | "
                f"{100 * throughput / devices / alone:.0f} % |")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BenchError, OSError) as error:
        sys.exit(f"error: {error}")
