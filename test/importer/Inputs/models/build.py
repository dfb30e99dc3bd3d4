# SPDX-License-Identifier: MIT
"""What models of these tests are built with."""

import numpy
from onnx import TensorProto, helper, numpy_helper

F32, I64 = TensorProto.FLOAT, TensorProto.INT64


def value(name, shape=(2, 3), kind=F32):
    return helper.make_tensor_value_info(name, kind, shape)


def node(op, inputs, outputs, **attributes):
    attributes.setdefault("name", f"the_{op.lower()}")
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def array(name, values, kind=numpy.float32):
    return numpy_helper.from_array(numpy.array(values, kind), name)


def model(nodes, inputs=None, outputs=None, weights=(), opset=13, **more):
    graph = helper.make_graph(
        nodes, "graph",
        [value("x")] if inputs is None else inputs,
        [value("y")] if outputs is None else outputs, list(weights))
    imports = more.pop("imports", [("", opset)])
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid(*i) for i in imports], **more)


def tensor(name, kind, dims, **fields):
    """A TensorProto with nothing but what is said."""
    return TensorProto(name=name, data_type=kind, dims=dims, **fields)


def outside(location, **entries):
    """A tensor of 2x3 floats whose numbers are in another file."""
    result = tensor("w", F32, [2, 3], data_location=TensorProto.EXTERNAL)
    for key, text in dict(location=location, **entries).items():
        result.external_data.add(key=key, value=str(text))
    return result


def add_weight(weight, **more):
    return model([node("Add", "x w", "y")], weights=[weight], **more)


ADD = [array("w", [[1, 2, 3], [4, 5, 6]])]
