# SPDX-License-Identifier: MIT
"""Small nets for commands: a picture's classes, bags of features, and a net that repeats a step."""

import pathlib

import numpy

from nets.net import Net, Operator, init_net, write_ports
from nets.recurrent import recurrent_net

F, W = numpy.float32, numpy.int32
random = numpy.random.RandomState(58)


def real(*shape):
    return random.uniform(-0.5, 0.5, shape).astype(F)


def net(out, name, operators, outputs, weights, inputs):
    folder = pathlib.Path(out, name)
    Net(name, operators, " ".join([*inputs, *weights]), outputs).write(folder / "predict_net.pb")
    init_net(weights).write(folder / "init_net.pb")
    write_ports(folder, inputs)
    for each, array in inputs.items():
        numpy.save(folder / f"{each}.npy", array)
        array.tofile(folder / f"{each}.raw")
    data = folder / "data"
    data.mkdir(exist_ok=True)
    numpy.savez(data / "0.npz", **inputs)


def write(out):
    net(out, "classes", [
        Operator("Conv", "image w0 b0", "a", "first", kernel=3, pad=1, stride=2), Operator("Relu", "a", "a"),
        Operator("MaxPool", "a", "p", kernel=2, stride=2),
        Operator("Conv", "p w1 b1", "c", "second", kernel=3, pad=1), Operator("Relu", "c", "c"),
        Operator("AveragePool", "c", "m", global_pooling=1), Operator("FC", "m w2 b2", "z", "layer"),
        Operator("Softmax", "z", "probabilities")], "probabilities",
        {"w0": real(8, 1, 3, 3), "b0": real(8), "w1": real(16, 8, 3, 3), "b1": real(16), "w2": real(10, 16),
         "b2": real(10)}, {"image": real(1, 1, 28, 28)})
    net(out, "bags", [
        Operator("SparseLengthsSum", "table rows lengths", "s"), Operator("FC", "dense w b", "d"),
        Operator("Concat", "s d", "x info", axis=1), Operator("Sigmoid", "x", "y")], "y",
        {"table": real(20, 4), "w": real(4, 3), "b": real(4)},
        {"rows": random.randint(0, 20, 6), "lengths": numpy.array([2, 4], W), "dense": real(2, 3)})
    step = Net("step", [Operator("FC", "before w b", "sum", axis=2), Operator("Sum", "sum input_t", "sum"),
                        Operator("Tanh", "sum", "hidden")], "input_t timestep before w b", "hidden")
    net(out, "steps", [recurrent_net(step, "x", {"before": "h0"}, {"before": "hidden"}, ["w", "b"])], "hidden_all",
        {"w": real(4, 4), "b": real(4), "h0": real(1, 2, 4)}, {"x": real(5, 2, 4)})
    net(out, "regions", [
        Operator("GenerateProposals", "scores deltas size anchors", "r p", spatial_scale=0.25, min_size=2,
                 nms_thresh=0.5, post_nms_topN=5),
        Operator("RoIAlign", "features r", "y", pooled_h=2, pooled_w=2, sampling_ratio=2, spatial_scale=0.25)],
        "r y", {"anchors": numpy.array([[-4, -4, 7, 7], [0, 0, 15, 11]], F)},
        {"scores": real(1, 2, 4, 4), "deltas": real(1, 8, 4, 4), "size": numpy.array([[20, 20, 1]], F),
         "features": real(1, 3, 4, 4)})
