"""Counts how often a command opens a file: opened.py FILE COMMAND...

Prints "opened N times", and ends with the status of the command.
"""

import ctypes
import os
import select
import subprocess
import sys

IN_OPEN = 0x20


def main(path: str, command) -> int:
    libc = ctypes.CDLL(None)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    if libc.inotify_add_watch(watch, os.fsencode(path), IN_OPEN) < 0:
        sys.exit(f"{path} cannot be watched")
    process, count = subprocess.Popen(command), 0
    # The system tells two opens as one where they are not asked for in between.
    while process.poll() is None or select.select([watch], [], [], 0)[0]:
        if select.select([watch], [], [], 0.01)[0]:
            os.read(watch, 4096)
            count += 1
    print(f"opened {count} times")
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
