"""No layer is above the peak of the processor, unless it makes fewer operations than its
definition has: glow explain --json | peak.py"""

import json
import sys

report = json.load(sys.stdin)
shares = [(layer["share_of_peak"], layer.get("fewer_operations", False), layer["algorithm"])
          for layer in report["layers"] if "share_of_peak" in layer]
assert shares
above = [(share, name) for share, fewer, name in shares if share > 1 and not fewer]
assert not above, above
by = {name for share, fewer, name in shares if share > 1}
assert by == set(report["summary"]["above_peak_by"]), (by, report["summary"])
