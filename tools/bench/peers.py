#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures glow and all other engines that a Python has: ONNX Runtime, OpenVINO, PyTorch
(torch.compile) and IREE. Each is a process of its own with as many threads on the same cores, and
runs the same model on the same inputs. They run in turns, in an order that changes from round to
round."""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import textwrap

from agreement import LARGEST_DIFFERENCE, difference
from bench import Bench, cache_option, cores_for, counts, note_load, say, targets, time_options
import host
import install
from measure import BenchError, Program, in_turns, summarize
from models import MODELS
from report import Mode, interval, lines_of, mode_text, number

# By the names of peer/engine.py: titles, and the packages that Python calls otherwise.
TITLES = {"onnxruntime": "ONNX Runtime", "openvino": "OpenVINO", "torch": "torch.compile",
          "iree": "IREE"}
PACKAGES = {"onnxruntime": ["onnxruntime"], "openvino": ["openvino"],
            "torch": ["torch", "onnx2torch"], "iree": ["iree-base-compiler", "iree-base-runtime"]}
ENGINE = os.path.join(install.HERE, "peer", "engine.py")


def versions(python):
    """By engine, of those that a Python has."""
    code = f"""
import importlib.metadata, json
packages = {PACKAGES!r}
found = {{}}
for name, wanted in packages.items():
    try:
        found[name] = [importlib.metadata.version(package) for package in wanted][0]
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps(found))"""
    return json.loads(install.command([python, "-c", code], install.ROOT))


class Peers:
    def __init__(self, options):
        self.options, self.bench = options, Bench(options)
        found = versions(options.python)
        self.versions = {name: found[name] for name in options.engines if name in found}
        missing = [name for name in options.engines if name not in found]
        if missing:
            say(f"note: {options.python} has not {', '.join(missing)}")
        if not self.versions:
            raise BenchError(f"'{options.python}' has none of the packages "
                             + ", ".join(itertools.chain(
                                 *(PACKAGES[name] for name in options.engines))))

    def start(self, name, files, mode):
        if name == "glow":
            return self.bench.start_glow(self.bench.glow, "glow", files, mode)
        command = [self.options.python, ENGINE, name, files.model, str(mode.threads),
                   *install.pairs(files)]
        threads = str(mode.threads)
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
        return Program(TITLES[name], command, cores_for(mode.threads), environment,
                       quiet=not self.options.verbose)

    def measure(self, model, mode):
        """Of one model: by engine, times, first result, memory and the difference from glow."""
        files = install.model_files(model, mode.batch, self.bench.cache)
        programs, refused = {}, {}
        try:
            for name in ("glow", *self.versions):
                try:
                    programs[name] = self.start(name, files, mode)
                except BenchError as error:
                    if name == "glow":
                        raise
                    refused[name] = str(error)
            with tempfile.TemporaryDirectory() as folder:
                for name, program in programs.items():
                    program.write(os.path.join(folder, name))
                apart = {name: difference(os.path.join(folder, "glow"), os.path.join(folder, name))
                         for name in programs if name != "glow"}
            rounds = in_turns(tuple(programs.values()), self.options.duration,
                              self.options.slice, rest=0.02 if mode.threads > 1 else 0)
            engines = {}
            # Glow is the first program.
            for place, (name, program) in enumerate(programs.items()):
                _, times, ratio = summarize([(times[0], times[place]) for times in rounds])
                engines[name] = {
                    "run_ms": times, "ratio": ratio, "difference": apart.get(name, 0.0),
                    "first_result_ms": program.ready["first_result_ms"],
                    "peak_bytes": program.peak_bytes()}
        finally:
            for program in programs.values():
                program.close()
        return {"model": model, **mode._asdict(), "engines": engines, "refused": refused}


def right(engine, math):
    """Whether the outputs of an engine agree with ours; one that rounds otherwise is no peer."""
    return engine["difference"] <= LARGEST_DIFFERENCE[math]


def best_of(result):
    """The least ratio of an engine whose outputs are right, with its name; None without one."""
    ratios = [(engine["ratio"]["median"], name) for name, engine in result["engines"].items()
              if name != "glow" and right(engine, result["math"])]
    return min(ratios, default=None)


def cell(result, name):
    engine = result["engines"].get(name)
    if engine is None:
        return "refused" if name in result["refused"] else ""
    mark = "" if right(engine, result["math"]) else " (differs)"
    return f"{number(engine['run_ms']['median'])} ({engine['ratio']['median']:.2f}){mark}"


def row(result, names):
    ours, best = result["engines"]["glow"], best_of(result)
    return [result["model"], f"{number(ours['run_ms']['median'])} ({interval(ours['run_ms'])})",
            *(cell(result, name) for name in names),
            f"{best[0]:.2f}, {TITLES[best[1]]}" if best else ""]


def header(names):
    return ["model", "ours, ms", *(TITLES[name] for name in names), "best of them"]


def verdict(results):
    ratios = [best[0] for best in map(best_of, results) if best]
    if not ratios:
        return "no engine ran"
    return (f"ahead of the best engine on {sum(ratio >= 1 for ratio in ratios)} of {len(ratios)} "
            f"models, at least 0.95 of it on {sum(ratio >= 0.95 for ratio in ratios)}; "
            f"geometric mean of the ratios {statistics.geometric_mean(ratios):.2f}")


def groups(results):
    """Each mode and its results, in order of appearance."""
    def mode(result):
        return Mode(result["batch"], result["threads"], result["math"])
    return {key: [r for r in results if mode(r) == key] for key in dict.fromkeys(map(mode, results))}


def text(measured):
    names = list(measured["about"]["engines"])
    parts = []
    for mode, group in groups(measured["results"]).items():
        parts += [f"{mode_text(mode)}: {verdict(group)}",
                  *lines_of([header(names), *(row(result, names) for result in group)]), ""]
    return "\n".join(parts)


def page(measured):
    about = measured["about"]
    names = list(about["engines"])
    engines = ", ".join(f"{TITLES[name]} {about['engines'][name]}" for name in names)
    facts = (f"Written by `tools/bench/peers.py --write`, on {about['processor']}: "
             f"{about['ours']} beside {engines}. {about['measured']}. Times are medians of single "
             "runs. The number in brackets is the time divided by ours, the median over rounds in "
             "which all ran one after the other. An engine *differs* where an output is further "
             "from ours than rounding explains, and does not count.")
    lines = ["# Next to other engines", "", textwrap.fill(facts, 100), ""]
    for mode, group in groups(measured["results"]).items():
        rows = [header(names), ["---"] + ["---:"] * (len(names) + 2),
                *(row(result, names) for result in group)]
        lines += [f"## {mode_text(mode).capitalize()}", "",
                  verdict(group).capitalize() + ".", "",
                  *(f"| {' | '.join(cells)} |" for cells in rows), ""]
    refused = [f"* {TITLES[name]} refuses `{result['model']}`" for result in measured["results"]
               for name in result["refused"]]
    return "\n".join(lines + list(dict.fromkeys(refused))).rstrip("\n") + "\n"


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("models", nargs="*", metavar="MODEL",
           help="default: those with a target; there are " + ", ".join(MODELS))
    option("--python", default=sys.executable, metavar="FILE",
           help="a Python that has the engines; default this one")
    option("--engines", type=lambda names: names.split(","), default=list(TITLES),
           metavar="NAME,...", help="default: " + ",".join(TITLES))
    option("--batch", type=counts, default=[1], metavar="N,...")
    option("--threads", type=counts, default=[1], metavar="N,...",
           help="of each program; pinned to as many cores")
    option("--backend", default="cpu", metavar="NAME")
    time_options(option, duration=3, slice=200, starts=1)
    option("--glow", metavar="FILE", help="default: a release build of this tree")
    cache_option(option, "models and builds")
    option("--verbose", action="store_true", help="show what the engines print")
    option("--json", metavar="FILE", help="write what was measured")
    option("--from", dest="results", metavar="FILE",
           help="take what --json wrote, and measure nothing")
    option("--write", nargs="?", metavar="FILE",
           const=os.path.join(install.ROOT, "docs", "Engines.md"),
           help="write the page docs/Engines.md")
    options = parser.parse_args(arguments)
    for name in options.models:
        if name not in MODELS:
            parser.error(f"no model is named '{name}'; there are " + ", ".join(MODELS))
    for name in options.engines:
        if name not in TITLES:
            parser.error(f"no engine is named '{name}'; there are " + ", ".join(TITLES))
    options.models = options.models or list(targets(amx=False)["default"])
    return options


def measure_all(options):
    peers = Peers(options)
    note_load()
    measured = {"about": {
        "processor": host.processor(host.described()), "engines": peers.versions,
        "ours": f"Glow {install.described()}",
        "measured": f"{options.duration:g} s a program and model, in slices of "
                    f"{options.slice:g} ms"}, "results": [], "failures": []}
    modes = itertools.product(options.batch, options.threads)
    for (batch, threads), model in itertools.product(modes, options.models):
        mode = Mode(batch, threads)
        try:
            result = peers.measure(model, mode)
        except BenchError as error:
            measured["failures"].append(f"{model}, {mode_text(mode)}: {error}")
            continue
        say("  ".join(row(result, peers.versions)))
        measured["results"].append(result)
    return measured


def loaded(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise BenchError(f"'{path}': {error}") from None


def main():
    options = parse(sys.argv[1:])
    try:
        measured = loaded(options.results) if options.results else measure_all(options)
        say("\n" + text(measured), end="")
        if options.write:
            with open(options.write, "w") as file:
                file.write(page(measured))
        if options.json:
            with open(options.json, "w") as file:
                json.dump(measured, file, indent=1)
                file.write("\n")
        failures = measured["failures"]
    except (BenchError, subprocess.SubprocessError) as error:
        failures = [str(error)]
    for failure in failures:
        print(f"peers: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
