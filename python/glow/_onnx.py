# SPDX-License-Identifier: MIT
"""The parts of an ONNX file that describe the model: metadata, and the types of
values that are no tensors. The format is protobuf: fields with a number, a wire
type and a value. Numbers are those of onnx.proto."""

from __future__ import annotations

import mmap
import os
from typing import Dict, Iterator, List, NamedTuple, Tuple, Union

# The names of element kinds in ONNX's text form, by their numbers.
ELEMENTS = {
    1: "float", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32",
    7: "int64", 8: "string", 9: "bool", 10: "float16", 11: "double",
    12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128",
    16: "bfloat16", 17: "float8e4m3fn", 18: "float8e4m3fnuz", 19: "float8e5m2",
    20: "float8e5m2fnuz", 21: "uint4", 22: "int4", 23: "float4e2m1",
    24: "float8e8m0", 25: "uint2", 26: "int2"}

# The names of Glow's kinds of elements there.
NAMES = {"f32": "float", "f64": "double", "f16": "float16", "bf16": "bfloat16",
         "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
         "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
         "i4": "int4", "u4": "uint4", "i2": "int2", "u2": "uint2",
         "f8e4m3fn": "float8e4m3fn", "f8e4m3fnuz": "float8e4m3fnuz",
         "f8e5m2": "float8e5m2", "f8e5m2fnuz": "float8e5m2fnuz",
         "f4e2m1fn": "float4e2m1", "f8e8m0fnu": "float8e8m0"}

Field = Tuple[int, Union[int, memoryview]]


def _varint(data: memoryview, at: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _fields(data: memoryview) -> Iterator[Field]:
    """Fields by their numbers. Raises ValueError or IndexError for bytes that
    are none."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        if wire == 2:
            size, at = _varint(data, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
        else:
            raise ValueError(f"wire type {wire}")
        if at + size > len(data):
            raise ValueError("the end comes too soon")
        yield key >> 3, data[at:at + size]
        at += size


def _messages(data: memoryview, number: int) -> Iterator[memoryview]:
    for field, value in _fields(data):
        if field == number and isinstance(value, memoryview):
            yield value


def _text(data: memoryview, number: int) -> str:
    """The last one counts, as protobuf has it."""
    found = ""
    for value in _messages(data, number):
        found = bytes(value).decode("utf-8", "replace")
    return found


def _number(data: memoryview, number: int, absent: int = 0) -> int:
    found = absent
    for field, value in _fields(data):
        if field == number and isinstance(value, int):
            found = value
    return found


def _type(data: memoryview) -> str:
    """A TypeProto: "seq(map(int64,tensor(float)))"."""
    for field, value in _fields(data):
        if not isinstance(value, memoryview):
            continue
        if field in (1, 8):  # a tensor, a sparse one
            word = "tensor" if field == 1 else "sparse_tensor"
            return f"{word}({ELEMENTS.get(_number(value, 1), 'undefined')})"
        inner = [_type(one) for one in _messages(value, 2 if field == 5 else 1)]
        element = inner[-1] if inner else ""
        if field == 4:
            return f"seq({element})"
        if field == 5:
            return f"map({ELEMENTS.get(_number(value, 1), '')},{element})"
        if field == 9:
            return f"optional({element})"
    return ""


class ModelMetadata(NamedTuple):
    """The description of a model in its file. A text that the file does not
    have is empty, and so are all of a file of another format; such a version
    is 2**63 - 1, as ONNX Runtime has it."""
    producer_name: str
    graph_name: str
    domain: str
    description: str
    graph_description: str
    version: int
    custom_metadata_map: Dict[str, str]


class Description(NamedTuple):
    """All that is read of a file."""
    metadata: ModelMetadata
    types: Dict[str, str]  #: of inputs and outputs


def _described(data: memoryview) -> Description:
    graphs = list(_messages(data, 7))
    graph = graphs[-1] if graphs else memoryview(b"")
    properties = {_text(one, 1): _text(one, 2) for one in _messages(data, 14)}
    version = _number(data, 5, absent=2**63 - 1)
    metadata = ModelMetadata(
        _text(data, 2), _text(graph, 2), _text(data, 4), _text(data, 6),
        _text(graph, 10), version - 2**64 if version >= 2**63 else version,
        properties)
    types: Dict[str, str] = {}
    values: List[memoryview] = [*_messages(graph, 11), *_messages(graph, 12)]
    for value in values:
        for form in _messages(value, 2):
            types[_text(value, 1)] = _type(form)
    return Description(metadata, types)


def described(source: Union[str, "os.PathLike[str]", bytes, bytearray,
                            memoryview]) -> Description:
    """The description of a model that Glow has read."""
    try:
        if isinstance(source, (bytes, bytearray, memoryview)):
            return _described(memoryview(source).cast("B"))
        with open(source, "rb") as file:
            # Weights are in pages that nothing reads.
            return _described(memoryview(mmap.mmap(file.fileno(), 0,
                                                   access=mmap.ACCESS_READ)))
    except (ValueError, IndexError, OSError):
        # A model in another format, or a file that is gone.
        return _described(memoryview(b""))
