#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the models of the benchmark as ONNX files, with an example of inputs
beside each: NAME.inputs/INPUT.npy. A model in 8 bits has NAME.steps.json too.

They have the shapes, operators and cost of the published networks, and random
weights: their answers mean nothing. The same arguments write the same bytes.
"""

import argparse
import json
import math
import os

import numpy as np

import decoder
import detector
import quantized
import transformers
import vision
from graph import Graph


def mlp(g, batch):
    x = g.input("x", [batch, 784])
    for _ in range(3):
        x = g.relu(g.gemm(x, 1024))
    g.output(g.softmax(g.gemm(x, 10, gain=1.0)), "probability")


def lstm(g, batch):
    """Two layers, 50 steps, [steps, batch, features]."""
    steps, width = 50, 512
    bound = 1 / math.sqrt(width)
    x = g.input("x", [steps, batch, width])
    for _ in range(2):
        weights = [
            g.weight(g.uniform([1, 4 * width, width], bound), "weights"),
            g.weight(g.uniform([1, 4 * width, width], bound), "recurrence"),
            g.weight(g.uniform([1, 8 * width], bound), "bias")]
        y = g.node("LSTM", [x, *weights], [steps, 1, batch, width],
                   hidden_size=width)
        g.macs += steps * batch * 8 * width * width
        x = g.node("Squeeze", [y, g.integers([1])], [steps, batch, width])
    g.output(g.gemm(g.gather(x, -1, axis=0), 256, gain=1.0), "logits")


def dlrm(g, batch):
    """Recommendation: dense features and 26 looked up ones, the products of
    all pairs of them, and a dense network on top."""
    tables, rows, width = 26, 10000, 64
    x = g.input("dense", [batch, 13])
    ids = g.input("sparse", [batch, tables], below=rows)
    for size in [512, 256, width]:
        x = g.relu(g.gemm(x, size))
    features = [g.reshape(x, [batch, 1, width])]
    for table in range(tables):
        column = g.node("Gather", [ids, g.integers([table])], [batch, 1],
                        axis=1)
        features.append(g.look_up(g.embedding(rows, width), column))
    count = tables + 1
    z = g.concat(features)
    products = g.reshape(g.matmul(z, g.transpose(z, [0, 2, 1])),
                         [batch, count * count])
    pairs = g.tensor(np.array([i * count + j for i in range(count)
                               for j in range(i)]), "pairs")
    products = g.node("Gather", [products, pairs], [batch, pairs.shape[0]],
                      axis=1)
    x = g.concat([x, products])
    for size in [1024, 512, 256]:
        x = g.relu(g.gemm(x, size))
    g.output(g.unary("Sigmoid", g.gemm(x, 1, gain=1.0)), "probability")


def audio_ds1d(g, batch):
    """Words in a second of sound: depthwise and pointwise convolutions along
    the time, 64 bands of 400 frames."""
    x = g.conv_relu(g.input("mel", [batch, 64, 400]), 128, 11, stride=2)
    for channels, size in [(128, 13), (192, 15), (256, 17), (256, 21)]:
        for _ in range(2):
            each = x.shape[1]
            y = g.conv_relu(x, each, size, group=each)
            y = g.batchnorm(g.conv(y, channels, 1, gain=1.0))
            x = g.relu(g.add(x, y) if each == channels else y)
    x = g.pool_all(g.conv_relu(x, 512, 1))
    g.output(g.softmax(g.gemm(x, 35, gain=1.0)), "probability")


MODELS = {network.__name__: network for network in [
    *vision.NETWORKS, *transformers.NETWORKS, lstm, audio_ds1d, mlp, dlrm,
    *quantized.NETWORKS, *decoder.NETWORKS, *detector.NETWORKS]}


class Files:
    """Where a model and its inputs are, and the steps of its outputs, if they
    are made of 8 bits (Graph.output_steps)."""

    def __init__(self, folder, name, batch=1):
        base = name if batch == 1 else f"{name}_b{batch}"
        self.model = os.path.join(folder, base + ".onnx")
        self.folder = os.path.join(folder, base + ".inputs")
        self.steps = os.path.join(folder, base + ".steps.json")

    def inputs(self):
        """The file of each input."""
        return {file.removesuffix(".npy"): os.path.join(self.folder, file)
                for file in sorted(os.listdir(self.folder))}

    def write(self, graph):
        os.makedirs(self.folder, exist_ok=True)
        for name, example in graph.examples.items():
            np.save(os.path.join(self.folder, name + ".npy"), example)
        if graph.output_steps:
            with open(self.steps, "w") as file:
                json.dump(graph.output_steps, file)
        # The model is written atomically, and last: a later run reuses the
        # files.
        with open(self.model + ".part", "wb") as file:
            file.write(graph.model().SerializeToString(deterministic=True))
        os.replace(self.model + ".part", self.model)


def make(name, batch=1, opset=17, seed=0):
    graph = Graph(name, opset, seed)
    MODELS[name](graph, batch)
    return graph


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL",
                        help="default: all; there are " + ", ".join(MODELS))
    parser.add_argument("--out", default=".", metavar="DIR",
                        help="default: the current folder")
    parser.add_argument("--batch", type=int, default=1, metavar="N",
                        help="size of dimension 0; default 1; in the name of "
                        "the file when it is another")
    parser.add_argument("--opset", type=int, default=17, metavar="N",
                        choices=range(13, 18), help="13 to 17, the default")
    parser.add_argument("--seed", type=int, default=0, metavar="N",
                        help="of the weights; default 0")
    options = parser.parse_args()
    for name in options.models:
        if name not in MODELS:
            parser.error(f"no model is named '{name}'; there are "
                         + ", ".join(MODELS))
    if options.batch < 1:
        parser.error(f"--batch is {options.batch}; it should be 1 or more")
    for name in options.models or MODELS:
        graph = make(name, options.batch, options.opset, options.seed)
        Files(options.out, name, options.batch).write(graph)
        print(f"{name}: {len(graph.nodes)} nodes, "
              f"{graph.parameters / 1e6:.2f} million parameters, "
              f"{graph.macs / 1e6:.1f} million multiply-adds", flush=True)


if __name__ == "__main__":
    main()
