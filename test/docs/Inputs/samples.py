"""Makes a module of each line of standard input, a node in text, which reads its
operands; `// -----` stands between them."""

import re
import sys


def types_of(text: str) -> list:
    """The types between the first brackets."""
    depth, types, start = 0, [], 0
    for at, letter in enumerate(text):
        depth += {"(": 1, "<": 1, ")": -1, ">": -1}.get(letter, 0)
        if letter == "(" and depth == 1:
            start = at + 1
        elif (letter == "," and depth == 1) or depth == 0:
            types.append(text[start:at].strip())
            start = at + 1
            if depth == 0:
                break
    return [one for one in types if one]


def module(line: str) -> str:
    operands = re.findall(r"%([\w.$-]+)", line.split(" = ", 1)[1])
    types = types_of(line[line.rindex(" : ") + 3:])
    storage = "".join(f"glow.placeholder @{name} input : {kind}\n"
                      for name, kind in zip(operands, types, strict=True))
    reads = "".join(f"  %{name} = glow.read @{name} : {kind}\n"
                    for name, kind in zip(operands, types, strict=True))
    return f"{storage}glow.func @main {{\n{reads}  {line}\n}}\n"


print("// -----\n".join(module(line.strip()) for line in sys.stdin))
