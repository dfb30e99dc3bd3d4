"""Checks how often a command opens a file: opened.py TIMES FILE COMMAND...

Something else on the machine may open the file at the same time (a backup, an
index), so a count that is too large is taken again, up to five times. The
command has to do the same each time.
"""

import ctypes
import os
import select
import struct
import subprocess
import sys

IN_OPEN, IN_CLOSE = 0x20, 0x18
EVENT = struct.Struct("iIII")


def opened(path: str, command) -> int:
    libc = ctypes.CDLL(None)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    if libc.inotify_add_watch(watch, os.fsencode(path), IN_OPEN | IN_CLOSE) < 0:
        sys.exit(f"{path} cannot be watched")
    count = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        # The system tells two opens as one where nothing is between them: a close is.
        while process.poll() is None or select.select([watch], [], [], 0)[0]:
            if select.select([watch], [], [], 0.01)[0]:
                events = EVENT.iter_unpack(os.read(watch, 4096))
                count += sum(mask & IN_OPEN != 0 for _, mask, _, _ in events)
    os.close(watch)
    if process.returncode:
        sys.exit(f"{command[0]} ended with status {process.returncode}")
    return count


def main(times: int, path: str, command):
    counts = []
    while not counts or counts[-1] > times and len(counts) < 5:
        counts.append(opened(path, command))
    if counts[-1] != times:
        sys.exit(f"{path} was opened {counts} times where {times} were expected")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
