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

# A name as itself is a part of the interface, for checkers of types.
from ._errors import (
    Cancelled as Cancelled,
    DeadlineExceeded as DeadlineExceeded,
    DeviceLost as DeviceLost,
    Error as Error,
    InternalError as InternalError,
    InvalidArgument as InvalidArgument,
    NotFound as NotFound,
    OutOfMemory as OutOfMemory,
    Overloaded as Overloaded,
    PoisonedRequest as PoisonedRequest,
    ShapeMismatch as ShapeMismatch,
    Unsupported as Unsupported)

if TYPE_CHECKING:
    from ._graph import (
        Graph as Graph)
    from ._graph_nodes import (
        Value as Value)
    from ._library import (
        Option as Option,
        log_to as log_to,
        options as options,
        version as version)
    from ._model import (
        Model as Model,
        compile as compile,
        load as load)
    from ._program import (
        Profile as Profile,
        Step as Step)
    from ._onnx import (
        ModelMetadata as ModelMetadata)
    from ._ortvalues import (
        IOBinding as IOBinding,
        OrtValue as OrtValue)
    from ._session import (
        InferenceSession as InferenceSession,
        NodeArg as NodeArg,
        get_all_providers as get_all_providers,
        get_available_providers as get_available_providers,
        get_device as get_device)
    from ._settings import (
        ExecutionMode as ExecutionMode,
        ExecutionOrder as ExecutionOrder,
        GraphOptimizationLevel as GraphOptimizationLevel,
        RunOptions as RunOptions,
        SessionOptions as SessionOptions,
        set_default_logger_severity as set_default_logger_severity)
    from ._states import (
        Session as Session,
        StateInfo as StateInfo)
    from ._tensors import (
        TensorInfo as TensorInfo)
    from ._training import (
        Epoch as Epoch,
        Trainer as Trainer,
        train as train)
    from .torch import (
        from_torch as from_torch)

    __version__: str

# numpy and the library take longer to load than all of this: they are there
# when something of these modules is first used.
_HOMES = {
    "_graph": ("Graph",),
    "_graph_nodes": ("Value",),
    "_library": ("Option", "log_to", "options", "version"),
    "_model": ("Model", "compile", "load"),
    "_program": ("Profile", "Step"),
    "_onnx": ("ModelMetadata",),
    "_ortvalues": ("IOBinding", "OrtValue"),
    "_session": ("InferenceSession", "NodeArg", "get_all_providers",
                 "get_available_providers", "get_device"),
    "_settings": ("ExecutionMode", "ExecutionOrder", "GraphOptimizationLevel",
                  "RunOptions", "SessionOptions",
                  "set_default_logger_severity"),
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
        from ._library import version as version_of
        return version_of()
    from importlib import import_module
    # These need PyTorch, so that they are no part of `import *`.
    if name in ("torch", "from_torch"):
        module = import_module("glow.torch")
        return module if name == "torch" else module.from_torch
    if name not in _HOME_OF:
        raise AttributeError(f"module 'glow' has no attribute '{name}'")
    value = getattr(import_module(f"glow.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME_OF])
