"""Runs a command with more and more memory: little_memory.py FIRST LAST COMMAND...

With FIRST MiB it should fail, with LAST MiB it should run, and with none should it end by
a signal. The loader's own failure has the status 127.
"""

import pathlib
import subprocess
import sys

limited = pathlib.Path(__file__).parents[2] / "tools/Inputs/limited.py"
first, last = int(sys.argv[1]), int(sys.argv[2])
for size in range(first, last + 1):
    run = subprocess.run([sys.executable, limited, f"memory={size}", *sys.argv[3:]],
                         capture_output=True, text=True)
    if run.returncode not in (0, 1, 127):
        sys.exit(f"{size} MiB: status {run.returncode}: {run.stderr}")
    if run.returncode == 1 and "error: " not in run.stderr:
        sys.exit(f"{size} MiB: no message: {run.stderr}")
    if size == first and run.returncode == 0:
        sys.exit(f"{size} MiB are enough")
if run.returncode != 0:
    sys.exit(f"{last} MiB are too few: {run.stderr}")
print("fails, then runs")
