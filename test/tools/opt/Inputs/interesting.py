"""Finds a file interesting in which, of what a save needs, a softmax reads what
a transpose made: interesting.py FILE. Simplifying must not find it invalid.
"""

import re
import subprocess
import sys

run = subprocess.run(["glow-opt", "--check-graph", "--cse", sys.argv[1]],
                     capture_output=True, text=True)
if run.returncode:
    sys.exit(2)
made = re.findall(r"(%\S+) = glow\.transpose", run.stdout)
sys.exit(not any(f"glow.softmax {name} " in run.stdout for name in made))
