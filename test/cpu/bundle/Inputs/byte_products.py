"""Writes a model of products of bytes: byte_products.py MODEL [PART...]

The input x, f32[1,32,16,16], becomes bytes with and without a sign; the output y has the
results of all parts, or of those that are named, one after the other. Sizes leave words,
pairs and groups of columns unfinished.
"""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

random = numpy.random.default_rng(11)
nodes, constants = [], []


def constant(values):
    name = f"c{len(constants)}"
    constants.append(numpy_helper.from_array(numpy.asarray(values), name))
    return name


def node(operator, *inputs, **attributes):
    name = f"v{len(nodes)}"
    nodes.append(helper.make_node(operator, inputs, [name], name=f"{operator}_{len(nodes)}", **attributes))
    return name


def weights(kind, *shape):
    limits = numpy.iinfo(kind)
    return constant(random.integers(limits.min, limits.max, shape, kind, endpoint=True))


def shaped(x, *shape):
    """The first elements of x, in another shape."""
    count = int(numpy.prod(shape))
    ends = [constant(numpy.array([n], "int64")) for n in (0, count, 0)]
    flat = node("Slice", node("Reshape", x, constant(numpy.array([-1]))), *ends)
    return node("Reshape", flat, constant(numpy.array(shape)))


def quantized(x, kind="uint8", zero=131, scale=0.004):
    centred = node("Sub", x, constant(numpy.float32(0.5)))
    return node("QuantizeLinear", centred, constant(numpy.float32(scale)), constant(numpy.array(zero, kind)))


def conv(kind, shape, out, window, weight="int8", group=1, zero=None, **more):
    zero = {"uint8": 131, "int8": -5}[kind] if zero is None else zero

    def part(x):
        filters = weights(weight, out, shape[1] // group, *window)
        zeros = constant(numpy.array(zero, kind))
        filterZero = [constant(numpy.array(120, weight))] if weight == "uint8" else []
        return node("ConvInteger", quantized(shaped(x, *shape), kind, zero), filters, zeros, *filterZero,
                    group=group, **more)
    return part


def product(kind, rows, depth, columns, weight="int8"):
    def part(x):
        zero = {"uint8": 131, "int8": -5}[kind]
        zeros = [constant(numpy.array(zero, kind))]
        if weight == "uint8":
            zeros.append(constant(numpy.array(120, weight)))
        return node("MatMulInteger", quantized(shaped(x, rows, depth), kind, zero),
                    weights(weight, depth, columns), *zeros)
    return part


def requantized(kind, zero):
    """A convolution of bytes to bytes, with a bias and factors of the channels."""
    def part(x):
        scale, one = constant(numpy.float32(0.02)), constant(numpy.array(zero, kind))
        image = node("DequantizeLinear", quantized(shaped(x, 1, 6, 9, 7), kind, zero), scale, one)
        factors = constant(random.uniform(0.001, 0.002, 10).astype("float32"))
        filters = node("DequantizeLinear", weights("int8", 10, 6, 3, 3), factors,
                       constant(numpy.zeros(10, "int8")), axis=0)
        bias = node("DequantizeLinear", constant(random.integers(-9000, 9000, 10, "int32")),
                    constant(numpy.float32(0.02) * numpy.float32(0.0015)))
        y = node("Conv", image, filters, bias, pads=[1, 1, 1, 1])
        return node("DequantizeLinear", node("QuantizeLinear", y, scale, one), scale, one)
    return part


def row(x):
    """A product of one row, whose factors lie as its elements do."""
    scale, zero = constant(numpy.float32(0.02)), constant(numpy.array(3, "uint8"))
    image = node("DequantizeLinear", quantized(shaped(x, 1, 36), "uint8", 3), scale, zero)
    factors = constant(random.uniform(0.001, 0.002, 10).astype("float32"))
    right = node("DequantizeLinear", weights("int8", 10, 36), factors,
                 constant(numpy.zeros(10, "int8")), axis=0)
    bias = node("DequantizeLinear", constant(random.integers(-9000, 9000, 10, "int32")),
                constant(numpy.float32(0.02) * numpy.float32(0.0015)))
    y = node("Gemm", image, right, bias, transB=1)
    return node("DequantizeLinear", node("QuantizeLinear", y, scale, zero), scale, zero)


parts = {
    "conv": conv("uint8", [1, 8, 9, 7], 6, [3, 3], pads=[1, 1, 1, 1]),
    "conv_signed": conv("int8", [1, 5, 8, 8], 7, [3, 2], pads=[1, 0, 0, 1], strides=[2, 1]),
    "conv_plain": conv("uint8", [1, 12, 5, 5], 3, [1, 1]),
    "conv_row": conv("int8", [2, 3, 31], 4, [5], pads=[2, 2], dilations=[2]),
    "conv_deep": conv("uint8", [1, 4, 5, 6, 7], 2, [2, 3, 3], pads=[0, 1, 1, 1, 1, 1]),
    "conv_groups": conv("uint8", [1, 8, 6, 6], 32, [3, 3], group=2, pads=[1, 1, 1, 1]),
    "conv_depthwise": conv("int8", [1, 9, 8, 8], 9, [3, 3], group=9, pads=[1, 1, 1, 1]),
    "conv_wide": conv("uint8", [1, 6, 7, 7], 4, [3, 3], weight="uint8", pads=[1, 1, 1, 1]),
    "product": product("uint8", 3, 37, 10),
    "product_signed": product("int8", 5, 64, 9),
    "product_wide": product("int8", 2, 30, 6, weight="uint8"),
    "requantized": requantized("uint8", 13),
    "requantized_signed": requantized("int8", -7),
    "requantized_plain": requantized("uint8", 0),
    "row": row,
}
chosen = sys.argv[2:] or parts
results = [node("Reshape", node("Cast", parts[part]("x"), to=TensorProto.FLOAT), constant(numpy.array([-1])))
           for part in chosen]
nodes.append(helper.make_node("Concat", results, ["y"], axis=0))
graph = helper.make_graph(
    nodes, "products", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 32, 16, 16])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
with open(sys.argv[1], "wb") as file:
    file.write(model.SerializeToString())
