# SPDX-License-Identifier: MIT
"""Training: the weights of an ONNX model follow data."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import (Any, Callable, List, Mapping, NamedTuple, Optional,
                    Sequence, Tuple, Union)

import numpy

from . import _interface
from ._errors import InvalidArgument
from ._library import Handle, bytes_of, check, library, options
from ._model import _make_options
from ._tensors import address_of, number_of

Path = Union[str, "os.PathLike[str]"]
Rows = Union[Any, Mapping[str, Any]]


class Epoch(NamedTuple):
    """The losses of an epoch, means over rows.

    An accuracy is None where there are no classes, and both values of
    validation are where no rows are kept for it.
    """
    epoch: int
    loss: float
    accuracy: Optional[float]
    validation_loss: Optional[float]
    validation_accuracy: Optional[float]
    samples_per_second: float


def _epoch_of(found: Any) -> Epoch:
    def known(value: float) -> Optional[float]:
        return None if value == -1 else value

    return Epoch(found.epoch, found.loss, known(found.accuracy),
                 known(found.validation_loss), known(found.validation_accuracy),
                 found.samples_per_second)


class _Tensors:
    """Arrays as C takes them. They live as long as this object."""

    def __init__(self, rows: Mapping[str, Any], labels: Any) -> None:
        self.arrays = [numpy.ascontiguousarray(one)
                       for one in [*rows.values(), labels]]
        self.shapes = [(ctypes.c_int64 * max(one.ndim, 1))(*one.shape)
                       for one in self.arrays]
        self.names = (ctypes.c_char_p * max(len(rows), 1))(
            *(bytes_of(name, "the name of an input") for name in rows))
        self.count = len(rows)
        self._kept: List[Any] = []
        self.tensors = (_interface.glow_tensor * len(self.arrays))()
        for tensor, array, shape in zip(self.tensors, self.arrays, self.shapes):
            tensor.kind, tensor.rank = number_of(array.dtype), array.ndim
            tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
            tensor.data = address_of(array, self._kept)

    @property
    def labels(self) -> Any:
        return ctypes.byref(self.tensors[self.count])


def _named(data: Rows) -> Mapping[str, Any]:
    return data if isinstance(data, Mapping) else {"": data}


def _is_path(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike))


def _words_of(data: Rows, labels: Any, given: Mapping[str, Any]) -> List[bytes]:
    """The words of C: flags without dashes, and rows that are files."""
    words: List[Tuple[str, Any]] = []
    for name, value in given.items():
        several = isinstance(value, (list, tuple))
        words += [(name.replace("_", "-"), one)
                  for one in (value if several else [value])]
    if _is_path(labels):
        words.append(("labels", os.fspath(labels)))
        words += [("data", f"{name}={os.fspath(file)}" if name
                   else os.fspath(file)) for name, file in _named(data).items()]
    return [bytes_of(f"{name}={value}", "a word of the training")
            for name, value in words if value is not None]


class Trainer:
    """The training of one model.

    ``data`` and ``labels`` are arrays, or paths of npy files, whose first axis
    has the rows; with several inputs, ``data`` is a dict. Arrays are read where
    they lie, and must not be resized while the trainer lives. Other arguments
    are the flags of ``glow train``, as ``optimizer="adam"``, and the options of
    ``glow.load``. One thread at a time may use a trainer.
    """

    def __init__(self, model: Path, data: Rows, labels: Any,
                 **how: Any) -> None:
        are_files = [_is_path(one) for one in [*_named(data).values(), labels]]
        if any(are_files) and not all(are_files):
            raise InvalidArgument("data and labels are all arrays or all files")
        lib = library()
        known = {option.name for option in options()}
        own = {name: value for name, value in how.items()
               if name.replace("_", "-") in known}
        words = _words_of(data, labels, {name: value for name, value
                                         in how.items() if name not in own})
        self._rows = None if all(are_files) else _Tensors(_named(data), labels)
        rows, value = self._rows, ctypes.c_void_p()
        chosen = _make_options(None, own)
        check(lib.glow_trainer_new(
            bytes_of(model, "the model"), chosen.value,
            (ctypes.c_char_p * max(len(words), 1))(*words), len(words),
            rows.names if rows else None, rows.tensors if rows else None,
            rows.count if rows else 0, rows.labels if rows else None,
            ctypes.byref(value)))
        self._handle = Handle(value.value, lib.glow_trainer_free)
        self._lock = threading.Lock()

    def _call(self, function: Any, *arguments: Any) -> None:
        if not self._lock.acquire(blocking=False):
            raise InvalidArgument("the trainer is in use already")
        try:
            check(function(self._handle.value, *arguments))
        finally:
            self._lock.release()

    def run(self, on_epoch: Optional[Callable[[Epoch], Any]] = None
            ) -> List[Epoch]:
        """Trains for all epochs, and gives their losses.

        ``on_epoch`` is called after each of them. It ends the training by
        ``False``, and by an exception, which is raised here.
        """
        curve: List[Epoch] = []
        raised: List[BaseException] = []

        def done(_context: Any, found: Any) -> int:
            try:
                curve.append(_epoch_of(
                    _interface.glow_epoch.from_address(found)))
                return int(on_epoch is not None
                           and on_epoch(curve[-1]) is False)
            except BaseException as reason:  # none may pass through C
                raised.append(reason)
                return 1

        self._call(library().glow_trainer_run, _interface.glow_epoch_done(done),
                   None)
        if raised:
            raise raised[0]
        return curve

    def step(self, data: Rows, labels: Any, rate: float) -> float:
        """One step on these rows, at most a batch, and the loss before it."""
        rows, loss = _Tensors(_named(data), labels), ctypes.c_double()
        self._call(library().glow_trainer_step, rows.names, rows.tensors,
                   rows.count, rows.labels, rate, ctypes.byref(loss))
        return loss.value

    def save(self, path: Path) -> None:
        """Writes the ONNX model with the weights so far."""
        self._call(library().glow_trainer_save, bytes_of(path, "the path"))


def train(model: Path, data: Rows, labels: Any, output: Path, *,
          on_epoch: Optional[Callable[[Epoch], Any]] = None,
          **how: Any) -> Sequence[Epoch]:
    """Trains an ONNX model, writes it to ``output``, and gives the losses.

    Arguments are those of `Trainer` and of `Trainer.run`.
    """
    trainer = Trainer(model, data, labels, **how)
    curve = trainer.run(on_epoch)
    trainer.save(output)
    return curve
