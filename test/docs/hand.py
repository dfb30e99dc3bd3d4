"""Checks that few kernels are written by hand, and that a page says which.

  hand.py GENERATED SOURCES

Reads what the build made of the records: the table of nodes and the declarations
of functions by hand.
"""

import pathlib
import re
import sys

NODE = re.compile(r'\{"glow\.(\w+)", "\w+", ".*", \d+, "(\w*)", "')
FUNCTION = re.compile(r"^Status (\w+)\(", re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| `([\w/.]+)` \| ([^|]+) \|$",
                 re.MULTILINE)
MOST = 0.15


def mistakes(generated: pathlib.Path, sources: pathlib.Path):
    nodes = NODE.findall((generated / "GlowNodeTable.cpp.inc").read_text())
    by_hand = {name for name, kernel in nodes if kernel == "hand"}
    functions = set(FUNCTION.findall(
        (generated / "GlowHandKernels.h.inc").read_text()))
    rows = ROW.findall((sources / "docs/rationale/HandKernels.md").read_text())
    if not nodes or len(by_hand) >= MOST * len(nodes):
        yield f"{len(by_hand)} of {len(nodes)} nodes have a kernel by hand"
    for name in by_hand ^ {row[0] for row in rows}:
        yield f"node '{name}' is on one of the page and the records only"
    for name in functions ^ {row[1] for row in rows}:
        yield f"function '{name}' is on one of the page and the records only"
    for _, function, file, _ in rows:
        path = sources / "backends" / file
        if not path.exists() or f"{function}(" not in path.read_text():
            yield f"function '{function}' is not in backends/{file}"
    print(f"{len(by_hand)} of {len(nodes)} nodes by hand")


def main() -> int:
    found = list(mistakes(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
