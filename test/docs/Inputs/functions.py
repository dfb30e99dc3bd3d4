"""Every function of the shared records has a row in the reference:

    functions.py SOURCES PAGE
"""

import pathlib
import re
import sys

DECLARED = re.compile(r'^def : (?:Scalar)?Function<"(\w+)"|^def (\w+) : Let<', re.MULTILINE)

defs = pathlib.Path(sys.argv[1]) / "defs"
page = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
rows = re.findall(r"^\| `(\w+)\(", page, re.MULTILINE)
names = []
for path in (defs / "Functions.td", *(defs / "functions").glob("*.td")):
    names += [one or other
              for one, other in DECLARED.findall(path.read_text(encoding="utf-8"))]
if len(names) < 100 or sorted(names) != sorted(rows):
    sys.exit(f"not once in {sys.argv[2]}: "
             f"{sorted(set(names) ^ set(rows)) or 'a function of two kinds'}")
