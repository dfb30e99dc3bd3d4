# SPDX-License-Identifier: MIT
"""What was measured, as a table for a terminal and as a page of the docs."""

import dataclasses
import json
import os
import typing

from measure import BenchError
import plot

MIB = 1 << 20


@dataclasses.dataclass
class Measured:
    about: dict  # facts of the machine and the programs, in order
    results: list  # of Bench.with_peer
    failures: list  # a line for each model that could not be measured


class Mode(typing.NamedTuple):
    batch: int
    threads: int
    math: str = "default"


HEADER = ["model", "ours, ms", "ONNX Runtime, ms", "ratio", "its p10..p90",
          "target", "met", "first result, ms", "peak, MiB", "difference"]


def number(value):
    """Three significant digits, never with an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.{1 if value >= 10 else 2 if value >= 1 else 3}f}"


def interval(values, text=number):
    return f"{text(values['p10'])}..{text(values['p90'])}"


def met(result):
    if result["target"] is None:
        return ""
    return "yes" if result["ratio"]["median"] >= result["target"] else "no"


def differs(result):
    steps, own = result.get("steps"), result.get("own_steps")
    return f"{result['difference']:.1e}" + (
        "" if steps is None else f", {steps:.1f} steps ({own or 0:.1f})")


def row(result):
    ours, peer, ratio = result["ours"], result["peer"], result["ratio"]
    target = result["target"]
    return [
        result["model"],
        *(f"{number(times['median'])} ({interval(times)})"
          for times in (ours["run_ms"], peer["run_ms"])),
        f"{ratio['median']:.2f}", interval(ratio, "{:.2f}".format),
        "" if target is None else f"{target:.2f}", met(result),
        " / ".join(map(number, (ours["first_result_ms"],
                                ours["cached_result_ms"],
                                peer["first_result_ms"]))),
        " / ".join(f"{side['peak_bytes'] / MIB:.0f}"
                   for side in (ours, peer)),
        differs(result)]


def mode_of(result):
    return Mode(result["batch"], result["threads"], result["math"])


def mode_text(mode):
    threads = f"{mode.threads} thread{'s' if mode.threads > 1 else ''}"
    math = "" if mode.math == "default" else f", {mode.math}"
    return f"batch {mode.batch}, {threads}{math}"


def modes(results):
    """Each mode and the results of it, in order of appearance."""
    return {mode: [r for r in results if mode_of(r) == mode]
            for mode in dict.fromkeys(map(mode_of, results))}


def verdict(results):
    judged = [met(result) for result in results if met(result)]
    if not judged:
        return "no target is set"
    return f"{judged.count('yes')} of {len(judged)} targets met"


def lines_of(rows):
    """Columns as wide as what is in them."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) for cell, width
                      in zip(cells, widths)).rstrip() for cells in rows]


def text(measured):
    parts = []
    for mode, group in modes(measured.results).items():
        parts += [measured.about["processor"],
                  f"{mode_text(mode)}: {verdict(group)}",
                  *lines_of([HEADER, *map(row, group)]), ""]
    return "\n".join(parts)


def markdown_table(group):
    rows = [HEADER, ["---"] + ["---:"] * (len(HEADER) - 1),
            *map(row, group)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def markdown(measured):
    about, results = measured.about, measured.results
    idle = max(result["peer"]["idle_bytes"] for result in results) / MIB
    facts = "\n".join(f"* {name}: {about[name]}" for name in about)
    tables = "\n\n".join(
        f"## {mode_text(mode).capitalize()}\n\n{about['processor']}: "
        f"{verdict(group)}.\n\n{markdown_table(group)}" for mode, group
        in modes(results).items())
    if measured.failures:
        tables += "\n\n## Not measured\n\n" + "\n".join(
            f"* {failure}" for failure in measured.failures)
    return f"""# Performance

Written by `tools/bench/bench.py --write`; [Benchmark](Benchmark.md) says how
it measures. Models have the shapes and operators of the published networks and
random weights.

{facts}

![ratios](performance.svg)

Times are medians of single runs with the 10th and 90th percentile. The ratio
is ONNX Runtime's time divided by ours, so more than 1 is faster than it: the
median over rounds in which both ran, one after the other on the same cores.
The first result is the time from the model's file to its first outputs:
compile and run for us, the same from the cache of compiled programs, make a
session and run for ONNX Runtime, each in a new process, the medians of several
starts in turns. The peak is
the most memory of the whole process; Node, in which ONNX Runtime runs, has
{idle:.0f} MiB of it before a model is read. The difference is the largest one
of any output element to ONNX Runtime's, relative to the largest element; for
models in 8 bits also in steps of the output's 8 bits, or of its range where it
has none, and behind it how far ONNX Runtime is from itself without optimizations:
two roundings may differ by one step, and in a deep network by as much as that.

{tables}
"""


def load(paths):
    """What --json wrote: facts, which must agree, and all results."""
    together = None
    for path in paths:
        try:
            with open(path) as file:
                part = Measured(**json.load(file))
        except (OSError, ValueError, TypeError) as error:
            raise BenchError(f"'{path}': {error}") from None
        if together is None:
            together = part
        elif together.about != part.about:
            raise BenchError(
                f"'{path}' was not measured as '{paths[0]}' was: "
                f"{part.about} instead of {together.about}")
        else:
            together.results += part.results
            together.failures += part.failures
    return together


def save(path, measured):
    with open(path, "w") as file:
        json.dump(dataclasses.asdict(measured), file, indent=1)
        file.write("\n")


# What operators.py writes, behind all else.
OPERATORS = "## Operators"
KINDS = "## Kinds of work"


def parts_of(path, heading):
    """A page before a section, the section, and the page behind it."""
    text = ""
    if os.path.exists(path):
        with open(path) as file:
            text = file.read()
    before, mark, rest = text.partition("\n" + heading + "\n")
    section, following, after = rest.partition("\n## ")
    return before.rstrip("\n") + "\n", mark + section, following + after


def without_operators(path):
    """A page up to the section on operators, and that section; "" for none."""
    if not os.path.exists(path):
        return "", ""
    with open(path) as file:
        page, mark, section = file.read().partition("\n" + OPERATORS + "\n")
    return page.rstrip("\n") + "\n", mark + section


def write_page(folder, measured):
    picture = plot.bars(modes(measured.results), mode_text)
    path = os.path.join(folder, "performance.md")
    kept = "".join(parts_of(path, heading)[1].rstrip("\n") + "\n"
                   for heading in (KINDS, OPERATORS))
    for name, content in [("performance.md", markdown(measured) + kept),
                          ("performance.svg", picture)]:
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)
