#!/usr/bin/env python3
"""Runs models of exact.py against the interpreter, bit by bit:
exact_runs.py FOLDER MODEL... [-- FLAG...]."""

import glob
import subprocess
import sys

folder, *models = sys.argv[1:]
flags = []
if "--" in models:
    at = models.index("--")
    models, flags = models[:at], models[at + 1:]
for model in models:
    inputs = [f"--input={path.split('.')[-2]}={path}"
              for path in glob.glob(f"{folder}/{model}.*.npy")]
    command = ["glow", "run", f"{folder}/{model}.onnx", *inputs, "--compare=interpreter",
               "--rtol=0", "--atol=0", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or "\nPASSED" not in done.stdout:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
