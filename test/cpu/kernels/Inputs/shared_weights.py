"""Layers that share a weight of 4 MiB.

shared_weights.py LAYERS MODEL writes a model of so many. shared_weights.py
compare FEW MANY says whether a run of MANY, as glow bench reports it, has less
than 64 MiB more than one of FEW.
"""

import json
import sys


def write(layers, path):
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper
    size = 1024
    weight = np.random.RandomState(0).uniform(-0.05, 0.05, (size, size))
    nodes, last = [], "x"
    for i in range(layers):
        nodes.append(helper.make_node("MatMul", [last, "w"], [f"p{i}"]))
        nodes.append(helper.make_node("Relu", [f"p{i}"], [f"y{i}"]))
        last = f"y{i}"
    graph = helper.make_graph(
        nodes, "shared",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [16, size])],
        [helper.make_tensor_value_info(last, TensorProto.FLOAT, [16, size])],
        [numpy_helper.from_array(weight.astype(np.float32), "w")])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    with open(path, "wb") as file:
        file.write(model.SerializeToString())


def peak(path):
    with open(path) as file:
        return json.load(file)["peak_rss_bytes"]


if sys.argv[1] == "compare":
    more = peak(sys.argv[3]) - peak(sys.argv[2])
    print("shared" if more < 64 << 20 else f"{more} bytes more")
else:
    write(int(sys.argv[1]), sys.argv[2])
