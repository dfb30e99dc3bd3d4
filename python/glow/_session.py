# SPDX-License-Identifier: MIT
"""The interface of ONNX Runtime, for programs that are written for it.

    import glow as onnxruntime

Sessions, their inputs, outputs and options are here, and what binds values to
them. Providers are accepted and not used, which a warning reports, unless it is
the processor or Glow that they name.
"""

from __future__ import annotations

import functools
import time
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import (Any, Callable, Dict, List, Mapping, NamedTuple, Optional,
                    Sequence, Tuple, Union)

from ._display import html_of
from ._errors import InvalidArgument, NotFound
from ._library import OfProcess
from ._model import Model, Source, load
from ._onnx import NAMES, Description, ModelMetadata, described
from ._ortvalues import IOBinding, OrtValue
from ._settings import RunOptions, SessionOptions, warn_of
from ._tensors import VALUES, TensorInfo
from ._trace import Trace

#: The provider whose options are those of `load`.
GLOW = "GlowExecutionProvider"

Providers = Sequence[Union[str, Tuple[str, Mapping[str, Any]]]]
Done = Callable[[List[Any], Any, str], None]

# Types of values that are no tensors, where the file does not have them.
_VALUES = {"sequence": "seq", "map": "map", "optional": "optional"}


class NodeArg(NamedTuple):
    """An input or output: its shape has numbers, names of open dimensions, and
    None for those without a name."""
    name: str
    #: "tensor(float)", "tensor(string)", "seq(map(int64,tensor(float)))"
    type: str
    shape: List[Union[int, str, None]]


def get_available_providers() -> List[str]:
    """The provider whose place Glow takes."""
    return ["CPUExecutionProvider"]


def get_all_providers() -> List[str]:
    """The same: a build of Glow has all that it knows."""
    return get_available_providers()


def get_device() -> str:
    """Where sessions run."""
    return "CPU"


@functools.lru_cache(maxsize=None)
def _threads() -> ThreadPoolExecutor:
    """Threads in which `run_async` waits. The end of the process waits for
    them."""
    return ThreadPoolExecutor(thread_name_prefix="glow")


def _options_of(providers: Optional[Providers],
                provider_options: Optional[Sequence[Mapping[str, Any]]],
                added: Providers) -> Dict[str, Any]:
    """Glow's options among those of providers; warns of the others."""
    pairs = [(one, {}) if isinstance(one, str) else (one[0], one[1])
             for one in (*(providers or ()), *added)]
    if provider_options:
        if len(provider_options) != len(providers or ()):
            raise InvalidArgument(
                f"provider_options has {len(provider_options)} elements, "
                f"providers has {len(providers or ())}")
        pairs = [(name, {**options, **more}) for (name, options), more
                 in zip(pairs, [*provider_options, *({} for _ in added)])]
    found: Dict[str, Any] = {}
    for name, options in pairs:
        if name == GLOW:
            found.update(options)
        elif name not in get_available_providers():
            warnings.warn(f"provider '{name}' is not used; Glow runs the "
                          "model by its own backend", stacklevel=3)
        else:
            for key in options:
                warn_of(key, stacklevel=3)
    return found


class InferenceSession(OfProcess):
    """A model, loaded and run as a session of ONNX Runtime is.

    `path_or_bytes` is a path or the bytes of a file. `providers` may have
    ``("GlowExecutionProvider", options)``, whose options are those of `load`.
    Any thread may run a session. Raises what `load` raises.
    """

    def __init__(self, path_or_bytes: Source,
                 sess_options: Optional[SessionOptions] = None,
                 providers: Optional[Providers] = None,
                 provider_options: Optional[Sequence[Mapping[str, Any]]] = None
                 ) -> None:
        self._sess_options = sess_options or SessionOptions()
        if not isinstance(self._sess_options, SessionOptions):
            raise TypeError(f"sess_options is {sess_options!r}, it should be a "
                            "SessionOptions")
        options = {"threads": self._sess_options.intra_op_num_threads,
                   **_options_of(providers, provider_options,
                                 self._sess_options._providers)}
        self._provider_options = options
        self._trace: Optional[Trace] = None
        if self._sess_options.enable_profiling:
            self._trace = Trace(self._sess_options.profile_file_prefix)
        self._model: Model = load(
            path_or_bytes, shapes=self._sess_options._sizes or None, **options)
        self._source = path_or_bytes
        self._outputs = [info.name for info in self._model.outputs]
        # An optional input that is not given is nothing.
        self._absent = {info.name: None for info in self._model.inputs
                        if info.kind == "optional"}
        self._run = self._model.run

    def __repr__(self) -> str:
        return repr(self._model).replace("glow.Model", "glow.InferenceSession")

    def _repr_html_(self) -> str:
        return html_of(self._model)

    # Runs

    def run(self, output_names: Optional[Sequence[str]],
            input_feed: Mapping[str, Any],
            run_options: Optional[RunOptions] = None) -> List[Any]:
        """Runs the model on a value for each input by its name, as `Model.run`
        takes them, and waits.

        Returns the outputs of these names in a list; all without a name. Raises
        NotFound for a name that is none, ShapeMismatch for an input of another
        shape or kind, and Cancelled after ``run_options.terminate = True``.
        """
        if self._absent:
            input_feed = {**self._absent, **input_feed}
        if run_options is None and self._trace is None:
            results = self._run(input_feed)
        else:
            results = self._run_with(input_feed, None, run_options)
        if not output_names:
            return list(results.values())
        return self._named(results, output_names)

    def _named(self, results: Mapping[str, Any],
               names: Sequence[str]) -> List[Any]:
        try:
            return [results[name] for name in names]
        except KeyError as name:
            raise NotFound(f"no output is named {name}; there are: "
                           + ", ".join(self._outputs)) from None

    def _run_with(self, feed: Mapping[str, Any], out: Optional[Dict[str, Any]],
                  options: Optional[RunOptions]) -> Dict[str, Any]:
        """A run that is traced, or that may be ended."""
        begin = time.monotonic_ns()
        results = (self._model.run(feed, out) if options is None else
                   self._model.run_watched(feed, out, options._begin,
                                           options._end))
        if self._trace is not None:
            self._trace.add_run(self._model, feed, begin, time.monotonic_ns())
        return results

    def run_async(self, output_names: Optional[Sequence[str]],
                  input_feed: Mapping[str, Any], callback: Done,
                  user_data: Any,
                  run_options: Optional[RunOptions] = None) -> None:
        """Begins a run and returns. A thread calls ``callback(results,
        user_data, error)`` when it is over: `error` is empty, or the message of
        a run that failed, whose results are []. The inputs stay as they are
        until then."""
        if not callable(callback):
            raise TypeError(f"callback is {callback!r}, it should be a function")

        def run() -> None:
            results: List[Any] = []
            error = ""
            try:
                results = self.run(output_names, input_feed, run_options)
            except Exception as reason:  # is told by its message
                error = str(reason) or type(reason).__name__
            try:
                callback(results, user_data, error)
            except Exception:  # nothing waits for it
                traceback.print_exc()

        _threads().submit(run)

    def run_with_ort_values(self, output_names: Optional[Sequence[str]],
                            input_dict_ort_values: Mapping[str, OrtValue],
                            run_options: Optional[RunOptions] = None
                            ) -> List[OrtValue]:
        """`run` on values of `OrtValue`."""
        return [OrtValue(value) for value in self.run(
            output_names, {name: value.numpy() for name, value
                           in input_dict_ort_values.items()}, run_options)]

    def io_binding(self) -> IOBinding:
        """What `run_with_iobinding` reads and writes."""
        return IOBinding(self)

    def run_with_iobinding(self, iobinding: IOBinding,
                           run_options: Optional[RunOptions] = None) -> None:
        """Runs the model on bound memory, and waits. Outputs without memory
        get some. Raises what `run` raises."""
        out = {name: array for name, array in iobinding._outputs.items()
               if array is not None}
        feed = {**self._absent, **iobinding._inputs}
        if run_options is None and self._trace is None:
            iobinding._results = self._run(feed, out)
        else:
            iobinding._results = self._run_with(feed, out, run_options)

    # The model

    @functools.cached_property
    def _described(self) -> Description:
        return described(self._source)

    def _argument(self, info: TensorInfo) -> NodeArg:
        kind = f"tensor({NAMES.get(info.kind, info.kind)})"
        if info.kind in VALUES[1:]:
            kind = self._described.types.get(info.name) or _VALUES[info.kind]
        return NodeArg(info.name, kind, list(info.shape))

    def get_inputs(self) -> List[NodeArg]:
        """The inputs in the model's order."""
        return [self._argument(info) for info in self._model.inputs]

    def get_overridable_initializers(self) -> List[NodeArg]:
        """Initializers that a run may give other values of."""
        return [self._argument(info) for info in self._model.overridable]

    def get_outputs(self) -> List[NodeArg]:
        """The outputs in the model's order."""
        return [self._argument(info) for info in self._model.outputs]

    def get_modelmeta(self) -> ModelMetadata:
        """The description of the model in its file."""
        return self._described.metadata

    def get_providers(self) -> List[str]:
        """The provider whose place Glow takes."""
        return get_available_providers()

    def get_provider_options(self) -> Dict[str, Dict[str, str]]:
        """The options by which Glow runs the model."""
        return {get_available_providers()[0]: {
            name: str(value) for name, value in self._provider_options.items()}}

    def get_session_options(self) -> SessionOptions:
        """The options that the session was made with."""
        return self._sess_options

    def disable_fallback(self) -> None:
        """Nothing: there is one provider."""

    def enable_fallback(self) -> None:
        """Nothing: there is one provider."""

    # Profiling

    def end_profiling(self) -> str:
        """Writes the profile of all runs so far, and ends profiling. Returns
        the path of the file, or "" without the option `enable_profiling`."""
        trace, self._trace = self._trace, None
        return trace.write() if trace else ""

    def get_profiling_start_time_ns(self) -> int:
        """When profiling began, as time.monotonic_ns() has it; 0 without it."""
        return self._trace.start if self._trace else 0
