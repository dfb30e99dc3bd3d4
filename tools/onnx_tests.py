#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the outcome of ONNX's recorded cases with what docs/OnnxTests.json
says of them, and with the page: onnx_tests.py REPORT.json DOCS [--write].

REPORT.json is what `glow test-onnx --json` writes, of several folders. Fails when
a case does not pass and has no reason, passes and has one, or the page, which is of
the interpreter, is not current; --write makes it so.
"""

import collections
import json
import pathlib
import sys

REASONS = ["non-determinism without a seed",
           "strings beyond what is supported",
           "data that contradict the model"]
WANTED = 98  # percent

HEAD = """# ONNX's recorded cases

Of the cases of Debian's `libonnx-testdata`, `glow test-onnx --backend=interpreter` passes:

| folder | cases | pass | do not |
|---|--:|--:|--:|
"""


def mistakes(outcomes: dict, entries: list):
    listed = collections.Counter(case for entry in entries for case in entry["cases"])
    for entry in entries:
        if entry["reason"] not in REASONS:
            yield f"'{entry['reason']}' is no reason; there are: {', '.join(REASONS)}"
    for case, count in listed.items():
        if count > 1:
            yield f"{case}: has {count} reasons, and should have one"
        if case not in outcomes:
            yield f"{case}: has a reason, but there is no such case"
        elif outcomes[case]["outcome"] == "passed":
            yield f"{case}: passes, and should have no reason not to"
    for case, test in outcomes.items():
        if test["outcome"] != "passed" and case not in listed:
            yield f"{case}: {test['outcome']} without a listed reason: {test['reason']}"
    passed = sum(test["outcome"] == "passed" for test in outcomes.values())
    if 100 * passed < WANTED * len(outcomes):
        yield f"{passed} of {len(outcomes)} cases pass, and {WANTED} in 100 should"


def page(outcomes: dict, entries: list) -> str:
    counts = collections.defaultdict(collections.Counter)
    for case, test in outcomes.items():
        counts[case.split("/")[0]][test["outcome"] == "passed"] += 1
    counts["all"] = sum(counts.values(), collections.Counter())
    text = HEAD
    for folder, count in counts.items():
        text += f"| {folder} | {count.total()} | {count[True]} | {count[False]} |\n"
    text += "\nThe others, with the reason for each (from `docs/OnnxTests.json`):\n"
    for reason in REASONS:
        chosen = [entry for entry in entries if entry["reason"] == reason]
        if chosen:
            text += f"\n## {reason[0].upper()}{reason[1:]}\n"
        for entry in chosen:
            cases = "\n".join(f"- `{case.split('/')[1]}`" for case in sorted(entry["cases"]))
            text += f"\n{entry['why']}\n\n{cases}\n"
    return text


def main(report: dict, docs: pathlib.Path, write: bool) -> int:
    outcomes = {test["name"]: test for test in report["cases"]}
    entries = json.loads((docs / "OnnxTests.json").read_text())
    found = list(mistakes(outcomes, entries))
    wanted, path = page(outcomes, entries), docs / "OnnxTests.md"
    if report["backend"] != "interpreter":
        pass
    elif write and not found:
        path.write_text(wanted)
    elif not path.exists() or path.read_text() != wanted:
        found.append(f"{path.name} is not current: tools/onnx_tests.py {sys.argv[1]} {docs} --write")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(json.load(open(sys.argv[1])), pathlib.Path(sys.argv[2]),
                  sys.argv[3:] == ["--write"]))
