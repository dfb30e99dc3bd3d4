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
from ._model import Model, Source, load
from ._tensors import TensorInfo

# Types as that interface spells them.
_TYPES = {"f32": "float", "f64": "double", "f16": "float16", "bf16": "bfloat16",
          "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
          "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64"}


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


class SessionOptions:
    """How a session works. `intra_op_num_threads` and `add_free_dimension_
    override_by_name` are used; what else may be set is kept and not used."""

    def __init__(self) -> None:
        self.intra_op_num_threads = 0
        self.inter_op_num_threads = 0
        self.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_ALL
        self.execution_mode = ExecutionMode.ORT_SEQUENTIAL
        self.enable_profiling = False
        self.enable_mem_pattern = True
        self.enable_cpu_mem_arena = True
        self.log_severity_level = 2
        self.log_verbosity_level = 0
        self.logid = ""
        self._sizes: dict = {}
        self._entries: dict = {}

    def add_free_dimension_override_by_name(self, name: str,
                                            size: int) -> None:
        self._sizes[name] = size

    def add_session_config_entry(self, key: str, value: str) -> None:
        self._entries[key] = value

    def get_session_config_entry(self, key: str) -> str:
        return self._entries[key]


class RunOptions:
    """Accepted and not used."""

    def __init__(self) -> None:
        self.log_severity_level = 2
        self.logid = ""


class NodeArg(NamedTuple):
    """An input or output: its shape has numbers, names of open dimensions, and
    None for those without a name."""
    name: str
    type: str  #: "tensor(float)"
    shape: list


def _argument(info: TensorInfo) -> NodeArg:
    return NodeArg(info.name, f"tensor({_TYPES.get(info.kind, info.kind)})",
                   list(info.shape))


def get_available_providers() -> List[str]:
    """The provider whose place Glow takes."""
    return ["CPUExecutionProvider"]


def get_device() -> str:
    """Where sessions run."""
    return "CPU"


class InferenceSession:
    """A model, loaded and run as a session of ONNX Runtime is."""

    def __init__(self, path_or_bytes: Source,
                 sess_options: Optional[SessionOptions] = None,
                 providers: Optional[Sequence[Any]] = None,
                 provider_options: Optional[Sequence[dict]] = None,
                 **_: Any) -> None:
        for provider in providers or ():
            name = provider if isinstance(provider, str) else provider[0]
            if name not in get_available_providers():
                warnings.warn(f"provider '{name}' is not used; Glow runs the "
                              "model by its own backend", stacklevel=2)
        self._sess_options = sess_options or SessionOptions()
        self._model: Model = load(
            path_or_bytes, shapes=self._sess_options._sizes or None,
            threads=self._sess_options.intra_op_num_threads)
        self._outputs = [info.name for info in self._model.outputs]

    def run(self, output_names: Optional[Sequence[str]],
            input_feed: Mapping[str, Any],
            run_options: Optional[RunOptions] = None) -> List[Any]:
        """The outputs of these names, or all with None, in a list."""
        results = self._model.run(input_feed)
        if output_names is None:
            return list(results.values())
        try:
            return [results[name] for name in output_names]
        except KeyError as name:
            raise NotFound(f"no output is named {name}; there are: "
                           + ", ".join(self._outputs)) from None

    def get_inputs(self) -> List[NodeArg]:
        return [_argument(info) for info in self._model.inputs]

    def get_outputs(self) -> List[NodeArg]:
        return [_argument(info) for info in self._model.outputs]

    def get_providers(self) -> List[str]:
        return get_available_providers()

    def get_session_options(self) -> SessionOptions:
        return self._sess_options
