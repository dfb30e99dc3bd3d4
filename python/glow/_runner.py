# SPDX-License-Identifier: MIT
"""Models that the host walks through, as only a run knows their sizes."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Dict, Mapping, Optional, Sequence, Set, Tuple

import numpy

from ._library import Handle, OfProcess, bytes_of, check, library, text_of
from ._program import refuse
from ._tensors import (NUMBERS, VALUES, TensorInfo, address_of, array_of,
                       check_outputs, written_to)
from ._values import python_of, value_of


class Runner(OfProcess):
    """A runner of the library: inputs and outputs are copied, and one thread
    runs at a time."""

    def __init__(self, model: Handle, options: Handle) -> None:
        value = ctypes.c_void_p()
        check(library().glow_runner_new(model.value, options.value,
                                        ctypes.byref(value)))
        self.handle = Handle(value.value, library().glow_runner_free)
        self._lock = threading.Lock()
        self._given: Set[str] = set()  # the inputs that the library has

    def run(self, takes: Sequence[TensorInfo], gives: Sequence[TensorInfo],
            feed: Mapping[str, Any],
            out: Optional[Dict[str, Any]]) -> Dict[str, Any]:
        """`takes` are the inputs of this run, which uses none of an earlier
        one."""
        refuse(takes, feed)
        check_outputs(gives, out or {})
        with self._lock:
            for name in self._given - set(feed):
                check(library().glow_runner_set_value(
                    self.handle.value, bytes_of(name, "a name"), None))
            self._given = set(feed)
            for info in takes:
                self._set(info, feed[info.name])
            check(library().glow_runner_run(self.handle.value))
            results = dict(map(self._output, range(
                library().glow_runner_values(self.handle.value))))
        return written_to(results, out or {})

    def _set(self, info: TensorInfo, value: Any) -> None:
        lib, name = library(), bytes_of(info.name, "a name")
        if info.kind in VALUES:
            made = value_of(value, info)
            check(lib.glow_runner_set_value(self.handle.value, name,
                                            made.value))
            return
        array, keep = array_of(value, info.dtype, info), [value]
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        check(lib.glow_runner_set(self.handle.value, name, NUMBERS[info.kind],
                                  array.ndim, shape, address_of(array, keep)))

    def _output(self, index: int) -> Tuple[str, Any]:
        lib = library()
        name, value = ctypes.c_char_p(), ctypes.c_void_p()
        check(lib.glow_runner_value(self.handle.value, index,
                                    ctypes.byref(name), ctypes.byref(value)))
        return text_of(name.value), python_of(
            Handle(value.value, lib.glow_value_free))
