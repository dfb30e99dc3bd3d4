"""The statistics of the benchmark on numbers with known answers."""

import os
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(sys.argv[1], "tools", "bench"))
from bench import Bench, cases, difference, parse, slower  # noqa: E402
from measure import in_turns, percentile, summarize  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402

assert percentile([5, 1, 4, 2, 3], 50) == 3
assert percentile(range(1, 101), 90) == 90
assert percentile([7], 10) == 7

# A machine that is ten times as slow for one round changes no ratio.
first, second, ratio = summarize([([2.0, 2.0], [3.0]), ([20.0], [30.0]),
                                  ([2.0], [3.0, 90.0, 3.0])])
assert first == {"median": 2.0, "p10": 2.0, "p90": 20.0}, first
assert second["median"] == 3.0 and second["p90"] == 90.0, second
assert ratio == {"median": 1.5, "p10": 1.5, "p90": 1.5}, ratio


class Told:
    turns = ""

    def __init__(self, name, milliseconds):
        self.name, self.milliseconds = name, milliseconds

    def run(self, _):
        Told.turns += self.name
        return [self.milliseconds]


rounds = in_turns(Told("a", 1.0), Told("b", 2.0), duration=0, slice_ms=1)
assert rounds == [([1.0], [2.0])] * 5 and Told.turns == "abbaabbaab"


def difference_of(ours, peer):
    with tempfile.TemporaryDirectory() as folder:
        for side, tensors in (("ours", ours), ("peer", peer)):
            os.mkdir(os.path.join(folder, side))
            for name, values in tensors.items():
                np.save(os.path.join(folder, side, name), values)
        return difference(os.path.join(folder, "ours"),
                          os.path.join(folder, "peer"))


values = np.array([0.5, -4.0], np.float32)
assert difference_of({"y": values}, {"y": values}) == 0
assert difference_of({"y": values + 1}, {"y": values}) == 0.25
assert difference_of({"y": values[:1]}, {"y": values}) == np.inf
assert difference_of({"y": values * np.nan}, {"y": values}) == np.inf
assert difference_of({"z": values}, {"y": values}) == np.inf

same = {"median": 1.0, "p10": 0.9, "p90": 2.0}
disturbed = {"median": 1.2, "p10": 0.91, "p90": 3.0}
longer = {"median": 1.2, "p10": 1.0, "p90": 2.0}
assert not slower(same, disturbed, {"median": 1.2})
assert slower(same, longer, {"median": 1.2})
assert not slower(same, longer, {"median": 1.04})

options = parse(["mlp", "--batch=1,8", "--threads=1,2", "--math=strict,default",
                 "--glow=glow", f"--cache={tempfile.gettempdir()}"])
bench = Bench(options)
assert [(report.mode_text(mode), bench.target_of(name, mode))
        for mode, name in cases(options)] == [
    ("batch 1, 1 thread, strict", 1.0), ("batch 1, 1 thread", 1.2),
    ("batch 1, 2 threads, strict", 1.0), ("batch 1, 2 threads", 1.0),
    ("batch 8, 1 thread, strict", 1.0), ("batch 8, 1 thread", 1.14),
    ("batch 8, 2 threads, strict", 1.0), ("batch 8, 2 threads", 1.0)]
assert bench.target_of("resnet50_qdq", report.Mode(1, 1)) is None

assert [report.number(x) for x in (0.0456, 1.234, 45.67, 456.7)] == \
    ["0.046", "1.23", "45.7", "457"]
assert plot.ticks(1.2) == [0, 0.5, 1.0, 1.5]
assert plot.ticks(30)[-1] >= 30 and len(plot.ticks(30)) < 10
print("all hold")
