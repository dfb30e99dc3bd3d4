"""Compiles models for processors and asserts what their files call: needs.py FOLDER MODEL...

Shared libraries and objects may call functions of C's libraries alone, those of a
compiler's library may not be there.
"""

import pathlib
import subprocess
import sys

PROCESSORS = {"x86_64-linux-gnu": ["x86-64", "x86-64-v2", "haswell", "x86-64-v4", "sapphirerapids"],
              "aarch64-linux-gnu": ["generic", "neoverse-v1"],
              "riscv64-linux-gnu": ["sifive-u74"]}

folder = pathlib.Path(sys.argv[1])
for model in sys.argv[2:]:
    for target, processors in PROCESSORS.items():
        for processor in processors:
            library = folder / f"{model}.{processor}.so"
            subprocess.run(["glow", "compile", folder / model, "--emit=so", f"--target={target}",
                            f"--cpu={processor}", "-o", library], check=True, stdout=subprocess.DEVNULL)
            called = subprocess.run(["llvm-nm", "--dynamic", "--undefined-only", "--format=just-symbols", library],
                                    check=True, capture_output=True, text=True).stdout.split()
            assert not [name for name in called if name.startswith("__")], (model, processor, called)
