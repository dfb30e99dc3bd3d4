# SPDX-License-Identifier: MIT
"""Models with functions of their own."""

from onnx import AttributeProto, helper

from .build import model, node


def with_functions(*functions, call="F"):
    """Functions are pairs: a name, and nodes from 'a' to 'b'."""
    result = model([node(call, "x", "y", domain="mine", name="call")],
                   imports=[("", 13), ("mine", 1)])
    for name, nodes in functions:
        result.functions.append(helper.make_function(
            "mine", name, ["a"], ["b"], nodes,
            [helper.make_opsetid("", 13), helper.make_opsetid("mine", 1)]))
    return result


def called(function, source, target, **more):
    return node(function, source, target, domain="mine", **more)


def function_names():
    return with_functions(("F", [called("G", "a", "t", name="inner"), node("Neg", "t", "b")]),
                          ("G", [node("Exp", "a", "t"), node("Relu", "t", "b")]))


def function_unknown():
    return with_functions(("F", [node("Frobnicate", "a", "b")]))


def function_recursive():
    return with_functions(("F", [called("G", "a", "b", name="there")]), ("G", [called("F", "a", "b", name="back")]))


def function_attribute():
    reader = node("LeakyRelu", "a", "b")
    reader.attribute.append(AttributeProto(name="alpha", ref_attr_name="slope", type=AttributeProto.FLOAT))
    return with_functions(("F", [reader]))


def function_undefined():
    return with_functions(("F", [node("Add", "a x", "b")]))


def function_without_result():
    return with_functions(("F", [node("Neg", "a", "t")]))


def function_twice():
    return with_functions(("F", [node("Neg", "a", "b"), node("Exp", "a", "b")]))


def function_inputs():
    return with_functions(("F", [node("Neg", "a", "t"), called("G", "t a", "b", name="inner")]),
                          ("G", [node("Neg", "a", "b")]))


def function_outputs():
    return with_functions(("F", [called("G", "a", "b t", name="inner")]), ("G", [node("Neg", "a", "b")]))


def function_deep():
    return with_functions(("F", [called("F1", "a", "b")]),
                          *((f"F{i}", [called(f"F{i + 1}", "a", "b")]) for i in range(1, 200)),
                          ("F200", [node("Neg", "a", "b")]))


def function_exponential():
    return with_functions(("F", [called("F1", "a", "b")]),
                          *((f"F{i}", [called(f"F{i + 1}", "a", "t"), called(f"F{i + 1}", "t", "b", name="again")])
                            for i in range(1, 40)),
                          ("F40", [node("Neg", "a", "b")]))
