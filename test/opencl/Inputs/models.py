"""Models whose kernels have each form: tiles, sums, places, scans and memory."""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

random = numpy.random.default_rng(0)


def weights(name, *shape, kind=numpy.float32):
    return numpy_helper.from_array(random.standard_normal(shape).astype(kind), name)


def numbers(name, values, kind=numpy.int64):
    return numpy_helper.from_array(numpy.array(values, kind), name)


def save(name, nodes, inputs, outputs, constants):
    def info(entry):
        return helper.make_tensor_value_info(*entry)

    graph = helper.make_graph(nodes, name, [info(i) for i in inputs],
                              [info(o) for o in outputs], constants)
    onnx.save(helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)]), f"{name}.onnx")


node, FLOAT, INT64 = helper.make_node, TensorProto.FLOAT, TensorProto.INT64

# Tiles with lanes at the border of an image, with strides, and of a product.
save("cnn", [
    node("Conv", ["x", "w", "b"], ["c"], name="conv", pads=[1, 1, 1, 1]),
    node("Relu", ["c"], ["r"], name="relu"),
    node("Conv", ["r", "v"], ["s"], name="strided", pads=[1, 1, 1, 1], strides=[2, 2]),
    node("AveragePool", ["s"], ["p"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
    node("Flatten", ["p"], ["f"], name="flat"),
    node("MatMul", ["f", "m"], ["d"], name="product"),
    node("Softmax", ["d"], ["y"], name="softmax", axis=1)],
    [("x", FLOAT, [2, 3, 12, 20])], [("y", FLOAT, [2, 18])],
    [weights("w", 9, 3, 3, 3), weights("b", 9), weights("v", 5, 9, 3, 3),
     weights("m", 5 * 3 * 5, 18)])

# Products whose factors are in local memory: of pixels, which are joined, and of columns.
save("local", [
    node("Conv", ["x", "w"], ["c"], name="pixels", pads=[1, 1, 1, 1]),
    node("Conv", ["c", "v"], ["d"], name="wide", pads=[1, 13, 2, 7]),
    node("Reshape", ["d", "shape"], ["r"], name="rows"),
    node("MatMul", ["r", "m"], ["y"], name="columns")],
    [("x", FLOAT, [1, 33, 6, 9])], [("y", FLOAT, [189, 81])],
    [weights("w", 71, 33, 3, 3), weights("v", 81, 71, 3, 3), weights("m", 81, 81),
     numbers("shape", [189, 81])])

# Sums and places along axes, a scan, and results in memory.
save("sums", [
    node("CumSum", ["x", "axis"], ["c"], name="scan"),
    node("ArgMax", ["c"], ["a"], name="places", axis=1, keepdims=0),
    node("ReduceMean", ["c"], ["e"], name="mean", axes=[1], keepdims=0),
    node("ScatterElements", ["e", "at", "u"], ["y"], name="scatter", axis=0,
         reduction="add")],
    [("x", FLOAT, [6, 7])], [("a", INT64, [6]), ("y", FLOAT, [6])],
    [numbers("axis", 1), numbers("at", [5, 2, 5]), weights("u", 3)])

# Kinds of fewer bits, which are converted as they are read and written.
save("kinds", [
    node("Cast", ["x"], ["h"], name="half", to=TensorProto.FLOAT16),
    node("MatMul", ["h", "w"], ["m"], name="halves"),
    node("Cast", ["m"], ["f"], name="single", to=FLOAT),
    node("QuantizeLinear", ["f", "scale", "zero"], ["q"], name="quantize"),
    node("MatMulInteger", ["q", "b"], ["i"], name="integers"),
    node("Cast", ["i"], ["y"], name="real", to=FLOAT)],
    [("x", FLOAT, [4, 6])], [("y", FLOAT, [4, 5])],
    [weights("w", 6, 8, kind=numpy.float16), numbers("scale", 0.05, numpy.float32),
     numbers("zero", 3, numpy.int8), numbers("b", random.integers(-9, 9, (8, 5)), numpy.int8)])

# An index of the run, and a node that a fallback runs.
save("gather", [node("Gather", ["x", "i"], ["y"], name="look-up", axis=0)],
     [("x", FLOAT, [4, 3]), ("i", INT64, [2])], [("y", FLOAT, [2, 3])], [])
save("fallback", [
    node("Relu", ["x"], ["r"], name="relu"),
    node("Det", ["r"], ["d"], name="determinant"),
    node("Neg", ["d"], ["y"], name="negative")],
    [("x", FLOAT, [3, 4, 4])], [("y", FLOAT, [3])], [])
sys.exit(0)
