"""What glow explain --json says of processors, and of what was measured."""
import json
import sys


def read(name):
    with open(f"{sys.argv[1]}/{name}") as file:
        return json.load(file)


def products(explanation):
    return sum(layer["predicted_cycles"] for layer in explanation["layers"]
               if layer["instruction"] == "cpu_matmul")


wide, narrow = read("haswell"), read("x86-64")
assert wide["numbers"] == "haswell" and narrow["numbers"] == "x86-64"
# The table has 1 and 0.5 products in a cycle; formulas and moves are little.
ratio = products(narrow) / products(wide)
assert 1.9 < ratio < 2.1, ratio
assert "accuracy" not in wide

every = read("all")
compared = [layer for layer in every["layers"] if "ratio" in layer]
for layer in compared:
    ratio = layer["predicted_ms"] / layer["measured_ms"]
    assert abs(ratio - layer["ratio"]) < 1e-9 * ratio
# Every called layer has a prediction, whichever code runs it.
for layer in every["layers"]:
    idle = layer["algorithm"] in ("empty", "in place", "reference", "calls")
    assert idle or layer["predicted_cycles"] > 0, layer
known = every["accuracy"]
assert abs(known["predicted_ms"]
           - sum(layer["predicted_ms"] for layer in compared)) < 1e-9
errors = sorted(abs(layer["ratio"] - 1) for layer in compared)
assert known["median_error"] == errors[len(errors) // 2]
assert known["median_error_of_time"] in errors
