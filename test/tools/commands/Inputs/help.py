"""Checks the help of a command of glow: help.py COMMAND FLAG...

Every flag is there and says something, and no line is too long.
"""

import re
import subprocess
import sys

command, wanted = sys.argv[1], sys.argv[2:]
text = subprocess.run(["glow", command, "--help"], capture_output=True,
                      text=True, check=True).stdout
options = text.split("Options", 1)[1]
# A flag begins a line; its description may be on the next one.
entries = re.split(r"\n  (?=-)", options)[1:]
flags = {}
for entry in entries:
    names = re.match(r"[^ ]+", entry)[0].split(",")
    flags[names[-1]] = " ".join(entry.split())
for flag in wanted:
    if flag not in flags:
        sys.exit(f"glow {command} has no {flag}")
for flag, entry in flags.items():
    if not re.search(r" [a-z].{9}", entry) and flag != "--help":
        sys.exit(f"glow {command} {flag} says nothing: {entry}")
for line in text.splitlines():
    if len(line) > 100 and line[30:].count(" "):
        sys.exit(f"glow {command}: a line of {len(line)} columns: {line}")
print(f"{len(flags)} flags")
