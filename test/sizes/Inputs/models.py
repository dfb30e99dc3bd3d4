# SPDX-License-Identifier: MIT
"""Writes models with open sizes to a folder."""

import sys

import numpy
import onnx
from onnx import TensorProto, helper
from onnx.numpy_helper import from_array

random = numpy.random.default_rng(0)


def floats(*shape):
    return random.standard_normal(shape).astype(numpy.float32)


def save(name, nodes, inputs, constants, outputs=("y",), opset=17):
    """`nodes` are (operator, inputs, outputs, attributes)."""
    graph = helper.make_graph(
        [helper.make_node(operator, takes.split(), gives.split(), **attributes)
         for operator, takes, gives, attributes in nodes], name,
        [helper.make_tensor_value_info(input, kind, shape)
         for input, (kind, shape) in inputs.items()],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)
         for output in outputs],
        [from_array(numpy.asarray(value), key)
         for key, value in constants.items()])
    onnx.save(helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset),
                              helper.make_opsetid("com.microsoft", 1)],
        ir_version=8),
        f"{sys.argv[1]}/{name}.onnx")


FLOAT, INT = TensorProto.FLOAT, TensorProto.INT64

# A batch through products and elementwise nodes.
save("batch", [
    ("Gemm", "x w1 b1", "a", {}), ("Relu", "a", "r", {}),
    ("MatMul", "r w2", "m", {}), ("Add", "m b2", "s", {}),
    ("Softmax", "s", "y", {"axis": -1})],
    {"x": (FLOAT, ["N", 20])},
    {"w1": floats(20, 12), "b1": floats(12), "w2": floats(12, 5),
     "b2": floats(5)})

# Attention, as exporters write it: sizes go through Shape, Gather and Concat.
save("attention", [
    ("Shape", "x", "sizes", {}),
    ("Gather", "sizes zero", "n", {"axis": 0}),
    ("Gather", "sizes one", "s", {"axis": 0}),
    ("Unsqueeze", "n axis", "n1", {}), ("Unsqueeze", "s axis", "s1", {}),
    ("Concat", "n1 s1 heads each", "split", {"axis": 0}),
    ("Concat", "n1 s1 all", "joined", {"axis": 0}),
    ("MatMul", "x wq", "q", {}), ("MatMul", "x wk", "k", {}),
    ("Reshape", "q split", "q4", {}), ("Reshape", "k split", "k4", {}),
    ("Transpose", "q4", "qt", {"perm": [0, 2, 1, 3]}),
    ("Transpose", "k4", "kt", {"perm": [0, 2, 3, 1]}),
    ("Transpose", "k4", "vt", {"perm": [0, 2, 1, 3]}),
    ("MatMul", "qt kt", "scores", {}), ("Mul", "scores scale", "scaled", {}),
    ("Softmax", "scaled", "p", {"axis": -1}),
    ("MatMul", "p vt", "o", {}),
    ("Transpose", "o", "ot", {"perm": [0, 2, 1, 3]}),
    ("Reshape", "ot joined", "y", {})],
    {"x": (FLOAT, ["N", "S", 16])},
    {"zero": 0, "one": 1, "axis": [0], "heads": [2], "each": [8], "all": [16],
     "wq": floats(16, 16), "wk": floats(16, 16),
     "scale": numpy.float32(0.3)})

# A cache that grows: two heads of keys and values, each for two of queries.
repeated = [
    step for one in "kv" for step in [
        ("Concat", f"past_{one} {one}", f"{one}_all", {"axis": 2}),
        ("Unsqueeze", f"{one}_all two", f"{one}_one", {}),
        ("Expand", f"{one}_one copies", f"{one}_each", {}),
        ("Reshape", f"{one}_each heads", f"{one}_heads", {})]]
save("cache", [
    *repeated, ("Transpose", "k_heads", "kt", {"perm": [0, 1, 3, 2]}),
    ("MatMul", "q kt", "scores", {}), ("Mul", "scores scale", "scaled", {}),
    ("Softmax", "scaled", "p", {"axis": -1}), ("MatMul", "p v_heads", "y", {})],
    {"q": (FLOAT, [1, 4, "S", 8]),
     **{name: (FLOAT, [1, 2, size, 8]) for name, size in
        [("past_k", "P"), ("past_v", "P"), ("k", "S"), ("v", "S")]}},
    {"two": [2], "copies": [1, 2, 2, 1, 8], "heads": [1, 4, -1, 8],
     "scale": numpy.float32(0.3)})

# Sizes in 32 bits and in floats, as TensorFlow's exporters compute them, and a
# picture that is doubled.
save("converted", [
    ("Shape", "x", "sizes", {}), ("Cast", "sizes", "small", {"to": TensorProto.INT32}),
    ("Slice", "small zero one zero", "batch", {}),
    ("Concat", "batch rest", "flat32", {"axis": 0}),
    ("Cast", "flat32", "flat", {"to": INT}),
    ("Cast", "sizes", "real", {"to": FLOAT}),
    ("Min", "real most", "least", {}), ("Floor", "least", "whole", {}),
    ("Cast", "whole", "ends", {"to": INT}),
    ("Slice", "x zeros ends axes", "cut", {}),
    ("Resize", "cut empty scales", "large", {
        "mode": "nearest", "coordinate_transformation_mode": "asymmetric",
        "nearest_mode": "floor"}),
    ("Reshape", "large flat", "y", {})],
    {"x": (FLOAT, ["N", 1, "H", "W"])},
    {"zero": [0], "one": [1], "rest": numpy.array([-1], numpy.int32),
     "most": numpy.array([9999] * 4, numpy.float32), "zeros": [0] * 4,
     "axes": [0, 1, 2, 3], "empty": numpy.array([], numpy.float32),
     "scales": numpy.array([1, 1, 2, 1.5], numpy.float32)})

# Pictures in other resolutions: each way to find pixels, and larger and smaller results.
# The operator reads its sizes from an empty list where it has scales.
WAYS = [("nearest", "asymmetric", {"nearest_mode": "floor"}),
        ("nearest", "half_pixel", {"nearest_mode": "round_prefer_floor"}),
        ("nearest", "half_pixel_symmetric", {"nearest_mode": "round_prefer_ceil"}),
        ("nearest", "tf_half_pixel_for_nn", {"nearest_mode": "ceil"}),
        ("linear", "half_pixel", {}), ("linear", "align_corners", {}),
        ("linear", "pytorch_half_pixel", {}), ("linear", "asymmetric", {}),
        ("cubic", "half_pixel", {}), ("cubic", "align_corners", {"exclude_outside": 1})]
save("resized", [
    ("Resize", f"x empty {size}", f"{size}{i}", {
        "mode": mode, "coordinate_transformation_mode": place, **attributes})
    for i, (mode, place, attributes) in enumerate(WAYS) for size in ("up", "down")],
    {"x": (FLOAT, [1, "C", "H", "W"])},
    {"empty": numpy.array([], numpy.float32),
     "up": numpy.array([1, 1, 2, 1.5], numpy.float32),
     "down": numpy.array([1, 1, 0.5, 0.75], numpy.float32)},
    outputs=[f"{size}{i}" for i in range(len(WAYS)) for size in ("up", "down")], opset=19)

# Position ids, a mask, and a table of positions cut to the length.
save("positions", [
    ("Shape", "ids", "sizes", {}),
    ("Gather", "sizes one", "s", {"axis": 0}),
    ("Unsqueeze", "s axis", "s1", {}),
    ("Slice", "table zeros s1 axis", "cut", {}),
    ("Gather", "words ids", "e", {"axis": 0}),
    ("Add", "e cut", "a", {}),
    ("Range", "start s step", "steps", {}),
    ("Cast", "steps", "floats", {"to": FLOAT}),
    ("Unsqueeze", "floats last", "column", {}),
    ("Add", "a column", "b", {}),
    ("ConstantOfShape", "sizes", "fill", {
        "value": from_array(numpy.array([2], numpy.float32))}),
    ("Unsqueeze", "fill two", "wide", {}),
    ("Mul", "b wide", "c", {}),
    ("ReduceMean", "c", "y", {"axes": [1], "keepdims": 0})],
    {"ids": (INT, ["N", "S"])},
    {"one": 1, "axis": [0], "zeros": [0], "last": [1], "two": [2],
     "start": 0, "step": 1, "table": floats(64, 6), "words": floats(2, 6)})

# Products of all words of a batch: sizes between them are N*S alone.
save("flat", [
    ("Reshape", "x rows", "flat", {}), ("MatMul", "flat w1", "first", {}),
    ("Relu", "first", "positive", {}), ("MatMul", "positive w2", "second", {}),
    ("Shape", "x", "sizes", {}), ("Reshape", "second sizes", "back", {}),
    ("Add", "back mask", "y", {})],
    {"x": (FLOAT, ["N", "S", 16]), "mask": (FLOAT, ["N", "S", 1])},
    {"rows": [-1, 16], "w1": floats(16, 16), "w2": floats(16, 16)})

# Two inputs of one length, joined, and an output of twice the length.
save("joined", [
    ("Concat", "a b", "j", {"axis": 1}), ("Mul", "j half", "h", {}),
    ("Split", "h", "l r", {"axis": 1}), ("Add", "l r", "s", {}),
    ("Concat", "s j", "y", {"axis": 1})],
    {"a": (FLOAT, [2, "S"]), "b": (FLOAT, [2, "S"])},
    {"half": numpy.float32(0.5)})

# A batch of images: convolutions of all kinds, in floats and in bytes.
save("batch_images", [
    ("Conv", "x w1 b1", "c1", {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
    ("Relu", "c1", "r1", {}),
    ("Conv", "r1 w2", "c2", {"pads": [1, 1, 1, 1], "group": 32}),
    ("Conv", "c2 w3 b3", "c3", {}), ("Relu", "c3", "r3", {}),
    ("Conv", "r3 w4", "c4", {"pads": [1, 1, 1, 1], "group": 3}),
    ("Add", "c4 r3", "s", {}),
    ("MaxPool", "s", "p", {"kernel_shape": [2, 2], "strides": [2, 2]}),
    ("Conv", "p w5", "c5", {"strides": [2, 2]}),
    ("Flatten", "c5", "f", {}), ("MatMul", "f w6", "y", {})],
    {"x": (FLOAT, ["N", 3, 20, 20])},
    {"w1": floats(32, 3, 3, 3), "b1": floats(32), "w2": floats(32, 1, 3, 3),
     "w3": floats(48, 32, 1, 1) / 6, "b3": floats(48),
     "w4": floats(48, 16, 3, 3) / 12, "w5": floats(20, 48, 1, 1) / 7,
     "w6": floats(180, 7) / 13})
bytes_ = {name: numpy.uint8(128) for name in ("z1", "z2", "z3", "z4")}
small = {name: random.integers(-127, 128, shape).astype(numpy.int8)
         for name, shape in [("v1", (16, 3, 3, 3)), ("v2", (16, 1, 3, 3)),
                             ("v3", (24, 16, 1, 1))]}
save("batch_bytes", [
    ("QuantizeLinear", "x s1 z1", "q1", {}),
    ("QLinearConv", "q1 s1 z1 v1 sw zw s2 z2", "q2", {"pads": [1, 1, 1, 1]}),
    ("QLinearConv", "q2 s2 z2 v2 sw zw s3 z3", "q3",
     {"group": 16, "strides": [2, 2]}),
    ("QLinearConv", "q3 s3 z3 v3 sw zw s4 z4", "q4", {}),
    ("DequantizeLinear", "q4 s4 z4", "y", {})],
    {"x": (FLOAT, ["N", 3, 12, 12])},
    {**bytes_, **small, "zw": numpy.int8(0), "sw": numpy.float32(0.01),
     "s1": numpy.float32(0.02), "s2": numpy.float32(0.05),
     "s3": numpy.float32(0.1), "s4": numpy.float32(0.2)})

# A size that must be that of a weight.
save("equal", [("Add", "x w", "y", {})], {"x": (FLOAT, ["N", 4])},
     {"w": floats(8, 4)})

# A table of bytes, conversions of integers, and an input as an output.
save("table", [
    ("QuantizeLinear", "x s z", "q", {}),
    ("QLinearSigmoid", "q s z t z", "g", {"domain": "com.microsoft"}),
    ("DequantizeLinear", "g t z", "d", {}),
    ("Cast", "x", "i", {"to": INT}), ("Cast", "i", "y", {"to": FLOAT}),
    ("Identity", "x", "same", {})],
    {"x": (FLOAT, ["N", 7])},
    {"s": numpy.float32(0.05), "t": numpy.float32(0.01), "z": numpy.uint8(3)},
    outputs=("d", "y", "same"))

# Two sizes that must be equal, and a third.
save("sums", [("Add", "x z", "s", {}), ("Add", "s w", "y", {})],
     {"x": (FLOAT, ["N", "M"]), "z": (FLOAT, ["K", "M"])}, {"w": floats(4)})

# Images of any size.
save("image", [
    ("Conv", "x w b", "c", {"pads": [1, 1, 1, 1]}), ("Relu", "c", "r", {}),
    ("MaxPool", "r", "p", {"kernel_shape": [2, 2], "strides": [2, 2]}),
    ("Conv", "p v", "d", {"strides": [2, 2]}),
    ("GlobalAveragePool", "d", "g", {}), ("Flatten", "g", "y", {})],
    {"x": (FLOAT, ["N", 3, "H", "W"])},
    {"w": floats(4, 3, 3, 3), "b": floats(4), "v": floats(6, 4, 3, 3)})

# Convolutions of all kinds over images of any size, and over rows.
save("images", [
    ("Conv", "x w1 b1", "c1", {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
    ("Relu", "c1", "r1", {}),
    ("Conv", "r1 w2", "c2", {"pads": [1, 1, 1, 1], "group": 32}),
    ("Conv", "c2 w3 b3", "c3", {}), ("Relu", "c3", "r3", {}),
    ("Conv", "r3 w4", "c4", {"pads": [2, 2, 2, 2], "dilations": [2, 2],
                             "group": 3}),
    ("Add", "c4 r3", "s1", {}),
    ("Conv", "s1 w5", "c5", {"pads": [2, 3, 2, 1], "group": 12}),
    ("Conv", "c5 w6", "c6", {"pads": [2, 2, 2, 2], "strides": [2, 2],
                             "group": 48}),
    ("Conv", "c6 w7", "c7", {"pads": [1, 2, 1, 2], "strides": [1, 2]}),
    ("Conv", "c7 w8", "y", {"strides": [2, 2]})],
    {"x": (FLOAT, ["N", 3, "H", "W"])},
    {"w1": floats(32, 3, 3, 3), "b1": floats(32), "w2": floats(32, 1, 3, 3),
     "w3": floats(48, 32, 1, 1) / 6, "b3": floats(48),
     "w4": floats(48, 16, 3, 3) / 12, "w5": floats(48, 4, 5, 5) / 10,
     "w6": floats(48, 1, 5, 5) / 5, "w7": floats(40, 48, 3, 5) / 27,
     "w8": floats(20, 40, 1, 1) / 6})
save("squares", [
    ("Conv", "x w1", "c1", {"pads": [1, 1, 1, 1]}), ("Relu", "c1", "r1", {}),
    ("Conv", "r1 w2 b2", "c2", {"pads": [1, 1, 1, 1]}), ("Add", "c2 r1", "s", {}),
    ("Relu", "s", "r2", {}),
    ("Conv", "r2 w3", "c3", {"pads": [1, 1, 1, 1], "strides": [2, 2]}),
    ("Conv", "c3 w4", "y", {"pads": [0, 2, 1, 0]})],
    {"x": (FLOAT, ["N", 3, "H", "W"])},
    {"w1": floats(64, 3, 3, 3), "w2": floats(64, 64, 3, 3) / 24,
     "b2": floats(64), "w3": floats(96, 64, 3, 3) / 24,
     "w4": floats(70, 96, 3, 3) / 29})
# Pads that the sizes of a run give.
save("same", [
    ("Conv", "x w1", "c1", {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
    ("Relu", "c1", "r1", {}),
    ("Conv", "r1 w2", "c2", {"auto_pad": "SAME_LOWER", "strides": [2, 2], "group": 32}),
    ("Conv", "c2 w3", "c3", {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
    ("Conv", "c3 w4", "y", {"auto_pad": "SAME_LOWER", "strides": [2, 3]})],
    {"x": (FLOAT, ["N", 3, "H", "W"])},
    {"w1": floats(32, 3, 3, 3), "w2": floats(32, 1, 5, 5) / 5,
     "w3": floats(64, 32, 3, 3) / 17, "w4": floats(24, 64, 5, 4) / 35})
save("rows", [
    ("Conv", "x w1", "c1", {"pads": [3, 1]}), ("Relu", "c1", "r1", {}),
    ("Conv", "r1 w2", "c2", {"pads": [4, 4], "dilations": [2]}),
    ("Add", "c2 r1", "s", {}),
    ("Conv", "s w3", "c3", {"pads": [3, 3], "strides": [2], "group": 24}),
    ("Conv", "c3 w4", "y", {})],
    {"x": (FLOAT, ["N", 2, "L"])},
    {"w1": floats(24, 2, 5), "w2": floats(24, 24, 5) / 11,
     "w3": floats(24, 1, 7), "w4": floats(33, 24, 1) / 5})
