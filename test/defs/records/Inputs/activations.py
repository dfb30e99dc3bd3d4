"""Tells which activations are records, but unknown to the statements of a recurrent
node, or the other way round: activations.py ACTIVATIONS.td NODES..."""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
nodes = "".join(pathlib.Path(path).read_text() for path in sys.argv[2:])
mnemonics = dict(re.findall(r'def (\w+) : \w+<"(\w+)"', nodes))
records = {mnemonics[node] for node in re.findall(r'def : CellActivation<"\w+", (\w+)', text)}
# The last of the names needs no question.
asked = set(re.findall(r'name == "(\w+)"', text)) | {"softplus"}
print("differ in", sorted(records ^ asked))
