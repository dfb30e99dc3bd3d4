# SPDX-License-Identifier: MIT
"""Models that a program builds node by node."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Optional, Sequence, Union

import numpy

from . import _interface
from ._errors import InvalidArgument
from ._graph_methods import GraphMethods
from ._graph_nodes import Kind, Value, kind_of
from ._library import Handle, bytes_of, check, integer_of, library
from ._model import Model
from ._tensors import address_of, number_of


def _sizes_of(shape: Sequence[int]) -> Any:
    return (ctypes.c_int64 * len(shape))(
        *(integer_of(size, "a size") for size in shape))


class Graph(GraphMethods):
    """A graph under construction.

    It has a method for each node of the records, as ``conv`` and ``matmul``:
    operands are positional, attributes have names. A node that breaks a
    requirement of its record raises InvalidArgument with the requirement's
    label, and the graph stays as it was. One thread at a time may use a graph.
    docs/BuildAGraph.md is the guide.
    """

    def input(self, name: str, shape: Sequence[int],
              kind: Kind = "f32") -> Value:
        """An input of the model. Raises InvalidArgument for a name that is
        taken."""
        tensor = _interface.glow_tensor(kind_of(kind), len(shape),
                                        _sizes_of(shape), None)
        number = ctypes.c_uint32()
        check(library().glow_graph_input(
            self._handle.value, bytes_of(name, "the name of an input"),
            ctypes.byref(tensor), ctypes.byref(number)))
        return Value(self, number.value)

    def weight(self, name: str, elements: Any = None, *,
               shape: Optional[Sequence[int]] = None, initially: str = "",
               seed: int = 0, fan_in: int = 0) -> Value:
        """A weight with a copy of an array, or of f32 and a shape with elements
        that `initially` describes: "zero", "broadcast X", "uniform LOW HIGH",
        "normal MEAN DEVIATION", "xavier", "kaiming". The last two are uniform
        from -b to b, with b = sqrt(6 / (in + out)) and sqrt(6 / in); `fan_in`
        is `in`, or 0 for the product of all sizes but the last. Equal seeds give
        equal elements.
        """
        if (elements is None) == (shape is None) or (
                shape is None) != (not initially):
            raise InvalidArgument(
                f"weight '{name}' takes an array, or a shape and what its "
                "elements are initially")
        keep: list[Any] = []
        if shape is not None:
            tensor = _interface.glow_tensor(kind_of("f32"), len(shape),
                                            _sizes_of(shape), None)
        else:
            array = numpy.require(elements, requirements=["C", "A"])
            tensor = _interface.glow_tensor(number_of(array.dtype), array.ndim,
                                            _sizes_of(array.shape),
                                            address_of(array, keep))
        number = ctypes.c_uint32()
        check(library().glow_graph_weight(
            self._handle.value, bytes_of(name, "the name of a weight"),
            ctypes.byref(tensor),
            bytes_of(initially, "initially") if initially else None,
            integer_of(seed, "seed"), integer_of(fan_in, "fan_in"),
            ctypes.byref(number)))
        return Value(self, number.value)

    def output(self, name: str, value: Value) -> None:
        """Makes a value an output of the model."""
        check(library().glow_graph_output(
            self._handle.value, bytes_of(name, "the name of an output"),
            self.number_of(value)))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the model, whole or not at all: .onnx, .mlir or .mlirbc.

        Raises Unsupported, with the reasons, for a node that ONNX lacks.
        """
        check(library().glow_graph_save(self._handle.value,
                                        bytes_of(path, "a path")))

    def model(self, **options: Any) -> Model:
        """The model, compiled with options as those of ``glow.load``."""
        made = ctypes.c_void_p()
        check(library().glow_graph_model(self._handle.value, ctypes.byref(made)))
        handle = Handle(made.value, library().glow_model_free)
        model = Model(b"", "the graph", None, options, handle=handle)
        model.compile()
        return model
