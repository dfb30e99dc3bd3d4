# SPDX-License-Identifier: MIT
"""Models whose graphs are wrong."""

import numpy
from onnx import TensorProto, helper

from .build import ADD, F32, array, model, node, value
from .right import branch, if_known


def cycle():
    return model([node("Add", "x c", "a", name="first"),
                  node("Relu", "a", "b", name="second"),
                  node("Relu", "b", "c", name="third"),
                  node("Relu", "c", "y", name="after")])


def missing_initializer():
    return model([node("Add", "x w", "y")])


def undefined_in_branch():
    return model(
        [node("If", "condition", "y", then_branch=branch("Relu", "q", "t"),
              else_branch=branch("Relu", "x", "e"))],
        weights=[array("condition", True, bool)])


def undefined_output():
    return model([node("Relu", "x", "z")])


def defined_twice():
    return model([node("Relu", "x", "y", name="first"),
                  node("Relu", "x", "y", name="second")])


def initialized_twice():
    return model([node("Add", "x w", "y")], weights=ADD + ADD)


def listed_twice():
    return model([node("Relu", "x", "y")], outputs=[value("y"), value("y")])


def sequence_input():
    return model([node("Relu", "x", "y")],
                 [helper.make_tensor_sequence_value_info("x", F32, [2])])


def no_opset():
    return model([node("Relu", "x", "y")], imports=[("com.example", 1)])


def old_opset():
    return model([node("Relu", "x", "y")], opset=5)


def no_outputs():
    return model([node("Relu", "x", "y")], outputs=[])


def future_opset():
    return model([node("Relu", "x", "y")], opset=29)


def attribute_type():
    return model([node("Gather", "x i", "y", axis="first")],
                 weights=[array("i", [0], numpy.int64)])


def attribute_twice():
    result = model([node("Gather", "x i", "y", axis=0)],
                   weights=[array("i", [0], numpy.int64)])
    result.graph.node[0].attribute.append(helper.make_attribute("axis", 1))
    return result


def too_many_inputs():
    return model([node("Relu", "x x", "y")])


def absent_input():
    result = model([node("Add", "x", "y")])
    result.graph.node[0].input.insert(0, "")
    return result


def extra_output():
    """Only where something reads it is it in the way."""
    return model([node("Relu", "x", "y z")])


def too_many_outputs():
    return model([node("Relu", "x", "z y")])


def wrong_shapes():
    return model([node("Add", "x w", "y")], weights=[array("w", [1, 2])])


def wrong_kinds():
    return model([node("Add", "x w", "y")],
                 weights=[array("w", [[1, 2, 3]] * 2, numpy.int64)])


def wrong_rank():
    return model([node("Conv", "x w", "y")],
                 weights=[array("w", [[1, 2, 3]] * 2)])


def if_unknown():
    result = if_known()
    result.graph.initializer.pop()
    result.graph.input.append(value("condition", [], TensorProto.BOOL))
    return result


def if_fails():
    return if_known(op="Frobnicate")
