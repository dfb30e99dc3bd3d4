# SPDX-License-Identifier: MIT
"""decoder.py MODEL [batch=N] [heads=N] [shared=N] [seed=N] [plain] [masked]

A small language model with a cache, as exporters write it: input_ids [N,S] and
past.I.key, past.I.value [N,H,P,D] give logits [N,S,V] and present.I.key,
present.I.value [N,H,P+S,D]. `shared` heads of queries read one of the cache;
`plain` has no cache, and a causal mask alone; `masked` has the inputs
attention_mask [N,T] and position_ids [N,S], too."""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save

LAYERS, WORDS, PLACES, DEPTH = 2, 64, 96, 8


class Decoder:
    def __init__(self, batch=1, heads=2, shared=2, seed=7, plain=False,
                 masked=False):
        self.batch, self.heads, self.shared = batch, heads, shared
        self.plain, self.masked = plain, masked
        self.width = heads * shared * DEPTH
        self.random = numpy.random.RandomState(seed)
        self.nodes, self.weights, self.outputs = [], [], []
        sizes = {"input_ids": "S"}
        if masked:
            sizes.update(attention_mask="T", position_ids="S")
        self.inputs = [self.value(name, [batch, size], TensorProto.INT64)
                       for name, size in sizes.items()]

    @staticmethod
    def value(name, shape, kind=TensorProto.FLOAT):
        return helper.make_tensor_value_info(name, kind, shape)

    def weight(self, array):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def floats(self, *shape, scale=1.0):
        drawn = scale * self.random.standard_normal(shape) / shape[0] ** 0.5
        return self.weight(drawn.astype("f4"))

    def integers(self, value):
        return self.weight(numpy.array(value, "i8"))

    def node(self, operator, *inputs, name=None, **attributes):
        output = name or f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output],
                                           name=output, **attributes))
        return output

    def size(self, tensor, axis):
        return self.node("Gather", self.node("Shape", tensor),
                         self.integers(axis), axis=0)

    def split_heads(self, rows, heads):
        """[N,S,heads*D] to [N,heads,S,D]."""
        split = self.node("Reshape", rows, self.integers([0, 0, heads, DEPTH]))
        return self.node("Transpose", split, perm=[0, 2, 1, 3])

    def cached(self, heads, layer, what):
        if self.plain:
            return heads
        shape = [self.batch, self.heads, "P", DEPTH]
        self.inputs.append(self.value(f"past.{layer}.{what}", shape))
        self.outputs.append(self.value(f"present.{layer}.{what}",
                                       shape[:2] + ["PS", DEPTH]))
        return self.node("Concat", f"past.{layer}.{what}", heads, axis=2,
                         name=f"present.{layer}.{what}")

    def repeated(self, heads):
        if self.shared == 1:
            return heads
        one = self.node("Unsqueeze", heads, self.integers([2]))
        ends = [self.integers([self.batch, self.heads, self.shared]),
                self.node("Unsqueeze", self.end, self.integers([0])),
                self.integers([DEPTH])]
        every = self.node("Expand", one, self.node("Concat", *ends, axis=0))
        joined = [self.integers([self.batch, self.heads * self.shared]),
                  ends[1], ends[2]]
        return self.node("Reshape", every, self.node("Concat", *joined, axis=0))

    def attention(self, x, layer):
        keys = self.heads * DEPTH
        q = self.split_heads(
            self.node("MatMul", x, self.floats(self.width, self.width, scale=3)),
            self.heads * self.shared)
        k, v = (self.repeated(self.cached(self.split_heads(
            self.node("MatMul", x, self.floats(self.width, keys, scale=3)),
            self.heads), layer, what)) for what in ("key", "value"))
        scores = self.node("MatMul", q,
                           self.node("Transpose", k, perm=[0, 1, 3, 2]))
        scores = self.node("Mul", scores,
                           self.weight(numpy.array(DEPTH ** -0.5, "f4")))
        scores = self.node("Where", self.seen, scores,
                           self.weight(numpy.array(-1e9, "f4")))
        shares = self.node("Softmax", scores, axis=-1)
        rows = self.node("Transpose", self.node("MatMul", shares, v),
                         perm=[0, 2, 1, 3])
        joined = self.node("Reshape", rows, self.integers([0, 0, self.width]))
        return self.node("MatMul", joined,
                         self.floats(self.width, self.width, scale=2))

    def write(self, path):
        zero, one = self.integers(0), self.integers(1)
        begin = zero if self.plain else self.size("past.0.key", 2)
        self.end = self.node("Add", begin, self.size("input_ids", 1))
        places = self.node("Range", begin, self.end, one)
        self.seen = self.node(
            "GreaterOrEqual",
            self.node("Unsqueeze", places, self.integers([1])),
            self.node("Unsqueeze", self.node("Range", zero, self.end, one),
                      self.integers([0])))
        if self.masked:
            kept = self.node("Cast", "attention_mask", to=TensorProto.BOOL)
            self.seen = self.node("And", self.seen, self.node(
                "Unsqueeze", kept, self.integers([1, 2])))
            places = "position_ids"
        words = self.floats(WORDS, self.width, scale=8)
        x = self.node("Add", self.node("Gather", words, "input_ids"),
                      self.node("Gather", self.floats(PLACES, self.width,
                                                      scale=9), places))
        for layer in range(LAYERS):
            x = self.node("Add", x, self.attention(x, layer))
            inner = self.node("Relu", self.node(
                "MatMul", x, self.floats(self.width, 2 * self.width, scale=2)))
            x = self.node("Add", x, self.node(
                "MatMul", inner, self.floats(2 * self.width, self.width)))
        self.node("MatMul", x, self.floats(self.width, WORDS), name="logits")
        logits = self.value("logits", [self.batch, "S", WORDS])
        graph = helper.make_graph(self.nodes, "decoder", self.inputs,
                                  [logits] + self.outputs, self.weights)
        save(helper.make_model(graph, ir_version=8, opset_imports=[
            helper.make_opsetid("", 17)]), path)


if __name__ == "__main__":
    path, *words = sys.argv[1:]
    Decoder(plain="plain" in words, masked="masked" in words,
            **{word.split("=")[0]: int(word.split("=")[1])
               for word in words if "=" in word}).write(path)
