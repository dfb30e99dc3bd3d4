# SPDX-License-Identifier: MIT
"""Opens a session with the provider of probe.cpp: probed.py LIBRARY MODEL"""

import sys

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

library, path = sys.argv[1:]


def value(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def body(operator):
    return helper.make_graph([helper.make_node(operator, ["x", "two"], ["r"])],
                             operator, [], [value("r", TensorProto.FLOAT, None)])


nodes = [
    helper.make_node("If", ["c"], ["i"], "fork", then_branch=body("Add"),
                     else_branch=body("Mul")),
    helper.make_node("LeakyRelu", ["i"], ["l"], "leak", alpha=0.25),
    helper.make_node("Transpose", ["l"], ["y"], "turn", perm=[1, 0]),
    helper.make_node("Where", ["c", "s", "words"], ["w"], "choose"),
    helper.make_node("LabelEncoder", ["w"], ["z"], "label", "", "ai.onnx.ml",
                     keys_strings=["ab", "cde"], values_floats=[1.5, 2.5],
                     default_float=9.0),
    helper.make_node("ConstantOfShape", ["q"], ["f"], "fill",
                     value=numpy_helper.from_array(numpy.array([7], "f"))),
    helper.make_node("Softmax", ["f"], ["g"], "soft", axis=1),
    helper.make_node("DepthToSpace", ["e"], ["d"], "depth", blocksize=2,
                     mode="CRD"),
]
graph = helper.make_graph(
    nodes, "probed",
    [value("c", TensorProto.BOOL, []), value("x", TensorProto.FLOAT, [2, "n"]),
     value("s", TensorProto.STRING, [2]), value("q", TensorProto.INT64, [2]),
     value("e", TensorProto.FLOAT, [1, 4, 1, 1])],
    [value("y", TensorProto.FLOAT, ["n", 2]), value("z", TensorProto.FLOAT, [2]),
     value("g", TensorProto.FLOAT, None), value("d", TensorProto.FLOAT, None)],
    [numpy_helper.from_array(numpy.array([2, 3], "f").reshape(2, 1), "two"),
     helper.make_tensor("words", TensorProto.STRING, [2], [b"ab", b"cde"])])
model = helper.make_model(graph, opset_imports=[
    helper.make_opsetid("", 13), helper.make_opsetid("ai.onnx.ml", 2)])
model.ir_version = 8
onnx.save(model, path)

onnxruntime.register_execution_provider_library("probe", library)
devices = [device for device in onnxruntime.get_ep_devices()
           if device.ep_name == "Probe"]
print("vendor", devices[0].ep_vendor, devices[0].ep_metadata)
options = onnxruntime.SessionOptions()
options.add_provider_for_devices(devices, {"colour": "blue"})
options.graph_optimization_level = (
    onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)
sys.stdout.flush()
session = onnxruntime.InferenceSession(path, options)
print(session.get_providers())
