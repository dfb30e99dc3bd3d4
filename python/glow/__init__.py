# SPDX-License-Identifier: MIT
"""Glow runs neural networks: ONNX in, machine code for this processor out.

    import glow

    model = glow.load("model.onnx", threads=2)
    probabilities = model.run({"image": image})["probabilities"]

A model is compiled when it is loaded, or when it is first run on inputs of new
sizes, and kept for the next time as the command ``glow`` keeps it. Tensors are
numpy arrays, or whatever has ``__dlpack__``; they are not copied.

docs/Python.md is the guide; every function says what it takes, gives, and
raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._errors import (Cancelled, DeadlineExceeded, DeviceLost, Error,
                      InternalError, InvalidArgument, NotFound, OutOfMemory,
                      Overloaded, PoisonedRequest, ShapeMismatch, Unsupported)

if TYPE_CHECKING:
    from ._library import Option, log_to, options, version
    from ._model import Model, compile, load
    from ._program import Profile, Step
    from ._session import (ExecutionMode, GraphOptimizationLevel,
                           InferenceSession, NodeArg, RunOptions,
                           SessionOptions, get_available_providers, get_device)
    from ._states import Session, StateInfo
    from ._tensors import TensorInfo
    from ._training import Epoch, Trainer, train

    __version__: str

# numpy and the library take longer to load than all of this: they are there
# when something of these modules is first used.
_HOMES = {
    "_library": ("Option", "log_to", "options", "version"),
    "_model": ("Model", "compile", "load"),
    "_program": ("Profile", "Step"),
    "_session": ("ExecutionMode", "GraphOptimizationLevel", "InferenceSession",
                 "NodeArg", "RunOptions", "SessionOptions",
                 "get_available_providers", "get_device"),
    "_states": ("Session", "StateInfo"),
    "_tensors": ("TensorInfo",),
    "_training": ("Epoch", "Trainer", "train"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([
    "Cancelled", "DeadlineExceeded", "DeviceLost", "Error", "InternalError",
    "InvalidArgument", "NotFound", "OutOfMemory", "Overloaded",
    "PoisonedRequest", "ShapeMismatch", "Unsupported", *_HOME_OF])


def __getattr__(name: str) -> object:
    if name == "__version__":
        return __getattr__("version")()
    if name not in _HOME_OF:
        raise AttributeError(f"module 'glow' has no attribute '{name}'")
    from importlib import import_module
    value = getattr(import_module(f"glow.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME_OF])
