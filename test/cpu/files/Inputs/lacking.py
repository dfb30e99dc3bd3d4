"""Runs compiled files on emulated processors that lack one extension at a time.

Usage: lacking.py GLOW FOLDER PROCESSOR MODEL...

A file runs where all that it needs is there, and is refused by the name of what is
missing everywhere else; no file ends the process otherwise.
"""

import os
import pathlib
import re
import subprocess
import sys

glow, folder, processor = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
# The emulator's extensions by LLVM's names, and by its own.
EMULATED = {"ssse3": "ssse3", "sse4.1": "sse4.1", "sse4.2": "sse4.2", "popcnt": "popcnt", "movbe": "movbe",
            "lzcnt": "abm", "bmi": "bmi1", "bmi2": "bmi2", "avx": "avx", "f16c": "f16c", "fma": "fma", "avx2": "avx2"}
folder.mkdir(parents=True, exist_ok=True)


def missing(file, cpu):
    """What the file does not find on a processor of the emulator, or nothing where it runs."""
    # The C library chooses its own functions by fewer extensions than they have.
    plain = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX,-AVX2,-BMI2,-EVEX,-SSE4_1,-SSE4_2"}
    run = subprocess.run(["qemu-x86_64", "-cpu", cpu, glow, "run", file, "--random", "--threads=1"],
                         capture_output=True, text=True, env=plain)
    if run.returncode == 0:
        return []
    says = re.search(r"it needs a processor with ([^ ]+(?:, [^ ]+)*), which this one has not", run.stderr)
    assert run.returncode == 1 and says, (file, cpu, run.returncode, run.stderr)
    return says[1].split(", ")


for model in sys.argv[4:]:
    file = folder / f"{pathlib.Path(model).stem}.{processor}.so"
    subprocess.run(["glow", "compile", model, "--emit=so", "--target=x86_64-linux-gnu", f"--cpu={processor}",
                    "-o", file], check=True, stdout=subprocess.DEVNULL)
    needs = missing(file, "qemu64,-sse3")
    beyond = [name for name in needs if name not in EMULATED and name != "sse3"]
    print(f"{file.stem} needs", *needs)
    if beyond:
        assert set(beyond) <= set(missing(file, "max")), needs
        continue
    for name, emulated in EMULATED.items():
        lacks = missing(file, f"max,-{emulated}")
        assert (name in lacks) == (name in needs) and set(lacks) <= set(needs), (file, name, needs, lacks)
