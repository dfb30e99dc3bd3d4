"""Compares the algorithms and tiles of the layers of two models.

Usage: same_tiles.py REPORT REPORT, each written by `glow explain --json`.
"""

import json
import sys


def tiles(path):
    with open(path) as file:
        layers = json.load(file)["layers"]
    return sorted((layer["algorithm"], layer["tile"]) for layer in layers if layer.get("tile"))


one, other = (tiles(path) for path in sys.argv[1:3])
print(f"{len(one)} layers, " + ("the same tiles" if one == other else f"{one} but {other}"))
