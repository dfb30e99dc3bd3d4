"""Runs a command with a limit: limited.py LIMIT COMMAND...

`file=N`: no file of more than N bytes; `memory=N`: N MiB of addresses; `threads`: none but
the first, as a user who has no privilege to have more.
"""

import os
import resource
import sys

kind, _, number = sys.argv[1].partition("=")
if kind == "file":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(number), int(number)))
elif kind == "memory":
    resource.setrlimit(resource.RLIMIT_AS, (int(number) << 20, int(number) << 20))
elif kind == "threads":
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
# No image of a process that ends by a signal is wanted.
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.execvp(sys.argv[2], sys.argv[2:])
