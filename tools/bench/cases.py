# SPDX-License-Identifier: MIT
"""Models of one node for each operator: ONNX's recorded cases, and the same
node on larger tensors.

A recorded case is small. Its tensors grow by repetition: all dimensions of the
same size become the same number of times as long, as long as the peer still
runs the node. No operator has a rule of its own here; large.py has the nodes
whose sizes stand in a tensor or an attribute."""

import glob
import os
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

RECORDED = "/usr/share/libonnx-testdata/data/node"
LARGE = 1 << 20  # elements of all inputs together
PART = 256  # the size up to which all dimensions grow first
FEW = 16  # integers that say what to do rather than hold data
STEP = 4  # times that dimensions become longer at once
LONGEST = 0.03  # seconds that a run of a grown case may take

# Formal inputs that are weights in the models of exporters.
WEIGHTS = {"W", "R", "w", "B", "scale", "Scale", "bias", "weight", "input_mean",
           "input_var", "mean", "var", "filter", "slope", "w_scale",
           "w_zero_point", "b_scale", "b_zero_point"}


class Case:
    """A node, and what its inputs hold. Inputs named in `constants` are
    initializers of the model."""

    def __init__(self, node, opsets, inputs, outputs, constants):
        self.node, self.opsets, self.inputs = node, opsets, inputs
        self.outputs, self.constants = outputs, constants

    def operator(self):
        domain = self.node.domain
        return "" if domain == "ai.onnx" else domain, self.node.op_type

    def model(self):
        """The output shapes are left to the reader of the model."""
        kinds = {name: numpy_helper.from_array(array.ravel()[:1]).data_type
                 for name, array in self.inputs.items()}
        graph = helper.make_graph(
            [self.node], "operator",
            [helper.make_tensor_value_info(name, kinds[name], array.shape)
             for name, array in self.feeds().items()],
            [helper.make_tensor_value_info(name, kind, None)
             for name, kind in self.outputs],
            [numpy_helper.from_array(self.inputs[name], name)
             for name in sorted(self.constants)])
        model = helper.make_model(graph, opset_imports=[
            helper.make_opsetid(*opset) for opset in self.opsets])
        model.ir_version = 8
        return model

    def feeds(self):
        return {name: array for name, array in self.inputs.items()
                if name not in self.constants}

    def elements(self):
        return sum(array.size for array in self.inputs.values())

    def grown(self, size, factor):
        """Each dimension of `size` elements `factor` times as long."""
        inputs = {}
        for name, array in self.inputs.items():
            times = [factor if n == size and not self.is_setting(name) else 1
                     for n in array.shape]
            inputs[name] = np.tile(array, times) if times else array
        return Case(self.node, self.opsets, inputs, self.outputs,
                    self.constants)

    def is_setting(self, name):
        """Whether an input says what to do."""
        array = self.inputs[name]
        return is_setting(array)

    def shapes(self):
        return ", ".join("x".join(map(str, array.shape)) or "1"
                         for array in self.feeds().values())


def is_setting(array):
    return array.size <= 1 or (array.dtype.kind == "i" and array.ndim <= 1
                               and array.dtype.itemsize > 1
                               and array.size <= FEW)


def constants_of(node, inputs):
    """Settings, and weights by their formal names; one input stays."""
    try:
        formal = [value.name for value in onnx.defs.get_schema(
            node.op_type, domain=node.domain).inputs]
    except onnx.defs.SchemaError:
        formal = []
    names = {name for name in inputs if is_setting(inputs[name])}
    if "X" in formal or "x" in formal or "MatMul" in node.op_type:
        names |= {name for name, known in zip(node.input, formal)
                  if known in WEIGHTS and name in inputs}
    names.discard(node.input[0] if node.input else "")
    return names


def read_tensor(path):
    tensor = TensorProto()
    with open(path, "rb") as file:
        tensor.ParseFromString(file.read())
    return numpy_helper.to_array(tensor)


def read(folder):
    """The case of a folder, or None where it is not one node on tensors of
    numbers."""
    model = onnx.load(os.path.join(folder, "model.onnx"))
    graph = model.graph
    if len(graph.node) != 1 or graph.initializer:
        return None
    node = graph.node[0]
    if any(value.type.WhichOneof("value") != "tensor_type"
           for value in [*graph.input, *graph.output]):
        return None
    if any(a.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS)
           for a in node.attribute):
        return None
    inputs = {}
    for place, value in enumerate(graph.input):
        array = read_tensor(os.path.join(folder, "test_data_set_0",
                                         f"input_{place}.pb"))
        if array.dtype.kind not in "fiub":
            return None  # strings, and kinds that NumPy has no name for
        inputs[value.name] = array
    outputs = [(value.name, value.type.tensor_type.elem_type)
               for value in graph.output]
    return Case(node, [(o.domain, o.version) for o in model.opset_import],
                inputs, outputs, constants_of(node, inputs))


def rank(case):
    """The better case has floats, no axis of one element, and more of them."""
    first = next(iter(case.inputs.values()), np.zeros(0))
    return first.dtype == np.float32, 1 not in first.shape, case.elements()


def recorded(folder=RECORDED):
    """The best case of each operator."""
    best = {}
    for path in sorted(glob.glob(os.path.join(folder, "*", "model.onnx"))):
        case = read(os.path.dirname(path))
        if case and case.inputs:
            known = best.get(case.operator())
            if not known or rank(case) > rank(known):
                best[case.operator()] = case
    return best


def seconds(case, session_of):
    """How long the peer takes to run a case; None where it refuses."""
    try:
        session = session_of(case)
        start = time.perf_counter()
        session()
        return time.perf_counter() - start
    except Exception:  # pylint: disable=broad-except
        return None  # the peer has many classes of errors


def large(case, session_of):
    """The case on large tensors; None where it does not grow."""
    start = case.elements()
    sizes = list(dict.fromkeys(
        n for name, array in case.inputs.items() if not case.is_setting(name)
        for n in array.shape if n > 1))
    now = {size: size for size in sizes}
    for limit in (PART, LARGE):
        for size in sizes:
            # Step by step: a node may take the square of its size.
            while now[size] * STEP <= limit and case.elements() < LARGE // 2:
                grown = case.grown(now[size], STEP)
                took = seconds(grown, session_of)
                if took is None or took > LONGEST \
                        or grown.elements() > STEP * LARGE:
                    break
                case = grown
                now[size] *= STEP
    return case if case.elements() >= 64 * start else None
