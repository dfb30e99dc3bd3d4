#!/usr/bin/env python3
"""A residual block, whose largest moment leaves no place for what fast algorithms take,
and comparisons of what is said of it:
  arena_limit.py model MODEL
  arena_limit.py plan JSON MORE      prints the bytes of the plan, and so many more
  arena_limit.py bundle JSON HEADER  at most the plan, or 1.05 times the live buffers
  arena_limit.py below JSON LIMIT    at most a limit"""

import json
import re
import sys


def model(path):
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    weights, nodes = [], []

    def conv(given, out, into, size):
        name = f"c{len(nodes)}"
        values = numpy.random.default_rng(len(nodes)).normal(size=(out, into, size, size))
        values /= (into * size * size) ** 0.5
        weights.append(numpy_helper.from_array(values.astype(numpy.float32), name + "w"))
        nodes.append(helper.make_node("Conv", [given, name + "w"], [name], name,
                                      pads=[size // 2] * 4))
        return name

    def other(operator, *given, **attributes):
        name = f"o{len(nodes)}"
        nodes.append(helper.make_node(operator, list(given), [name], name, **attributes))
        return name

    wide = other("Relu", conv(conv("x", 64, 3, 3), 256, 64, 1))
    narrow = conv(conv(wide, 64, 256, 1), 64, 64, 3)
    last = other("Relu", other("Add", conv(narrow, 256, 64, 1), wide))
    nodes.append(helper.make_node("GlobalAveragePool", [conv(last, 32, 256, 1)], ["y"]))
    graph = helper.make_graph(
        nodes, "kernels", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 32, 32])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], weights)
    message = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    message.ir_version = 8
    onnx.save(message, path)


def plan(said, more):
    print(json.load(open(said))["arena_bytes"] + int(more))


def bundle(said, header):
    said = json.load(open(said))
    arena = int(re.search(r"_ACTIVATIONS_MEM_SIZE (\d+)", open(header).read())[1])
    most = max(said["arena_bytes"], said["live_bytes"] * 1.05)
    assert said["arena_bytes"] <= arena <= most, (arena, most)


def below(said, limit):
    arena = json.load(open(said))["run_arena_bytes"]
    assert arena <= int(limit), (arena, limit)


{"model": model, "plan": plan, "bundle": bundle, "below": below}[sys.argv[1]](*sys.argv[2:])
