#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says what programs and libraries want of a system:

  needed_symbols.py [--any-library] FILE...

Each should look for no symbols that glibc 2.31 has not, and for no libraries but those of
glibc, of the compiler and of Glow, unless any may be there. Ends with status 1 if one does.
"""

import re
import subprocess
import sys

LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "libgcc_s.so.1",
             "ld-linux-x86-64.so.2", "libglow.so.0"}
MOST = (2, 31)


def version_of(name):
    return tuple(map(int, re.findall(r"\d+", name)))


def needs_of(file):
    """Symbols of glibc as pairs of the version and the name, and libraries of others."""
    symbols = subprocess.run(["objdump", "-T", file], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    # "... *UND* 0000 (GLIBC_2.2.5) name"
    needs = re.findall(r"\*UND\*.*\b(GLIBC_[\d.]+)\)? +(?:\.hidden )?(\S+)", symbols)
    header = subprocess.run(["objdump", "-p", file], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    if "GLIBC_ABI_DT_RELR" in header:
        needs.append(("GLIBC_2.36", "packed relocations"))
    return needs, set(re.findall(r"NEEDED +(\S+)", header)) - LIBRARIES


def main() -> int:
    wrong = 0
    files = sys.argv[1:]
    any_library = "--any-library" in files[:1]
    for file in files[any_library:]:
        needs, others = needs_of(file)
        newest = max((version for version, _ in needs), key=version_of,
                     default="no version")
        print(f"{file}: {newest}" + "".join(f", {name}" for name in sorted(others)))
        for version, symbol in needs:
            if version_of(version) > MOST:
                print(f"  {symbol} of {version}, which glibc 2.31 has not")
                wrong = 1
        if others and not any_library:
            print("  which not every system has")
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
