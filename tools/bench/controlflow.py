#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures branches and loops: a program that has them, in turns with the same
model in stages and with ONNX Runtime, on one thread. Times are those of the
process's threads, medians of rounds. Run it by a Python that has onnx, NumPy and
onnxruntime, with Glow's module on its path."""

import numpy
from onnx import TensorProto, helper

import computed

FLOAT, INT, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def node(op, inputs, outputs, **attributes):
    """An input "-" is absent."""
    names = [name.strip("-") for name in inputs.split()]
    return helper.make_node(op, names, outputs.split(), **attributes)


def body(nodes, inputs, outputs):
    def ports(names):
        return [helper.make_tensor_value_info(name, kind, shape)
                for name, (kind, shape) in names.items()]
    return helper.make_graph(nodes, "body", ports(inputs), ports(outputs))


def random(*shape, scale=1.0):
    return (scale * numpy.random.standard_normal(shape)).astype("f")


def trips(count, width):
    """Four nodes on a vector, `count` times."""
    loop = body(
        [node("Mul", "h w", "a"), node("Add", "a b", "c"), node("Tanh", "c", "d"),
         node("Sub", "d h", "next"), node("Identity", "going", "again")],
        {"i": (INT, []), "going": (BOOL, []), "h": (FLOAT, [width])},
        {"again": (BOOL, []), "next": (FLOAT, [width])})
    return ([node("Loop", "count going0 x", "y", body=loop)],
            {"x": random(width), "w": random(width), "b": random(width)},
            {"count": numpy.array(count), "going0": numpy.array(True)}, ["y"])


def lstm(steps, width):
    """An LSTM as a Scan, gate by gate."""
    cell = body(
        [node("MatMul", "row wx", "p"), node("MatMul", "h wh", "q"), node("Add", "p q", "r"),
         node("Add", "r bias", "gates"), node("Split", "gates", "i0 o0 f0 g0", axis=1),
         node("Sigmoid", "i0", "i"), node("Sigmoid", "o0", "o"), node("Sigmoid", "f0", "f"),
         node("Tanh", "g0", "g"), node("Mul", "f c", "fc"), node("Mul", "i g", "ig"),
         node("Add", "fc ig", "c1"), node("Tanh", "c1", "t"), node("Mul", "o t", "h1"),
         node("Identity", "h1", "out")],
        {name: (FLOAT, [1, width]) for name in ("h", "c", "row")},
        {name: (FLOAT, [1, width]) for name in ("h1", "c1", "out")})
    scale = width ** -0.5
    return ([node("Scan", "h0 c0 x", "hn cn y", body=cell, num_scan_inputs=1)],
            {"x": random(steps, 1, width)},
            {"h0": random(1, width), "c0": random(1, width), "bias": random(4 * width),
             "wx": random(width, 4 * width, scale=scale),
             "wh": random(width, 4 * width, scale=scale)}, ["y"])


def sequences(steps, items, width, shortest):
    """A node LSTM on sequences of different lengths, which end after their own steps."""
    lengths = numpy.linspace(shortest, steps, items).round().astype("i4")
    return ([node("LSTM", "x w r - lengths", "y", hidden_size=width)],
            {"x": random(steps, items, width // 2),
             "lengths": numpy.random.permutation(lengths)},
            {"w": random(1, 4 * width, width // 2, scale=width ** -0.5),
             "r": random(1, 4 * width, width, scale=width ** -0.5)}, ["y"])


def gated_delta(steps, width):
    """The state is a matrix: it decays, and a row replaces what it holds for a key."""
    cell = body(
        [node("Mul", "s decay", "kept"), node("MatMul", "key kept", "old"),
         node("Sub", "row old", "error"), node("Mul", "error rate", "step"),
         node("Transpose", "key", "column", perm=[1, 0]), node("MatMul", "column step", "change"),
         node("Add", "kept change", "s1"), node("MatMul", "query s1", "out")],
        {"s": (FLOAT, [width, width]), "row": (FLOAT, [1, width]), "key": (FLOAT, [1, width]),
         "query": (FLOAT, [1, width]), "decay": (FLOAT, [1, 1]), "rate": (FLOAT, [1, 1])},
        {"s1": (FLOAT, [width, width]), "out": (FLOAT, [1, width])})
    scale = width ** -0.5
    return ([node("Scan", "s0 x keys queries decays rates", "sn y", body=cell,
                  num_scan_inputs=5)],
            {"x": random(steps, 1, width)},
            {"s0": numpy.zeros((width, width), "f"), "keys": random(steps, 1, width, scale=scale),
             "queries": random(steps, 1, width, scale=scale),
             "decays": numpy.full((steps, 1, 1), 0.97, "f"),
             "rates": numpy.full((steps, 1, 1), 0.5, "f")}, ["y"])


def selective_scan(steps, width, states):
    """A state space whose coefficients depend on the input, as in Mamba."""
    cell = body(
        [node("Mul", "delta a", "da"), node("Exp", "da", "decay"), node("Mul", "s decay", "kept"),
         node("Mul", "delta row", "dx"), node("Mul", "dx b", "new"), node("Add", "kept new", "s1"),
         node("Mul", "s1 c", "sc"), node("ReduceSum", "sc last", "out", keepdims=0)],
        {"s": (FLOAT, [width, states]), "row": (FLOAT, [width, 1]), "delta": (FLOAT, [width, 1]),
         "b": (FLOAT, [1, states]), "c": (FLOAT, [1, states])},
        {"s1": (FLOAT, [width, states]), "out": (FLOAT, [width])})
    return ([node("Scan", "s0 x deltas bs cs", "sn y", body=cell, num_scan_inputs=4)],
            {"x": random(steps, width, 1)},
            {"s0": numpy.zeros((width, states), "f"), "a": -numpy.abs(random(width, states)),
             "deltas": numpy.full((steps, width, 1), 0.1, "f"), "bs": random(steps, 1, states),
             "cs": random(steps, 1, states), "last": numpy.array([1])}, ["y"])


def chosen(width):
    """One of two small products."""
    then = body([node("MatMul", "x w", "p")], {}, {"p": (FLOAT, [1, width])})
    other = body([node("MatMul", "x v", "q")], {}, {"q": (FLOAT, [1, width])})
    return ([node("ReduceSum", "x", "sum", keepdims=0), node("Greater", "sum zero", "c"),
             node("If", "c", "y", then_branch=then, else_branch=other)],
            {"x": random(1, width)},
            {"zero": numpy.float32(0), "w": random(width, width), "v": random(width, width)},
            ["y"])


class Decoder:
    """A language model of stories260k's sizes, whose caches have rows for all tokens. `beams`
    texts are read at once, each in its own caches."""

    LAYERS, DIM, HEADS, GROUPS, HIDDEN, WORDS = 5, 64, 8, 4, 172, 512
    HEAD = DIM // HEADS

    def __init__(self, capacity, beams):
        self.capacity, self.beams = capacity, beams
        self.nodes, self.weights, self.fresh = [], {}, 0
        self.caches = [f"{kind}{layer}" for layer in range(self.LAYERS) for kind in "kv"]

    def add(self, op, *inputs, **attributes):
        self.fresh += 1
        name = f"t{self.fresh}"
        self.nodes.append(node(op, " ".join(inputs), name, **attributes))
        return name

    def const(self, name, array):
        self.weights[name] = array
        return name

    def number(self, name, value):
        return self.const(name, numpy.float32(value))

    def ints(self, *values):
        name = "i" + "_".join(map(str, values)).replace("-", "m")
        return self.const(name, numpy.array(values))

    def product(self, x, name, *shape):
        return self.add("MatMul", x, self.const(name, random(*shape, scale=shape[0] ** -0.5)))

    def norm(self, x):
        mean = self.add("ReduceMean", self.add("Mul", x, x), axes=[-1])
        root = self.add("Sqrt", self.add("Add", mean, self.number("tiny", 1e-5)))
        return self.add("Mul", self.add("Div", x, root),
                        self.const("scale", numpy.ones(self.DIM, "f")))

    def turned(self, x, heads):
        """The position, as a rotation of both halves of each head."""
        half = self.HEAD // 2
        x = self.add("Reshape", x, self.ints(self.beams, heads, self.HEAD))
        first = self.add("Slice", x, self.ints(0), self.ints(half), self.ints(2))
        second = self.add("Slice", x, self.ints(half), self.ints(self.HEAD), self.ints(2))
        other = self.add("Concat", self.add("Neg", second), first, axis=-1)
        return self.add("Add", self.add("Mul", x, "cos"), self.add("Mul", other, "sin"))

    def cached(self, name, value):
        """A cache with a row for the position, which is the value that the next trip has."""
        row = self.add("Reshape", value, self.ints(1, self.beams, self.GROUPS, self.HEAD))
        self.nodes.append(node("ScatterND", f"{name}.now place {row}", f"{name}.written"))
        return f"{name}.written"

    def attention(self, x, layer):
        q = self.turned(self.product(x, f"wq{layer}", self.DIM, self.DIM), self.HEADS)
        k = self.turned(self.product(x, f"wk{layer}", self.DIM, self.DIM // 2), self.GROUPS)
        v = self.product(x, f"wv{layer}", self.DIM, self.DIM // 2)
        queries = self.add("Reshape", q, self.ints(self.beams, self.GROUPS, 2, self.HEAD))
        keys = self.add("Transpose", self.cached(f"k{layer}", k), perm=[1, 2, 3, 0])
        values = self.add("Transpose", self.cached(f"v{layer}", v), perm=[1, 2, 0, 3])
        scores = self.add("Mul", self.add("MatMul", queries, keys),
                          self.number("root", self.HEAD ** -0.5))
        shares = self.add("Softmax", self.add("Add", scores, "mask"), axis=-1)
        mixed = self.add("Reshape", self.add("MatMul", shares, values),
                         self.ints(self.beams, self.DIM))
        return self.product(mixed, f"wo{layer}", self.DIM, self.DIM)

    def feed_forward(self, x, layer):
        gate = self.product(x, f"w1{layer}", self.DIM, self.HIDDEN)
        up = self.product(x, f"w3{layer}", self.DIM, self.HIDDEN)
        gate = self.add("Mul", gate, self.add("Sigmoid", gate))
        return self.product(self.add("Mul", gate, up), f"w2{layer}", self.HIDDEN, self.DIM)

    def step(self):
        """The scores of the next words, of the tokens at position `i`."""
        angles = numpy.arange(self.capacity)[:, None] / 10000 ** (
            numpy.arange(self.HEAD // 2) * 2 / self.HEAD)
        for name, turn in (("cos", numpy.cos), ("sin", numpy.sin)):
            table = self.const(name + "s", numpy.tile(turn(angles), 2).astype("f"))
            self.nodes.append(node("Gather", f"{table} i", name))
        rows = self.const("rows", numpy.arange(self.capacity))
        self.nodes.append(node("Where", " ".join([
            self.add("LessOrEqual", rows, "i"), self.number("zero", 0),
            self.number("never", -1e30)]), "mask"))
        self.nodes.append(node("Reshape", f"i {self.ints(1, 1)}", "place"))
        x = self.add("Gather", self.const("words", random(self.WORDS, self.DIM)), "token")
        for layer in range(self.LAYERS):
            x = self.add("Add", x, self.attention(self.norm(x), layer))
            x = self.add("Add", x, self.feed_forward(self.norm(x), layer))
        return self.product(self.norm(x), "head", self.DIM, self.WORDS)

    def loop(self, count, carried, next_of_cache):
        """A loop over positions whose body is the nodes so far. `carried` has the types of the
        values before the caches, and `next_of_cache` makes the next value of a cache."""
        shape = [self.capacity, self.beams, self.GROUPS, self.HEAD]
        for name in self.caches:
            self.nodes.append(next_of_cache(f"{name}.written", f"{name}.next"))
        self.nodes += [node("Identity", "going", "again"),
                       node("Identity", "token.next", "one_token")]
        types = {**carried, **{name: (FLOAT, shape) for name in self.caches}}
        now = {name: name if name in carried else f"{name}.now" for name in types}
        loop = body(self.nodes,
                    {"i": (INT, []), "going": (BOOL, []),
                     **{now[name]: kind for name, kind in types.items()}},
                    {"again": (BOOL, []), **{f"{name}.next": kind for name, kind in types.items()},
                     "one_token": carried["token"]})
        self.const("empty", numpy.zeros(shape, "f"))
        self.const("count", numpy.array(count))
        first = " ".join([*carried] + ["empty"] * len(self.caches))
        return node("Loop", "count - " + first,
                    " ".join([f"{name}.last" for name in types] + ["tokens"]), body=loop)


def greedy(count, capacity):
    decoder = Decoder(capacity, 1)
    decoder.nodes.append(node("ArgMax", decoder.step(), "token.next", axis=-1, keepdims=0))
    loop = decoder.loop(count, {"token": (INT, [1])},
                        lambda written, following: node("Identity", written, following))
    return [loop], {"token": numpy.array([1])}, decoder.weights, ["tokens"]


def beam_search(count, capacity, beams):
    """The most likely texts so far, and the caches in their order."""
    decoder = Decoder(capacity, beams)
    scores = decoder.add("LogSoftmax", decoder.step(), axis=-1)
    total = decoder.add("Reshape", decoder.add("Add", scores, "total"), decoder.ints(-1))
    decoder.nodes.append(node("TopK", f"{total} {decoder.ints(beams)}", "best which"))
    words = decoder.const("count_of_words", numpy.array(decoder.WORDS))
    text = decoder.add("Div", "which", words)
    decoder.nodes += [node("Mod", f"which {words}", "token.next"),
                      node("Reshape", f"best {decoder.ints(beams, 1)}", "total.next")]
    loop = decoder.loop(
        count, {"token": (INT, [beams]), "total": (FLOAT, [beams, 1])},
        lambda written, following: node("Gather", f"{written} {text}", following, axis=1))
    decoder.weights["total"] = numpy.array([[0]] + [[-1e30]] * (beams - 1), "f")
    return [loop], {"token": numpy.ones(beams, "i8")}, decoder.weights, ["tokens"]


CASES = {
    "Loop, 1,000 trips of 4 nodes on 256": lambda: trips(1000, 256),
    "Loop, 1,000 trips of 4 nodes on 4,096": lambda: trips(1000, 4096),
    "LSTM of 128 as Scan, 64 steps": lambda: lstm(64, 128),
    "LSTM of 512 as Scan, 64 steps": lambda: lstm(64, 512),
    "LSTM of 512, 16 sequences of 64 steps": lambda: sequences(64, 16, 512, 64),
    "LSTM of 512, 16 sequences of 4 to 64 steps": lambda: sequences(64, 16, 512, 4),
    "Gated delta rule of 64 as Scan, 128 steps": lambda: gated_delta(128, 64),
    "Selective scan of 64 by 16, 256 steps": lambda: selective_scan(256, 64, 16),
    "If, products of 128": lambda: chosen(128),
    "Greedy decoder of stories260k, 1 token": lambda: greedy(1, 256),
    "Greedy decoder of stories260k, 256 tokens": lambda: greedy(256, 256),
    "Beam search of 4, 128 tokens": lambda: beam_search(128, 128, 4)}


if __name__ == "__main__":
    computed.main(__doc__, CASES, tolerance=1e-4)
