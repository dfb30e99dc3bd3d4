#!/usr/bin/env python3
"""Writes a model that uses every kind of kernel: kernels.py MODEL [PART...].

Without parts it has all that are finite. Each part takes the input x, f32[1,32,16,16], to
numbers of the size of 1; the output y is all of them, one after the other.
"""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

random = numpy.random.default_rng(7)
nodes, constants = [], []


def constant(values):
    name = f"c{len(constants)}"
    constants.append(numpy_helper.from_array(numpy.asarray(values), name))
    return name


def weights(*shape):
    """Of a sum over all but the first size."""
    scale = numpy.prod(shape[1:]) ** -0.5
    return constant((random.standard_normal(shape) * scale).astype("float32"))


def node(operator, *inputs, outputs=1, **attributes):
    names = [f"v{len(nodes)}_{i}" for i in range(outputs)]
    # Two parts may have the same operator.
    nodes.append(helper.make_node(operator, inputs, names,
                                  name=f"{operator}_{len(nodes)}", **attributes))
    return names[0]


def conv(x, out, into, size=3, stride=1, group=1, **more):
    return node("Conv", x, weights(out, into // group, size, size), weights(out),
                group=group, strides=[stride] * 2, pads=[size // 2] * 4, **more)


def column(x, out, group=1, operator="Conv", turned=False, **more):
    """A convolution of an image of one column, 256 high, or of one row."""
    sizes = (32, out // group) if operator == "ConvTranspose" else (out, 32 // group)
    more = {"group": group, "pads": [2, 0, 1, 0], "strides": [1, 1], **more}
    image, window = [256, 1], [5, 1]
    if turned:
        image, window, strides = image[::-1], window[::-1], more["strides"][::-1]
        more.update(pads=[0, 2, 0, 1], strides=strides)
    return node(operator, reshape(x, 1, 32, *image), weights(*sizes, *window), weights(out), **more)


def row(*arguments, **more):
    return column(*arguments, turned=True, **more)


def pooled(x, rows, columns):
    return node("MaxPool", node("Relu", x), kernel_shape=[rows, columns],
                strides=[rows, columns])


def conv_pooled(x, pads, rows, columns):
    """A convolution of 3x3, whose result has an edge that no window holds."""
    y = node("Conv", x, weights(48, 32, 3, 3), weights(48), pads=pads)
    return pooled(y, rows, columns)


def tiled(x):
    """An image of 64 channels, 32 x 32."""
    return node("Tile", x, constant(numpy.array([1, 2, 2, 2])))


def conv_strided(x, pads, channels=64):
    """A convolution with a stride of 2 in each plane."""
    planes = len(pads) // 2 - 2
    return node("Conv", x, weights(128, channels, *[3] * (planes + 2)), weights(128),
                strides=[1] * planes + [2, 2], pads=pads)


def reshape(x, *shape):
    return node("Reshape", x, constant(numpy.array(shape, "int64")))


def product(x, inner, columns):
    w = random.standard_normal((inner, columns)) * inner ** -0.5
    return node("MatMul", x, constant(w.astype("float32")))


def large_product(x):
    """Of f32[109,384] and f32[384,550], which leaves rows and columns out when it is cut."""
    some = first(x, 109, 64)
    y = node("Add", product(product(some, 64, 384), 384, 550), weights(550))
    return node("Relu", node("Add", y, product(some, 64, 550)))


def large_pixels(x, images=1):
    """The same of pixels of 256 channels, of all images, with what follows."""
    some = conv(reshape(x, images, 32, 256 // images // 8, 8), 256, 32, 1)
    return node("Relu", node("Add", conv(some, 256, 256, 1), some))


def first(x, count, size):
    numbers = [constant(numpy.array([n], "int64")) for n in (0, count)]
    return node("Slice", reshape(x, -1, size), *numbers, numbers[0])


def whole_numbers(x):
    """A row of -1, 0 and 1, and weights of 16 bits: every sum is exact."""
    row = node("Cast", node("Mul", first(x, 1, 256), constant(numpy.float32(1.9))),
               to=TensorProto.INT32)
    row = node("Cast", row, to=TensorProto.FLOAT)
    w = random.integers(-65535, 65536, (256, 300)).astype("float32")
    y = node("MatMul", row, constant(w))
    return node("Mul", y, constant(numpy.float32(2 ** -20)))


def rectified(x, weight=0):
    """A product of a row of 1030, of many zeros, and what follows it."""
    row = node("Slice", reshape(x, 1, -1), *[constant(numpy.array([n], "int64"))
                                             for n in (0, 1030, 1)])
    w = random.standard_normal((1030, 550)) * 1030 ** -0.5
    w[:9, 5] += weight
    y = node("MatMul", node("Relu", node("Sub", row, constant(numpy.float32(0.5)))),
             constant(w.astype("float32")))
    return node("Tanh", node("Add", y, weights(550)))


def rows(x):
    """f32[64,128]"""
    return reshape(x, 64, 128)


def deep(x):
    """An image of 256 channels."""
    return reshape(x, 1, 256, 4, 8)


def attention(x):
    q, k, v = (node("Transpose", reshape(product(rows(x), 128, 64), 1, 64, 4, 16),
                    perm=[0, 2, 1, 3]) for _ in range(3))
    scores = node("MatMul", q, node("Transpose", k, perm=[0, 1, 3, 2]))
    scaled = node("Mul", scores, constant(numpy.float32(0.25)))
    return node("MatMul", node("Softmax", scaled, axis=-1), v)


def recurrent(operator, gates, hidden=24, directions=1):
    def part(x):
        w = weights(directions, gates * hidden, 128)
        r = weights(directions, gates * hidden, hidden)
        return node(operator, reshape(x, 64, 1, 128), w, r, hidden_size=hidden,
                    direction="bidirectional" if directions == 2 else "forward")
    return part


def gathered(x):
    indices = constant(numpy.array([[5, 0], [63, 7]], "int64"))
    return node("Gather", rows(x), indices, axis=0)


def chosen(x):
    best = node("Cast", node("ArgMax", rows(x), axis=1), to=TensorProto.FLOAT)
    return node("Div", best, constant(numpy.float32(128)))


def top(x):
    """The largest and where they are, along columns."""
    values = node("TopK", rows(x), constant(numpy.array([5], "int64")), outputs=2, axis=0)
    places = node("Cast", values.replace("_0", "_1"), to=TensorProto.FLOAT)
    return node("Add", values, node("Div", places, constant(numpy.float32(64))))


def picked(x):
    """One element of each column, from the end where the index is negative."""
    indices = constant(numpy.array([[i % 128 - 64 for i in range(128)]], "int64"))
    return node("GatherElements", rows(x), indices, axis=0)


def marked(x):
    where = node("ArgMax", rows(x), axis=1, keepdims=0)
    return node("OneHot", where, constant(numpy.array([128], "int64")),
                constant(numpy.array([0, 1], "float32")), axis=0)


def functions(x):
    y = node("Erf", node("Tanh", x))
    y = node("Add", node("Exp", node("Neg", node("Abs", y))), node("Sin", x))
    return node("Log", node("Add", node("Mul", y, y), constant(numpy.float32(1))))


def integers(x):
    y = node("Cast", node("Mul", x, constant(numpy.float32(9))),
             to=TensorProto.INT32)
    y = node("Add", y, node("Mul", y, constant(numpy.int32(3))))
    y = node("Cast", y, to=TensorProto.FLOAT)
    return node("Div", y, constant(numpy.float32(36)))


def resized(x):
    scales = constant(numpy.array([1, 1, 2, 2], "float32"))
    return node("Resize", x, "", scales, mode="linear")


def padded(x):
    return node("Pad", x, constant(numpy.array([0, 1, 2, 0, 0, 0, 1, 3], "int64")))


def sliced(x):
    numbers = [constant(numpy.array([n], "int64")) for n in (1, 15, 3, 2)]
    return node("Slice", x, numbers[0], numbers[1], numbers[2], numbers[3])


def body(inputs, outputs, *made):
    ports = [[helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in some]
             for some in (inputs, outputs)]
    return helper.make_graph([helper.make_node(operator, names.split(), [result],
                                               name=f"{operator}_{result}", **more)
                              for operator, names, result, more in made], "body", *ports)


def repeated(x):
    """A Scan, and a Loop that ends by its condition and has a choice in it."""
    real, flag, whole = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64
    half, limit = constant(numpy.float32(0.5)), constant(numpy.float32(0.01))
    scan = body([("s", real, [128]), ("r", real, [128])], [("n", real, [128]), ("o", real, [128])],
                ("Mul", f"s {half}", "p", {}), ("Add", "p r", "q", {}), ("Tanh", "q", "n", {}),
                ("Neg", "n", "o", {}))
    steps = node("Scan", constant(numpy.zeros(128, "float32")), reshape(x, 64, 128), outputs=2,
                 body=scan, num_scan_inputs=1)
    shrink = body([], [("a", real, [128])], ("Mul", f"h {half}", "a", {}))
    halve = body([], [("b", real, [128])], ("Sub", f"h {limit}", "t", {}),
                 ("Mul", f"t {half}", "b", {}))
    loop = body([("i", whole, []), ("going", flag, []), ("h", real, [128])],
                [("again", flag, []), ("next", real, [128])],
                ("Abs", "h", "size", {}), ("ReduceMax", "size", "most", {"keepdims": 0}),
                ("Greater", f"most {half}", "large", {}),
                ("If", "large", "next", {"then_branch": shrink, "else_branch": halve}),
                ("Greater", f"most {limit}", "again", {}))
    return node("Loop", constant(numpy.int64(50)), "", steps, body=loop)


parts = {
    "winograd": lambda x: node("Relu", conv(x, 32, 32)),
    "strided": lambda x: node("Relu", conv(tiled(x), 72, 64, 3, 2)),
    "strided_edge": lambda x: conv_strided(reshape(tiled(x), 2, 64, 32, 16), [0, 1, 0, 0]),
    "strided_small": lambda x: conv_strided(node("Conv", tiled(x), weights(128, 64, 5, 5)),
                                            [1] * 4, 128),
    "strided_pooled": lambda x: pooled(conv(tiled(x), 64, 64, 3, 2), 2, 2),
    "strided_planes": lambda x: conv_strided(reshape(tiled(x), 1, 64, 4, 16, 16), [1] * 6),
    "pooled": lambda x: pooled(conv(x, 32, 32), 2, 2),
    "pooled_edge": lambda x: conv_pooled(x, [1, 1, 0, 0], 2, 4),
    "pooled_direct": lambda x: pooled(conv(x, 40, 32, 5), 2, 3),
    "pooled_three": lambda x: conv_pooled(x, [0] * 4, 3, 3),
    "pooled_pixels": lambda x: pooled(conv(x, 24, 32, 1), 2, 2),
    "pointwise": lambda x: node("Add", conv(x, 32, 32, 1), x),
    "direct": lambda x: conv(x, 40, 32, 5, 2),
    "direct_narrow": lambda x: conv(x, 40, 32, 5, 4),
    "column": lambda x: column(x, 40, strides=[2, 1]),
    "column_pooled": lambda x: pooled(column(x, 40), 2, 1),
    "column_depthwise": lambda x: column(x, 32, 32),
    "column_groups": lambda x: column(x, 32, 8),
    "column_transposed": lambda x: column(x, 24, operator="ConvTranspose", strides=[2, 1]),
    "row": lambda x: row(x, 40, strides=[2, 1]),
    "row_depthwise": lambda x: row(x, 32, 32),
    "row_transposed": lambda x: row(x, 24, operator="ConvTranspose", strides=[2, 1]),
    "sparse": lambda x: conv(x, 40, 32, 1, 2),
    "plain": lambda x: conv(node("Slice", x, *[constant(numpy.array([n], "int64"))
                                               for n in (0, 3, 1)]), 16, 3, 3, 2),
    "pointwise_wide": lambda x: conv(x, 16, 32, 1),
    "depthwise_stride": lambda x: conv(x, 32, 32, 3, 2, group=32),
    "depthwise": lambda x: conv(x, 32, 32, group=32),
    "groups": lambda x: conv(x, 32, 32, group=2),
    "small_groups": lambda x: conv(x, 32, 32, group=8),
    "spatial": lambda x: node("Conv", reshape(x, 1, 4, 8, 16, 16),
                              weights(8, 4, 3, 3, 3), pads=[1] * 6),
    "transposed": lambda x: node("ConvTranspose", x, weights(32, 24, 3, 3),
                                 strides=[2, 2], pads=[1, 1, 1, 1]),
    "max_pool": lambda x: node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2]),
    "average_pool": lambda x: node("AveragePool", x, kernel_shape=[2, 2]),
    "mean": lambda x: node("GlobalAveragePool", x),
    "matmul": lambda x: product(rows(x), 128, 80),
    "large_product": large_product,
    "large_pixels": large_pixels,
    "large_images": lambda x: large_pixels(x, 2),
    "few_pixels": lambda x: conv(conv(x, 256, 32, 1, 4), 256, 256, 1),
    "few_rows": lambda x: product(reshape(x, 32, 256), 256, 1536),
    "odd_product": lambda x: product(product(rows(x), 128, 390), 390, 192),
    "vector": lambda x: product(reshape(x, 1, 8192), 8192, 48),
    "one_row": lambda x: node("Relu", product(first(x, 1, 512), 512, 180)),
    "two_rows": lambda x: node("Relu", product(first(x, 2, 512), 512, 180)),
    "whole_numbers": whole_numbers,
    "products": lambda x: node("Mul", node("MatMul", rows(x), node(
        "Transpose", rows(x), perm=[1, 0])), constant(numpy.float32(1 / 128))),
    "attention": attention,
    "softmax": lambda x: node("Softmax", rows(x), axis=1),
    "layer_norm": lambda x: node("LayerNormalization", rows(x), weights(128),
                                 weights(128)),
    "functions": functions,
    "integers": integers,
    "lstm": recurrent("LSTM", 4),
    "gru": recurrent("GRU", 3),
    "rnn": recurrent("RNN", 1),
    "lstm_large": recurrent("LSTM", 4, 136),
    "gru_large": recurrent("GRU", 3, 160, directions=2),
    "gather": gathered,
    "argmax": chosen,
    "cumsum": lambda x: node("Mul", constant(numpy.float32(0.1)), node(
        "CumSum", rows(x), constant(numpy.int64(1)))),
    "resize": resized,
    "pad": padded,
    "repeated": repeated,
    "slice": sliced,
    "transpose": lambda x: node("Transpose", x, perm=[0, 2, 3, 1]),
    "reduce": lambda x: node("ReduceMax", rows(x), axes=[0]),
    "top": top,
    "picked": picked,
    "marked": marked,
    "triangle": lambda x: node("Trilu", rows(x), upper=0),
    "reversed": lambda x: node("ReverseSequence", rows(x), constant(
        numpy.arange(1, 65)), time_axis=1, batch_axis=0),
    "transposed_groups": lambda x: node(
        "ConvTranspose", x, weights(32, 8, 3, 3), group=2, strides=[2, 1]),
    "deep_direct": lambda x: conv(deep(x), 40, 256, 5, 2),
    "deep_pointwise": lambda x: conv(deep(x), 32, 256, 1),
    "deep_groups": lambda x: conv(deep(x), 64, 256, group=2),
    "rectified": lambda x: rectified(x),
    "rectified_pool": lambda x: product(
        reshape(pooled(conv(x, 32, 32), 2, 2), 1, 2048), 2048, 512),
    "all_zeros": lambda x: rectified(node("Neg", node("Abs", x))),
    "infinite_power": lambda x: node("Add", node("Exp", node("Mul", x, constant(
        numpy.float32(300)))), constant(numpy.float32(1))),
    "logistic": lambda x: node("Sigmoid", node("Mul", x, constant(numpy.float32(300)))),
    "infinite_weight": lambda x: rectified(x, numpy.inf),
}


def main():
    chosen = sys.argv[2:] or [part for part in parts if not part.startswith("infinite")]
    flat = [reshape(parts[part]("x"), 1, -1) for part in chosen]
    nodes.append(helper.make_node("Concat", flat, ["y"], name="all", axis=1))
    types = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
             for name, shape in (("x", [1, 32, 16, 16]), ("y", [1, None]))]
    graph = helper.make_graph(nodes, "kernels", types[:1], types[1:], constants)
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    with open(sys.argv[1], "wb") as file:
        file.write(model.SerializeToString())


main()
