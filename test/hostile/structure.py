#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models whose graphs are hostile: structure.py CASE FILE."""

import sys

from cases import BOOL, array, graph, model, node, value


def deep(depth=130):
    """An If in an If in an If, as deep as messages may lie in one another."""
    other = graph([node("Neg", "x", "other")], [], [value("other", [2])])
    inner = graph([node("Relu", "x", "deepest")], [], [value("deepest", [2])])
    for level in range(depth):
        inner = graph([node("If", "on", f"v{level}", name=f"if_{level}",
                            then_branch=inner, else_branch=other)],
                      [], [value(f"v{level}", [2])])
    return with_body(inner)


def deeper():
    return deep(140)


def with_body(body):
    return model([node("If", "on", "y", name="outermost", then_branch=body, else_branch=body)],
                 [value("on", [], BOOL), value("x", [2])], [value("y", [2])])


def inner_cycle():
    body = graph([node("Add", "x b", "a", name="first"), node("Relu", "a", "b", name="second")],
                 [], [value("b", [2])])
    return with_body(body)


def inner_twice():
    body = graph([node("Relu", "x", "a", name="first"), node("Neg", "x", "a", name="second")],
                 [], [value("a", [2])])
    return with_body(body)


def inner_shadow():
    """A graph may not say anew what a name of the graph around it is."""
    body = graph([node("Neg", "x", "x", name="inner")], [], [value("x", [2])])
    return with_body(body)


def inner_missing():
    body = graph([node("Add", "x nowhere", "a", name="inner")], [], [value("a", [2])])
    return with_body(body)


def same_names():
    """Names of nodes are for people: two may have the same, or none."""
    return model([node("Relu", "x", "a", name="same"), node("Neg", "a", "b", name="same"),
                  node("Abs", "b", "y", name="")], [value("x", [2])], [value("y", [2])])


def chain():
    """More nodes in a row than the machine's stack has room for calls."""
    nodes = [node("Identity", "list" if i == 0 else f"v{i}", f"v{i + 1}", name=f"n{i}")
             for i in range(20000)]
    nodes += [node("Add", "v20000 one", "shape"), node("Reshape", "x shape", "y")]
    return model(nodes, [value("x", [2, 2])], [value("y")],
                 [array("list", [3], "int64"), array("one", [1], "int64")])


if __name__ == "__main__":
    with open(sys.argv[2], "wb") as file:
        file.write(globals()[sys.argv[1]]().SerializeToString())
