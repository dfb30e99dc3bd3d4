"""A glow that takes as long as it is told: told.py MILLISECONDS bench ..."""

import json
import sys

milliseconds = float(sys.argv[1])
print(json.dumps({"first_result_ms": milliseconds}), flush=True)
for line in sys.stdin:
    command, length = line.split()
    assert command == "run" and float(length) > 0
    times = [milliseconds, milliseconds, 100 * milliseconds]
    print(json.dumps({"times_ms": times}), flush=True)
