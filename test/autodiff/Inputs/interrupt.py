# SPDX-License-Identifier: MIT
"""Runs a command until a file appears, and sends it a signal then.

interrupt.py SIGNAL FILE COMMAND...
"""

import os
import signal
import subprocess
import sys
import time

number, file = getattr(signal, sys.argv[1]), sys.argv[2]
with subprocess.Popen(sys.argv[3:], stdout=subprocess.PIPE, text=True) as process:
    while not os.path.exists(file) and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(number)
    printed, _ = process.communicate()
print(printed, end="")
print(f"status {process.returncode}")
