"""Runs a command with a limit: limited.py LIMIT COMMAND...

`file=N`: no file of more than N bytes; `memory=N`: N MiB of addresses; `threads`: none but
the first, as a user without the privilege to have more.
"""

import ctypes
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
        # Root has no such limit. A user of its own counts only this process, which may
        # still read whatever the tests are in.
        libc = ctypes.CDLL(None)
        for privilege in (21, 24):  # CAP_SYS_ADMIN, CAP_SYS_RESOURCE
            libc.prctl(24, privilege)  # PR_CAPBSET_DROP
        os.setresuid(60000 + os.getpid() % 5000, 0, 0)
# No image of a process that ends by a signal is wanted.
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.execvp(sys.argv[2], sys.argv[2:])
