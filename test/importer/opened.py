"""Counts how often a command opens a file: opened.py FILE COMMAND...

Prints "opened N times", and ends with the status of the command.
"""

import ctypes
import os
import select
import struct
import subprocess
import sys

IN_OPEN, IN_CLOSE = 0x20, 0x18
EVENT = struct.Struct("iIII")


def main(path: str, command) -> int:
    libc = ctypes.CDLL(None)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    if libc.inotify_add_watch(watch, os.fsencode(path), IN_OPEN | IN_CLOSE) < 0:
        sys.exit(f"{path} cannot be watched")
    process, count = subprocess.Popen(command), 0
    # The system tells two opens as one where nothing is between them: a close is.
    while process.poll() is None or select.select([watch], [], [], 0)[0]:
        if select.select([watch], [], [], 0.01)[0]:
            events = EVENT.iter_unpack(os.read(watch, 4096))
            count += sum(mask & IN_OPEN != 0 for _, mask, _, _ in events)
    print(f"opened {count} times")
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
