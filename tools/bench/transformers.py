# SPDX-License-Identifier: MIT
"""Transformers, with attention spelled out in the operators of an export."""

import math

import numpy as np
from onnx import TensorProto


def layernorm(g, x):
    """Over the last axis; in primitives before there was an operator."""
    width = x.shape[-1]
    draw = g.random.random_sample
    scale = g.weight(0.8 + 0.4 * draw(width), "scale")
    bias = g.weight(0.2 * draw(width) - 0.1, "bias")
    if g.opset >= 17:
        return g.node("LayerNormalization", [x, scale, bias], x.shape,
                      axis=-1, epsilon=1e-5)

    def mean(x):
        return g.node("ReduceMean", [x], x.shape[:-1] + [1], axes=[-1],
                      keepdims=1)

    centred = g.binary("Sub", x, mean(x))
    variance = mean(g.binary("Pow", centred, g.constant(2.0)))
    deviation = g.unary("Sqrt", g.add(variance, g.constant(1e-5)))
    return g.add(g.multiply(g.binary("Div", centred, deviation), scale), bias)


def gelu(g, x):
    """x / 2 * (1 + erf(x / sqrt(2)))"""
    erf = g.unary("Erf", g.binary("Div", x, g.constant(math.sqrt(2))))
    return g.multiply(g.multiply(x, g.add(erf, g.constant(1.0))),
                      g.constant(0.5))


def gelu_tanh(g, x):
    """x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))"""
    cube = g.binary("Pow", x, g.constant(3.0))
    inner = g.add(x, g.multiply(cube, g.constant(0.044715)))
    tanh = g.unary("Tanh", g.multiply(inner,
                                      g.constant(math.sqrt(2 / math.pi))))
    return g.multiply(g.multiply(x, g.constant(0.5)),
                      g.add(tanh, g.constant(1.0)))


def split_linear(g, x):
    """Queries, keys and values from one wide projection."""
    batch, length, width = x.shape
    parts = [g.linear(x, 3 * width), g.integers([width] * 3)]
    return g.nodes_of("Split", parts, [[batch, length, width]] * 3, axis=2)


def three_linears(g, x):
    return [g.linear(x, x.shape[-1]) for _ in range(3)]


def attention(g, x, heads, project, mask=lambda scores: scores):
    """Of many heads; `mask` makes scores of what may not be seen small."""
    batch, length, width = x.shape
    each = width // heads
    queries, keys, values = (
        g.reshape(part, [batch, length, heads, each])
        for part in project(g, x))
    queries = g.transpose(queries, [0, 2, 1, 3])
    keys = g.transpose(keys, [0, 2, 3, 1])
    values = g.transpose(values, [0, 2, 1, 3])
    scores = g.binary("Div", g.matmul(queries, keys),
                      g.constant(math.sqrt(each)))
    seen = g.matmul(g.softmax(mask(scores)), values)
    seen = g.transpose(seen, [0, 2, 1, 3])
    return g.linear(g.reshape(seen, [batch, length, width]), width)


def feed_forward(g, x, activation):
    width = x.shape[-1]
    return g.linear(activation(g, g.linear(x, 4 * width)), width)


def bert(g, batch, layers, width, heads, length=128, words=30522):
    ids = g.input("input_ids", [batch, length], below=words)
    mask = g.input("attention_mask", [batch, length], below=2)
    types = g.input("token_type_ids", [batch, length], below=2)
    # 0 where a token may be seen, -10000 elsewhere, for all heads.
    shape = [batch, 1, 1, length]
    mask = g.node("Unsqueeze", [mask, g.integers([1, 2])], shape)
    mask = g.unary("Cast", mask, to=TensorProto.FLOAT)
    mask = g.multiply(g.binary("Sub", g.constant(1.0), mask),
                      g.constant(-10000.0))
    word = g.look_up(g.embedding(words, width), ids)
    kind = g.look_up(g.embedding(2, width, 0.5), types)
    place = g.weight(g.uniform([1, length, width], 0.5), "position")
    x = layernorm(g, g.add(g.add(word, kind), place))
    for _ in range(layers):
        y = attention(g, x, heads, three_linears,
                      lambda scores: g.add(scores, mask))
        x = layernorm(g, g.add(y, x))
        x = layernorm(g, g.add(feed_forward(g, x, gelu), x))
    g.output(x, "last_hidden_state")
    pooled = g.gemm(g.gather(x, 0, axis=1), width, gain=1.0)
    g.output(g.unary("Tanh", pooled), "pooler_output")


def bert_base(g, batch):
    bert(g, batch, layers=12, width=768, heads=12)


def bert_tiny(g, batch):
    bert(g, batch, layers=2, width=128, heads=2)


def gpt2_small(g, batch):
    """All logits of 64 tokens; the table of words is used at both ends."""
    layers, width, heads, length, words = 12, 768, 12, 64, 50257
    ids = g.input("input_ids", [batch, length], below=words)
    table = g.embedding(words, width)
    x = g.add(g.look_up(table, ids),
              g.weight(g.uniform([1, length, width], 0.5), "position"))
    earlier = g.tensor(np.tril(np.ones([1, 1, length, length], dtype=bool)),
                       "causal")

    def mask(scores):
        return g.node("Where", [earlier, scores, g.constant(-1e9)],
                      scores.shape)

    for _ in range(layers):
        x = g.add(x, attention(g, layernorm(g, x), heads, split_linear, mask))
        x = g.add(x, feed_forward(g, layernorm(g, x), gelu_tanh))
    x = layernorm(g, x)
    g.output(g.matmul(x, g.transpose(table, [1, 0])), "logits")


def vit(g, batch, width, heads, layers=12, patch=16):
    """224x224 in patches, a class token, normalization before each block."""
    x = g.input("image", [batch, 3, 224, 224])
    x = g.conv(x, width, patch, stride=patch, pad=0, bias=True, gain=1.0)
    patches = x.shape[2] * x.shape[3]
    x = g.transpose(g.reshape(x, [batch, width, patches]), [0, 2, 1])
    token = g.weight(g.uniform([1, 1, width], 0.5), "class_token")
    if batch != 1:
        shape = [batch, 1, width]
        token = g.node("Expand", [token, g.integers(shape)], shape)
    x = g.add(g.concat([token, x]),
              g.weight(g.uniform([1, patches + 1, width], 0.5), "position"))
    for _ in range(layers):
        x = g.add(x, attention(g, layernorm(g, x), heads, split_linear))
        x = g.add(x, feed_forward(g, layernorm(g, x), gelu))
    first = g.gather(layernorm(g, x), 0, axis=1)
    g.output(g.gemm(first, 1000, gain=1.0), "logits")


def vit_tiny(g, batch):
    vit(g, batch, width=192, heads=3)


def vit_small(g, batch):
    vit(g, batch, width=384, heads=6)


NETWORKS = [bert_base, bert_tiny, vit_tiny, vit_small, gpt2_small]
