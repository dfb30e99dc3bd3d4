"""No layer is above the peak of the processor, unless it makes fewer operations than its
definition has: glow explain --json | peak.py"""

import json
import sys

report = json.load(sys.stdin)
layers = [layer for layer in report["layers"] if "share_of_peak" in layer]
assert layers
# Steps of one node share its operations by their times.
fewer = {layer["layer"] for layer in layers if layer.get("fewer_operations")}
above = [layer for layer in layers if layer["share_of_peak"] > 1]
assert all(layer["layer"] in fewer for layer in above), above
by = {layer["algorithm"] for layer in above if layer.get("fewer_operations")}
assert by == set(report["summary"]["above_peak_by"]), (by, report["summary"])
