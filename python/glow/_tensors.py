# SPDX-License-Identifier: MIT
"""Tensors of Glow and arrays of numpy."""

from __future__ import annotations

import ctypes
import itertools
from typing import (Any, Callable, Dict, Iterable, List, NamedTuple, Optional,
                    Sequence, Tuple, Union)

import numpy

from . import _interface
from ._errors import InvalidArgument, NotFound, ShapeMismatch
from ._library import check, text_of

# Kinds by their numbers: the name, and numpy's type of the elements. Kinds
# without a numpy type are their bits; an element of less than a byte takes a
# byte.
KINDS = {
    getattr(_interface, "GLOW_" + name.upper()): (name, numpy.dtype(dtype))
    for name, dtype in {
        "f32": "float32", "f16": "float16", "bf16": "uint16", "f64": "float64",
        "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
        "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
        "bool": "bool", "i4": "int8", "u4": "uint8", "f8e4m3fn": "uint8",
        "f8e4m3fnuz": "uint8", "f8e5m2": "uint8", "f8e5m2fnuz": "uint8",
        "f4e2m1fn": "uint8", "f8e8m0fnu": "uint8", "i2": "int8", "u2": "uint8",
        "f6e2m3fn": "uint8", "f6e3m2fn": "uint8", "string": "object",
        "sequence": "object", "map": "object", "optional": "object"}.items()}
NUMBERS = {name: number for number, (name, _) in KINDS.items()}

# The number of the kind that each type of numpy stands for, unless it is given.
NUMBER_OF = {dtype: number for number, (name, dtype) in KINDS.items()
             if name in ("f32", "f16", "f64", "i8", "i16", "i32", "i64", "u8",
                         "u16", "u32", "u64", "bool")}

# Kinds of inputs and outputs that are no tensors of numbers.
VALUES = ("string", "sequence", "map", "optional")

_byte_of: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer


class TensorInfo(NamedTuple):
    """An input or output.

    ``shape`` has a number for each size that is known, the model's name for one
    that it leaves open, and None for one without a name. Sequences, maps and
    optionals have none.
    """
    name: str
    kind: str  #: f32, i64, bool... string, sequence, map, optional
    shape: Tuple[Union[int, str, None], ...]
    dtype: numpy.dtype  #: object for kinds that are no numbers

    def __str__(self) -> str:
        if self.kind in VALUES[1:]:
            return f"{self.name} {self.kind}"
        sizes = ",".join("?" if size is None else str(size)
                         for size in self.shape)
        return f"{self.name} {self.kind}[{sizes}]"


def info_of(info: _interface.glow_tensor_info) -> TensorInfo:
    kind, dtype = KINDS[info.kind]
    names = [text_of(info.dimensions[i]) if info.dimensions else ""
             for i in range(info.rank)]
    shape = tuple(info.shape[i] if info.shape[i] >= 0 else names[i] or None
                  for i in range(info.rank))
    return TensorInfo(text_of(info.name), kind, shape, dtype)


def infos_of(handle: Optional[int], count: Any, get: Any) -> Tuple[TensorInfo, ...]:
    """All that `get` tells of an object."""
    infos = []
    for index in range(count(handle)):
        info = _interface.glow_tensor_info()
        check(get(handle, index, ctypes.byref(info)))
        infos.append(info_of(info))
    return tuple(infos)


def check_names(names: Iterable[str], infos: Sequence[TensorInfo],
                what: str) -> None:
    """Raises NotFound for a name that no info has."""
    for name in names:
        if all(info.name != name for info in infos):
            raise NotFound(f"no {what} is named '{name}'; the {what}s are "
                           + (", ".join(map(str, infos)) or "none"))


def number_of(dtype: Any) -> int:
    """The number of the kind that a type of numpy stands for.

    Raises InvalidArgument for a type that is no kind of elements.
    """
    number: Optional[int] = NUMBER_OF.get(numpy.dtype(dtype))
    if number is None:
        raise InvalidArgument(f"elements are of {numpy.dtype(dtype)}, which is "
                              "no kind of elements")
    return number


def array_of(value: Any, dtype: numpy.dtype, what: TensorInfo) -> numpy.ndarray:
    """A value as an array of a kind, dense and aligned; its own memory if that
    is possible. Numbers that have no kind yet, as lists, take it.

    Raises ShapeMismatch for elements of another kind.
    """
    if not isinstance(value, numpy.ndarray):
        if hasattr(value, "__dlpack__"):
            value = numpy.from_dlpack(value)
        elif isinstance(value, numpy.generic) or hasattr(value, "__array__"):
            value = numpy.asarray(value)
        else:
            value = numpy.asarray(value, dtype)
    if value.dtype != dtype:
        raise ShapeMismatch(
            f"'{what.name}' has elements of {value.dtype}, {what} takes "
            f"{dtype}; give it value.astype('{dtype}')")
    return numpy.require(value, requirements=["C", "A"])


def address_of(array: numpy.ndarray, keep: List[Any]) -> int:
    """Where a dense array begins; `keep` holds its memory while it lives."""
    try:
        # A third of the time of __array_interface__, but not for all arrays.
        byte = _byte_of(array)
    except (TypeError, ValueError, BufferError):
        # The array is read-only or empty.
        keep.append(array)
        return int(array.__array_interface__["data"][0])
    keep.append(byte)
    return ctypes.addressof(byte)


def sizes_of(info: TensorInfo) -> Tuple[int, ...]:
    """The sizes of a tensor of which none is open."""
    return info.shape  # type: ignore[return-value]


def output_of(given: Optional[Dict[str, Any]], info: TensorInfo) -> numpy.ndarray:
    """Where an output is written: the caller's array, or a new one."""
    if not given or info.name not in given:
        return numpy.empty(info.shape, info.dtype)  # type: ignore[arg-type]
    array: numpy.ndarray = given[info.name]
    if not is_output(array, info) or array.shape != info.shape:
        raise ShapeMismatch(
            f"'{info.name}' should be written to a dense, writable array of "
            f"{info.dtype}{list(info.shape)}")
    return array


def is_output(array: Any, info: TensorInfo) -> bool:
    """Whether an output of some shape can be written to an array."""
    return (isinstance(array, numpy.ndarray) and array.dtype == info.dtype
            and array.flags.carray)


def check_outputs(gives: Sequence[TensorInfo], out: Dict[str, Any]) -> None:
    """Checks the arrays for outputs whose shapes only a run knows."""
    check_names(out, gives, "output")
    for info in gives:
        if info.name not in out:
            continue
        if info.kind in VALUES[1:]:
            raise ShapeMismatch(f"{info} cannot be written to an array")
        if not is_output(out[info.name], info):
            raise ShapeMismatch(f"'{info.name}' should be written to a dense, "
                                f"writable array of {info.dtype}")
    for one, other in itertools.combinations(out, 2):
        # They are dense: their bounds decide.
        if numpy.may_share_memory(out[one], out[other]):
            raise InvalidArgument(f"outputs '{one}' and '{other}' share "
                                  "memory, they should lie apart")


def written_to(results: Dict[str, Any], out: Dict[str, Any]) -> Dict[str, Any]:
    """The results, in the caller's arrays where there are some."""
    for name, array in out.items():
        if results[name].shape != array.shape:
            raise ShapeMismatch(f"'{name}' is {list(results[name].shape)}, the "
                                "array that it should be written to is "
                                f"{list(array.shape)}")
    for name, array in out.items():
        array[...] = results[name]
        results[name] = array
    return results
