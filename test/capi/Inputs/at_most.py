"""Whether a number on the standard input is at most the sum of the arguments,
and not less than the first."""

import sys

measured, bounds = int(sys.stdin.read()), [int(n) for n in sys.argv[1:]]
if not bounds[0] <= measured <= sum(bounds):
    sys.exit(f"it is {measured}, it should be from {bounds[0]} to "
             f"{sum(bounds)}")
