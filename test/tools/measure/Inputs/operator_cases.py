"""How the cases of single operators grow: operator_cases.py SOURCES."""

import os
import sys

import numpy as np
from onnx import TensorProto, helper

sys.path.insert(0, os.path.join(sys.argv[1], "tools", "bench"))
import cases  # noqa: E402
import large  # noqa: E402
import sized  # noqa: E402


def case_of(*inputs, name="MatMul"):
    names = [f"x{i}" for i in range(len(inputs))]
    return cases.Case(helper.make_node(name, names, ["y"]), [("", 17)],
                      dict(zip(names, inputs)), [("y", TensorProto.FLOAT)],
                      set())


def accepts(case):
    """A peer that multiplies matrices, and takes no more than 512 rows."""
    left, right = case.inputs.values()
    if left.shape[1] != right.shape[0] or left.shape[0] > 512:
        raise ValueError
    return lambda: None


# All dimensions of one size grow together, as far as the peer follows.
product = case_of(np.ones((2, 3), np.float32), np.ones((3, 5), np.float32))
grown = cases.large(product, accepts)
(rows, inner), (inner_again, columns) = (
    array.shape for array in grown.inputs.values())
assert inner == inner_again and 2 < rows <= 512 and columns > 5
assert cases.LARGE // 2 <= grown.elements() <= cases.STEP * cases.LARGE
assert cases.large(product, lambda case: 1 / 0) is None

# A setting keeps its length though it is that of a tensor.
reshaped = case_of(np.ones((3, 8), np.float32), np.array([8, 2, 1]))
assert reshaped.grown(3, 4).inputs["x1"].shape == (3,)
assert reshaped.grown(3, 4).inputs["x0"].shape == (12, 8)
assert cases.constants_of(reshaped.node, reshaped.inputs) == {"x1"}

# Each of the large cases is of the operator that it is listed for.
for (domain, name), makers in large.LARGE_CASES.items():
    for make in makers:
        case = make()
        assert case.operator() == (domain, name)
        assert case.feeds() and case.elements() > 0
print(len(large.LARGE_CASES), "operators")

# Operators without a recorded case: a small model, and a large one of the same node.
for name, make in sized.SIZED_CASES.items():
    nodes = [make(large) for large in (False, True)]
    assert all(case.operator()[1] == name[1] for case in nodes), name
    assert nodes[0].elements() <= nodes[1].elements(), name
    for case in nodes:
        case.model()
print(len(sized.SIZED_CASES), "sized")
