"""Models that the host walks through, as only a run knows their sizes."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Dict, Mapping, Sequence

import numpy

from . import _interface
from ._library import Handle, check, library, text_of
from ._tensors import KINDS, TensorInfo, address_of, array_of


class Runner:
    """A runner of the library: inputs and outputs are copied, and one thread
    runs at a time."""

    def __init__(self, model: Handle, options: Handle) -> None:
        value = ctypes.c_void_p()
        check(library().glow_runner_new(model.value, options.value,
                                        ctypes.byref(value)))
        self.handle = Handle(value.value, library().glow_runner_free)
        self._lock = threading.Lock()

    def run(self, infos: Sequence[TensorInfo],
            feed: Mapping[str, Any]) -> Dict[str, numpy.ndarray]:
        kinds = {name: number for number, (name, _) in KINDS.items()}
        known = {info.name: info for info in infos}
        with self._lock:
            for name, value in feed.items():
                # An unknown name is the library's to refuse.
                info = known.get(name) or TensorInfo(
                    name, "f32", (), numpy.dtype("float32"))
                array, keep = array_of(value, info.dtype, info), []
                shape = (ctypes.c_int64 * array.ndim)(*array.shape)
                check(library().glow_runner_set(
                    self.handle.value, name.encode(), kinds[info.kind],
                    array.ndim, shape, address_of(array, keep)))
            check(library().glow_runner_run(self.handle.value))
            return dict(map(self._output, range(
                library().glow_runner_outputs(self.handle.value))))

    def _output(self, index: int) -> tuple:
        info, data = _interface.glow_tensor_info(), ctypes.c_void_p()
        check(library().glow_runner_output(self.handle.value, index,
                                           ctypes.byref(info),
                                           ctypes.byref(data)))
        shape = tuple(info.shape[:info.rank])
        array = numpy.empty(shape, KINDS[info.kind][1])
        ctypes.memmove(address_of(array, []), data.value or 0, info.bytes)
        return text_of(info.name), array
