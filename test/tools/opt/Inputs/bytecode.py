"""Runs a module of bytecode with some bytes changed: bytecode.py FILE FOLDER COUNT.

Prints how many ran, how many were refused with a message, and how many of these
because reading them ends a process. Fails at anything else, as a signal.
"""

import pathlib
import random
import subprocess
import sys


def damaged(data: bytes, seed: int) -> bytes:
    chance = random.Random(seed)
    result = bytearray(data)
    if seed % 4 == 0:
        return bytes(result[:chance.randrange(len(result))])
    # The sections of structure are at both ends, weights between them.
    for _ in range(1 + seed % 3):
        at = chance.randrange(min(1500, len(result)))
        # Lengths are numbers of several bytes, of which some bits say how many.
        result[chance.choice((at, -1 - at))] = chance.choice(
            (0, 128, 255, chance.randrange(256)))
    return bytes(result)


def main() -> int:
    data = pathlib.Path(sys.argv[1]).read_bytes()
    path = pathlib.Path(sys.argv[2]) / "damaged.mlirbc"
    ran = refused = ended = 0
    for seed in range(int(sys.argv[3])):
        path.write_bytes(damaged(data, seed))
        run = subprocess.run(
            ["glow", "run", str(path), "--random", "--backend=interpreter"],
            capture_output=True, text=True, errors="replace", check=False)
        if run.returncode == 0:
            ran += 1
        elif run.returncode == 1 and "error: " in run.stderr:
            refused += 1
            ended += "reading it ends the process" in run.stderr
        else:
            print(f"module {seed}: status {run.returncode}: {run.stderr}")
            return 1
    print(f"{ran + refused} modules: {ran} ran, {refused} refused, "
          f"{ended} of them because their reader ended")
    return 0


if __name__ == "__main__":
    sys.exit(main())
