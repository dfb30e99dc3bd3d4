"""Interrupts a command while it runs: interrupt.py FOLDER COMMAND..."""

import os
import signal
import subprocess
import sys
import time

# Tests that run in the background ignore it.
signal.signal(signal.SIGINT, signal.SIG_DFL)
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
time.sleep(1)
process.send_signal(signal.SIGINT)
print("ended by signal", -process.wait(timeout=60))
print("files:", *sorted(os.listdir(sys.argv[1])))
