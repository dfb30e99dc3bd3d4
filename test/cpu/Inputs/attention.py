"""Writes attention to many keys: attention.py MODEL KEYS [MASKED [ROWS]]

ROWS rows, 70 if not given, 3 heads with 20 columns of queries and 40 of values. MASKED is
how many keys of each row have a mask of minus infinity, from the first on.
"""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

path = sys.argv[1]
keys, masked, rows = map(int, sys.argv[2:] + ["0", "70"][len(sys.argv) - 3:])
heads, depth, width = 3, 20, 40
random = numpy.random.default_rng(7)
nodes, constants = [], []


def constant(values):
    name = f"c{len(constants)}"
    constants.append(numpy_helper.from_array(numpy.asarray(values), name))
    return name


def node(operator, *inputs, name="", **attributes):
    name = name or f"v{len(nodes)}"
    nodes.append(helper.make_node(operator, inputs, [name], name=name, **attributes))
    return name


def headed(x, count, columns):
    weights = random.standard_normal((32, heads * columns)).astype("float32")
    flat = node("MatMul", x, constant(weights * numpy.float32(0.2)))
    shape = constant(numpy.array([1, count, heads, columns], "int64"))
    return node("Transpose", node("Reshape", flat, shape), perm=[0, 2, 1, 3])


q, k, v = headed("x", rows, depth), headed("m", keys, depth), headed("m", keys, width)
mask = random.standard_normal((1, 1, rows, keys)).astype("float32")
mask[..., :masked] = -numpy.inf
scores = node("MatMul", node("Mul", q, constant(numpy.float32(0.5))),
              node("Transpose", k, perm=[0, 1, 3, 2]))
weights = node("Softmax", node("Add", scores, constant(mask)), axis=-1)
mixed = node("Transpose", node("MatMul", weights, v), perm=[0, 2, 1, 3])
shape = constant(numpy.array([1, rows, heads * width], "int64"))
node("Reshape", mixed, shape, name="y")
values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
          for name, shape in (("x", [1, rows, 32]), ("m", [1, keys, 32]),
                              ("y", [1, rows, heads * width]))]
graph = helper.make_graph(nodes, "attention", values[:2], values[2:], constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
with open(path, "wb") as file:
    file.write(model.SerializeToString())
