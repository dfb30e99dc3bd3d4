"""Gives every flag that takes a number values that are none: bad_numbers.py GLOW MODEL"""

import subprocess
import sys

glow, model = sys.argv[1:]
values = ["-1", "nan", "inf", "1e400", "0x10", " 5", "5x"]
flags = [["run", model, f] for f in ("--random", "--repeat", "--threads", "--atol", "--rtol")]
flags += [["bench", model, f] for f in ("--batch", "--duration")]
flags += [["classify", "none.png", "--model", model, "--top"]]
flags += [["test-onnx", ".", f] for f in ("--jobs", "--timeout")]
flags += [["run", model, "--memory-limit"]]
for flag in flags:
    for value in values:
        command = [glow, *flag[:-1], f"{flag[-1]}={value}"]
        run = subprocess.run(command, capture_output=True, text=True)
        lines = run.stderr.splitlines()
        if run.returncode != 2 or run.stdout or len(lines) != 1 or f"'{value}' should be a number" not in lines[0]:
            sys.exit(f"{command}: status {run.returncode}: {run.stderr}")
print(len(flags) * len(values), "bad numbers are refused")
