#!/usr/bin/env python3
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

from cases import array, model, node, value, write

NAMES = {
    "escape": "\x1b[31m\x07red\x9b\x7f", "lines": "a\nb\r\nglow: error: c",
    "path": "../../../up/and\\away", "comment": "*/ int x; /* \"; // ???/",
    "nothing": "", "long": "n" * 5000, "turned": "\u202ename", "percent": "%s%n%x",
    "quotes": "'\"`$(id)`", "letters": "größe 形",
}


def named(name):
    """Two layers and a node of the host, all called like that."""
    made = model(
        [node("Relu", "x", "a", name=name), node("Add", f"a w{name}", f"b{name}", name=name),
         node("NonZero", f"b{name}", "c", name=name), node("Cast", "c", f"z{name}", to=1)],
        [value("x", [2, 3])], [value(f"z{name}")], [array(f"w{name}", [1, 2, 3])])
    return made


def whole(name):
    return model([node("Relu", f"x{name}", f"a{name}", name=name),
                  node("Add", f"a{name} w{name}", f"y{name}", name=name)],
                 [value(f"x{name}", [2, 3])], [value(f"y{name}", [2, 3])],
                 [array(f"w{name}", [1, 2, 3])])


def refused(name):
    return model([node(f"No{name}", "x", "a", name=name, domain="com.microsoft"),
                  node("Reshape", "a w", "y", name=name)],
                 [value("x", [2, 3])], [value("y")], [array("w", [7, 9], numpy.int64)])


COMMANDS = [
    "run {m} --random", "run {m} --random --output-dir={d}/out --json={d}/run.json",
    "run {m} --random --backend=interpreter --trace={d}/trace.json --repeat=2",
    "run {m}", "run {m} --random --input=nobody=x.npy",
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
    for key, name in NAMES.items():
        for make in (named, whole, refused):
            place = os.path.join(folder, "inside", f"{key}_{make.__name__}")
            for text in check(place, make(name)):
                bad += 1
                print(f"{key}, {make.__name__}: {text}")
    outside = sorted(os.listdir(folder))
    if outside != ["inside"]:
        bad += 1
        print(f"files left their folder: {outside}")
    print(f"{len(NAMES) * 3} models, {bad} wrong")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
