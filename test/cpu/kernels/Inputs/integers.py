"""Writes products of bytes that a run brings: integers.py MODEL

All four pairs of kinds, batches, a single zero and one for each row and column, and
sizes that leave tiles, panels and pairs unfinished.
"""

import sys

from onnx import TensorProto, helper

nodes, inputs, outputs = [], [], []


def bring(name, kind, shape):
    inputs.append(helper.make_tensor_value_info(name, kind, shape))
    return name


def product(left, right, lhs, rhs, zeros):
    name = f"y{len(nodes)}"
    rows, columns = [([], []), ([lhs[-2]], [rhs[-1]])][zeros]
    operands = [bring("a" + name, left, lhs), bring("b" + name, right, rhs),
                bring("az" + name, left, rows), bring("bz" + name, right, columns)]
    nodes.append(helper.make_node("MatMulInteger", operands, [name], name=name))
    shape = lhs[:-1] + rhs[-1:]
    outputs.append(helper.make_tensor_value_info(name, TensorProto.INT32, shape))


kinds = TensorProto.UINT8, TensorProto.INT8
for left in kinds:
    for right in kinds:
        product(left, right, [133, 67], [67, 150], 0)
        product(left, right, [2, 7, 32], [2, 32, 64], 0)
        product(left, right, [5, 1], [1, 17], 1)
        product(left, right, [260, 3], [3, 65], 1)
graph = helper.make_graph(nodes, "integers", inputs, outputs)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
with open(sys.argv[1], "wb") as file:
    file.write(model.SerializeToString())
