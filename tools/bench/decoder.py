# SPDX-License-Identifier: MIT
"""A language model that decodes, with weights of 4 bits: 12 of the layers of
TinyLlama, as exporters for ONNX Runtime write them."""

import dataclasses
import math

import numpy as np
from onnx import TensorProto


@dataclasses.dataclass
class Shape:
    """The sizes of a model: `shared` heads of keys for `heads` of queries."""

    layers: int = 12
    width: int = 2048
    inner: int = 5632
    heads: int = 32
    shared: int = 4
    words: int = 32000

    @property
    def each(self):
        return self.width // self.heads


BLOCK = 32  # weights of a scale
PLACES = 2048  # of which sines and cosines are in the model
MICROSOFT = "com.microsoft"


def few_bits(g, x, width):
    """x times a matrix, whose numbers of 4 bits have 8 for zero, and a scale
    for each block."""
    features = x.shape[-1]
    blocks = features // BLOCK
    # The mean square of -8 to 7 is 21.5.
    step = math.sqrt(1 / features / 21.5)
    codes = g.random.randint(256, size=[width, blocks, BLOCK // 2])
    scales = step * (0.8 + 0.4 * g.random.random_sample([width * blocks]))
    g.parameters += width * features
    g.macs += math.prod(x.shape) * width
    return g.node("MatMulNBits", [x, g.tensor(codes.astype(np.uint8), "weights"),
                                  g.tensor(scales.astype(np.float32), "scales")],
                  [*x.shape[:-1], width], domain=MICROSOFT, K=features,
                  N=width, bits=4, block_size=BLOCK)


def rmsnorm(g, x):
    """x / sqrt(mean(x^2)), with a factor for each feature."""
    square = g.binary("Pow", x, g.constant(2.0))
    mean = g.node("ReduceMean", [square], x.shape[:-1] + [1], axes=[-1],
                  keepdims=1)
    root = g.unary("Sqrt", g.add(mean, g.constant(1e-5)))
    draw = g.random.random_sample(x.shape[-1])
    return g.multiply(g.weight(0.8 + 0.4 * draw, "scale"),
                      g.binary("Div", x, root))


def angles(g, each):
    """Cosines and sines of the places of tokens."""
    speeds = 10000.0 ** (-np.arange(0, each, 2) / each)
    turns = np.outer(np.arange(PLACES), speeds)
    return [g.tensor(function(turns).astype(np.float32), name)
            for function, name in ((np.cos, "cosines"), (np.sin, "sines"))]


def decode(g, batch, rows, held, of=Shape(), product=few_bits):
    """`rows` new tokens after `held` others, of which keys and values are
    given. `product` makes the product of rows and weights."""
    ids = g.input("input_ids", [batch, rows], below=of.words)
    keys = [batch, held + rows]
    mask = g.input("attention_mask", keys, below=2,
                   example=np.ones(keys, np.int64))
    # The number of keys less one, and the length of the mask.
    count = g.node("ReduceSum", [mask, g.integers([1])], [batch], keepdims=0)
    last = g.unary("Cast", g.binary("Sub", count, g.integers(1)),
                   to=TensorProto.INT32)
    total = g.node("Gather", [g.node("Shape", [mask], [2]), g.integers(1)],
                   [], axis=0)
    total = g.unary("Cast", total, to=TensorProto.INT32)
    cosines, sines = angles(g, of.each)
    x = g.look_up(g.embedding(of.words, of.width), ids)
    pasts = [[g.input(f"past_key_values.{layer}.{part}",
                      [batch, of.shared, held, of.each]) if held else ""
              for part in ("key", "value")] for layer in range(of.layers)]
    for layer, past in enumerate(pasts):
        y = rmsnorm(g, x)
        parts = [product(g, y, heads * of.each)
                 for heads in (of.heads, of.shared, of.shared)]
        cache = [batch, of.shared, held + rows, of.each]
        y, *present = g.nodes_of(
            "GroupQueryAttention", [*parts, *past, last, total, cosines, sines],
            [parts[0].shape, cache, cache], domain=MICROSOFT, do_rotary=1,
            num_heads=of.heads, kv_num_heads=of.shared)
        for value, part in zip(present, ("key", "value")):
            g.output(value, f"present.{layer}.{part}")
        x = g.add(x, product(g, y, of.width))
        y = rmsnorm(g, x)
        y = g.multiply(g.silu(product(g, y, of.inner)),
                       product(g, y, of.inner))
        x = g.add(x, product(g, y, of.width))
    g.output(product(g, rmsnorm(g, x), of.words), "logits")


def decoder_int4_step(g, batch):
    """One token after 128 others."""
    decode(g, batch, rows=1, held=128)


def decoder_int4_prefill(g, batch):
    """64 tokens that are the first ones."""
    decode(g, batch, rows=64, held=0)


NETWORKS = [decoder_int4_step, decoder_int4_prefill]
