# SPDX-License-Identifier: MIT
"""The interface of ONNX Runtime, for programs that are written for it.

    import glow as onnxruntime

What a program commonly uses is here: sessions, their inputs, outputs and
options. Providers are accepted and not used, which a warning says unless it is
the processor that they name.
"""

from __future__ import annotations

import enum
import warnings
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence

from ._errors import NotFound
from ._library import OfProcess
from ._model import Model, Source, load
from ._tensors import TensorInfo

# The names of element kinds in ONNX Runtime's interface.
_TYPES = {"f32": "float", "f64": "double", "f16": "float16", "bf16": "bfloat16",
          "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
          "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64"}

# Types of values that are no tensors. Glow keeps no types of their elements.
_VALUES = {"sequence": "seq", "map": "map", "optional": "optional"}

_warned: set = set()


def _warn(name: str, stacklevel: int) -> None:
    """Once a process for each option that has no effect."""
    if name not in _warned:
        _warned.add(name)
        warnings.warn(f"option '{name}' has no effect on Glow",
                      stacklevel=stacklevel + 1)


class _Settings:
    """Options with the values that they have at first. A name that is none is
    an error; another value for one that has no effect is a warning."""

    _INITIALLY: dict = {}
    _USED: frozenset = frozenset()

    def __init__(self) -> None:
        for name, value in self._INITIALLY.items():
            object.__setattr__(self, name, value)
        self._sizes: dict = {}
        self._entries: dict = {}

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            if name not in self._INITIALLY:
                raise AttributeError(
                    f"{type(self).__name__} has no option '{name}'; there are: "
                    + ", ".join(self._INITIALLY))
            if name not in self._USED and value != self._INITIALLY[name]:
                _warn(name, stacklevel=2)
        object.__setattr__(self, name, value)


class GraphOptimizationLevel(enum.IntEnum):
    """Accepted and not used: there is one level, all."""
    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_ALL = 99


class ExecutionMode(enum.IntEnum):
    """Accepted and not used."""
    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class SessionOptions(_Settings):
    """How a session works. `intra_op_num_threads` and `add_free_dimension_
    override_by_name` are used; what else may be set is kept, and has no effect,
    which a warning says once."""

    _INITIALLY = {
        "intra_op_num_threads": 0, "inter_op_num_threads": 0,
        "graph_optimization_level": GraphOptimizationLevel.ORT_ENABLE_ALL,
        "execution_mode": ExecutionMode.ORT_SEQUENTIAL, "execution_order": 0,
        "enable_profiling": False, "enable_mem_pattern": True,
        "enable_mem_reuse": True, "enable_cpu_mem_arena": True,
        "log_severity_level": 2, "log_verbosity_level": 0, "logid": "",
        "optimized_model_filepath": "",
        "profile_file_prefix": "onnxruntime_profile_",
        "use_deterministic_compute": False, "use_per_session_threads": True}
    _USED = frozenset(["intra_op_num_threads", "logid"])

    def add_free_dimension_override_by_name(self, name: str,
                                            size: int) -> None:
        self._sizes[name] = size

    def add_session_config_entry(self, key: str, value: str) -> None:
        _warn(key, stacklevel=2)
        self._entries[key] = value

    def get_session_config_entry(self, key: str) -> str:
        return self._entries[key]


class RunOptions(_Settings):
    """How a run works. No option has an effect, which a warning says once."""

    _INITIALLY = {"log_severity_level": 2, "log_verbosity_level": 0,
                  "logid": "", "only_execute_path_to_fetches": False,
                  "terminate": False}
    _USED = frozenset(["logid"])


class NodeArg(NamedTuple):
    """An input or output: its shape has numbers, names of open dimensions, and
    None for those without a name."""
    name: str
    type: str  #: "tensor(float)", "tensor(string)", "seq", "map", "optional"
    shape: list


def _argument(info: TensorInfo) -> NodeArg:
    kind = _VALUES.get(info.kind)
    return NodeArg(info.name,
                   kind or f"tensor({_TYPES.get(info.kind, info.kind)})",
                   list(info.shape))


def get_available_providers() -> List[str]:
    """The provider whose place Glow takes."""
    return ["CPUExecutionProvider"]


def get_device() -> str:
    """Where sessions run."""
    return "CPU"


class InferenceSession(OfProcess):
    """A model, loaded and run as a session of ONNX Runtime is."""

    def __init__(self, path_or_bytes: Source,
                 sess_options: Optional[SessionOptions] = None,
                 providers: Optional[Sequence[Any]] = None,
                 provider_options: Optional[Sequence[dict]] = None) -> None:
        if provider_options:
            _warn("provider_options", stacklevel=2)
        for provider in providers or ():
            name = provider if isinstance(provider, str) else provider[0]
            if name not in get_available_providers():
                warnings.warn(f"provider '{name}' is not used; Glow runs the "
                              "model by its own backend", stacklevel=2)
        self._sess_options = sess_options or SessionOptions()
        if not isinstance(self._sess_options, SessionOptions):
            raise TypeError(f"sess_options is {sess_options!r}, it should be a "
                            "SessionOptions")
        self._model: Model = load(
            path_or_bytes, shapes=self._sess_options._sizes or None,
            threads=self._sess_options.intra_op_num_threads)
        self._outputs = [info.name for info in self._model.outputs]

    def run(self, output_names: Optional[Sequence[str]],
            input_feed: Mapping[str, Any],
            run_options: Optional[RunOptions] = None) -> List[Any]:
        """The outputs of these names in a list; all without a name. An optional
        input that is not given is nothing."""
        absent = {info.name: None for info in self._model.inputs
                  if info.kind == "optional"}
        results = self._model.run({**absent, **input_feed})
        if not output_names:
            return list(results.values())
        try:
            return [results[name] for name in output_names]
        except KeyError as name:
            raise NotFound(f"no output is named {name}; there are: "
                           + ", ".join(self._outputs)) from None

    def get_inputs(self) -> List[NodeArg]:
        return [_argument(info) for info in self._model.inputs]

    def get_overridable_initializers(self) -> List[NodeArg]:
        return [_argument(info) for info in self._model.overridable]

    def get_outputs(self) -> List[NodeArg]:
        return [_argument(info) for info in self._model.outputs]

    def get_providers(self) -> List[str]:
        return get_available_providers()

    def get_session_options(self) -> SessionOptions:
        return self._sess_options
