#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints sizes of the sources.

    sizes.py SOURCES REPORT.json           lines an operator takes
    sizes.py SOURCES [--since REVISION]    lines and files of folders, the longest lines

REPORT.json is the output of `glow ops --json`. Nodes with a record count, gradients that
ClassGen derives do not; nodes of backends have a line of their own. The command fails when
12 % or more of the nodes have a kernel by hand.

Folders are those of `tools/budget.txt`, which allows each a number of lines; the command
fails when a folder has more. Growth is counted from REVISION, by default the last tag.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

LIMIT = 12  # percent
LONGEST = 5
SUFFIXES = frozenset(".cpp .h .c .td .def .inc .proto .py .sh .cmake .txt .test .mlir .loops .md".split())


def lines(path: pathlib.Path) -> int:
    """Lines that are neither empty nor only a comment."""
    if not path.exists():
        return 0
    stripped = (line.strip() for line in path.read_text().splitlines())
    return sum(bool(line) and not line.startswith("//") for line in stripped)


def declared(root: pathlib.Path, report: dict):
    """The nodes that have a record, and those of them that are a backend's."""
    every = report["nodes"] + [node for backend in report["backends"] for node in backend["nodes"]]
    names = collections.defaultdict(list)
    for node in every:
        names[node["place"]].append(node["name"])
    nodes, own = [], []
    for node in every:
        place = node["place"].split(":")[0]
        # A gradient that is derived has the place of its node.
        if node["name"] != min(names[node["place"]], key=len):
            continue
        if (root / "defs" / place).exists():
            nodes.append(node)
        elif (root / "backends" / place).exists():
            own.append(node)
    return nodes, own


def by_hand(nodes) -> str:
    count = sum(node["kernel"] == "hand" for node in nodes)
    share = f" ({100 * count / len(nodes):.1f} %)" if nodes else ""
    return f"{count} of {len(nodes)} have a kernel by hand{share}"


def operators(root: pathlib.Path, report: dict) -> int:
    families = collections.defaultdict(list)
    nodes, own = declared(root, report)
    for node in nodes:
        families[pathlib.Path(node["place"]).name.split(".td")[0]].append(node)
    print(f"{'family':14} nodes by-hand records   C++ lines/node")
    total = collections.Counter()
    for family, members in sorted(families.items()):
        counts = {"nodes": len(members), "hand": sum(node["kernel"] == "hand" for node in members),
                  "records": lines(root / f"defs/nodes/{family}.td"),
                  "C++": lines(root / f"backends/interpreter/device/{family}.cpp")}
        total.update(counts)
        print(f"{family:14} {counts['nodes']:5} {counts['hand']:7} {counts['records']:7} {counts['C++']:5} "
              f"{(counts['records'] + counts['C++']) / len(members):10.1f}")
    imports = {(row["domain"], row["operator"]) for row in report["onnx"]}
    written = sum(lines(path) for path in (root / "defs/import").rglob("*.td"))
    share = 100 * total["hand"] / total["nodes"]
    print(f"{total['nodes']} nodes: {(total['records'] + total['C++']) / total['nodes']:.1f} lines each; "
          f"{by_hand(nodes)}")
    print(f"{len(own)} nodes of backends: {by_hand(own)}")
    print(f"{len(imports)} operators of ONNX: {written / len(imports):.1f} lines each")
    return share >= LIMIT


def sources(folder: pathlib.Path):
    return [path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES and path.is_file()]


def lines_then(root: pathlib.Path, revision: str, folder: str) -> int:
    """Lines of the sources of a folder at a revision."""
    listed = subprocess.run(["git", "-C", root, "grep", "-c", "", revision, "--", folder],
                            capture_output=True, text=True).stdout.splitlines()
    counts = (line.rsplit(":", 1) for line in listed)
    return sum(int(count) for name, count in counts if pathlib.Path(name).suffix in SUFFIXES)


def last_tag(root: pathlib.Path) -> str:
    return subprocess.run(["git", "-C", root, "describe", "--tags", "--abbrev=0"],
                          capture_output=True, text=True).stdout.strip()


def longest(root: pathlib.Path, paths):
    """The longest lines of C++ and records."""
    every = ((len(line), f"{path.relative_to(root)}:{number}") for path in paths
             if path.suffix in (".cpp", ".h", ".td")
             for number, line in enumerate(path.read_text().splitlines(), 1))
    return sorted(every, key=lambda row: (-row[0], row[1]))[:LONGEST]


def folders(root: pathlib.Path, since: str) -> int:
    print(f"{'folder':16} {'files':>5} {'lines':>7} {'allowed':>7}" + (f" since {since}" if since else ""))
    every, over = [], False
    for row in (root / "tools/budget.txt").read_text().splitlines():
        if not row or row.startswith("#"):
            continue
        folder, allowed = row.split()[0], int(row.split()[1])
        paths = sources(root / folder)
        every += paths
        total = sum(len(path.read_text().splitlines()) for path in paths)
        growth = f" {total - lines_then(root, since, folder):+d}" if since else ""
        print(f"{folder:16} {len(paths):5} {total:7} {allowed:7}{growth}")
        if total > allowed:
            print(f"tools/budget.txt: error: {folder} has {total} lines and is allowed {allowed}: "
                  "make it smaller, or change the number in the same commit")
            over = True
    print("longest lines:", *(f"  {length:4} {place}" for length, place in longest(root, every)), sep="\n")
    return over


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=pathlib.Path, metavar="SOURCES")
    parser.add_argument("report", nargs="?", type=pathlib.Path, metavar="REPORT.json")
    parser.add_argument("--since", metavar="REVISION")
    options = parser.parse_args()
    if options.report:
        return operators(options.sources, json.loads(options.report.read_text()))
    return folders(options.sources, options.since or last_tag(options.sources))


if __name__ == "__main__":
    sys.exit(main())
