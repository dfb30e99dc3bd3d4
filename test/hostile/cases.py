# SPDX-License-Identifier: MIT
"""What the models of these tests are made of, and how they are written."""

import os

import numpy
from onnx import TensorProto, helper, numpy_helper

F32, I64, BOOL, TEXT = (TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL,
                        TensorProto.STRING)


def kind_of(array):
    return numpy_helper.from_array(array).data_type


def value(name, shape=None, kind=F32):
    return helper.make_tensor_value_info(name, kind, shape)


def array(name, values, kind=numpy.float32):
    return numpy_helper.from_array(numpy.array(values, kind), name)


def node(op, inputs, outputs, name=None, **attributes):
    """`inputs` and `outputs` are words; "-" is one that is absent."""
    names = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(op, names, outputs.split(),
                            name=name or f"the_{op.lower()}", **attributes)


def graph(nodes, inputs, outputs, weights=()):
    return helper.make_graph(nodes, "graph", inputs, outputs, list(weights))


def model(nodes, inputs, outputs, weights=(), opset=18):
    return helper.make_model(
        graph(nodes, inputs, outputs, weights),
        opset_imports=[helper.make_opsetid("", opset),
                       helper.make_opsetid("com.microsoft", 1),
                       helper.make_opsetid("ai.onnx.ml", 3)])


def write(folder, made, inputs=None, outputs=None):
    """The model, and its data set if there are inputs; arrays by name."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(made.SerializeToString())
    if inputs is None:
        return
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    for role, arrays in (("input", inputs), ("output", outputs or {})):
        for i, (name, tensor) in enumerate(arrays.items()):
            with open(os.path.join(data, f"{role}_{i}.pb"), "wb") as file:
                file.write(numpy_helper.from_array(tensor, name).SerializeToString())
