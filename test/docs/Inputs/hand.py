"""Checks that a page says which kernels are written by hand.

  hand.py GENERATED SOURCES

Reads what the build made of the records: the tables of nodes and of operators of
the host, and the declarations of functions by hand.
"""

import pathlib
import re

import report

NODE = re.compile(r'\{"glow\.(\w+)", "\w+", ".*", \d+, ::glow::NodeKernel::(\w+), "')
FUNCTION = re.compile(r"^Status (\w+)\(", re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| `([\w/.]+)` \| ([^|]+) \|$",
                 re.MULTILINE)
HOST = re.compile(r'\{"[^"]*", "(\w+)", \d+, host::\w+, .*, "([^"]+)", \w+, \w+, \w+, [\w:]+, [\w:]+\}')
HOST_ROW = re.compile(r"^\| ([^|`]+) \| (`\w+`(?:, `\w+`)*) \|$", re.MULTILINE)


def made(generated: pathlib.Path, product: str) -> str:
    """Of the core and of each backend."""
    return "".join(path.read_text() for path in sorted(generated.glob(f"*{product}")))


def mistakes(generated: pathlib.Path, sources: pathlib.Path):
    nodes = NODE.findall(made(generated, "NodeTable.cpp.inc"))
    by_hand = {name for name, kernel in nodes if kernel == "Hand"}
    functions = set(FUNCTION.findall(made(generated, "HandKernels.h.inc")))
    rows = ROW.findall((sources / "docs/rationale/HandKernels.md").read_text())
    if not by_hand:
        yield "no node has a kernel by hand"
    for name in by_hand ^ {row[0] for row in rows}:
        yield f"node '{name}' is on one of the page and the records only"
    for name in functions ^ {row[1] for row in rows}:
        yield f"function '{name}' is on one of the page and the records only"
    for _, function, file, _ in rows:
        path = sources / "backends" / file
        if not path.exists() or f"Status kernels::{function}(" not in path.read_text():
            yield f"function '{function}' is not in backends/{file}"


def host_mistakes(generated: pathlib.Path, sources: pathlib.Path):
    """What the page says of operators that run between programs."""
    table = (generated / "GlowHostOperators.cpp.inc").read_text()
    page = (sources / "docs/rationale/HandKernels.md").read_text()
    records = {(name, why) for name, why in HOST.findall(table)}
    rows = {(name, why) for why, names in HOST_ROW.findall(page)
            for name in re.findall(r"\w+", names)}
    if not records:
        yield "no operator of the host is found"
    for name, why in records ^ rows:
        yield f"operator '{name}' ({why}) is on one of the page and the records only"


if __name__ == "__main__":
    report.main(mistakes, host_mistakes)
