"""Checks that a model's arena is at most 1.10 times what lives at one time.

Reads the JSON of `glow explain --json` from standard input.
"""

import json
import sys

report = json.load(sys.stdin)
arena, live = report["arena_bytes"], report["live_bytes"]
print(f"{sys.argv[1]}: arena {arena}, live {live}")
sys.exit(0 if arena <= 1.10 * live else 1)
