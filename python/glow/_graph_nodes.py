# SPDX-License-Identifier: MIT
"""Nodes of a graph under construction, by the names of the records."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

import numpy

from . import _interface
from ._errors import InvalidArgument
from ._library import Handle, OfProcess, bytes_of, check, library
from ._tensors import NUMBERS, TensorInfo, info_of, number_of

#: A kind of elements: "f32", or a type of numpy.
Kind = Union[str, Any]

# More results than any node has.
_MOST_RESULTS = 4096


class Value(OfProcess):
    """A value of a graph: the result of a node, an input or a weight."""

    def __init__(self, graph: NodeAdder, number: int) -> None:
        self.graph, self.number = graph, number

    def _info(self) -> TensorInfo:
        info = _interface.glow_tensor_info()
        check(library().glow_graph_type(self.graph._handle.value, self.number,
                                        ctypes.byref(info)))
        return info_of(info)

    @property
    def shape(self) -> Tuple[Union[int, str, None], ...]:
        """The sizes, which are numbers."""
        return self._info().shape

    @property
    def kind(self) -> str:
        """The kind of elements, as "f32"."""
        return self._info().kind

    def __repr__(self) -> str:
        info = self._info()
        return f"<glow.Value {self.number}: {info.kind}{list(info.shape)}>"


def _text(value: Any) -> str:
    """An attribute as its text."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, numpy.floating)):
        return repr(float(value))
    if isinstance(value, (type, numpy.dtype)):
        return str(number_of(value))
    if isinstance(value, (Sequence, numpy.ndarray)):
        return f"[{', '.join(map(_text, value))}]"
    return str(operator.index(value))


class NodeAdder(OfProcess):
    """Adds nodes to a graph."""

    def __init__(self) -> None:
        graph = ctypes.c_void_p()
        check(library().glow_graph_new(ctypes.byref(graph)))
        self._handle = Handle(graph.value, library().glow_graph_free)

    def number_of(self, value: Value) -> int:
        """The number of a value of this graph.

        Raises TypeError for what is none, and InvalidArgument for a value of
        another graph.
        """
        if not isinstance(value, Value):
            raise TypeError(f"{value!r} is no value of a graph; `weight` makes "
                            "one of an array")
        if value.graph is not self:
            raise InvalidArgument(f"{value!r} is a value of another graph")
        return value.number

    def _all(self, kind: str, name: str, operands: Mapping[str, Any],
             attributes: Mapping[str, Any]) -> Tuple[Value, ...]:
        pairs = [_interface.glow_graph_operand(operand.encode(), self.number_of(value))
                 for operand, given in operands.items() if given is not None
                 for value in (given if isinstance(given, Sequence) else [given])]
        texts = [_interface.glow_graph_attribute(
                     attribute.encode(), bytes_of(_text(value), f"attribute '{attribute}'"))
                 for attribute, value in attributes.items()]
        results = (ctypes.c_uint32 * _MOST_RESULTS)()
        count = ctypes.c_size_t()
        check(library().glow_graph_node(
            self._handle.value, bytes_of(kind, "the kind of a node"),
            bytes_of(name, "the name of a node"),
            (_interface.glow_graph_operand * len(pairs))(*pairs), len(pairs),
            (_interface.glow_graph_attribute * len(texts))(*texts), len(texts),
            results, len(results), ctypes.byref(count)))
        return tuple(Value(self, number) for number in results[:count.value])

    def _one(self, kind: str, name: str, operands: Mapping[str, Any],
             attributes: Mapping[str, Any]) -> Value:
        return self._all(kind, name, operands, attributes)[0]

    def node(self, kind: str, operands: Mapping[str, Any],
             attributes: Optional[Mapping[str, Any]] = None, *,
             name: str = "") -> Tuple[Value, ...]:
        """A node by its name, as one of a plug-in, with all of its attributes.
        An operand of several tensors is a list. Gives the results."""
        return self._all(kind, name, operands, attributes or {})


def kind_of(kind: Kind) -> int:
    """The number of a kind of elements.

    Raises InvalidArgument for a word that names none.
    """
    if not isinstance(kind, str):
        return number_of(kind)
    if kind not in NUMBERS:
        raise InvalidArgument(f"'{kind}' is no kind of elements; they are "
                              + ", ".join(NUMBERS))
    number: int = NUMBERS[kind]
    return number
