# SPDX-License-Identifier: MIT
"""Runs a command while devices listen: served.py FILE BACKEND COUNT COMMAND...

FILE becomes a file of COUNT devices, "far0" and so on. After the command each ends by
SIGTERM, with status 0.
"""

import json
import signal
import subprocess
import sys

import devices

file, backend, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with devices.serve(backend, count) as served:
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"devices": [device.described() for device in served]}, out)
    status = subprocess.run(sys.argv[4:]).returncode
    for device in served:
        ended = device.end(signal.SIGTERM)
        if ended != 0:
            sys.exit(f"{device.name} ended with status {ended}")
sys.exit(status if status >= 0 else 128 - status)
