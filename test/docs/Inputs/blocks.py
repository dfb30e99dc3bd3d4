"""Prints the fenced blocks of a page, in order: its records, as a file that
ClassGen takes, or those of another language."""

import re
import sys

language = sys.argv[2] if len(sys.argv) > 2 else "tablegen"
with open(sys.argv[1], encoding="utf-8") as page:
    blocks = re.findall(rf"```{re.escape(language)}\n(.*?)```", page.read(),
                        re.DOTALL)
if language == "tablegen":
    print('include "glow/Glow.td"\n')
print("\n".join(blocks))
