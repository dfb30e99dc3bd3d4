#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the lists of entries into the page of the library: entries.py [--check] PAGE.

The lists come from table/Table.def and stand between two comments of the page. With --check
the page stays, and the command fails where its lists differ.
"""

import pathlib
import re
import sys
import textwrap

TABLE = pathlib.Path(__file__).resolve().parents[1] / "table"
BEGIN, END = "<!-- entries.py: begin -->", "<!-- entries.py: end -->"
TITLES = {
    "has": "Functions of the library",
    "Kept": "Functions whose arguments have no effect",
    "Absent": "Functions that are not in the library",
}
ENTRY = re.compile(r"ORT_ENTRY\((\w+), [^,]+, (\w+),\s*\(")
SINCE = re.compile(r"ORT_SINCE\((\d+)\)")


def entries():
    """The version, the kind and the name of each entry, in the order of the table."""
    files = re.findall(r'^#include "(\w+\.def)"', (TABLE / "Table.def").read_text(), re.M)
    version = 0
    for file in files:
        for row in re.split(r"\n(?=ORT_)", (TABLE / file).read_text()):
            if since := SINCE.match(row):
                version = int(since[1])
            elif entry := ENTRY.match(row):
                yield version, entry[1], entry[2]


def lists() -> str:
    rows = list(entries())
    text = f"The table has {len(rows)} entries, those of versions 1 to {rows[-1][0]} of the interface.\n"
    for kind, title in TITLES.items():
        names = [name for _, how, name in rows
                 if how == kind or (kind == "has" and how in ("Here", "Direct"))]
        listed = textwrap.fill(", ".join(f"`{name}`" for name in names) + ".", 100,
                               break_long_words=False, break_on_hyphens=False)
        text += f"\n### {title}: {len(names)}\n\n{listed}\n"
    return text


def main(words) -> int:
    path = pathlib.Path(words[-1])
    page = path.read_text()
    before, rest = page.split(BEGIN)
    made = f"{before}{BEGIN}\n{lists()}{END}{rest.split(END)[1]}"
    if "--check" not in words:
        path.write_text(made)
    elif made != page:
        print(f"{path}: error: its lists of entries are not those of {TABLE}: run {__file__}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
