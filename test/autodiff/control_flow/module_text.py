# SPDX-License-Identifier: MIT
"""Modules of glow as text, with functions that nodes call."""


def tensor(*shape, kind="f64"):
    return f"tensor<{'x'.join([*map(str, shape), kind])}>"


NUMBER, TRUTH = tensor(kind="i64"), tensor(kind="i1")


class Function:
    """Nodes of a function; values are names, whose types are known."""

    def __init__(self, module, name):
        self.module, self.name = module, name
        self.lines, self.types = [], {}
        self.takes, self.gives = [], []

    def add(self, op, operands, types, words=""):
        """Appends a node; returns the name of its result, or a list of names."""
        many = isinstance(types, list)
        results = types if many else [types]
        name = f"%v{len(self.lines)}"
        given = ", ".join(self.types[one] for one in operands)
        self.lines.append(
            f"{name}{f':{len(results)}' if many else ''} = glow.{op} {words} : ({given}) -> "
            + (f"({', '.join(results)})" if many else types))
        names = [f"{name}#{i}" for i in range(len(results))] if many else [name]
        self.types.update(zip(names, results))
        return names if many else name

    def node(self, op, operands, type_, words=""):
        return self.add(op, operands, type_, f"{', '.join(operands)} {words}")

    def same(self, op, *operands):
        """A node whose result has the type of its operands."""
        return self.node(op, operands, self.types[operands[0]])

    def sum(self, value):
        rank = self.types[value].count("x")
        return self.node("reduce_sum", [value], tensor(),
                         f"axes {list(range(rank))} keepDims false")

    def less(self, left, right):
        return self.node("less", [left, right], TRUTH)

    def splat(self, value, type_):
        sizes, kind = type_[7:-1].split("x")[:-1], type_[7:-1].split("x")[-1]
        return self.add("splat", [], type_,
                        f"value {value:e} dims [{', '.join(sizes)}] kind {kind}")

    def read(self, storage, type_):
        name = f"%r{len(self.lines)}"
        self.lines.append(f"{name} = glow.read @{storage} : {type_}")
        self.types[name] = type_
        return name

    def save(self, value, storage):
        self.lines.append(f"glow.save {value}, @{storage} : {self.types[value]}")

    def take(self, type_):
        port = f"{self.name}.take{len(self.takes)}"
        self.module.ports.append(f"glow.placeholder @{port} between : {type_}")
        self.takes.append(port)
        return self.read(port, type_)

    def give(self, *values):
        for value in values:
            port = f"{self.name}.give{len(self.gives)}"
            self.module.ports.append(
                f"glow.placeholder @{port} between : {self.types[value]}")
            self.gives.append(port)
            self.save(value, port)

    def branch(self, condition, then, captured, other, others, types):
        operands = [condition, *captured, *others]
        return self.add("if", operands, types,
                        f"{condition} then @{then.name}({', '.join(captured)}) "
                        f"else @{other.name}({', '.join(others)})")

    def loop(self, body, carries, slices, captures, types, trips=None, condition=None,
             count=None, backwards=None):
        # pylint: disable=too-many-arguments,too-many-positional-arguments
        words = [f"@{body.name}"]
        words += [f"trips {trips}"] if trips else []
        words += [f"while {condition}"] if condition else []
        words += [f"{word}({', '.join(values)})" for word, values in (
            ("carries", carries), ("slices", slices), ("captures", captures))]
        words += [f"count [{count}]"] if count is not None else []
        words += [f"backwards {backwards}"] if backwards else []
        control = [one for one in (trips, condition) if one]
        return self.add("loop", [*control, *carries, *slices, *captures],
                        [*types, NUMBER], " ".join(words))

    def text(self):
        called = ""
        if self.name != "main":
            lists = [", ".join("@" + port for port in ports)
                     for ports in (self.takes, self.gives)]
            called = f"takes [{lists[0]}] gives [{lists[1]}] "
        return "\n  ".join([f"glow.func @{self.name} {called}{{", *self.lines]) + "\n}"


class Module:
    """A function `main`, the functions that it needs, and storage."""

    def __init__(self):
        self.ports, self.functions = [], []
        self.main = self.function("main")
        self.inputs, self.weights = {}, {}

    def function(self, name):
        self.functions.append(Function(self, name))
        return self.functions[-1]

    def input(self, name, value, type_, trainable=False):
        (self.weights if trainable else self.inputs)[name] = value
        word = " trainable" if trainable else ""
        self.ports.append(f"glow.placeholder @{name} input{word} : {type_}")
        return self.main.read(name, type_)

    def weight(self, name, value):
        return self.input(name, value, tensor(*value.shape), trainable=True)

    def loss(self, value):
        self.ports.append(f"glow.placeholder @loss output : {tensor()}")
        self.main.save(value, "loss")

    def text(self):
        return "\n".join(self.ports + [one.text() for one in self.functions]) + "\n"
