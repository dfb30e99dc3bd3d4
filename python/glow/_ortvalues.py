# SPDX-License-Identifier: MIT
"""Values in memory of their own, and what a session reads and writes there, by
the names of ONNX Runtime."""

from __future__ import annotations

import ctypes
from typing import (TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence,
                    Tuple, Union)

import numpy

from ._errors import InvalidArgument, NotFound, ShapeMismatch, Unsupported
from ._library import OfProcess, integer_of
from ._onnx import ELEMENTS, NAMES
from ._tensors import KINDS, address_of, check_names

if TYPE_CHECKING:
    from ._session import InferenceSession

_NUMBERS = {name: number for number, name in ELEMENTS.items()}
_KIND_OF = {name: kind for kind, name in NAMES.items()}
_DTYPES = dict(KINDS.values())

# The kind of an array of each type, unless it is given.
_KINDS = {numpy.dtype(name): kind for name, kind in (
    ("float32", "f32"), ("float64", "f64"), ("float16", "f16"), ("int8", "i8"),
    ("int16", "i16"), ("int32", "i32"), ("int64", "i64"), ("uint8", "u8"),
    ("uint16", "u16"), ("uint32", "u32"), ("uint64", "u64"), ("bool", "bool"),
    ("object", "string"))}

Array = numpy.ndarray
Element = Union[int, str, "numpy.dtype[Any]", type]


def _check_device(device: str, number: int = 0) -> None:
    if device.lower() != "cpu" or number != 0:
        raise Unsupported(f"the device is '{device}' {number}, values of Glow "
                          "are on 'cpu' 0")


def _kind_of(element: Element) -> str:
    """The kind of elements by ONNX's number or a type of numpy."""
    if isinstance(element, int):
        name = ELEMENTS.get(element, "")
        kind = _KIND_OF.get(name, name)
        if kind in _DTYPES:
            return kind
        raise InvalidArgument(f"element type {element} is none of ONNX's that "
                              "Glow has")
    found = _KINDS.get(numpy.dtype(element))
    if found is None:
        raise InvalidArgument(f"element type {element!r} is no kind of Glow")
    return found


def _at(address: int, shape: Sequence[int],
        dtype: "numpy.dtype[Any]") -> Array:
    """The caller's memory as an array."""
    sizes = tuple(integer_of(size, "a size") for size in shape)
    size = int(numpy.prod(sizes, dtype=numpy.int64)) * dtype.itemsize
    if size and not address:
        raise InvalidArgument("buffer_ptr is 0, it should be an address")
    memory: Any = (ctypes.c_char * size).from_address(address) if size else b""
    return numpy.frombuffer(memory, dtype).reshape(sizes)


class OrtValue(OfProcess):
    """A tensor in memory of the host, or a list, a dict or None.

    Makers are class methods. `numpy` and ``__dlpack__`` share the memory.
    """

    def __init__(self, value: Any, kind: Optional[str] = None) -> None:
        self._value = value
        self._kind = kind or (_kind_of(value.dtype) if isinstance(
            value, numpy.ndarray) else "")

    @classmethod
    def ortvalue_from_numpy(cls, numpy_obj: Any, device_type: str = "cpu",
                            device_id: int = 0,
                            vendor_id: int = -1) -> "OrtValue":
        """A tensor in the memory of a dense array; another array is copied.
        Raises InvalidArgument for elements that are no kind of Glow."""
        _check_device(device_type, device_id)
        array = numpy.asarray(numpy_obj)
        if array.dtype.kind in "US":
            array = array.astype(object)
        return cls(numpy.require(array, requirements=["C", "A"]))

    @classmethod
    def ortvalue_from_numpy_with_onnx_type(
            cls, data: Any, /, onnx_element_type: int) -> "OrtValue":
        """A tensor of a kind for which numpy has no type, by ONNX's number of
        it: the array has the bits. Raises InvalidArgument where the sizes of
        elements differ."""
        kind, array = _kind_of(onnx_element_type), numpy.asarray(data)
        if array.dtype.itemsize != _DTYPES[kind].itemsize:
            raise InvalidArgument(f"the array has elements of {array.dtype}, "
                                  f"{kind} is in {_DTYPES[kind]}")
        return cls(numpy.require(array.view(_DTYPES[kind]),
                                 requirements=["C", "A"]), kind)

    @classmethod
    def ortvalue_from_shape_and_type(
            cls, shape: Sequence[int], element_type: Element,
            device_type: str = "cpu", device_id: int = 0,
            vendor_id: int = -1) -> "OrtValue":
        """A tensor of any elements, to write to."""
        _check_device(device_type, device_id)
        kind = _kind_of(element_type)
        return cls(numpy.empty(tuple(shape), _DTYPES[kind]), kind)

    @classmethod
    def from_dlpack(cls, data: Any, /) -> "OrtValue":
        """A tensor in the memory of another library's."""
        return cls(numpy.from_dlpack(data))

    def numpy(self) -> Any:
        """The array, list or dict itself."""
        return self._value

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        array = numpy.asarray(self._tensor(), dtype)
        return array.copy() if copy else array

    def __dlpack__(self, **options: Any) -> Any:
        return self._tensor().__dlpack__(**options)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return 1, 0  # memory of the host

    def _tensor(self) -> Array:
        if not isinstance(self._value, numpy.ndarray):
            raise InvalidArgument(f"the value is {self.data_type()}, it should "
                                  "be a tensor")
        return self._value

    def update_inplace(self, np_arr: Any) -> None:
        """Writes an array of the same shape and elements to the memory.
        Raises ShapeMismatch for another one."""
        mine, array = self._tensor(), numpy.asarray(np_arr)
        if mine.shape != array.shape or mine.dtype != array.dtype:
            raise ShapeMismatch(
                f"the value is {mine.dtype}{list(mine.shape)}, the array is "
                f"{array.dtype}{list(array.shape)}")
        mine[...] = array

    def shape(self) -> List[int]:
        """The sizes of a tensor."""
        return list(self._tensor().shape)

    def data_type(self) -> str:
        """"tensor(float)", "seq", "map" or "optional"."""
        if isinstance(self._value, numpy.ndarray):
            return f"tensor({NAMES.get(self._kind, self._kind)})"
        return ("seq" if isinstance(self._value, (list, tuple)) else
                "map" if isinstance(self._value, Mapping) else "optional")

    def element_type(self) -> int:
        """ONNX's number of the kind of elements."""
        self._tensor()
        return _NUMBERS[NAMES.get(self._kind, self._kind)]

    def data_ptr(self) -> int:
        """The address of the first element."""
        return address_of(self._tensor(), [])

    def tensor_size_in_bytes(self) -> int:
        """The bytes of a tensor."""
        return int(self._tensor().nbytes)

    def device_name(self) -> str:
        """"cpu"."""
        return "cpu"

    def has_value(self) -> bool:
        """False for an optional without one."""
        return self._value is not None

    def is_tensor(self) -> bool:
        """Whether the value is a tensor."""
        return isinstance(self._value, numpy.ndarray)

    def is_sparse_tensor(self) -> bool:
        """False: Glow has dense tensors only."""
        return False

    def is_tensor_sequence(self) -> bool:
        """Whether the value is a list."""
        return isinstance(self._value, (list, tuple))

    def __repr__(self) -> str:
        if not self.is_tensor():
            return f"<glow.OrtValue {self.data_type()}>"
        return f"<glow.OrtValue {self.data_type()} {self.shape()} on cpu>"


class IOBinding(OfProcess):
    """Memory that runs read and write: `InferenceSession.io_binding` makes it,
    and `run_with_iobinding` uses it as often as one likes."""

    def __init__(self, session: "InferenceSession") -> None:
        model = session._model
        self._takes = (*model.inputs, *model.overridable)
        self._gives = model.outputs
        self._inputs: Dict[str, Any] = {}
        self._outputs: Dict[str, Optional[Array]] = {}
        self._results: Dict[str, Any] = {}

    def bind_cpu_input(self, name: str, arr_on_cpu: Any) -> None:
        """Each run reads an array of numpy, or a tensor with ``__dlpack__``.
        A dense one is read where it is, with the elements that it has then.
        Raises NotFound for a name that is no input."""
        check_names([name], self._takes, "input")
        self._inputs[name] = (numpy.from_dlpack(arr_on_cpu) if not isinstance(
            arr_on_cpu, numpy.ndarray) and hasattr(arr_on_cpu, "__dlpack__")
                              else arr_on_cpu)

    def bind_input(self, name: str, device_type: str, device_id: int,
                   element_type: Element, shape: Sequence[int],
                   buffer_ptr: int) -> None:
        """Each run reads the memory at an address, which the caller keeps.
        Raises Unsupported for another device than the host."""
        _check_device(device_type, device_id)
        self.bind_cpu_input(name, _at(buffer_ptr, shape,
                                      _DTYPES[_kind_of(element_type)]))

    def bind_ortvalue_input(self, name: str, ortvalue: OrtValue) -> None:
        """Each run reads a value."""
        check_names([name], self._takes, "input")
        self._inputs[name] = ortvalue.numpy()

    def bind_output(self, name: str, device_type: str = "cpu",
                    device_id: int = 0, element_type: Optional[Element] = None,
                    shape: Optional[Sequence[int]] = None,
                    buffer_ptr: Optional[int] = None) -> None:
        """Each run writes an output to new memory, or to that at an address.
        Raises NotFound for a name that is no output, and InvalidArgument for an
        address without a shape and a type."""
        _check_device(device_type, device_id)
        check_names([name], self._gives, "output")
        if buffer_ptr is None:
            self._outputs[name] = None
            return
        if shape is None or element_type is None:
            raise InvalidArgument(f"output '{name}' has an address, it should "
                                  "have a shape and an element type, too")
        self._outputs[name] = _at(buffer_ptr, shape,
                                  _DTYPES[_kind_of(element_type)])

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """Each run writes an output to the memory of a value."""
        check_names([name], self._gives, "output")
        self._outputs[name] = ortvalue._tensor()

    def synchronize_inputs(self) -> None:
        """Nothing: the memory is the host's."""

    def synchronize_outputs(self) -> None:
        """Nothing: a run is over when it returns."""

    def get_outputs(self) -> List[OrtValue]:
        """The outputs of the last run, in the order in which they were bound.
        Raises NotFound before a run."""
        return [OrtValue(value) for value in self._found()]

    def copy_outputs_to_cpu(self) -> List[Any]:
        """Copies of the outputs of the last run, as arrays."""
        return [value.copy() if isinstance(value, numpy.ndarray) else value
                for value in self._found()]

    def clear_binding_inputs(self) -> None:
        """Binds no input."""
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Binds no output."""
        self._outputs.clear()
        self._results.clear()

    def _found(self) -> List[Any]:
        if any(name not in self._results for name in self._outputs):
            raise NotFound("there are no outputs: run_with_iobinding comes "
                           "first")
        return [self._results[name] for name in self._outputs]

    def __repr__(self) -> str:
        return (f"<glow.IOBinding inputs: {', '.join(self._inputs) or 'none'}; "
                f"outputs: {', '.join(self._outputs) or 'none'}>")
