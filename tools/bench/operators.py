#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures every ONNX operator that `glow ops --json` lists against ONNX
Runtime: one node on one thread, on small and on large tensors, in turns. Run it
by a Python that has onnx, NumPy and onnxruntime.

The small case is one that ONNX has recorded (Debian's libonnx-testdata); the
large one is the same node on larger tensors (cases.py), or one of large.py.
Where ONNX has recorded none, both are of sized.py. A ratio is the peer's time
divided by glow's."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import onnx

import cases
import host
import install
from bench import cores_for, note_load, say
from large import LARGE_CASES
from measure import BenchError, Program, in_turns, summarize
from report import OPERATORS, number, without_operators
from sized import GRAPHS, SIZED_CASES

sys.path.insert(0, os.path.join(install.HERE, "peer"))

WANTED = 1.2
# The peer refuses opsets that are not released, which have operators of ours.
os.environ["ALLOW_RELEASED_ONNX_OPSET_ONLY"] = "0"
NO_CASE, NO_OPERATOR = "no case", "no operator"


def session_of(case):
    from session import Session
    return Session(case.model().SerializeToString(), case.feeds())


def operators(glow):
    """Domain and name of each one that is imported, without the host's."""
    text = subprocess.run([glow, "ops", "--json"], check=True,
                          stdout=subprocess.PIPE).stdout
    known = {(entry["domain"], entry["operator"])
             for entry in json.loads(text)["onnx"]}
    return sorted(known)


def of_the_peer():
    """Domain and name of each operator that the peer knows."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state
    known = {(schema.domain, schema.name)
             for schema in state.get_all_operator_schema()}
    return known | {(GRAPHS, name) for domain, name in known if not domain}


def title(operator):
    domain, name = operator
    return f"{domain}.{name}" if domain else name


def measure(glow, case, options):
    """The medians of glow and the peer, in ms, and their ratio."""
    cores = cores_for(1)
    os.sched_setaffinity(0, cores)
    peer = session_of(case)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        onnx.save(case.model(), path)
        command = [glow, "bench", path, "--slices", "--backend=cpu",
                   "--threads=1", "--cache-dir="]
        for place, (name, array) in enumerate(case.feeds().items()):
            file = os.path.join(folder, f"{place}.npy")
            np.save(file, array)
            command.append(f"--input={name}={file}")
        with Program("glow", command, cores) as ours:
            ours_ms, peer_ms, ratio = summarize(
                in_turns((ours, peer), options.duration, options.slice))
    return ours_ms["median"], peer_ms["median"], ratio["median"]


def sized(operator, small):
    """The cases of an operator, each with its size; `small` may be None."""
    if operator in SIZED_CASES and not small:
        small = SIZED_CASES[operator](False)
    if small:
        yield "small", small
    if operator in SIZED_CASES:
        yield "large", SIZED_CASES[operator](True)
    elif operator in LARGE_CASES:
        for make in LARGE_CASES[operator]:
            yield "large", make()
    elif small:
        grown = cases.large(small, session_of)
        if grown:
            yield "large", grown


def measured(glow, operator, small, options):
    """Rows of (size, shapes, ours, peer, ratio) or of (size, shapes, failure).
    Runs in a process of its own: a node that ends the peer ends that alone."""
    rows = []
    for size, case in sized(operator, small):
        try:
            rows.append((size, case.shapes(), *measure(glow, case, options)))
        except BenchError as error:
            rows.append((size, case.shapes(), str(error)))
        except Exception as error:  # pylint: disable=broad-except
            # The peer has many classes of errors.
            line = re.sub(r"\s+", " ", str(error))
            rows.append((size, case.shapes(), "the peer: " + line[:120]))
    return rows


class Pool:
    """One process that measures; another one where it ended."""

    def __init__(self):
        self.pool = ProcessPoolExecutor(1)

    def __call__(self, *arguments):
        try:
            return self.pool.submit(measured, *arguments).result()
        except BrokenProcessPool:
            self.pool = ProcessPoolExecutor(1)
            return [("all", "", "the peer's process ended")]


def measure_all(options, known):
    """Results and failures, as dictionaries."""
    pool, results, failures = Pool(), [], []
    peers = of_the_peer()
    for operator in known:
        case = options.recorded.get(operator)
        if case is None and operator not in {**LARGE_CASES, **SIZED_CASES}:
            failures.append({
                "operator": title(operator), "size": "all",
                "why": NO_CASE if operator in peers else NO_OPERATOR})
            continue
        for size, shapes, *values in pool(options.glow, operator, case,
                                          options.plain):
            entry = {"operator": title(operator), "size": size,
                     "shapes": shapes}
            if len(values) == 1:
                failures.append({**entry, "why": values[0]})
                continue
            entry.update(zip(("ours_ms", "peer_ms", "ratio"), values))
            results.append(entry)
            say("  ".join(row(entry)))
    return results, failures


def row(entry):
    ratio = entry["ratio"]
    return [entry["operator"], entry["size"], entry["shapes"][:60],
            micro(entry["ours_ms"]), micro(entry["peer_ms"]),
            f"{ratio:.2f}", "slow" if ratio < WANTED else ""]


def micro(milliseconds):
    return number(milliseconds * 1e3)


HEAD = ["operator", "size", "inputs", "ours, us", "peer, us", "ratio", ""]


def table(entries):
    rows = [HEAD, ["---"] * 3 + ["---:"] * 3 + ["---"], *map(row, entries)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows) + "\n"


def about(options):
    import onnxruntime
    facts = {"processor": host.processor(host.described()),
             "ours": f"Glow {install.described()}, backend cpu",
             "peer": f"ONNX Runtime {onnxruntime.__version__}, inputs and "
                     "outputs bound, all graph optimizations",
             "measured": f"{options.duration:g} s a program and case"}
    if options.note:
        facts["note"] = options.note
    return facts


def counted(entries):
    slow = sum(entry["ratio"] < WANTED for entry in entries)
    return f"{len(entries)} cases, {slow} of them below {WANTED}"


def section(data):
    """The part of docs/performance.md."""
    results = sorted(data["results"], key=lambda entry: entry["ratio"])
    facts = "".join(f"* {key}: {value}\n" for key, value in
                    data["about"].items())
    parts = [f"""{OPERATORS}

Written by `tools/bench/operators.py --write`. Each ONNX operator that `glow ops` lists is one
node on one thread. The small case is one that ONNX has recorded, or of a few elements; the large
case is the same node on about a million elements, or one of a usual size. Both programs run in
turns on the same core, and a ratio is ONNX Runtime's time divided by Glow's: the median over
rounds of the medians of a round. A small case shows the cost of a call more than that of the
operator, and ONNX Runtime's calls go through Python. Each run has the same inputs, so that the
processor learns branches that elements decide: ONNX Runtime's trees take a third of the time for
a row that repeats that they take for rows that change. The tables list the cases below {WANTED},
the slowest first; all others are faster.

{facts}"""]
    for size in ("large", "small"):
        group = [entry for entry in results if entry["size"] == size]
        slow = [entry for entry in group if entry["ratio"] < WANTED]
        parts.append(f"### {size.capitalize()} cases\n\n{counted(group)}.\n\n"
                     + table(slow))
    missing = {}
    for entry in data["failures"]:
        missing.setdefault(reason(entry["why"]), []).append(
            f"`{entry['operator']}`" + (
                "" if entry["size"] == "all" else f" ({entry['size']})"))
    parts.append("### Not measured\n\n" + "".join(
        f"* {why}: {', '.join(names)}\n" for why, names in missing.items()))
    return "\n".join(parts)


def reason(why):
    """One of few, by which failures are listed."""
    if why.startswith("the peer"):
        return "ONNX Runtime does not run the case"
    if why == NO_CASE:
        return "there is no case yet"
    if why == NO_OPERATOR:
        return "ONNX Runtime has no such operator"
    return "Glow does not run the case"


def write_section(path, text):
    """In place of the section that is there, behind all others."""
    page, _ = without_operators(path)
    with open(path, "w") as file:
        file.write(page + "\n" + text)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("filter", nargs="?", default="", metavar="REGEX",
           help="only operators whose name it finds")
    option("--glow", metavar="FILE", help="default: a release build of this "
           "tree")
    option("--recorded", default=cases.RECORDED, metavar="DIR",
           help="ONNX's recorded cases; default %(default)s")
    option("--duration", type=float, default=0.1, metavar="SECONDS",
           help="time for each program and case; default %(default)s")
    option("--slice", type=float, default=20, metavar="MS",
           help="how long one runs before the other does; default %(default)s")
    option("--note", metavar="TEXT", help="a line about this measurement")
    option("--json", metavar="FILE", help="write what was measured")
    option("--from", dest="results", metavar="FILE",
           help="take what --json wrote, and measure nothing")
    option("--write", nargs="?", metavar="FILE",
           const=os.path.join(install.ROOT, "docs", "performance.md"),
           help="write the section of docs/performance.md")
    return parser.parse_args(arguments)


def measure_now(options):
    note_load()
    options.glow = os.path.abspath(options.glow
                                   or install.build_glow(install.ROOT))
    options.plain = argparse.Namespace(duration=options.duration,
                                       slice=options.slice)
    options.recorded = cases.recorded(options.recorded)
    known = [operator for operator in operators(options.glow)
             if re.search(options.filter, title(operator))]
    results, failures = measure_all(options, known)
    return {"about": about(options), "results": results, "failures": failures}


def main():
    options = parse(sys.argv[1:])
    if options.results:
        with open(options.results) as file:
            data = json.load(file)
    else:
        data = measure_now(options)
    results = sorted(data["results"], key=lambda entry: entry["ratio"])
    say("\n" + table(results) + "\n" + counted(results))
    for entry in data["failures"]:
        say(f"not measured: {entry['operator']} {entry['size']}: "
            f"{entry['why']}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(data, file, indent=1)
    if options.write:
        write_section(options.write, section(data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
