#!/usr/bin/env python3
"""A model with room for what kernels take, and a comparison of what is said of it:
step_memory.py model MODEL, step_memory.py check JSON HEADER fits|grows."""

import json
import re
import sys


def model(path):
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    weights, nodes, last = [], [], "x"
    # The first result is twice as large as any that comes later.
    channels = [(32, 3), (64, 32), (64, 64), (64, 64), (64, 64)]
    sizes = [3, 5, 3, 3, 1]
    for i, ((out, into), size) in enumerate(zip(channels, sizes)):
        values = numpy.random.default_rng(i).normal(size=(out, into, size, size)) / into
        weights.append(numpy_helper.from_array(values.astype(numpy.float32), f"w{i}"))
        nodes.append(helper.make_node("Conv", [last, f"w{i}"], [f"c{i}"], pads=[size // 2] * 4,
                                      strides=[2, 2] if i == 1 else [1, 1]))
        nodes.append(helper.make_node("Relu", [f"c{i}"], [f"r{i}"]))
        last = f"r{i}"
    graph = helper.make_graph(
        nodes, "large", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 160, 160])],
        [helper.make_tensor_value_info(last, TensorProto.FLOAT, None)], weights)
    message = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    message.ir_version = 8
    onnx.save(message, path)


def check(said, header, how):
    said = json.load(open(said))
    bundle = int(re.search(r"_ACTIVATIONS_MEM_SIZE (\d+)", open(header).read())[1])
    assert bundle == said["run_arena_bytes"], (bundle, said["run_arena_bytes"])
    planned = said["arena_bytes"]
    assert bundle == planned if how == "fits" else bundle > planned, (bundle, planned)


{"model": model, "check": check}[sys.argv[1]](*sys.argv[2:])
