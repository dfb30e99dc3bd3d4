"""The statistics of the benchmark on numbers with known answers."""

import os
import re
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(sys.argv[1], "tools", "bench"))
from agreement import difference, steps_apart, wrong  # noqa: E402
from bench import Bench, cases, parse, slower, targets  # noqa: E402
import host  # noqa: E402
from measure import in_turns, percentile, summarize  # noqa: E402
from graph import Graph  # noqa: E402
from models import make  # noqa: E402
import plot  # noqa: E402
from quantized import Dynamic, Static  # noqa: E402
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


rounds = in_turns((Told("a", 1.0), Told("b", 2.0)), duration=0, slice_ms=1)
assert rounds == [([1.0], [2.0])] * 5 and Told.turns == "abbaabbaab"


def difference_of(ours, peer, measure=difference):
    with tempfile.TemporaryDirectory() as folder:
        for side, tensors in (("ours", ours), ("peer", peer)):
            os.mkdir(os.path.join(folder, side))
            for name, values in tensors.items():
                np.save(os.path.join(folder, side, name), values)
        return measure(os.path.join(folder, "ours"),
                       os.path.join(folder, "peer"))


values = np.array([0.5, -4.0], np.float32)
assert difference_of({"y": values}, {"y": values}) == 0
assert difference_of({"y": values + 1}, {"y": values}) == 0.25
assert difference_of({"y": values[:1]}, {"y": values}) == np.inf
assert difference_of({"y": values * np.nan}, {"y": values}) == np.inf
assert difference_of({"z": values}, {"y": values}) == np.inf



def steps_of(ours, peer, steps):
    return difference_of(ours, peer, lambda *f: steps_apart(*f, steps))


# Differences are in steps of the model's output where it declares them, or in
# steps of 8 bits of the peer's range.
assert steps_of({"y": values + 0.5}, {"y": values}, {"y": 0.25}) == 2
assert steps_of({"y": values + 4.5 / 255}, {"y": values}, {"y": None}) < 1.001
assert steps_of({"y": values}, {"y": values}, {}) is None
apart = {"model": "m", "math": "default", "difference": 1e-2}
assert wrong({**apart, "steps": 1.0}) is None
assert wrong({**apart, "difference": 1e-4}) is None
assert wrong({**apart, "steps": 2.0}) == (
    "m: outputs differ by 1.0e-02 of the largest element, 2.0 output steps; "
    "1e-03 or 1.0 steps is allowed")
# As far as the peer is from itself.
assert wrong({**apart, "steps": 2.0, "own_steps": 2.0}) is None
assert wrong({**apart, "steps": 2.0, "own_steps": 1.5}) is not None
assert wrong(apart) == ("m: outputs differ by 1.0e-02 of the largest element; "
                        "1e-03 is allowed")

# Targets are those of the kind of host.
with tempfile.TemporaryDirectory() as folder:
    def described(flags):
        path = os.path.join(folder, "cpuinfo")
        with open(path, "w") as file:
            file.write(f"processor\t: 0\nmodel name\t: X\nflags\t\t: {flags}\n")
        return host.described(path)
    with_amx = described("fpu avx512_vnni amx_int8 amx_tile")
    without = described("fpu avx512_vnni")
assert host.has_amx(with_amx) and not host.has_amx(without)
assert host.processor(with_amx) == "X, family ? model ?, AMX"
assert host.processor(without) == "X, family ? model ?, AVX-512 VNNI, no AMX"
assert targets(amx=True)["default"]["vgg19"] == 3.0
assert targets(amx=False)["default"]["vgg19"] == 2.8
assert targets(amx=True)["default"]["mlp"] == 1.2

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
assert bench.target_of("resnet101", report.Mode(1, 1)) is None
bench.targets = targets(amx=False)
assert bench.target_of("bert_base", report.Mode(1, 1, "fast")) == 1.3
assert bench.target_of("resnet50", report.Mode(1, 1, "fast")) == 1.3

# The output of a static tool: weights with a scale for each channel,
# normalization and relu folded, and one pair of nodes for each value.
graph = Graph("check", 17, 0)
g = Static(graph)
x = g.maxpool(g.conv_relu(g.input("x", [1, 3, 8, 8]), 16, 3), 2)
g.output(g.gemm(g.pool_all(g.add(x, x)), 10), "y")
pair = ["QuantizeLinear", "DequantizeLinear"]
layer = ["DequantizeLinear", "DequantizeLinear"]
assert [node.op_type for node in graph.nodes] == [
    *pair, *layer, "Conv", *pair, "MaxPool", *pair, "Add", *pair,
    "GlobalAveragePool", *pair, "Flatten", *pair, *layer, "Gemm", *pair,
    "Identity"], [node.op_type for node in graph.nodes]
assert 0 < graph.output_steps["y"] < 1
graph.model()

# The output of a dynamic tool: one rounding for all readers of a value.
graph = Graph("check", 17, 0)
g = Dynamic(graph)
x = g.input("x", [1, 3, 8])
g.output(g.add(g.linear(x, 4), g.linear(x, 4)), "y")
product = ["MatMulInteger", "Cast", "Mul", "Mul", "Add"]
assert [node.op_type for node in graph.nodes] == [
    "DynamicQuantizeLinear", *product, *product, "Add", "Identity"]
assert graph.output_steps == {"y": None}
graph.model()

# Videos have one more axis, whose window may be of another size.
graph = Graph("check", 17, 0)
x = graph.conv(graph.input("x", [1, 3, 4, 8, 8]), 16, [3, 7, 7],
               stride=[1, 2, 2])
pads = next(a.ints for a in graph.nodes[-1].attribute if a.name == "pads")
assert x.shape == [1, 16, 4, 4, 4] and pads == [1, 3, 3, 1, 3, 3]
# A detector of 640x640 pixels has boxes of three levels.
assert sum(3 * (640 // step) ** 2 for step in (8, 16, 32)) == 25200
graph = make("detector")
assert graph.outputs[0].type.tensor_type.shape.dim[1].dim_value == 25200
assert 8.1e9 < graph.macs < 8.3e9
graph = make("efficientnet_b0")
assert 5.2e6 < graph.parameters < 5.4e6 and 3.8e8 < graph.macs < 4.0e8

assert [report.number(x) for x in (0.0456, 1.234, 45.67, 456.7)] == \
    ["0.046", "1.23", "45.7", "457"]
assert plot.ticks(1.2) == [0, 0.5, 1.0, 1.5]
assert plot.ticks(30)[-1] >= 30 and len(plot.ticks(30)) < 10


def stays_inside(drawing):
    """Whether every text of a drawing is inside of it, whatever the font."""
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', drawing)[1])
    for x, anchor, text in re.findall(r'<text x="([\d.]+)"[^>]*text-anchor="(\w+)">([^<]*)', drawing):
        left = float(x) - plot.LETTER * len(text) * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        if left < 0 or left + plot.LETTER * len(text) > width:
            return False
    return True


long = [{"model": "a_network_with_a_long_name", "ratio": {"median": 1.5}, "target": None}]
assert stays_inside(plot.bars({"one mode of many words": long, "another mode of many words": long,
                               "one more mode of many words": long}, str))
with open(os.path.join(sys.argv[1], "docs", "performance.svg"), encoding="utf-8") as file:
    assert stays_inside(file.read())
print("all hold")
