"""Writes sums of bags of a table of bytes: bags.py FOLDER ROWS BITS.

Rows have 40 elements, and behind them a scale and an offset in f32. Beside the model
are the names of rows, and one name outside.
"""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

folder, rows, bits = sys.argv[1], *map(int, sys.argv[2:])
random = numpy.random.default_rng(5)
elements = random.integers(0, 256, (rows, 40 * bits // 8)).astype("uint8")
behind = random.uniform(0.5, 2, (rows, 2)).astype("float32").view("uint8")
table = numpy_helper.from_array(numpy.concatenate([elements, behind], 1), "table")
names = random.integers(0, rows, 60)
numpy.save(folder + "/names.npy", names)
for place in (0, 59):
    outside = names.copy()
    outside[place] = rows if place else -1
    numpy.save(f"{folder}/outside{place}.npy", outside)
numpy.save(folder + "/lengths.npy", numpy.array([7, 0, 30, 23], "int32"))
node = helper.make_node("FusedRowwiseQuantizedSparseLengthsWeightedSum", ["table", "", "names", "lengths"], ["y"],
                        name="bags", domain="ai.glow", bits=bits)
inputs = [helper.make_tensor_value_info("names", TensorProto.INT64, [60]),
          helper.make_tensor_value_info("lengths", TensorProto.INT32, [4])]
outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 40])]
graph = helper.make_graph([node], "bags", inputs, outputs, [table])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.glow", 1)])
model.ir_version = 8
with open(folder + "/model.onnx", "wb") as file:
    file.write(model.SerializeToString())
