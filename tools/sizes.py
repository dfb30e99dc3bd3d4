#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how many lines an operator takes: sizes.py SOURCES REPORT.json.

REPORT.json is what `glow ops --json` prints. Of nodes, those count that a record
declares: no gradients that ClassGen derives. The nodes of backends are named
apart. Fails when 12 % or more of the nodes have a kernel by hand.
"""

import collections
import json
import pathlib
import sys

LIMIT = 12  # percent


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


def main(root: pathlib.Path, report: dict) -> int:
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
    written = sum(lines(path) for path in (root / "defs/import").glob("*.td"))
    share = 100 * total["hand"] / total["nodes"]
    print(f"{total['nodes']} nodes: {(total['records'] + total['C++']) / total['nodes']:.1f} lines each; "
          f"{by_hand(nodes)}")
    print(f"{len(own)} nodes of backends: {by_hand(own)}")
    print(f"{len(imports)} operators of ONNX: {written / len(imports):.1f} lines each")
    return share >= LIMIT


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), json.load(open(sys.argv[2]))))
