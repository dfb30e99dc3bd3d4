"""Runs damaged copies of a compiled file: damage.py FOLDER FILE COMMAND...

Each copy is cut, or has another byte at one place. The command, with the copy in the
place of FILE, must end with status 1 and one line that names it.
"""

import os
import subprocess
import sys

folder, path, command = sys.argv[1], sys.argv[2], sys.argv[3:]
with open(path, "rb") as file:
    whole = file.read()


def changed(place):
    return whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1:]


places = [len(whole) * i // 12 for i in range(12)] + [len(whole) - 1, len(whole) - 30]
cases = {f"cut{place}": whole[:place] for place in places}
cases |= {f"changed{place}": changed(place) for place in places}
cases["longer"] = whole + b"\0"
for name, damaged in cases.items():
    copy = os.path.join(folder, name + ".so")
    with open(copy, "wb") as file:
        file.write(damaged)
    done = subprocess.run([copy if word == path else word for word in command], text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if (done.returncode != 1 or done.stderr.count("\n") != 1 or
            not done.stderr.startswith(f"glow: error: '{copy}': it ")):
        sys.exit(f"{name}: status {done.returncode}: {done.stderr}")
print(len(cases), "damaged files are refused")
