"""Writes a model with so many megabytes of weights, and measures its import.

  large.py make FILE MEGABYTES TENSORS [EXTERNAL]
  large.py measure MEGABYTES MOST PROGRAM ARGUMENT...

The weights are a hole in the file, in so many tensors; with EXTERNAL, in a file of
that name beside it. `measure` runs the program, whose largest resident memory must
be at most MOST times the weights.
"""

import os
import resource
import subprocess
import sys

from onnx import ModelProto, TensorProto, helper

WIDTH = 256


def varint(number: int) -> bytes:
    more = number >> 7
    return bytes([number & 127 | 128]) + varint(more) if more else bytes([number])


def key(field: int, size: int) -> bytes:
    """What stands before a field of so many bytes."""
    return varint(field << 3 | 2) + varint(size)


def graph(rows: int, tensors: int):
    """The rows of all tensors that x names, one after the other."""
    names = [f"w{i}" for i in range(tensors)]
    nodes = [helper.make_node("Gather", [name, "x"], [f"y{name}"]) for name in names]
    nodes.append(helper.make_node("Sum", [f"y{name}" for name in names], ["y"]))
    return helper.make_graph(
        nodes, "large",
        [helper.make_tensor_value_info("x", TensorProto.INT64, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, WIDTH])])


def make(path: str, megabytes: int, tensors: int, external: str = "") -> None:
    rows = (megabytes << 20) // (4 * WIDTH * tensors)
    size = rows * WIDTH * 4
    imports = [helper.make_opsetid("", 13)]
    head = ModelProto(ir_version=8, opset_import=imports).SerializeToString()
    parts = [graph(rows, tensors).SerializeToString()]
    holes = [0]
    for i in range(tensors):
        weight = TensorProto(name=f"w{i}", data_type=TensorProto.FLOAT,
                             dims=[rows, WIDTH])
        if external:
            weight.data_location = TensorProto.EXTERNAL
            for name, value in ("location", external), ("offset", i * size), \
                               ("length", size):
                weight.external_data.add(key=name, value=str(value))
        data = b"" if external else key(9, size)
        hole = 0 if external else size
        body = weight.SerializeToString() + data
        parts.append(key(5, len(body) + hole) + body)
        holes.append(hole)
    with open(path, "wb") as file:
        total = sum(map(len, parts)) + sum(holes)
        file.write(head + key(7, total))
        for part, hole in zip(parts, holes):
            file.write(part)
            file.seek(hole, os.SEEK_CUR)
        file.truncate()
    if external:
        with open(os.path.join(os.path.dirname(path), external), "wb") as file:
            file.truncate(size * tensors)


def measure(megabytes: int, most: float, command: list[str]) -> int:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak {peak:.0f} MB, {peak / megabytes:.2f} times the weights")
    return 0 if peak <= most * megabytes else 1


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), *sys.argv[5:])
    else:
        sys.exit(measure(int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]))
