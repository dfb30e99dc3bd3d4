"""Checks that kernels and emitters read what they are called with by name.

  calls.py SOURCES

Prints each line that asks for an operand or an attribute by its place or by a text,
or compares a choice, a role or where a node's meaning comes from with a text.
"""

import pathlib
import re

import report

REFUSED = [re.compile(pattern) for pattern in (
    r"\boperands\.(view|data|has|count)\b",
    r"\battribute<[\w:]+>\(\d",
    r"\binstr\.(find|integer|integers|flag|real|text)\(",
    r"\bcall\.(buffers|segments|attributes)\[\d",
    r"\binfo->(shapes|attributes|segments)\[\d",
    r'StringRef\([\w.>-]*kernel\) *[!=]=',
    r'getRole\(\) *[!=]= *"',
    r'\b(mode|direction|rounding|coordinates|reduction|rule) *[!=]= *"',
    # A call of a kernel by the places of its operands and attributes.
    r"\bcallKernel\(\s*\"",
    r"\barray<AttributeValue\b",
    r'instance\(\)\.(find|run)\(\s*"',
)]
FOLDERS = ("backends", "gen", "include", "lib", "runtime", "test/vendor")
CODE = (".h", ".cpp")
# Where calls are made of what a step has: tables that go by every instruction.
APART = ("include/glow/Program/TypedCall.h", "backends/cpu/library/support/Call",
         "backends/cpu/codegen/emit/Call",
         # Words of ONNX, which no record of a node has.
         "lib/driver/HostOperators/")


def mistakes(root: pathlib.Path):
    for path, number, line in report.lines(root, report.below(root, FOLDERS), CODE):
        refused = any(pattern.search(line) for pattern in REFUSED)
        if refused and not path.startswith(APART):
            yield f"{path}:{number}: {line.strip()}"


if __name__ == "__main__":
    report.main(mistakes)
