#!/usr/bin/env python3
"""Prints how many lines an operator takes: sizes.py SOURCES REPORT.json.

REPORT.json is what `glow ops --json` prints. Fails when 15 % or more of the
nodes have a kernel by hand.
"""

import collections
import json
import pathlib
import sys

LIMIT = 15  # percent


def lines(path: pathlib.Path) -> int:
    """Lines that are neither empty nor only a comment."""
    if not path.exists():
        return 0
    stripped = (line.strip() for line in path.read_text().splitlines())
    return sum(bool(line) and not line.startswith("//") for line in stripped)


def main(root: pathlib.Path, report: dict) -> int:
    families = collections.defaultdict(list)
    for node in report["nodes"]:
        # A derived gradient has its record in the build folder.
        if (root / "defs" / node["place"].split(":")[0]).exists():
            families[pathlib.Path(node["place"]).name.split(".td")[0]].append(node)
    print(f"{'family':14} nodes by-hand records   C++ lines/node")
    total = collections.Counter()
    for family, nodes in sorted(families.items()):
        counts = {"nodes": len(nodes), "hand": sum(node["kernel"] == "hand" for node in nodes),
                  "records": lines(root / f"defs/nodes/{family}.td"),
                  "C++": lines(root / f"backends/interpreter/{family}.cpp")}
        total.update(counts)
        print(f"{family:14} {counts['nodes']:5} {counts['hand']:7} {counts['records']:7} {counts['C++']:5} "
              f"{(counts['records'] + counts['C++']) / len(nodes):10.1f}")
    imports = {(row["domain"], row["operator"]) for row in report["onnx"]}
    written = sum(lines(path) for path in (root / "defs/import").glob("*.td"))
    share = 100 * total["hand"] / total["nodes"]
    print(f"{total['nodes']} nodes: {(total['records'] + total['C++']) / total['nodes']:.1f} lines each, "
          f"{share:.1f} % with a kernel by hand")
    print(f"{len(imports)} operators of ONNX: {written / len(imports):.1f} lines each")
    return share >= LIMIT


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), json.load(open(sys.argv[2]))))
