#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random models with nested branches and loops: random_models.py SEED COUNT DIR.

Bodies read values of all graphs around them. `evaluate` below computes the outputs.
"""

import os
import random
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stages"))
# pylint: disable=wrong-import-position
from make import BOOL, I64, array, graph, model, node, save, value

WIDTH = 3
MOST_DEPTH = 3


class Maker:
    """Makes the nodes of one model. `TRIPS` are the numbers of trips that loops may have."""

    TRIPS = ("trips", "three")

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def plain(self, nodes, known):
        op = self.random.choice(["Add", "Sub", "Mul", "Tanh", "Neg", "Max"])
        inputs = self.random.choices(known, k=1 if op in ("Tanh", "Neg") else 2)
        out = self.name("v")
        nodes.append(node(op, " ".join(inputs), out, self.name("n")))
        if op == "Mul":  # so that no number grows without a bound
            nodes.append(node("Tanh", out, f"{out}_t", self.name("n")))
            out = f"{out}_t"
        known.append(out)

    def condition(self, nodes, known):
        total, out = self.name("sum"), self.name("c")
        nodes.append(node("ReduceSum", self.random.choice(known), total, self.name("n"),
                          keepdims=0))
        nodes.append(node("Less", f"{total} limit", out, self.name("n")))
        return out

    def branch(self, nodes, known, depth):
        count = self.random.randint(1, 2)
        condition = self.condition(nodes, known)
        graphs = [self.graph(known, [], count, depth + 1) for _ in range(2)]
        outs = [self.name("v") for _ in range(count)]
        nodes.append(node("If", condition, " ".join(outs), self.name("if"),
                          then_branch=graphs[0], else_branch=graphs[1]))
        known += outs

    def loop(self, nodes, known, depth):
        carried = self.random.randint(1, 3)
        inputs = [value(self.name("i"), [], I64), value(self.name("g"), [], BOOL)]
        states = [self.name("s") for _ in range(carried)]
        inputs += [value(name, [WIDTH]) for name in states]
        ends = self.random.random() < 0.5
        stacks = not ends and self.random.random() < 0.5
        body = self.graph(known, states, carried + stacks, depth + 1,
                          inputs=inputs, going=inputs[1].name, ends=ends)
        outs = [self.name("v") for _ in range(carried)]
        names = outs + ([self.name("all")] if stacks else [])
        trips = self.random.choice(self.TRIPS) if not stacks else "three"
        nodes.append(node("Loop", " ".join([trips, "-"] + self.random.choices(known, k=carried)),
                          " ".join(names), self.name("loop"), body=body))
        known += outs
        if stacks:
            self.reduce(nodes, known, names[-1])

    def scan(self, nodes, known, depth):
        carried = self.random.randint(0, 2)
        states = [self.name("s") for _ in range(carried)]
        rows = [self.name("r") for _ in range(self.random.randint(1, 2))]
        inputs = [value(name, [WIDTH]) for name in states + rows]
        body = self.graph(known, states + rows, carried + 1, depth + 1, inputs=inputs)
        outs = [self.name("v") for _ in range(carried)]
        stacked = self.name("all")
        directions = [self.random.randint(0, 1) for _ in rows]
        nodes.append(node(
            "Scan", " ".join(self.random.choices(known, k=carried) + ["table"] * len(rows)),
            " ".join(outs + [stacked]), self.name("scan"), body=body,
            num_scan_inputs=len(rows), scan_input_directions=directions,
            scan_output_directions=[self.random.randint(0, 1)]))
        known += outs
        self.reduce(nodes, known, stacked)

    def reduce(self, nodes, known, stacked):
        out = self.name("v")
        nodes.append(node("ReduceMax", stacked, out, self.name("n"), axes=[0], keepdims=0))
        known.append(out)

    def graph(self, outer, own, results, depth, inputs=(), going=None, ends=False):
        # pylint: disable=too-many-arguments,too-many-positional-arguments
        nodes, known = [], list(outer) + own
        for _ in range(self.random.randint(1, 4)):
            kind = self.random.random()
            if kind < 0.55 or depth >= MOST_DEPTH:
                self.plain(nodes, known)
            elif kind < 0.7:
                self.branch(nodes, known, depth)
            elif kind < 0.88:
                self.loop(nodes, known, depth)
            else:
                self.scan(nodes, known, depth)
        outs = []
        if going:
            again = self.name("again")
            source = self.condition(nodes, known) if ends else going
            nodes.append(node("Identity", source, again, self.name("n")))
            outs.append(value(again, [], BOOL))
        for _ in range(results):
            out = self.name("o")
            nodes.append(node("Identity", self.random.choice(known), out, self.name("n")))
            outs.append(value(out, [WIDTH]))
        return graph(nodes, list(inputs), outs)

    def model(self):
        table = numpy.random.default_rng(self.random.randint(0, 99)).standard_normal(
            (4, WIDTH)).astype(numpy.float32)
        top = self.graph(["x", "z", "w"], [], 2, 0)
        return model(
            top.node, [value("x", [WIDTH]), value("z", [WIDTH]), value("trips", [], I64)],
            list(top.output), [array("w", [0.5, -1, 2]), array("limit", 0.5),
                               array("three", 3, numpy.int64), array("table", table)])


SIMPLE = {
    "Add": numpy.add, "Sub": numpy.subtract, "Mul": numpy.multiply, "Max": numpy.maximum,
    "Tanh": numpy.tanh, "Neg": numpy.negative, "Identity": lambda x: x, "Less": numpy.less,
    "ReduceSum": lambda x: x.sum(dtype=numpy.float32), "ReduceMax": lambda x: x.max(axis=0)}


def run_loop(attributes, inputs, known):
    body, outs = attributes["body"], []
    states, stacks = list(inputs[2:]), [[] for _ in body.output[1 + len(inputs) - 2:]]
    for trip in range(int(inputs[0])):
        results = evaluate(body, [numpy.int64(trip), numpy.bool_(True)] + states, known)
        states = results[1:1 + len(states)]
        for stack, slices in zip(stacks, results[1 + len(states):]):
            stack.append(slices)
        if not results[0]:
            break
    outs = states + [numpy.stack(stack) for stack in stacks]
    return outs


def run_scan(attributes, inputs, known):
    body, count = attributes["body"], attributes["num_scan_inputs"]
    states, tables = list(inputs[:-count]), inputs[-count:]
    tables = [table[::-1] if backwards else table
              for table, backwards in zip(tables, attributes["scan_input_directions"])]
    rows = []
    for slices in zip(*tables):
        results = evaluate(body, states + list(slices), known)
        states, row = results[:-1], results[-1]
        rows.append(row)
    if attributes["scan_output_directions"][0]:
        rows.reverse()
    return states + [numpy.stack(rows)]


def evaluate(the_graph, inputs, outer):
    known = dict(outer)
    known.update(zip((port.name for port in the_graph.input), inputs))
    for one in the_graph.node:
        given = [known[name] if name else None for name in one.input]
        attributes = {}
        for attribute in one.attribute:
            attributes[attribute.name] = (attribute.g if attribute.HasField("g")
                                          else attribute.i if attribute.HasField("i")
                                          else list(attribute.ints))
        if one.op_type == "If":
            results = evaluate(attributes["then_branch" if given[0] else "else_branch"], [],
                               known)
        elif one.op_type == "Loop":
            results = run_loop(attributes, given, known)
        elif one.op_type == "Scan":
            results = run_scan(attributes, given, known)
        else:
            results = [SIMPLE[one.op_type](*given)]
        known.update(zip(one.output, results))
    return [known[port.name] for port in the_graph.output]


def main():
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for number in range(seed, seed + count):
        made = Maker(number).model()
        numbers = numpy.random.default_rng(number)
        inputs = {"x": numbers.standard_normal(WIDTH).astype(numpy.float32),
                  "z": numbers.standard_normal(WIDTH).astype(numpy.float32),
                  "trips": numpy.array(numbers.integers(0, 5))}
        constants = {one.name: numpy.frombuffer(
            one.raw_data, numpy.int64 if one.data_type == I64 else numpy.float32).reshape(
                one.dims) for one in made.graph.initializer}
        outputs = evaluate(made.graph, list(inputs.values()), constants)
        save(f"{folder}/{number}", made, inputs,
             {port.name: result for port, result in zip(made.graph.output, outputs)})


if __name__ == "__main__":
    main()
