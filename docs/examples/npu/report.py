#!/usr/bin/env python3
"""What a model takes of the chip: report.py EXPLAIN RUNS

EXPLAIN is what `glow explain --json` gives, RUNS the file of NPU_REPORT, with one
line for each part of the model that ran on the chip.
"""

import json
import sys

MULTIPLIERS = 16 * 16


def share(part, whole):
    return f"{100 * part / whole:6.1f} %" if whole else "     - "


def main(explained, runs):
    with open(explained, encoding="utf-8") as file:
        model = json.load(file)
    counts = {}
    with open(runs, encoding="utf-8") as file:
        for line in file:
            for name, count in json.loads(line).items():
                counts[name] = counts.get(name, 0) + count
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
    print(f"copies hidden    {share(predicted['hidden'], predicted['copying'])} of the cycles in which they go on, predicted")
    print(f"utilisation      {share(counts['macs'], MULTIPLIERS * counts['cycles'])} of {MULTIPLIERS} products a cycle")


if __name__ == "__main__":
    main(*sys.argv[1:])
