"""Runs a command on a terminal and prints what it shows, escapes as ESC:

    terminal.py [--until TEXT] COMMAND...

With --until, it is interrupted when TEXT was shown.
"""

import os
import pty
import signal
import sys

words = sys.argv[1:]
until = None
if words[0] == "--until":
    until, words = words[1].encode(), words[2:]
child, terminal = pty.fork()
if child == 0:
    os.environ.setdefault("TERM", "xterm")
    # Tests that run in the background ignore it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execvp(words[0], words)
shown = b""
while True:
    try:
        shown += os.read(terminal, 65536)
    except OSError:  # the command has ended
        break
    if until and until in shown.rsplit(b"\r", 1)[-1] and shown.endswith(b" s"):
        os.kill(child, signal.SIGINT)
        until = None
os.waitpid(child, 0)
print(shown.decode(errors="replace").replace("\r\033[K", "\n").replace("\033", "ESC"))
