# SPDX-License-Identifier: MIT
"""Compares the methods of glow.Graph with those of C++: methods.py HEADER"""

import inspect
import keyword
import re
import sys

import glow

SIGNATURE = re.compile(r"^(?:Value|std::vector<Value>) (\w+)\((.*)\) {$", re.M)


def plain(name):
    """A name without what keeps it apart from the words of a language."""
    return name.rstrip("_")


with open(sys.argv[1], encoding="utf-8") as file:
    found = SIGNATURE.findall(file.read())
for name, parameters in found:
    here = plain(name) + "_" * keyword.iskeyword(plain(name))
    names = [re.split(r"[ &]", one.split(" = ")[0])[-1]
             for one in re.split(r", (?![^{]*})", parameters)]
    method = inspect.signature(getattr(glow.Graph, here))
    own = [one for one in method.parameters if one not in ("self", "name")]
    assert list(map(plain, own)) == list(map(plain, names)), (name, own, names)
    assert getattr(glow.Graph, here).__doc__, name
print(len(found), "methods")
