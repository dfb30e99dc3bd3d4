# SPDX-License-Identifier: MIT
"""Sizes that a caller gives to a model that leaves them open."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Sequence, Tuple, Union

from ._errors import InvalidArgument, NotFound, ShapeMismatch
from ._library import integer_of
from ._tensors import TensorInfo

Shape = Tuple[Union[int, str, None], ...]


def is_size(value: Any) -> bool:
    """Whether a value is a size, and not the shape of an input."""
    return hasattr(value, "__index__")


def is_range(value: Any) -> bool:
    """Whether a value is a range of sizes; ``...`` leaves it to the compiler."""
    return value is ... or isinstance(value, range)


def bounds_of(name: str, sizes: Any) -> Tuple[int, int, int]:
    """The smallest size, the largest, -1 where the compiler chooses it, and the
    divisor of a range."""
    if sizes is ...:
        return 1, -1, 1
    if len(sizes) == 0 or sizes.step < 1 or sizes[0] % sizes.step:
        raise InvalidArgument(
            f"dimension '{name}' has the sizes {sizes}, they should begin at a "
            "multiple of their step and not be empty")
    return sizes[0], sizes[-1], sizes.step


def _fitting(info: TensorInfo, sizes: Sequence[Any]) -> Shape:
    """The shape that is given for an input, if it is one of the input's."""
    given = tuple(integer_of(size, f"a size of '{info.name}'")
                  for size in sizes)
    # An input without a declared rank has no shape here.
    if info.shape and (len(given) != len(info.shape) or any(
            isinstance(known, int) and known != size
            for known, size in zip(info.shape, given))):
        raise ShapeMismatch(f"'{info.name}' was given the shape {list(given)}, "
                            f"the model takes {info}")
    return given


def _names_in(infos: Sequence[TensorInfo]) -> Dict[str, None]:
    return {size: None for info in infos for size in info.shape
            if isinstance(size, str)}


def _no_size(name: str, infos: Sequence[TensorInfo]) -> NotFound:
    known = ", ".join(_names_in(infos))
    return NotFound(f"no input has a dimension named '{name}'; "
                    + (f"there are: {known}" if known else "none has a name"))


def _no_input(name: str, infos: Sequence[TensorInfo]) -> NotFound:
    return NotFound(f"no input is named '{name}', for which a shape was given; "
                    f"the inputs are {', '.join(map(str, infos))}")


def with_shapes(inputs: Sequence[TensorInfo],
                shapes: Mapping[str, Any]) -> Tuple[TensorInfo, ...]:
    """Inputs with the sizes that `shapes` gives, of inputs and of dimensions.

    Raises NotFound for a name that is none, and ShapeMismatch for a size that
    the model, or another shape, says otherwise.
    """
    by_name = {info.name: info for info in inputs}
    sizes: Dict[str, int] = {}
    given: Dict[str, Shape] = {}

    def set_size(name: str, size: int) -> None:
        if sizes.setdefault(name, size) != size:
            raise ShapeMismatch(f"dimension '{name}' is given as "
                                f"{sizes[name]} and as {size}")

    for name, shape in shapes.items():
        if is_range(shape):
            bounds_of(name, shape)
            # The compiler knows outputs of nodes: "y.0" is a size of one.
            output = name.rpartition(".")[0]
            if output and output not in by_name:
                continue
            if name not in _names_in(inputs) and not any(
                    name == f"{info.name}.{d}" for info in inputs
                    for d, size in enumerate(info.shape) if size is None):
                raise _no_size(name, inputs)
            continue
        if is_size(shape):
            if name not in _names_in(inputs):
                raise _no_size(name, inputs)
            set_size(name, integer_of(shape, f"dimension '{name}'"))
            continue
        if name not in by_name:
            raise _no_input(name, inputs)
        given[name] = _fitting(by_name[name], shape)
        for known, size in zip(by_name[name].shape, given[name]):
            if isinstance(known, str) and isinstance(size, int):
                set_size(known, size)
    return tuple(info._replace(shape=given.get(info.name) or tuple(
        sizes.get(size, size) if isinstance(size, str) else size
        for size in info.shape)) for info in inputs)
