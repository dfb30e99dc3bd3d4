"""Prints the records of a page: its fenced blocks of TableGen, in order."""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as page:
    blocks = re.findall(r"```tablegen\n(.*?)```", page.read(), re.DOTALL)
print('include "glow/Glow.td"\n')
print("\n".join(blocks))
