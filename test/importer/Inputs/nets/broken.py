# SPDX-License-Identifier: MIT
"""Nets with one mistake each, and nets that look like one: FOLDER/NAME/predict_net.pb, or .pbtxt."""

import json
import pathlib

import numpy

from nets.net import Net, Operator, field, init_net, texts
from nets.recurrent import recurrent_net

F = numpy.float32
RELU = Operator("Relu", "x", "y")


def net(out, name, operators, inputs="x", outputs="", weights=None):
    folder = pathlib.Path(out, name)
    Net(name, operators, inputs, outputs).write(folder / "predict_net.pb")
    if weights:
        weights.write(folder / "init_net.pb")
    return folder


def operators(out):
    net(out, "unknown", [Operator("Relux", "x", "a"), Operator("Frobnicate", "a", "b", "twist"),
                         Operator("Relux", "b", "c"), Operator("Det", "c", "y")])
    net(out, "unmade", [RELU, Operator("Add", "y ghost", "z")])
    net(out, "no_output", [RELU], outputs="z")
    net(out, "no_type", [RELU, Operator("", "y", "z")])
    net(out, "no_operators", [])
    net(out, "word", [Operator("Conv", "x x", "y", kernel="three")])
    net(out, "real", [Operator("MaxPool", "x", "y", kernel=2.5)])
    net(out, "order", [Operator("MaxPool", "x", "y", kernel=2, order="CHWN")])
    net(out, "argument", [RELU, Operator("LeakyRelu", "y", "z", alpah=0.5)])
    net(out, "inputs", [Operator("Relu", "x x", "y")])
    net(out, "no_scale", [Operator("Int8Relu", "x", "y")])
    net(out, "bytes_as_floats", [Operator("Int8Quantize", "x", "q", Y_scale=0.5), Operator("Relu", "q", "y")])
    weights = init_net({"w": numpy.ones(3, F)})
    net(out, "exchanged", weights.operators, inputs="", weights=Net("init", [RELU]))
    net(out, "too_few", [Operator("Add", "x w", "y")], "x w", weights=Net(
        "init", [Operator("GivenTensorFill", "", "w", shape=[2, 2], values=[1.0, 2.0, 3.0])]))
    net(out, "kind_of_values", [Operator("Add", "x w", "y")], "x w", weights=Net(
        "init", [Operator("GivenTensorFill", "", "w", shape=[2], values=[1, 2])]))
    net(out, "shape_of_values", [Operator("Add", "x w", "y")], "x w", weights=Net(
        "init", [Operator("GivenTensorFill", "", "w", shape=[-2], values=[1.0, 2.0])]))
    inner = Net("inner", [RELU]).binary()
    folder = net(out, "inner_net", [RELU])
    operator = texts(1, ["x"]) + texts(2, ["y"]) + texts(4, ["If"]) + field(5, texts(1, ["then_net"]) + field(8, inner))
    (folder / "predict_net.pb").write_bytes(field(2, operator))
    operator = texts(1, ["x"]) + texts(2, ["y"]) + texts(4, ["Scale"]) + field(5, texts(1, ["scale"]) + field(10, b""))
    (net(out, "tensor_argument", [RELU]) / "predict_net.pb").write_bytes(field(2, operator))


def recurrent(out):
    def broken(name, step=None, **changed):
        good = Net("step", [Operator("Sum", "before input_t", "sum"), Operator("Tanh", "sum", "after")])
        operator = recurrent_net(step or good, "x", {"before": "h"}, {"before": "after"}, [])
        operator.arguments.update(changed)
        for absent in [name for name, value in changed.items() if value is None]:
            del operator.arguments[absent]
        net(out, name, [operator], "x h")

    broken("no_step", step_net=None)
    broken("step_is_prose", step_net="Run this twice.")
    broken("step_unknown", Net("step", [Operator("Sum", "before input_t", "sum"), Operator("Tahn", "sum", "after")]))
    broken("step_unmade", Net("step", [Operator("Sum", "before input_t", "sum"), Operator("Tanh", "ghost", "after")]))
    broken("step_without_next", Net("step", [Operator("Sum", "before input_t", "sum")]))
    broken("step_window", link_window=[1, 1, 2])
    broken("step_offset", link_offset=[0, 1, 1])
    broken("step_links", link_external=["before_states"])
    broken("step_state", initial_recurrent_state_ids=[7])
    broken("step_alias", alias_src=["x", "x"])
    broken("step_no_next", link_offset=[0, 0, 0])
    net(out, "step_shape", [recurrent_net(Net("step", [Operator("Copy", "input_t", "after")]), "x", {"before": "h"},
                                          {"before": "after"}, [])], "x h")


def hosted(out):
    boxes = lambda **arguments: [Operator("BoxWithNMSLimit", "s b", "x y z", **arguments)]
    net(out, "host_kind", boxes(nms="much"), "s b")
    net(out, "host_name", boxes(nmss=0.5), "s b")
    net(out, "host_shape", boxes(), "s b")
    net(out, "host_rotated", boxes(rotated=1), "s b")
    net(out, "host_lengths", [Operator("LengthsTile", "x l", "y")], "x l")
    net(out, "host_label", [Operator("SparseLabelSplit", "l i v", "a b c", num_labels=1)], "l i v")
    numpy.save(pathlib.Path(out, "negative.npy"), numpy.array([2, -1], numpy.int32))


def files(out):
    whole = Net("truncated", [RELU, Operator("Conv", "y w", "z", kernel=3)], "x w").binary()
    for name, data in {
            "truncated": whole[:-20], "inside": whole[:40] + b"\xff" * 3 + whole[43:],
            "rubbish": b"\x0a\x03abc\x07\x07", "empty": b""}.items():
        folder = pathlib.Path(out, name)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "predict_net.pb").write_bytes(data)
    for name, text in {
            "prose": "A net of many operators.\n", "field": 'name: "net"\nop {\n  inputs: "x"\n}\n',
            "open": 'name: "net"\nop {\n  input: "x"\n',
            "solver": 'net: "train.prototxt"\nbase_lr: 0.01\n'}.items():
        folder = pathlib.Path(out, name)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "predict_net.pbtxt").write_text(text)
    pathlib.Path(out, "no_net").mkdir(parents=True, exist_ok=True)
    for name, value in {"ports": {"x": [1]}, "kind": {"x": [77, [1, 2]]}, "size": {"x": [1, [-1]]},
                        "list": [1]}.items():
        (net(out, "info_" + name, [RELU]) / "value_info.json").write_text(json.dumps(value))
    (net(out, "info_text", [RELU]) / "value_info.json").write_text("{")


def right(out):
    """Nets without a mistake, which run on x."""
    scale = Operator("Scale", "w", "v", scale=2.0)
    ones = init_net({"w": numpy.ones((2, 3), F)})
    net(out, "computes", [Operator("Add", "x v", "y")], "x v",
        weights=Net("init", [*ones.operators, scale, Operator("Relu", "v", "v")]))
    net(out, "in_place", [Operator("Scale", "x", "x", scale=2.0), Operator("Relu", "x", "x"),
                          Operator("Sum", "x x", "x")], outputs="x")
    net(out, "overwritten", [Operator("Add", "x w", "w"), Operator("Mul", "w x", "y"), Operator("Free", "w", "w")],
        "x w", "y", ones)
    numpy.save(pathlib.Path(out, "x.npy"), numpy.arange(-2, 4, dtype=F).reshape(2, 3))


def write(out):
    operators(out)
    recurrent(out)
    hosted(out)
    files(out)
    right(out)
