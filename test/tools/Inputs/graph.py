"""Writes a graph of many nodes: graph.py NODES SEED FILE.

Shapes change on the way, values have several users, and somewhere a softmax
reads what a transpose made, which is the combination that a test looks for.
"""

import random
import sys

SHAPES = ["2x3", "3x2", "2x2", "3x3"]


def tensor(shape):
    return f"tensor<{shape}xf32>"


class Graph:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.values, self.count = [], [], 0

    def add(self, text, shape):
        name = f"%{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        self.values.append((name, shape))
        return name

    def node(self, text, shape):
        self.count += 1
        return self.add(text, shape)

    def any(self, shape=None, last=12):
        fitting = [v for v in self.values if shape in (None, v[1])]
        return self.random.choice(fitting[-last:])

    def unary(self, op, source):
        name, shape = source
        return self.node(f"glow.{op} {name} : ({tensor(shape)}) -> "
                         f"{tensor(shape)}", shape)

    def grow(self):
        kind = self.random.randrange(4)
        name, shape = source = self.any()
        if kind == 0:
            self.unary(self.random.choice(["relu", "exp", "tanh", "neg"]),
                       source)
        elif kind == 1:
            other = self.any(shape)[0]
            self.node(f"glow.add {name}, {other} : ({tensor(shape)}, "
                      f"{tensor(shape)}) -> {tensor(shape)}", shape)
        elif kind == 2:
            self.matmul(source)
        else:
            self.softmax(source)

    def matmul(self, source):
        name, shape = source
        rows, inner = shape.split("x")
        right, other = self.any(self.random.choice(
            [s for s in SHAPES if s[0] == inner]), last=100000)
        result = f"{rows}x{other[2]}"
        self.node(f"glow.matmul {name}, {right} : ({tensor(shape)}, "
                  f"{tensor(other)}) -> {tensor(result)}", result)

    def softmax(self, source):
        name, shape = source
        self.node(f"glow.softmax {name} axis 1 : ({tensor(shape)}) -> "
                  f"{tensor(shape)}", shape)

    def combination(self):
        name, shape = self.any()
        turned = shape[::-1]
        moved = self.node(f"glow.transpose {name} permutation [1, 0] : "
                          f"({tensor(shape)}) -> {tensor(turned)}", turned)
        self.softmax((moved, turned))


def main():
    count, seed, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    graph = Graph(seed)
    storage = []
    for i, shape in enumerate(SHAPES):
        storage.append(f"glow.placeholder @x{i} input : {tensor(shape)}")
        storage.append(f"glow.placeholder @y{i} output : {tensor(shape)}")
        graph.add(f"glow.read @x{i} : {tensor(shape)}", shape)
    while graph.count < count:
        graph.grow()
        if graph.count == count // 2:
            graph.combination()
    for i, shape in enumerate(SHAPES):
        graph.lines.append(f"  glow.save {graph.any(shape)[0]}, @y{i} : "
                           f"{tensor(shape)}")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(storage + ["glow.func @main {"] + graph.lines +
                             ["}", ""]))
    print(graph.count, "nodes")


main()
