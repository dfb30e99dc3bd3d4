"""Runs a command that should refuse what it is given: refused.py COMMAND...

It should end with status 1, or 2 where the command line is none, and one short
message, and print nothing else. The message goes to standard output.
"""

import re
import subprocess
import sys

run = subprocess.run(sys.argv[1:], capture_output=True, text=True,
                     errors="replace", timeout=100)
print(run.stderr, end="")
lines = run.stderr.splitlines()
misused = re.search("; see glow .*--help$|there is no command|no command is given",
                    run.stderr)
if run.returncode != (2 if misused else 1):
    sys.exit(f"exit status {run.returncode}, should be {2 if misused else 1}")
if sum("error: " in line for line in lines) != 1:
    sys.exit("there should be one error")
if len(lines) > 8 or "builtin.module" in run.stderr:
    sys.exit("the message is a wall of text")
if run.stdout:
    sys.exit("what was refused printed: " + run.stdout)
