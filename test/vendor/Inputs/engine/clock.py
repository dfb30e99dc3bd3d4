"""A second of the engine has two million cycles: what a partition predicts follows."""
import json
import sys

explained, partition = (json.load(open(path)) for path in sys.argv[1:])
cycles, milliseconds = explained["cycles"]["total"], partition["parts"][0]["ms"]
assert cycles > 0 and round(milliseconds * 2000) == cycles, (cycles, milliseconds)
