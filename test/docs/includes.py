"""Checks who includes whom; docs/rationale/Design.md says why.

Prints each include that leads against the order of the rooms.
"""

import pathlib
import re
import sys

BASE = {"Base"}
PROGRAM = BASE | {"Program"}
GRAPH = BASE | {"Graph", "Generated"}
IR = BASE | {"IR"}
BACKEND = GRAPH | IR | PROGRAM | {"Backend"}
RUNTIME = PROGRAM | {"Runtime"}

# What a folder may include besides its own room.
ALLOWED = {
    "Base": set(),
    "Program": BASE,
    "TensorFiles": RUNTIME | {"HostOperators", "Images"},
    "Images": RUNTIME,
    "Graph": GRAPH,
    # A buffer holds a tensor, and is checked as one.
    "IR": IR | {"Graph"},
    "HostOperators": RUNTIME | {"Generated", "Images"},
    "Importer": GRAPH | RUNTIME | {"HostOperators"},
    "Optimizer": GRAPH,
    "Backend": BACKEND,
    "Partition": BACKEND,
    "Lowering": BACKEND,
    "IRGen": GRAPH | IR,
    "IROptimizer": IR,
    "Memory": IR,
    # The facade: headers without LLVM, sources that see all rooms.
    "Pipeline": None,
    "Stages": RUNTIME | {"HostOperators", "Importer", "Pipeline"},
    "Runtime": RUNTIME,
}
PREFIXES = [("include/glow/", 2), ("lib/", 2), ("runtime/", 0)]
INCLUDE = re.compile(r'#include "([^"]+)"')


def room_of(path: str) -> str | None:
    for prefix, part in PREFIXES:
        if path.startswith(prefix):
            return "Runtime" if prefix == "runtime/" else path.split("/")[part]
    return None


def mistakes(root: pathlib.Path):
    for folder in ("include", "lib", "runtime"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            path = file.relative_to(root).as_posix()
            room = room_of(path)
            for line, text in enumerate(file.read_text().splitlines(), 1):
                found = INCLUDE.match(text)
                if not found:
                    continue
                name = found.group(1)
                if "backends/" in name:
                    yield f"{path}:{line}: includes a backend: {name}"
                if not name.startswith("glow/"):
                    continue
                target = name.split("/")[1]
                allowed = ALLOWED[room]
                if target != room and allowed is not None and \
                        target not in allowed:
                    yield f"{path}:{line}: {room} may not include {target}"


def main() -> int:
    found = list(mistakes(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
