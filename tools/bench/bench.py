#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures glow and ONNX Runtime in turns, on the same cores, with the same
models and inputs; or, with --against, glow and glow of another revision, where
the exit status is 1 if a model became more than 5 % slower."""

import argparse
import functools
import itertools
import json
import os
import platform
import sys
import tempfile

from agreement import (LARGEST_DIFFERENCE, difference, read_steps,
                       steps_apart, wrong)
import host
import install
from measure import (BenchError, Program, first_results, in_turns,
                     summarize)
from models import MODELS
import report

SLOWER = 1.05
LEAST_OF_BATCHES = 0.95  # of the target for a single item

say = functools.partial(print, flush=True)


def cores_for(threads):
    """The last ones that this process may use: the first have interrupts."""
    cores = sorted(os.sched_getaffinity(0))
    if threads > len(cores):
        raise BenchError(f"{threads} threads are asked for; there are "
                         f"{len(cores)} processors")
    return cores[-threads:]


def targets(amx):
    """By mode of arithmetic and model, on a host with or without AMX."""
    with open(os.path.join(install.HERE, "targets.json")) as file:
        modes = json.load(file)
    kind = "amx" if amx else "other"
    return {math: {name: value[kind] if isinstance(value, dict) else value
                   for name, value in models.items()}
            for math, models in modes.items()}


def slower(before, now, factor):
    """Whether the middle and the fastest runs say so: another program that
    takes the processor lengthens some runs, hardly the fastest ones."""
    return (factor["median"] > SLOWER
            and now["p10"] > SLOWER * before["p10"])


def compared(ours, peer, steps):
    """How far the outputs are apart: relative, and in steps of 8 bits."""
    with tempfile.TemporaryDirectory() as folder:
        folders = [os.path.join(folder, side) for side in ("ours", "peer")]
        for program, target in zip((ours, peer), folders):
            program.write(target)
        return difference(*folders), steps_apart(*folders, steps)


class Bench:
    """Measures single models; the options say how."""

    def __init__(self, options):
        self.options = options
        self.cache = os.path.abspath(options.cache)
        self.targets = targets(host.has_amx(host.described()))
        os.makedirs(self.cache, exist_ok=True)
        self.glow = options.glow
        if not self.glow:
            say("building glow")
            self.glow = install.build_glow(install.ROOT)

    def target_of(self, name, mode):
        """What the ratio should be at least, or None."""
        if mode.math == "strict" or mode.threads > 1:
            return 1.0
        best = self.targets.get(mode.math, {}).get(
            name, self.targets["default"].get(name))
        return best and best * (LEAST_OF_BATCHES if mode.batch > 1 else 1)

    def start_glow(self, glow, title, files, mode, compiled=""):
        command = install.glow_command(glow, files, mode,
                                       self.options.backend, compiled)
        return Program(title, command, cores_for(mode.threads))

    def first_results(self, ours, theirs):
        """Of ours, which also starts from what it has compiled, and theirs."""
        with tempfile.TemporaryDirectory() as compiled:
            cached = functools.partial(ours, compiled=compiled)
            cached().close()  # fills it
            first, again, peer = first_results((ours, cached, theirs),
                                               self.options.starts)
        return ({"first_result_ms": first, "cached_result_ms": again},
                {"first_result_ms": peer})

    def rounds(self, first, second, mode):
        return in_turns((first, second), self.options.duration,
                        self.options.slice,
                        rest=0.02 if mode.threads > 1 else 0)

    def with_peer(self, peer, name, mode):
        files = install.model_files(name, mode.batch, self.cache)
        start_ours = functools.partial(self.start_glow, self.glow, "glow",
                                       files, mode)
        start_theirs = functools.partial(
            Program, "the peer", peer.command(files, mode.threads),
            cores_for(mode.threads), peer.environment())
        output_steps = read_steps(files.steps)
        firsts = self.first_results(start_ours, start_theirs)
        with start_ours() as ours, start_theirs() as theirs:
            apart, steps = compared(ours, theirs, output_steps)
            own = self.own_steps(peer, files, mode, theirs, output_steps)
            rounds = self.rounds(ours, theirs, mode)
            ours_ms, peer_ms, ratio = summarize(rounds)
            sides = [{**program.ready, "run_ms": times,
                      "peak_bytes": program.peak_bytes(), **first}
                     for program, times, first in
                     zip((ours, theirs), (ours_ms, peer_ms), firsts)]
        return {"model": name, **mode._asdict(), "ours": sides[0],
                "peer": sides[1], "ratio": ratio,
                "target": self.target_of(name, mode), "difference": apart,
                "steps": steps, "own_steps": own}

    def own_steps(self, peer, files, mode, optimized, steps):
        """How far the peer is from itself where it runs the nodes as they
        stand: in a deep network, what is rounded to 8 bits at other places
        goes far. None for a model of floats."""
        if not steps:
            return None
        with Program("the peer", peer.command(files, mode.threads),
                     cores_for(mode.threads),
                     peer.environment("disabled")) as plain:
            return compared(plain, optimized, steps)[1]

    def against(self, other, name, mode):
        """Our time before, our time now, and how many times as long it is."""
        files = install.model_files(name, mode.batch, self.cache)
        with self.start_glow(other, "the other glow", files,
                             mode) as before, \
                self.start_glow(self.glow, "glow", files, mode) as now:
            result = summarize(self.rounds(before, now, mode))
            if slower(*result):
                # Again: a finding must not be an accident of the machine.
                result = summarize(self.rounds(before, now, mode))
        return result


def about(options, peer):
    """What a reader must know to judge the numbers."""
    return {
        "processor": f"{host.processor(host.described())}, "
                     f"{os.cpu_count()} cores",
        "memory": host.memory(),
        "system": f"{platform.system()} "
                  f"{'.'.join(platform.release().split('.')[:2])}",
        "ours": f"Glow {install.described()}, backend {options.backend}",
        "peer": f"ONNX Runtime {peer.version} from onnxruntime-node, CPU "
                "provider, all graph optimizations, sequential execution",
        "measured": f"{options.duration:g} s a program and model in slices of "
                    f"{options.slice:g} ms"}


def cases(options):
    """Each mode with each model."""
    modes = itertools.starmap(
        report.Mode, itertools.product(options.batch, options.threads,
                                       options.math))
    return itertools.product(modes, options.models)


def measure_all(options):
    bench = Bench(options)
    peer = install.Peer(bench.cache)
    note_load()
    measured = report.Measured(about(options, peer), [], [])
    for mode, name in cases(options):
        try:
            result = bench.with_peer(peer, name, mode)
        except BenchError as error:
            measured.failures.append(
                f"{name}, {report.mode_text(mode)}: {error}")
            continue
        say("  ".join(report.row(result)))
        measured.results.append(result)
    return measured


def differing(results):
    return [line for line in map(wrong, results) if line]


def note_load():
    """The spread shows it too, but late."""
    load, cores = os.getloadavg()[0], os.cpu_count()
    if load > cores / 2:
        say(f"note: other programs run: the load is {load:.1f} on {cores} "
            "cores")


def run_with_peer(options):
    if options.results:
        measured = report.load(options.results)
    else:
        measured = measure_all(options)
    if measured.results:
        say("\n" + report.text(measured), end="")
        if options.write:
            report.write_page(options.write, measured)
    if options.json:
        report.save(options.json, measured)
    return measured.failures + differing(measured.results)


def run_against(options):
    bench = Bench(options)
    other = options.against
    if not os.path.isfile(other):
        say(f"building glow of {other}")
        other = install.build_revision(other, bench.cache)
    note_load()
    failures = []
    for mode, name in cases(options):
        case = f"{name}, {report.mode_text(mode)}"
        try:
            before, now, factor = bench.against(other, name, mode)
        except BenchError as error:
            failures.append(f"{case}: {error}")
            continue
        line = (f"{case}: {report.number(now['median'])} ms, before "
                f"{report.number(before['median'])} ms: "
                f"{100 * (factor['median'] - 1):+.1f} %")
        say(line)
        if slower(before, now, factor):
            failures.append("slower: " + line)
    return failures


def counts(text):
    values = [int(part) for part in text.split(",")]
    if min(values) < 1:
        raise ValueError
    return values


def maths(text):
    modes = text.split(",")
    if not LARGEST_DIFFERENCE.keys() >= set(modes):
        raise argparse.ArgumentTypeError(
            f"'{text}' should be of {', '.join(LARGEST_DIFFERENCE)}")
    return modes


def time_options(option, duration, slice, starts):
    option("--duration", type=float, default=duration, metavar="SECONDS",
           help="time for each program and model; default %(default)s")
    option("--slice", type=float, default=slice, metavar="MS",
           help="how long one runs before the other does; default %(default)s")
    option("--starts", type=int, default=starts, metavar="N",
           help="of each program, for the time to its first result; "
           "default %(default)s")


def cache_option(option, what):
    option("--cache", metavar="DIR",
           default=os.path.join(install.ROOT, "build", "bench"),
           help=what + "; default build/bench")


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("models", nargs="*", metavar="MODEL",
           help="default: those with a target; there are "
           + ", ".join(MODELS))
    option("--batch", type=counts, default=[1], metavar="N,...")
    option("--threads", type=counts, default=[1], metavar="N,...",
           help="of each program; pinned to as many cores")
    option("--backend", default="cpu", metavar="NAME")
    option("--math", type=maths, default=["default"], metavar="MODE,...",
           help="given to glow: " + ", ".join(LARGEST_DIFFERENCE))
    time_options(option, duration=5, slice=200, starts=5)
    option("--glow", metavar="FILE", help="default: a release build of this "
           "tree")
    option("--against", metavar="REV", help="compare with glow of this "
           "revision, or with this other program glow, not with the peer")
    cache_option(option, "models, peer and other builds")
    option("--json", metavar="FILE", help="write what was measured")
    option("--from", dest="results", nargs="+", metavar="FILE",
           help="take what --json wrote, and measure nothing")
    option("--write", nargs="?", metavar="DIR",
           const=os.path.join(install.ROOT, "docs"),
           help="write performance.md and performance.svg; default docs")
    options = parser.parse_args(arguments)
    for name in options.models:
        if name not in MODELS:
            parser.error(f"no model is named '{name}'; there are "
                         + ", ".join(MODELS))
    options.models = options.models or list(targets(amx=False)["default"])
    return options


def main():
    options = parse(sys.argv[1:])
    run = run_against if options.against else run_with_peer
    try:
        failures = run(options)
    except BenchError as error:
        failures = [str(error)]
    for failure in failures:
        print(f"bench: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
