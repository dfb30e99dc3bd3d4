"""Checks that kernels and emitters read what they are called with by name.

  calls.py SOURCES

Prints each line that asks for an operand or an attribute by its place or by a text,
or compares a choice, a role or where a node's meaning comes from with a text.
"""

import pathlib
import re
import sys

REFUSED = [re.compile(pattern) for pattern in (
    r"\boperands\.(view|data|has|count)\b",
    r"\battribute<[\w:]+>\(\d",
    r"\binstr\.(find|integer|integers|flag|real|text)\(",
    r"\bcall\.(buffers|segments|attributes)\[\d",
    r"\binfo->(shapes|attributes|segments)\[\d",
    r'StringRef\([\w.>-]*kernel\) *[!=]=',
    r'getRole\(\) *[!=]= *"',
    r'\b(mode|direction|rounding|coordinates|reduction|rule) *[!=]= *"',
)]
# Where calls are made of what a step has: tables that go by every instruction.
APART = ("include/glow/Program/TypedCall.h", "backends/cpu/library/Call",
         "backends/cpu/codegen/Call",
         # Words of ONNX, which no record of a node has.
         "lib/driver/HostOperators/")


def mistakes(root: pathlib.Path):
    for folder in ("backends", "gen", "include", "lib", "runtime", "test/vendor"):
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix not in (".h", ".cpp") or path.startswith(APART):
                continue
            for line, text in enumerate(file.read_text().splitlines(), 1):
                if any(pattern.search(text) for pattern in REFUSED):
                    yield f"{path}:{line}: {text.strip()}"


def main() -> int:
    found = list(mistakes(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
