# SPDX-License-Identifier: MIT
"""Options of sessions and of runs, by the names of ONNX Runtime."""

from __future__ import annotations

import enum
import time
import warnings
from typing import Any, Dict, FrozenSet, List, Mapping, Optional, Set, Tuple

from ._errors import Cancelled, InvalidArgument
from ._library import library
from ._program import Call

_warned: Set[str] = set()


def warn_of(name: str, stacklevel: int) -> None:
    """Once a process for each option that has no effect."""
    if name not in _warned:
        _warned.add(name)
        warnings.warn(f"option '{name}' has no effect on Glow",
                      stacklevel=stacklevel + 1)


class Settings:
    """Options with the values that they have at first. A name that is none is
    an error; another value for one that has no effect is a warning."""

    _INITIALLY: Dict[str, Any] = {}
    _USED: FrozenSet[str] = frozenset()

    def __init__(self) -> None:
        for name, value in self._INITIALLY.items():
            object.__setattr__(self, name, value)
        self._entries: Dict[str, str] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        """Called by __setattr__, whose caller a warning names."""
        if not name.startswith("_"):
            if name not in self._INITIALLY:
                raise AttributeError(
                    f"{type(self).__name__} has no option '{name}'; there are: "
                    + ", ".join(self._INITIALLY))
            if name not in self._USED and value != self._INITIALLY[name]:
                warn_of(name, stacklevel=3)
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        changed = [f"{name}={value!r}" for name, value in vars(self).items()
                   if name in self._INITIALLY
                   and value != self._INITIALLY[name]]
        return f"<glow.{type(self).__name__} {', '.join(changed) or 'as made'}>"


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


class ExecutionOrder(enum.IntEnum):
    """Accepted and not used."""
    DEFAULT = 0
    PRIORITY_BASED = 1
    MEMORY_EFFICIENT = 2


class SessionOptions(Settings):
    """How a session works.

    Glow uses `intra_op_num_threads` (0 is all processors), `enable_profiling`,
    `profile_file_prefix`, `add_free_dimension_override_by_name` and
    `add_provider`. Another option may be set and is kept; it has no effect,
    which a warning reports once.
    """

    _INITIALLY = {
        "intra_op_num_threads": 0, "inter_op_num_threads": 0,
        "graph_optimization_level": GraphOptimizationLevel.ORT_ENABLE_ALL,
        "execution_mode": ExecutionMode.ORT_SEQUENTIAL,
        "execution_order": ExecutionOrder.DEFAULT,
        "enable_profiling": False, "enable_mem_pattern": True,
        "enable_mem_reuse": True, "enable_cpu_mem_arena": True,
        "log_severity_level": -1, "log_verbosity_level": 0, "logid": "",
        "optimized_model_filepath": "",
        "profile_file_prefix": "onnxruntime_profile_",
        "use_deterministic_compute": False, "use_per_session_threads": True}
    _USED = frozenset(["enable_profiling", "intra_op_num_threads", "logid",
                       "profile_file_prefix"])

    intra_op_num_threads: int
    enable_profiling: bool
    profile_file_prefix: str

    def __init__(self) -> None:
        super().__init__()
        self._sizes: Dict[str, int] = {}
        self._providers: List[Tuple[str, Mapping[str, str]]] = []

    def add_free_dimension_override_by_name(self, name: str,
                                            size: int) -> None:
        """Gives the open dimension of this name a size."""
        self._sizes[name] = size

    def add_free_dimension_override_by_denotation(self, denotation: str,
                                                  size: int) -> None:
        """No effect: Glow keeps no denotations of dimensions."""
        warn_of("add_free_dimension_override_by_denotation", stacklevel=2)

    def add_provider(self, name: str, options: Mapping[str, str]) -> None:
        """Adds a provider and its options, as the argument `providers` does."""
        self._providers.append((name, dict(options)))

    def has_providers(self) -> bool:
        """Whether `add_provider` was called."""
        return bool(self._providers)

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Keeps an entry, which has no effect."""
        warn_of(key, stacklevel=2)
        self._entries[key] = value

    def get_session_config_entry(self, key: str) -> str:
        """The value of an entry. Raises KeyError for one that was not added."""
        return self._entries[key]


class RunOptions(Settings):
    """How a run works. ``terminate = True`` ends the runs that have these
    options, and each later one, with `Cancelled`; it returns when they are
    over. No other option has an effect, which a warning reports once."""

    _INITIALLY = {"log_severity_level": -1, "log_verbosity_level": 0,
                  "logid": "", "only_execute_path_to_fetches": False,
                  "terminate": False}
    _USED = frozenset(["logid", "terminate"])

    terminate: bool

    def __init__(self) -> None:
        super().__init__()
        self._calls: Set[Call] = set()  # in which runs go on

    def __setattr__(self, name: str, value: Any) -> None:
        self._set(name, value)
        if name != "terminate" or not value:
            return
        for call in list(self._calls):
            # A run that is about to begin is not cancelled by the first call.
            while call in self._calls:
                library().glow_call_cancel(call.handle.value)
                time.sleep(0.0002)

    def add_run_config_entry(self, key: str, value: str) -> None:
        """Keeps an entry, which has no effect."""
        warn_of(key, stacklevel=2)
        self._entries[key] = value

    def get_run_config_entry(self, key: str) -> str:
        """The value of an entry. Raises KeyError for one that was not added."""
        return self._entries[key]

    def _begin(self, call: Optional[Call]) -> None:
        if call is not None:
            self._calls.add(call)
        if self.terminate:
            if call is not None:
                self._calls.discard(call)
            raise Cancelled("the run options have terminate = True")

    def _end(self, call: Call) -> None:
        self._calls.discard(call)


# Levels of ONNX Runtime's log, from 0 on, as levels of `log_to`.
_LEVELS = ("debug", "info", "warning", "error", "off")


def set_default_logger_severity(severity: int) -> None:
    """Prints messages from a severity on: 0 is verbose, 1 info, 2 warning, 3
    error, 4 fatal. `log_to` is the same with words. Raises InvalidArgument for
    another number."""
    from ._library import log_to
    if not 0 <= severity < len(_LEVELS):
        raise InvalidArgument(f"severity is {severity}, it should be from 0 to "
                              f"{len(_LEVELS) - 1}")
    log_to(_LEVELS[severity])
