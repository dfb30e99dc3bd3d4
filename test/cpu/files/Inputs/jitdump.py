"""Prints the functions of a jitdump, and whether the map of the same process has
them: jitdump.py FILE."""

import os
import re
import struct
import sys

data = open(sys.argv[1], "rb").read()
magic, version, at, machine, _, process = struct.unpack_from("<6I", data)
assert (magic, version) == (0x4a695444, 1), "no jitdump"
functions = set()
while at < len(data):
    kind, size = struct.unpack_from("<2I", data, at)
    assert kind == 0, "an unknown record"
    address, code, bytes, index = struct.unpack_from("<4Q", data, at + 24)
    name, zero, rest = data[at + 56:at + size].partition(b"\0")
    assert zero and len(rest) == bytes > 0 and address == code
    functions.add((address, bytes, name.decode()))
    print(name.decode(), bytes, "bytes")
    at += size
path = f"/tmp/perf-{process}.map"
lines = [re.match(r"(\w+) (\w+) (.*)", line) for line in open(path)]
os.remove(path)
assert {(int(m[1], 16), int(m[2], 16), m[3]) for m in lines} == functions
print("the map has the same")
