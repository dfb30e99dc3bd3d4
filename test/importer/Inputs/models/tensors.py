# SPDX-License-Identifier: MIT
"""Models whose tensors are of all kinds, elsewhere, or wrong."""

import os
import sys

import numpy
from onnx import TensorProto, helper

from .build import F32, I64, add_weight, array, model, node, outside, tensor, value


def typed_data():
    """A tensor of every kind, in the field that the kind has for its numbers."""
    half = numpy.array([1.5, -2], numpy.float16).view(numpy.uint16)
    weights = [
        tensor("f32", F32, [2], float_data=[1.5, -2]),
        tensor("f64", TensorProto.DOUBLE, [2], double_data=[1.5, -2]),
        tensor("f16", TensorProto.FLOAT16, [2], int32_data=half.tolist()),
        tensor("bf16", TensorProto.BFLOAT16, [2], int32_data=[0x3fc0, 0xc000]),
        tensor("bool", TensorProto.BOOL, [2], int32_data=[0, 1]),
        tensor("i8", TensorProto.INT8, [2], int32_data=[7, -8]),
        tensor("u8", TensorProto.UINT8, [2], int32_data=[7, 200]),
        tensor("i16", TensorProto.INT16, [2], int32_data=[7, -300]),
        tensor("u16", TensorProto.UINT16, [2], int32_data=[7, 60000]),
        tensor("i32", TensorProto.INT32, [2], int32_data=[7, -70000]),
        tensor("u32", TensorProto.UINT32, [2], uint64_data=[7, 4000000000]),
        tensor("i64", I64, [2], int64_data=[7, -(1 << 40)]),
        tensor("u64", TensorProto.UINT64, [2], uint64_data=[7, 1 << 63]),
        tensor("raw_bool", TensorProto.BOOL, [2], raw_data=b"\0\7"),
        tensor("none", F32, [0, 3]),
        tensor("scalar", F32, [], float_data=[3]),
    ]
    outputs = [value(w.name, list(w.dims), w.data_type) for w in weights]
    return model([], [], outputs, weights)


def short_data():
    return add_weight(tensor("w", F32, [2, 3], raw_data=b"\0" * 20))


def few_numbers():
    return add_weight(tensor("w", I64, [2, 3], int64_data=[1, 2, 300, 4, 5]))


def no_data():
    return add_weight(tensor("w", F32, [2, 3]))


def short_attribute():
    return model([node("ConstantOfShape", "x", "y",
                       value=tensor("v", F32, [9], float_data=[1]))],
                 inputs=[value("x", [1], I64)])


def hundred_gigabytes():
    """A tensor that no file holds: 25,000,000,000 floats."""
    return model([node("ConstantOfShape", "shape", "y")], [],
                 [value("y", [25000000000])],
                 [array("shape", [25000000000], numpy.int64)])


def hundred_gigabytes_input():
    return model([node("Relu", "x", "y")], [value("x", [25000000000])])


def negative_size():
    return add_weight(tensor("w", F32, [2, -3], raw_data=b"\0" * 24))


def overflowing_size():
    return add_weight(tensor("w", F32, [1 << 40, 1 << 40], raw_data=b"\0"))


def text_tensor():
    return add_weight(tensor("w", TensorProto.STRING, [1], string_data=[b"a"]))


def complex_tensor():
    return add_weight(tensor("w", TensorProto.COMPLEX64, [1], raw_data=b"12345678"))


def unknown_data_type():
    return add_weight(tensor("w", 99, [1], raw_data=b"1"))


def sparse_initializer():
    result = model([node("Add", "x w", "y")])
    result.graph.sparse_initializer.append(helper.make_sparse_tensor(
        array("w", [1]), array("", [0], numpy.int64), [2, 3]))
    return result


def external(location="weights.bin", offset=4, length=24, fill=28):
    """The numbers are beside the model, not where a float would begin."""
    folder = os.path.dirname(os.path.abspath(sys.argv[2]))
    numbers = numpy.arange(6, dtype=numpy.float32).tobytes()
    with open(os.path.join(folder, "weights.bin"), "wb") as file:
        file.write((b"\0" * 4 + numbers)[:fill])
    return add_weight(outside(location, offset=offset, length=length))


def external_above():
    return external("../weights.bin")


def external_absolute():
    return external("/etc/passwd")


def external_link():
    link = os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "link.bin")
    if not os.path.islink(link):
        os.symlink("/etc/passwd", link)
    return external("link.bin")


def hub(data="blobs/h2"):
    """A folder of links to the model and its data, as in the cache of a model hub."""
    folder = os.path.dirname(os.path.abspath(sys.argv[2]))
    for part in "blobs", "elsewhere", "snapshots/x":
        os.makedirs(os.path.join(folder, part), exist_ok=True)
    with open(os.path.join(folder, data), "wb") as file:
        file.write(numpy.arange(6, dtype=numpy.float32).tobytes())
    for link, target in ("model.onnx", "blobs/h1"), ("model.onnx_data", data):
        os.symlink(os.path.join("../..", target), os.path.join(folder, "snapshots/x", link))
    return add_weight(outside("model.onnx_data", offset=0, length=24))


def hub_elsewhere():
    return hub("elsewhere/h2")


def external_within():
    return external("../" + os.path.basename(
        os.path.dirname(os.path.abspath(sys.argv[2]))) + "/weights.bin")


def external_missing():
    return external("nowhere.bin")


def external_short():
    return external(fill=20)


def external_negative_offset():
    return external(offset=-4)


def external_far_offset():
    return external(offset=(1 << 64) - 4)
