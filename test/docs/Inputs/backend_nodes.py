"""Checks that nodes of backends are in no table of the core, and in no room.

  backend_nodes.py REPORT GENERATED SOURCES

REPORT is what `glow ops --json` says: each backend has its nodes.
"""

import json
import pathlib
import re

import report


def mistakes(ops: pathlib.Path, generated: pathlib.Path, sources: pathlib.Path):
    names = [node["name"].removeprefix("glow.") for backend in json.loads(ops.read_text())["backends"]
             for node in backend["nodes"]]
    if not names:
        yield "no backend has a node of its own"
        return
    classes = ["".join(part.capitalize() for part in name.split("_")) for name in names]
    said = re.compile(rf"(?<![A-Za-z_])({'|'.join(names + classes)})(?![a-z_])", re.IGNORECASE)
    # Products of the current build, without files of an earlier one.
    core = [pathlib.Path(line) for line in (generated / "GlowProducts.txt").read_text().split()]
    if not core:
        yield "the core has no tables"
    rooms = (file for file in report.below(sources, ["include", "lib", "runtime", "defs"])
             if file.suffix in (".cpp", ".h", ".td"))
    for file in [*core, *rooms]:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            # A comment may give one as an example.
            if said.search(line.split("//")[0]):
                yield f"{file}:{number}: names a node of a backend: {line.strip()}"


if __name__ == "__main__":
    report.main(mistakes)
