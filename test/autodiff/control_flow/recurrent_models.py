# SPDX-License-Identifier: MIT
"""Recurrent nets as nodes, as Scan and as Loop, with the same weights."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

BOOL, I64 = TensorProto.BOOL, TensorProto.INT64


def value(name, shape, kind):
    return helper.make_tensor_value_info(name, kind, shape)


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), outputs.split()[-1],
                            **attributes)


def save(path, nodes, inputs, outputs, constants):
    graph = helper.make_graph(
        nodes, "net", inputs, outputs,
        [numpy_helper.from_array(array, name) for name, array in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                              ir_version=8)
    with open(path, "wb") as file:
        file.write(model.SerializeToString())


def lstm_step(state, kind):
    """The nodes of a step from x, h and c to next_h and next_c; weights are read around it."""
    nodes = [node("MatMul", "x wt", "xw"), node("MatMul", "h rt", "hr"),
             node("Add", "xw hr", "products"), node("Add", "products bias", "gates"),
             node("Split", "gates", "i o f g", axis=1),
             node("Sigmoid", "i", "si"), node("Sigmoid", "o", "so"),
             node("Sigmoid", "f", "sf"), node("Tanh", "g", "tg"),
             node("Mul", "sf c", "kept"), node("Mul", "si tg", "new"),
             node("Add", "kept new", "next_c"), node("Tanh", "next_c", "tc"),
             node("Mul", "so tc", "next_h"), node("Identity", "next_h", "y")]
    return nodes, [value(name, state, kind) for name in ("h", "c")], [
        value(name, state, kind) for name in ("next_h", "next_c", "y")]


def lstm_weights(width, hidden):
    """The matrices of the step, from the weights of the node."""
    nodes = [node("Squeeze", "w zero_axis", "w2"), node("Transpose", "w2", "wt", perm=[1, 0]),
             node("Squeeze", "r zero_axis", "r2"), node("Transpose", "r2", "rt", perm=[1, 0]),
             node("Split", "b", "wb rb", axis=1), node("Add", "wb rb", "bias")]
    random = np.random.default_rng(5)
    constants = {"w": random.uniform(-1, 1, (1, 4 * hidden, width)),
                 "r": random.uniform(-1, 1, (1, 4 * hidden, hidden)),
                 "b": random.uniform(-1, 1, (1, 8 * hidden))}
    return nodes, constants


def lstm(form, path, steps=5, rows=2, width=3, hidden=4):
    """An LSTM in f64 whose output is the sum of the squares of all states."""
    # pylint: disable=too-many-arguments,too-many-positional-arguments
    kind = TensorProto.DOUBLE
    nodes, constants = lstm_weights(width, hidden)
    constants["zero_axis"] = np.array([0])
    body, states, results = lstm_step([rows, hidden], kind)
    zeros = np.zeros((rows, hidden))
    if form == "node":
        nodes = [helper.make_node("LSTM", ["xs", "w", "r", "b"], ["all"], hidden_size=hidden)]
        constants.pop("zero_axis")
    elif form == "scan":
        graph = helper.make_graph(body, "step", [*states, value("x", [rows, width], kind)],
                                  results)
        nodes.append(node("Scan", "h0 c0 xs", "h_last c_last all", body=graph,
                          num_scan_inputs=1))
    else:
        body = [node("Gather", "xs t", "x", axis=0), *body, node("Identity", "go", "again")]
        graph = helper.make_graph(
            body, "step", [value("t", [], I64), value("go", [], BOOL), *states],
            [value("again", [], BOOL), *results])
        nodes.append(helper.make_node("Loop", ["count", "", "h0", "c0"],
                                      ["h_last", "c_last", "all"], "loop", body=graph))
        constants["count"] = np.array(steps)
    if form != "node":
        constants.update(h0=zeros, c0=zeros)
    nodes += [node("Mul", "all all", "squares"), node("ReduceSum", "squares", "loss", keepdims=0)]
    save(path, nodes, [value("xs", [steps, rows, width], kind)], [value("loss", [], kind)],
         constants)


def classifier(form, path, steps=12, width=2, hidden=8):
    """A net for rows of sequences: two scores after the last step, or after as many steps as an
    input has."""
    kind, random = TensorProto.FLOAT, np.random.default_rng(2)
    constants = {name: (random.standard_normal(shape) * scale).astype(np.float32)
                 for name, shape, scale in (
                     ("wx", (width, hidden), 0.7), ("wh", (hidden, hidden), 0.3),
                     ("wb", (hidden,), 0.1), ("head", (hidden, 2), 0.5))}
    constants.update(hidden=np.array([hidden]), axis=np.array([0]), one=np.array([1]))
    nodes = [node("Shape", "x", "sizes"), node("Slice", "sizes axis one", "rows"),
             node("Concat", "rows hidden", "size", axis=0),
             node("ConstantOfShape", "size", "h0")]
    inputs = [value("x", ["N", steps, width], kind)]
    step = [node("MatMul", "part wx", "xw"), node("MatMul", "h wh", "hw"),
            node("Add", "xw hw", "sum"), node("Add", "sum wb", "biased"),
            node("Tanh", "biased", "next")]
    state, following = value("h", ["N", hidden], kind), value("next", ["N", hidden], kind)
    if form == "scan":
        graph = helper.make_graph(step, "step", [state, value("part", ["N", width], kind)],
                                  [following])
        nodes.append(node("Scan", "h0 x", "last", body=graph, num_scan_inputs=1,
                          scan_input_axes=[1]))
    else:
        if form == "trips":
            inputs.append(value("count", [], I64))
        else:
            constants["count"] = np.array(steps)
        graph = helper.make_graph(
            [node("Gather", "x t", "part", axis=1), *step, node("Identity", "go", "again")],
            "step", [value("t", [], I64), value("go", [], BOOL), state],
            [value("again", [], BOOL), following])
        nodes.append(helper.make_node("Loop", ["count", "", "h0"], ["last"], "loop", body=graph))
    nodes.append(node("MatMul", "last head", "scores"))
    save(path, nodes, inputs,
         [value("scores", ["N", 2], kind)], constants)
