"""Runs damaged copies of a model: fuzz.py MODEL FOLDER COUNT.

Each is cut off somewhere or has a few other bytes. Every run should end with
status 0 or 1, and with a message in the second case.
"""

import os
import random
import subprocess
import sys


def damaged(data, chance):
    data = bytearray(data)
    if chance.random() < 0.3:
        return data[:chance.randrange(len(data))]
    # Half of them near the front or the end, where the graph is.
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(data))
        if chance.random() < 0.5:
            at = min(at, chance.randrange(2000))
        data[at] = chance.randrange(256)
    return data


def main():
    model, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(model, "rb") as file:
        data = file.read()
    os.makedirs(folder, exist_ok=True)
    outcomes = {0: 0, 1: 0}
    for seed in range(count):
        path = os.path.join(folder, f"{seed}.onnx")
        with open(path, "wb") as file:
            file.write(damaged(data, random.Random(seed)))
        run = subprocess.run(
            ["glow", "run", path, "--random", "--memory-limit=256M"],
            capture_output=True, text=True, errors="replace", timeout=100)
        if run.returncode not in outcomes:
            sys.exit(f"{path}: exit status {run.returncode}\n{run.stderr}")
        if run.returncode and run.stderr.count("error: ") != 1:
            sys.exit(f"{path}: there should be one error\n{run.stderr}")
        outcomes[run.returncode] += 1
    print(f"{count} models: {outcomes[0]} ran, {outcomes[1]} refused")


main()
