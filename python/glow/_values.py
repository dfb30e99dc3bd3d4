# SPDX-License-Identifier: MIT
"""Values of Glow that need not be tensors of numbers, and those of Python.

    a tensor of numbers   an array of numpy, or what becomes one
    strings               an array of object with str; bytes are taken too
    a sequence            a list
    a map                 a dict, from int or str
    nothing               None
"""

from __future__ import annotations

import ctypes
from typing import Any, Callable, List, Mapping

import numpy

from . import _interface
from ._errors import ShapeMismatch
from ._library import Handle, check, library
from ._tensors import KINDS, NUMBER_OF, TensorInfo, address_of


def _made(make: Callable[..., int], *arguments: Any) -> Handle:
    value = ctypes.c_void_p()
    check(make(*arguments, ctypes.byref(value)))
    return Handle(value.value, library().glow_value_free)


def _sizes(array: numpy.ndarray) -> Any:
    return (ctypes.c_int64 * array.ndim)(*array.shape)


# From Python

def _tensor(array: numpy.ndarray, kind: int) -> Handle:
    keep: List[Any] = []
    array = numpy.require(array, requirements=["C", "A"])
    tensor = _interface.glow_tensor(kind, array.ndim, _sizes(array),
                                    address_of(array, keep))
    return _made(library().glow_value_new_tensor, ctypes.byref(tensor))


def _encoded(text: Any, name: str) -> bytes:
    if isinstance(text, str):
        return text.encode("utf-8", "surrogateescape")
    if isinstance(text, bytes):
        return text
    raise ShapeMismatch(f"'{name}' has an element of {type(text).__name__}, "
                        "texts are str or bytes")


def _strings(value: Any, name: str) -> Handle:
    array = numpy.asarray(value, object)
    texts = [_encoded(text, name) for text in array.reshape(-1)]
    return _made(library().glow_value_new_strings, array.ndim, _sizes(array),
                 (ctypes.c_char_p * len(texts))(*texts),
                 (ctypes.c_size_t * len(texts))(*map(len, texts)))


def _sequence(elements: Any, name: str) -> Handle:
    handles = [_element(element, f"{name}[{index}]")
               for index, element in enumerate(elements)]
    values = (ctypes.c_void_p * len(handles))(
        *(handle.value for handle in handles))
    return _made(library().glow_value_new_sequence, values, len(handles))


def _column(values: List[Any], name: str) -> Handle:
    """Keys or values of a map. Numbers of Python are i64 and f32."""
    if all(isinstance(value, (str, bytes)) for value in values):
        return _strings(values, name)
    array = numpy.array(values)
    if array.dtype == numpy.float64 and all(
            type(value) in (int, float) for value in values):
        array = array.astype(numpy.float32)
    if array.dtype not in NUMBER_OF or array.ndim != 1:
        raise ShapeMismatch(f"'{name}' is a map of {values!r}, it should be of "
                            "numbers or of texts")
    return _tensor(array, NUMBER_OF[array.dtype])


def _map(value: Mapping[Any, Any], name: str) -> Handle:
    keys = list(value)
    if not all(isinstance(key, (str, bytes)) for key in keys):
        keys = [numpy.int64(key) for key in keys]
    pairs = _column(keys, name), _column(list(value.values()), name)
    return _made(library().glow_value_new_map, *(one.value for one in pairs))


def _element(value: Any, name: str) -> Handle:
    """What is in a sequence, or an optional: it has its own kind."""
    if value is None:
        return _made(library().glow_value_new_nothing)
    if isinstance(value, Mapping):
        return _map(value, name)
    if isinstance(value, (list, tuple)):
        return _sequence(value, name)
    if isinstance(value, (str, bytes)):
        return _strings(value, name)
    if not isinstance(value, numpy.ndarray) and hasattr(value, "__dlpack__"):
        value = numpy.from_dlpack(value)
    if not hasattr(value, "__array__"):
        raise ShapeMismatch(f"'{name}' is {value!r}, it should be an array of "
                            "numpy, texts, a list, a dict or None")
    array = numpy.asarray(value)
    if array.dtype.kind in "OUS":
        return _strings(array, name)
    if array.dtype not in NUMBER_OF:
        raise ShapeMismatch(f"'{name}' has elements of {array.dtype}, which is "
                            "no kind of Glow")
    return _tensor(array, NUMBER_OF[array.dtype])


def value_of(value: Any, info: TensorInfo) -> Handle:
    """A value for an input that is no tensor of numbers.

    Raises ShapeMismatch for one of another kind.
    """
    if info.kind == "string":
        return _strings(value, info.name)
    is_right = {"sequence": isinstance(value, (list, tuple)),
                "map": isinstance(value, Mapping)}.get(info.kind, True)
    if not is_right:
        raise ShapeMismatch(
            f"'{info.name}' is {type(value).__name__}, {info} takes "
            + ("a list" if info.kind == "sequence" else "a dict"))
    return _element(value, info.name)


# To Python

def _array(info: _interface.glow_tensor_info, data: Any) -> numpy.ndarray:
    array = numpy.empty(tuple(info.shape[:info.rank]), KINDS[info.kind][1])
    ctypes.memmove(address_of(array, []), data.value or 0, info.bytes)
    return array


def _texts(value: Handle, info: _interface.glow_tensor_info) -> numpy.ndarray:
    count = library().glow_value_count(value.value)
    texts = numpy.empty(count, object)
    text, length = ctypes.c_void_p(), ctypes.c_size_t()
    for index in range(count):
        check(library().glow_value_text(value.value, index, ctypes.byref(text),
                                        ctypes.byref(length)))
        texts[index] = ctypes.string_at(text.value or 0, length.value).decode(
            "utf-8", "surrogateescape")
    return texts.reshape(tuple(info.shape[:info.rank]))


def python_of(value: Handle) -> Any:
    """What a value is in Python; nothing of it is shared."""
    lib, data = library(), ctypes.c_void_p()
    info = _interface.glow_tensor_info()
    check(lib.glow_value_info(value.value, ctypes.byref(info),
                              ctypes.byref(data)))
    if info.kind == _interface.GLOW_OPTIONAL:
        return None
    if info.kind == _interface.GLOW_STRING:
        return _texts(value, info)
    if info.kind == _interface.GLOW_SEQUENCE:
        return [python_of(_made(lib.glow_value_element, value.value, index))
                for index in range(lib.glow_value_count(value.value))]
    if info.kind == _interface.GLOW_MAP:
        keys, values = (python_of(_made(part, value.value)).tolist() for part
                        in (lib.glow_value_keys, lib.glow_value_values))
        return dict(zip(keys, values))
    return _array(info, data)
