# SPDX-License-Identifier: MIT
"""Compares the diagram of states of a host: states.py DIAGRAM CHANGES HEADER...

DIAGRAM is a header whose comment has the changes of each enumeration. CHANGES is what
GlowSimulation --changes prints, and HEADERs have the enumerations. Prints each difference.
"""

import pathlib
import re
import sys

CHANGE = re.compile(r"// +(\w+) +-> (\w+) +(.*)")
ENUMERATION = re.compile(r"enum class (\w+) \{(.*?)\}", re.S)


def diagram_of(text: str):
    """The changes of each enumeration, and whether each is rare."""
    diagram = {}
    for line in text.splitlines():
        if heading := re.fullmatch(r"// (\w+State)", line):
            changes = diagram.setdefault(heading[1], {})
        elif change := CHANGE.match(line):
            changes[change[1], change[2]] = change[3].endswith("[rare]")
    return diagram


def enumerations_of(paths):
    for path in paths:
        for name, body in ENUMERATION.findall(pathlib.Path(path).read_text()):
            yield name, re.findall(r"\w+", re.sub(r"//.*", "", body))


def taken(text: str, enumerations):
    """The changes that the simulator has printed, by name."""
    changes = {name: set() for name in enumerations}
    for name, old, new in re.findall(r"^(\w+State) (\d) (\d)$", text, re.M):
        values = enumerations[name]
        changes[name].add((values[int(old)], values[int(new)]))
    return changes


def mistakes(diagram, enumerations, changes):
    for name, values in enumerations.items():
        lines = diagram.get(name, {})
        named = {state for line in lines for state in line}
        yield from (f"{name}: {state} is not in the diagram" for state in values
                    if state not in named)
        yield from (f"{name}: {state} is no enumerator" for state in sorted(named - {*values}))
        yield from (f"{name}: {old} -> {new} happens, and is not in the diagram"
                    for old, new in sorted(changes[name] - {*lines}))
        yield from (f"{name}: {old} -> {new} is not rare, and does not happen"
                    for (old, new), rare in lines.items()
                    if not rare and (old, new) not in changes[name])
    yield from (f"{name} is no enumeration" for name in diagram if name not in enumerations)


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    printed = pathlib.Path(sys.argv[2]).read_text()
    diagram = diagram_of(text)
    enumerations = {name: values for name, values in enumerations_of(sys.argv[3:])
                    if name.endswith("State")}
    found = list(mistakes(diagram, enumerations, taken(printed, enumerations)))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
