"""Carries out the examples of commands' help, in this folder: examples.py COMMAND..."""

import os
import subprocess
import sys

import numpy

numpy.save("x.npy", numpy.zeros((2, 3), numpy.float32))
environment = dict(os.environ, XDG_CACHE_HOME=os.getcwd())
count = 0
for command in sys.argv[1:]:
    text = subprocess.run(["glow", command, "--help"], capture_output=True, text=True, check=True)
    examples = text.stdout.split("Examples:\n")[1].strip().splitlines()
    for example in map(str.strip, examples):
        run = subprocess.run(example, shell=True, env=environment, capture_output=True, text=True)
        if run.returncode != 0 or not f"{example} ".startswith(f"glow {command} "):
            sys.exit(f"{example}: exit status {run.returncode}: {run.stdout}{run.stderr}")
        count += 1
print(f"{len(sys.argv) - 1} commands, {count} examples")
