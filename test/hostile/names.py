#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every command on models whose names are hostile: names.py FOLDER.

No name may reach a terminal as more than text, end a comment or a string of what is
printed, or leave the folder that files go to. Each command that does wrong is told;
the last line counts.
"""

import json
import os
import subprocess
import sys

import numpy
from onnx.helper import make_node as make

from cases import array, model, value, write

NAMES = {
    "escape": "\x1b[31m\x07red\x9b\x7f", "lines": "a\nb\r\nglow: error: c",
    "path": "../../../up/and\\away", "comment": "*/ int x; /* \"; // ???/",
    "nothing": "", "long": "n" * 5000, "turned": "\u202ename", "percent": "%s%n%x",
    "quotes": "'\"`$(id)`", "letters": "größe 形",
}


def layers(last):
    """Two layers of every name, one after the other; `last` makes the last tensor of
    each from the name and the tensor before."""
    nodes, before = [], "x"
    for name in NAMES.values():
        after = "b" + name
        nodes += [make("Relu", [before], ["a" + name], name=name),
                  make("Add", ["a" + name, "w" + name], [after], name=name),
                  *last(name, after)]
        before = after
    return nodes


def weights():
    return [array("w" + name, [1, 2, 3]) for name in NAMES.values()]


def named():
    """Layers, and nodes of the host, of every name."""
    def last(name, before):
        return [make("NonZero", [before], ["c" + name], name=name),
                make("Cast", ["c" + name], ["z" + name], name=name, to=1)]
    return model(layers(last), [value("x", [2, 3])],
                 [value("z" + name) for name in NAMES.values()], weights())


def whole():
    def last(name, before):
        return [make("Neg", [before], ["y" + name], name=name)]
    return model(layers(last), [value("x", [2, 3])],
                 [value("y" + name, [2, 3]) for name in NAMES.values()], weights())


def refused():
    nodes = []
    for name in NAMES.values():
        nodes += [make("No" + name, ["x"], ["a" + name], name=name,
                       domain="com.microsoft"),
                  make("Reshape", ["a" + name, "w"], ["y" + name], name=name)]
    return model(nodes, [value("x", [2, 3])],
                 [value("y" + name) for name in NAMES.values()],
                 [array("w", [7, 9], numpy.int64)])


COMMANDS = [
    "run {m} --random", "run {m} --random --output-dir={d}/out --json={d}/run.json",
    "run {m} --random --backend=interpreter --trace={d}/trace.json --repeat=2",
    "run {m}", "run {m} --random --input=none=x.npy",
    "run {m} --random --compare=interpreter", "explain {m}", "explain {m} --json",
    "explain {m} --stub", "bench {m} --duration=0.01 --json={d}/bench.json",
    "compile {m} --emit=import -o -", "compile {m} --emit=plan -o -",
    "compile {m} --emit=dot -o -", "compile {m} --emit=llvm -o -",
    "compile {m} --emit=c -o {d}/c", "compile {m} --emit=bundle -o {d}/bundle",
    "compile {m} --emit=so -o {d}/model.so", "run {d}/model.so --random",
    "run {m} --random --debug={d}/listing",
]


def wrong(text, is_json):
    """What a terminal would obey, if anything. JSON is for programs: its strings
    may have what is no ASCII."""
    try:
        shown = text.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"no UTF-8: {error}"
    bad = [c for c in shown if c not in "\n\t" and
           (ord(c) < 32 or (127 <= ord(c) < 160 and not is_json))]
    return f"control characters {bad[:5]}" if bad else ""


def check(folder, made):
    """What went wrong with one model."""
    write(folder, made)
    for command in COMMANDS:
        words = command.format(m=os.path.join(folder, "model.onnx"), d=folder).split()
        done = subprocess.run(["glow"] + words, capture_output=True)
        if done.returncode not in (0, 1):
            yield f"{command}: status {done.returncode}: {done.stderr[-300:]}"
        for text in (done.stdout, done.stderr):
            if said := wrong(text, "--json" in words):
                yield f"{command}: {said}: {text[:300]}"
        if "--json" in words and done.returncode == 0:
            json.loads(done.stdout)
    for name in ("run", "trace", "bench"):
        path = os.path.join(folder, name + ".json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                json.load(file)
    for place in ("c", "bundle"):
        inside = os.path.join(folder, place)
        for source in sorted(os.listdir(inside)) if os.path.isdir(inside) else []:
            if source.endswith((".c", ".h")):
                cc = subprocess.run(["cc", "-std=c99", "-w", "-fsyntax-only", "-xc",
                                     os.path.join(inside, source)], capture_output=True)
                if cc.returncode:
                    yield f"{source} of {place} is no C: {cc.stderr[:300]}"


def main():
    folder, bad = sys.argv[1], 0
    for made in (named, whole, refused):
        place = os.path.join(folder, "inside", made.__name__)
        for text in check(place, made()):
            bad += 1
            print(f"{made.__name__}: {text}")
    outside = sorted(os.listdir(folder))
    if outside != ["inside"]:
        bad += 1
        print(f"files left their folder: {outside}")
    print(f"{len(NAMES)} names in 3 models, {bad} wrong")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
