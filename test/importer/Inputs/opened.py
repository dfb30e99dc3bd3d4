"""Checks how often a command opens a file: opened.py TIMES FILE COMMAND...

Counted is what the command's processes open themselves, by a library that
stands before the system's (opened.c): what else the machine does with the file
is not seen.
"""

import os
import subprocess
import sys
import tempfile


def opened(path: str, command) -> int:
    with tempfile.TemporaryDirectory() as folder:
        counter = os.path.join(folder, "opened.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                              "opened.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror",
                        source, "-o", counter], check=True)
        counts = os.path.join(folder, "counts")
        open(counts, "x").close()
        # A sanitizer wants to be the first library, unless told.
        sanitizer = os.environ.get("ASAN_OPTIONS", "")
        status = subprocess.run(
            command, stdout=subprocess.DEVNULL,
            env=os.environ | {
                "LD_PRELOAD": counter,
                "OPENED_FILE": os.path.realpath(path),
                "OPENED_COUNT": counts,
                "ASAN_OPTIONS": f"{sanitizer}:verify_asan_link_order=0",
            }).returncode
        if status:
            sys.exit(f"{command[0]} ended with status {status}")
        return os.path.getsize(counts)


def main(times: int, path: str, command):
    count = opened(path, command)
    if count != times:
        sys.exit(f"{path} was opened {count} times where {times} were expected")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
