"""Damages a file in many places, and runs a command on it.

  damaged.py FILE COMMAND...

Cuts the file, and changes bytes all over it; says how often the command, which
is given the file, ends with exit status 1 and one message that names it.
"""

import pathlib
import subprocess
import sys

file = pathlib.Path(sys.argv[1])
whole = file.read_bytes()
copy = file.with_name("damaged" + file.suffix)
count = refused = 0
for i in range(20):
    place = len(whole) * i // 20
    changed = bytearray(whole)
    changed[place] ^= 0x55
    for content in (whole[:place], bytes(changed)):
        copy.write_bytes(content)
        run = subprocess.run(sys.argv[2:4] + [copy] + sys.argv[4:],
                             capture_output=True, text=True)
        count += 1
        refused += run.returncode == 1 and copy.name in run.stderr
print(f"{count} damaged files, {refused} refused")
