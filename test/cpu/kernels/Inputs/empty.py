"""Writes convolutions of every kind, of a batch that may be empty: empty.py MODEL BATCH

BATCH is a number, or the name of a size that a run decides.
"""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

path, batch = sys.argv[1:]
batch = int(batch) if batch.isdigit() else batch
random = numpy.random.default_rng(7)
nodes, constants, outputs = [], [], []


def convolution(operator, filter_shape, **attributes):
    name = f"y{len(nodes)}"
    weights = random.standard_normal(filter_shape).astype("float32")
    constants.append(numpy_helper.from_array(weights, "w" + name))
    nodes.append(helper.make_node(operator, ["x", "w" + name], [name], name=name,
                                  **attributes))
    outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [batch, None, None,
                                                                           None]))


for operator in ("Conv", "ConvTranspose"):
    for size in (1, 3, 5):
        for stride in (1, 2):
            convolution(operator, [128, 128, size, size], strides=[stride] * 2,
                        pads=[size // 2] * 4)
convolution("Conv", [128, 1, 3, 3], group=128)
convolution("Conv", [128, 16, 3, 3], group=8)
convolution("ConvTranspose", [128, 8, 3, 3], group=2)
graph = helper.make_graph(
    nodes, "empty",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 128, 12, 12])], outputs,
    constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
with open(path, "wb") as file:
    file.write(model.SerializeToString())
