# SPDX-License-Identifier: MIT
"""Models that are right, each with one thing to see."""

import numpy
from onnx import TensorProto, helper

from .build import ADD, I64, add_weight, array, model, node, value


def relu():
    return model([node("Relu", "x", "y")])


def small_and_large():
    """A large output behind a small one."""
    return model([node("Relu", "x", "small"), node("Tile", "x repeats", "large")], weights=[array("repeats", [50, 3], numpy.int64)],
                 outputs=[value("small"), value("large", [100, 9])])


def unsorted():
    return model([node("Relu", "b", "y", name="third"),
                  node("Relu", "a", "b", name="second"),
                  node("Relu", "x", "a", name="first")])


def unneeded():
    return model([node("Relu", "x", "unused", name="unneeded"),
                  node("Relu", "x", "y", name="needed")], weights=ADD)


def initializer_as_input():
    return add_weight(ADD[0], inputs=[value("x"), value("w")])


def domain_by_name():
    return model([node("Relu", "x", "a", domain="ai.onnx"),
                  node("Relu", "a", "y", name="again")],
                 imports=[("ai.onnx", 13)])


def named_main():
    """Without a node, an input handed through, of the name that the function had."""
    return model([], [value("main")], [value("main")])


def unnamed_node():
    return model([node("Relu", "x", "y", name="")])


def symbolic():
    return model([node("Add", "a b", "y")],
                 [value("a", ["N", 3]), value("b", ["N", None])],
                 [value("y", ["N", 3])])


def kind_alone():
    """Of `like` only the kind is read, of `other` the sizes, of `unused` nothing."""
    return model([node("CastLike", "x like", "a"),
                  node("CastLike", "a other", "y"), node("Shape", "other", "z")],
                 [value("x", [2]), value("like", [3, 4], TensorProto.DOUBLE),
                  value("other", [3, 4]), value("unused", ["N"])],
                 [value("y", [2]), value("z", [2], TensorProto.INT64)], opset=15)


def network():
    return model([node("Relu", "x", "a"), node("Softmax", "a", "b", axis=1),
                  node("Add", "a b", "y")])


def odd_names():
    """Names that mean something where they are written into a text."""
    result = model(
        [helper.make_node("Add", ['in "x"', "back\\slash"], ["a"],
                          name="the } ] add"),
         helper.make_node("Relu", ["a"], ["y\ny"], name="two\nlines")],
        [value('in "x"')], [value("y\ny")],
        [array("back\\slash", [[1, 2, 3], [4, 5, 6]])])
    return result


def two_inputs():
    return model([node("Add", "a b", "y")], [value("a"), value("b")])


def symbolic_batch():
    return model([node("Relu", "x", "y")], [value("x", ["N", 3])],
                 [value("y", ["N", 3])])


def picture():
    """Takes pixels as they are, and gives them back."""
    pixels = TensorProto.UINT8
    return model([node("Max", "x", "y")], [value("x", [2, 3, 1], pixels)],
                 [value("y", [2, 3, 1], pixels)])


def unranked():
    """The model says of x that it has floats, and not how many dimensions."""
    return model([node("Relu", "x", "y")], [value("x", None)],
                 [value("y", None)])


def passed_through():
    return model([], outputs=[value("x"), value("w")], weights=ADD)


def wrong_declaration():
    return model([node("Relu", "x", "y")], outputs=[value("y", [2, "M", 7])])


def wrong_kind():
    return model([node("Relu", "x", "y")], outputs=[value("y", [2, 3], TensorProto.INT64)])


def shape_arithmetic():
    """Reshape x to [dimension 0 of x, 4] as exporters spell it."""
    return model(
        [node("Shape", "x", "shape"),
         node("Gather", "shape zero", "first", axis=0),
         node("Concat", "first four", "both", axis=0),
         node("Reshape", "x both", "y")],
        [value("x", ["N", 2, 2])], [value("y", ["N", 4])],
        weights=[array("zero", [0], numpy.int64),
                 array("four", [4], numpy.int64)])


def branch(op, source, result):
    return helper.make_graph([node(op, source, result, name=f"inner_{op}")],
                             "branch", [], [value(result)])


def if_known(op="Relu", condition=True):
    """The branch reads `a`, which is a value of the graph around it."""
    return model(
        [node("Relu", "x", "a"),
         node("If", "condition", "y", then_branch=branch(op, "a", "t"),
              else_branch=branch("Unheard", "a", "e"))],
        weights=[array("condition", condition, bool)])


def shape_from_input():
    return model([node("Relu", "s", "t", name="twist"),
                  node("Reshape", "x t", "y")],
                 [value("x"), value("s", [2], I64)])


def shape_is_input():
    """y = relu(reshape(x, s + s)), as far as one can tell without s."""
    return model([node("Add", "s s", "t"), node("Reshape", "x t", "r"),
                  node("Relu", "r", "y")],
                 [value("x", [2, 6]), value("s", [2], I64)],
                 [value("y", ["a", "b"])])


def branch_on_rate():
    """y = relu(x) at a rate of 16000, and -x at any other."""
    return model(
        [node("Equal", "sr fast", "condition"),
         node("If", "condition", "y", then_branch=branch("Relu", "x", "t"),
              else_branch=branch("Neg", "x", "e"))],
        [value("x", ["N", 3]), value("sr", [], I64)], [value("y", ["N", 3])],
        weights=[array("fast", 16000, numpy.int64)])


def axis_is_input():
    """y = sum of x along an axis that is an input."""
    return model([node("ReduceSum", "x axis", "y", name="the_sum", keepdims=0)],
                 [value("x", [2, 3]), value("axis", [1], I64)], [value("y", ["N"])])


def open_picture():
    """A picture of any size becomes one: half of each value."""
    sizes = ["N", 3, "height", "width"]
    return model([node("Mul", "images half", "halves")],
                 [value("images", sizes)], [value("halves", sizes)],
                 weights=[array("half", 0.5)])


def normalised():
    """Two convolutions, each with a normalisation behind it."""
    def pair(source, number, result):
        names = " ".join(f"{name}{number}" for name in ("scale", "shift", "mean", "variance"))
        return [node("Conv", f"{source} filter{number}", f"c{number}", name=f"conv{number}"),
                node("BatchNormalization", f"c{number} {names}", result, name=f"norm{number}")]
    weights = [array(f"filter{i}", numpy.arange(144).reshape(4, 4, 3, 3) / 144) for i in (1, 2)]
    weights += [array(f"{name}{i}", [1, 2, 3, 4]) for i in (1, 2)
                for name in ("scale", "shift", "mean", "variance")]
    return model(pair("x", 1, "a") + [node("Relu", "a", "b", name="relu1")] + pair("b", 2, "y"),
                 [value("x", [1, 4, 12, 12])], [value("y", [1, 4, 8, 8])],
                 weights=weights)


def newest_opset():
    return model([node("Relu", "x", "y")], opset=28)
