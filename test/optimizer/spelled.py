# SPDX-License-Identifier: MIT
"""Writes models that spell out what ONNX has operators for, as exporters do, and
prints the nodes that each of them becomes.

  spelled.py FOLDER [ROWS]

ROWS are of how many images of how many rows, as "2x3", which is the default. Models
that need those are left out for others.
"""

import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SHAPE = [*map(int, (sys.argv[2] if len(sys.argv) > 2 else "2x3").split("x")), 64]
HELPERS = ("heads", "products", "attention", "repeated_rows", "first_row", "main")
CONSTANTS = ("read", "splat", "broadcast")  # and what repeats them


class Graph:
    """Nodes in order; a number, or a list, is a constant."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def value(self, x, kind=np.float32):
        if isinstance(x, str):
            return x
        self.constants.append(numpy_helper.from_array(
            np.array(x, kind), f"c{len(self.constants)}"))
        return self.constants[-1].name

    def __getattr__(self, operator):
        def add(*inputs, **attributes):
            inputs = [self.value(x) for x in inputs]
            name = f"t{len(self.nodes)}"
            self.nodes.append(helper.make_node(operator, inputs, [name],
                                               **attributes))
            return name
        return add

    def reshaped(self, x, dims):
        return self.Reshape(x, self.value(dims, np.int64))

    def mean(self, x, keepdims=1):
        return self.ReduceMean(x, axes=[-1], keepdims=keepdims)

    def model(self, result, shape):
        def information(name, dims):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
        graph = helper.make_graph(
            self.nodes, "spelled", [information("x", shape)],
            [information(result, None)], self.constants)
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


SCALE = list(np.linspace(0.5, 1.5, 64))
BIAS = list(np.linspace(-1, 1, 64))


# Normalisations: by a quotient, a product with an inverse, or a power; the square
# as a power or a product; the row centred once or twice.

def layer_norm_of_pytorch(g):
    d = g.Sub("x", g.mean("x"))
    root = g.Sqrt(g.Add(g.mean(g.Pow(d, 2.0)), 1e-5))
    return g.Add(g.Mul(g.Div(d, root), SCALE), BIAS)


def layer_norm_of_two_differences(g):
    d = g.Sub("x", g.mean("x"))
    e = g.Sub("x", g.mean("x"))
    root = g.Sqrt(g.Add(1e-5, g.mean(g.Mul(e, e))))
    return g.Add(BIAS, g.Mul(SCALE, g.Mul(g.Reciprocal(root), d)))


def layer_norm_of_power(g):
    d = g.Sub("x", g.mean("x"))
    return g.Mul(g.Pow(g.Add(g.mean(g.Mul(d, d)), 1e-5), -0.5), d)


def layer_norm_of_tensorflow(g):
    m = g.mean("x")
    d = g.Sub("x", m)
    i = g.Mul(g.Reciprocal(g.Sqrt(g.Add(g.mean(g.Mul(d, d)), 1e-5))), SCALE)
    return g.Add(g.Mul("x", i), g.Sub(BIAS, g.Mul(m, i)))


def layer_norm_of_axes_put_back(g):
    d = g.Sub("x", g.Unsqueeze(g.mean("x", 0), g.value([-1], np.int64)))
    v = g.Unsqueeze(g.mean(g.Mul(d, d), 0), g.value([2], np.int64))
    return g.Div(d, g.Sqrt(g.Add(v, 1e-5)))


def rms_norm_of_llama(g):
    root = g.Sqrt(g.Add(g.mean(g.Pow("x", 2.0)), 1e-6))
    return g.Mul(SCALE, g.Mul("x", g.Div(1.0, root)))


def rms_norm_of_quotient(g):
    return g.Mul(g.Div("x", g.Sqrt(g.Add(g.mean(g.Mul("x", "x")), 1e-6))),
                 SCALE)


# Shares.

def softmax_of_jax(g):
    e = g.Exp(g.Sub("x", g.ReduceMax("x", axes=[-1])))
    return g.Div(e, g.ReduceSum(e, g.value([-1], np.int64)))


def softmax_without_shift(g):
    e = g.Exp("x")
    return g.Mul(e, g.Reciprocal(g.ReduceSum(e, g.value([2], np.int64))))


def log_softmax_of_jax(g):
    d = g.Sub("x", g.ReduceMax("x", axes=[-1]))
    return g.Sub(d, g.Log(g.ReduceSum(g.Exp(d), g.value([-1], np.int64))))


def log_softmax_of_softmax(g):
    return g.Log(g.Softmax("x", axis=-1))


# Attention: heads, and keys as columns.

def heads(g, x, order=(0, 2, 1, 3)):
    return g.Transpose(g.reshaped(x, [*SHAPE[:2], 4, 16]), perm=list(order))


def attention(g, scores):
    mixed = g.MatMul(g.Softmax(scores, axis=-1), heads(g, g.Cos("x")))
    return g.reshaped(g.Transpose(mixed, perm=[0, 2, 1, 3]), SHAPE)


def products(g):
    return g.MatMul(heads(g, "x"), heads(g, g.Sin("x"), (0, 2, 3, 1)))


def attention_alone(g):
    return attention(g, products(g))


def attention_with_a_mask(g):
    mask = np.zeros([SHAPE[0], 1, 1, SHAPE[1]]) - 5
    return attention(g, g.Add(g.Div(products(g), 4.0), mask.tolist()))


def attention_where_it_sees(g):
    seen = g.value(np.tri(SHAPE[1]).tolist(), np.bool_)
    scaled = g.Mul(0.25, products(g))
    return attention(g, g.Where(seen, scaled, -1e9))


# Activations.

def gelu_of_pytorch(g):
    one = g.Add(g.Erf(g.Div("x", 2 ** 0.5)), 1.0)
    return g.Mul(g.Mul("x", one), 0.5)


def gelu_of_keras(g):
    one = g.Add(1.0, g.Erf(g.Mul("x", 0.5 ** 0.5)))
    return g.Mul(g.Mul(0.5, "x"), one)


def gelu_of_jax(g):
    one = g.Add(g.Erf(g.Div("x", 2 ** 0.5)), 1.0)
    return g.Mul("x", g.Mul(one, 0.5))


def gelu_tanh_of_transformers(g):
    cube = g.Mul(0.044715, g.Pow("x", 3.0))
    one = g.Add(1.0, g.Tanh(g.Mul((2 / np.pi) ** 0.5, g.Add("x", cube))))
    return g.Mul(g.Mul(0.5, "x"), one)


def gelu_tanh_of_factors(g):
    square = g.Mul(g.Mul(0.044715, "x"), "x")
    u = g.Mul(g.Mul("x", 0.7978845608), g.Add(1.0, square))
    return g.Mul("x", g.Mul(g.Add(1.0, g.Tanh(u)), 0.5))


def swish_of_sigmoid(g):
    return g.Mul(g.Sigmoid("x"), "x")


def swish_of_quick_gelu(g):
    return g.Mul("x", g.Sigmoid(g.Mul(1.702, "x")))


def swish_of_exp(g):
    return g.Div("x", g.Add(1.0, g.Exp(g.Neg("x"))))


def sigmoid_of_exp(g):
    return g.Div(1.0, g.Add(g.Exp(g.Neg("x")), 1.0))


def hard_swish_of_mobilenet(g):
    return g.Div(g.Mul("x", g.Clip(g.Add("x", 3.0), 0.0, 6.0)), 6.0)


def hard_swish_of_relu6(g):
    six = g.Min(g.Relu(g.Add(3.0, "x")), 6.0)
    return g.Mul("x", g.Mul(six, 1 / 6))


def hard_swish_of_hard_sigmoid(g):
    return g.Mul(g.HardSigmoid("x", alpha=1 / 6, beta=0.5), "x")


def clip_of_bounds(g):
    return g.Min(g.Max("x", -1.0), 2.0)


def clip_of_bounds_from_above(g):
    return g.Max(-1.0, g.Min([[2.0]], "x"))


def clip_of_crossed_bounds_is_none(g):
    return g.Max(g.Min("x", -1.0), 2.0)


def leaky_relu_of_max(g):
    return g.Max(g.Mul(0.1, "x"), "x")


def leaky_relu_of_where(g):
    return g.Where(g.Greater("x", 0.0), "x", g.Mul("x", 0.1))


def leaky_relu_of_steep_max_is_none(g):
    return g.Max("x", g.Mul("x", 2.0))


def where_it_always_is(g):
    always = g.value(np.ones([64], np.bool_).tolist(), np.bool_)
    return g.Where(always, g.Neg("x"), g.Exp("x"))


def bounds_beyond_a_range(g):
    return g.Relu(g.Clip(g.Softmax(g.Clip(g.Tanh("x"), -1.0, 1.0)), 0.0, 2.0))


# Models of images and of several rows follow.

IMAGES = True


# Views.

def relu_of_a_square(g):
    return g.Relu(g.Mul("x", "x"))


def tile_then_add(g):
    row = g.value([SCALE])
    return g.Add(g.Tile(g.Unsqueeze(row, g.value([0], np.int64)),
                        g.value([2, 3, 1], np.int64)), "x")


def gather_of_a_range(g):
    return g.Neg(g.Gather("x", g.value([62, 60, 58], np.int64), axis=2))


def sum_of_a_single_axis(g):
    return g.ReduceSum(g.reshaped("x", [2, 1, 3, 64]), g.value([1], np.int64))


def insertions(g):
    first = g.ScatterND("x", g.value([[0, 1]], np.int64), [SCALE])
    return g.ScatterND(first, g.value([[1, 2]], np.int64), [BIAS])


def channels_last_flatten(g):
    image = g.reshaped("x", [2, 3, 8, 8])
    last = g.Transpose(image, perm=[0, 2, 3, 1])
    return g.MatMul(g.reshaped(last, [2, 192]), np.ones([192, 4]).tolist())


def filter_of_a_single_pixel(g):
    weights = np.ones([5, 192, 3, 3]).tolist()
    return g.Conv(g.reshaped("x", [2, 192, 1, 1]), weights, pads=[1, 1, 1, 1])


def dilated_by_blocks(g):
    def turned(x):
        return g.Transpose(x, perm=[1, 0, 2, 3])
    blocks = turned(g.SpaceToDepth(turned(g.reshaped("x", [2, 3, 8, 8])), blocksize=2))
    images = g.Conv(blocks, np.ones([4, 3, 3, 3]).tolist(), pads=[1, 1, 1, 1])
    return turned(g.DepthToSpace(turned(images), blocksize=2))


def dilated_by_blocks_of_tensorflow(g):
    image = g.reshaped("x", [2, 8, 8, 3])
    blocks = g.SpaceToDepth(g.Transpose(image, perm=[3, 0, 1, 2]), blocksize=2)
    images = g.Transpose(g.Transpose(blocks, perm=[1, 2, 3, 0]), perm=[0, 3, 1, 2])
    y = g.Conv(images, np.ones([4, 3, 3, 3]).tolist(), pads=[1, 1, 1, 1])
    y = g.Transpose(g.Transpose(y, perm=[0, 2, 3, 1]), perm=[3, 0, 1, 2])
    return g.Transpose(g.DepthToSpace(y, blocksize=2), perm=[1, 2, 3, 0])


def repeated_rows(g):
    rows = g.reshaped("x", [6, 64])
    places = g.ArgMax(rows, axis=1)
    return rows, g.Expand(places, g.value([6, 64], np.int64))


def gather_of_repeated(g):
    return g.GatherElements(*repeated_rows(g), axis=0)


def scatter_of_repeated(g):
    rows, places = repeated_rows(g)
    return g.ScatterElements(rows, places, g.Neg(rows), axis=0)


def insertions_of_elements(g):
    first = g.ScatterElements("x", g.value([[[1] * 64]], np.int64), [[SCALE]], axis=1)
    return g.ScatterElements(first, g.value([[[2] * 64]], np.int64), [[BIAS]], axis=1)


def bias_behind_conv_transpose(g):
    y = g.ConvTranspose("x", np.ones([3, 4, 2]).tolist(), [1.0] * 4)
    return g.Add(y, [[1.0], [2.0], [3.0], [4.0]])


def batch_norm_before_conv(g):
    y = g.BatchNormalization("x", *4 * [[1.0, 2.0, 3.0]])
    return g.Conv(y, np.ones([4, 3, 2]).tolist())


def slice_of_concat(g):
    whole = g.Concat("x", g.Relu("x"), axis=1)
    return g.Slice(whole, g.value([4], np.int64), g.value([6], np.int64),
                   g.value([1], np.int64))


def concat_of_concat(g):
    inner = g.Concat("x", g.Relu("x"), axis=1)
    return g.Concat(inner, g.Abs("x"), axis=1)


def transposes_of_both_factors(g):
    a = g.Transpose("x", perm=[0, 2, 1])
    b = g.reshaped("x", [2, 64, 3])
    return g.MatMul(a, g.Transpose(b, perm=[0, 2, 1]))


def transposes_around_a_product(g):
    a = g.Transpose("x", perm=[0, 2, 1])
    weights = np.ones([2, 3, 5]).tolist()
    return g.Transpose(g.MatMul(a, weights), perm=[0, 2, 1])


def images_are_pooled(g):
    return g.ReduceMean(g.reshaped("x", [2, 3, 8, 8]), axes=[2, 3],
                        keepdims=0)


def quantised_twice(g):
    def pair(x):
        q = g.QuantizeLinear(x, 0.5, g.value(3, np.uint8))
        return g.DequantizeLinear(q, 0.5, g.value(3, np.uint8))
    return pair(pair(pair("x")))


def batch_norm_of_conv_transpose(g):
    y = g.ConvTranspose("x", np.ones([3, 4, 2]).tolist(), group=1)
    return g.BatchNormalization(y, *4 * [[1.0, 2.0, 3.0, 4.0]])


def batch_norm_of_gemm(g):
    y = g.Gemm(g.reshaped("x", [6, 64]), np.ones([64, 60]).tolist(), [1.0] * 60)
    return g.BatchNormalization(y, *4 * [[2.0] * 60])


def resize_by_one(g):
    return g.Neg(g.Resize("x", "", [1.0, 1.0, 1.0], mode="linear"))


def constants_in_a_chain(g):
    return g.Sub(g.Add(g.Div(g.Mul("x", 3.0), 2.0), 5.0), 1.5)


def first_row(g, x):
    return g.Slice(x, *[g.value([i], np.int64) for i in (0, 1, 1)])


def slice_of_chain(g):
    return first_row(g, g.Tanh(g.Add(g.Mul("x", "x"), [0.5] * 64)))


def slice_of_layer(g):
    y = g.MatMul("x", np.ones([64, 5]).tolist())
    return first_row(g, g.Tanh(g.Add(y, [0.5] * 5)))


def products_side_by_side(g):
    y = [g.Add(g.MatMul("x", np.ones([64, n]).tolist()), [0.5] * n)
         for n in (5, 7)]
    return g.Concat(*y, axis=2)


def products_added(g):
    y = [g.MatMul("x", np.full([64, 5], c).tolist()) for c in (1.0, 2.0)]
    return g.Add(*y)


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, build in list(globals().items()):
        if name == "IMAGES" and SHAPE[:2] != [2, 3]:
            break
        if not getattr(build, "__code__", None) or name in HELPERS:
            continue
        graph = Graph()
        file = folder / f"{name}.onnx"
        onnx.save(graph.model(build(graph), SHAPE), file)
        text = subprocess.run(["glow", "compile", file, "--emit=optimize",
                               "-o", "-"], check=True, capture_output=True,
                              text=True).stdout
        nodes = [line.split("glow.")[1].split()[0]
                 for line in text.splitlines() if " = glow." in line]
        print(f"{name}:", *[node for node in nodes if node not in CONSTANTS])
    return 0


if __name__ == "__main__":
    sys.exit(main())
