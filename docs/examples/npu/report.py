#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a model takes of the chip: report.py EXPLAIN RUNS [--nodes]

EXPLAIN is what `glow explain --json` gives, RUNS the file of NPU_REPORT, with one
line for each part of the model that ran on the chip; --nodes prints each node, too.
"""

import json
import sys

MULTIPLIERS = 16 * 16


def share(part, whole):
    return f"{100 * part / whole:6.1f} %" if whole else "     - "


def hidden(counts):
    """Of the cycles in which copies go on, those in which the array does not wait."""
    return share(counts["copying"] - counts["waiting"], counts["copying"])


def add(sums, counts):
    for name, count in counts.items():
        if isinstance(count, int):
            sums[name] = sums.get(name, 0) + count


def print_nodes(nodes):
    print(f"{'node':32} {'cycles':>10} {'busy':>8} {'utilisation':>12} {'copies hidden':>14} {'bytes read':>12} {'written':>10}")
    for name, counts in nodes.items():
        print(f"{name:32} {counts['cycles']:10} {share(counts['computing'], counts['cycles'])}"
              f"     {share(counts['macs'], MULTIPLIERS * counts['cycles'])}       {hidden(counts)}"
              f" {counts['bytes_in']:12} {counts['bytes_out']:10}")


def main(explained, runs, *options):
    with open(explained, encoding="utf-8") as file:
        model = json.load(file)
    counts, products, nodes = {}, {}, {}
    with open(runs, encoding="utf-8") as file:
        for run in map(json.loads, file):
            add(counts, run)
            for node in run["nodes"]:
                add(nodes.setdefault(node["name"], {}), node)
    for node in nodes.values():
        if node["macs"]:
            add(products, node)
    if "--nodes" in options:
        print_nodes(nodes)
    parts = [part["backend"] for part in model.get("parts", [])]
    print(f"parts on the chip {parts.count('npu') or 1}, elsewhere {len(parts) - parts.count('npu') if parts else 0}")
    for name, size in (("pad", 262144), ("sums", 65536)):
        used = model.get("memory_bytes", {}).get(name, 0)
        print(f"memory {name:5} {used:12} bytes used  {share(used, size)} of it")
    print(f"host's memory    {counts['bytes_in']:12} bytes read, {counts['bytes_out']} written")
    predicted = model["cycles"]
    print(f"cycles simulated {counts['cycles']:12}, predicted {predicted['total']}"
          f" {share(abs(predicted['total'] - counts['cycles']), counts['cycles'])} off")
    print(f"array busy       {counts['computing']:12} cycles {share(counts['computing'], counts['cycles'])},"
          f" {counts['conflicts']} of them for banks")
    print(f"copies hidden    {hidden(counts)} of the cycles in which they go on;"
          f" {hidden(products)} where nodes multiply")
    print(f"utilisation      {share(counts['macs'], MULTIPLIERS * counts['cycles'])} of {MULTIPLIERS} products a cycle;"
          f" {share(products['macs'], MULTIPLIERS * products['cycles'])} where nodes multiply")


if __name__ == "__main__":
    main(*sys.argv[1:])
