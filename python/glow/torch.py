# SPDX-License-Identifier: MIT
"""Models from modules of PyTorch, and Glow as a backend of torch.compile.

    model = glow.from_torch(module, (x,), dynamic={"x": {0: "n"}})

    fast = torch.compile(module.eval(), backend="glow")
    with torch.no_grad():
        y = fast(x)

torch.onnx writes the model, each weight once, to a file that Glow maps.
"""

from __future__ import annotations

import contextlib
import inspect
import logging
import shutil
import tempfile
import threading
import warnings
import weakref
from typing import (Any, Dict, Iterator, List, Mapping, Optional, Sequence,
                    Tuple)

import torch

from ._errors import Error, InvalidArgument, NotFound, Unsupported
from ._library import options as known_options
from ._model import Model, Shapes, load
from ._torch_graphs import Graph, array_of, check_exported, tensor_of

#: Open axes of a module's arguments by their names: {"x": {0: "n"}}.
Dynamic = Mapping[str, Mapping[int, str]]

# Weights that change are compiled again as often as this.
_MOST_WEIGHTS = 4

# Operators that give other numbers than PyTorch's.
_RANDOM = frozenset(["Bernoulli", "Dropout", "Multinomial", "RandomNormal",
                     "RandomNormalLike", "RandomUniform", "RandomUniformLike"])


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """The exporter warns of what it decides, and of packages that are not there."""
    log = logging.getLogger("torch.onnx")
    level = log.level
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        log.setLevel(logging.ERROR)
        try:
            yield
        finally:
            log.setLevel(level)


def _model_of(module: torch.nn.Module, args: Tuple[Any, ...], dynamic: Any,
              names: Mapping[Tuple[int, int], str], name: str,
              shapes: Optional[Shapes], options: Mapping[str, Any]) -> Model:
    """The module as a model. `names` has those of open axes of arguments."""
    fast = torch.backends.mha.get_fastpath_enabled()
    with _quiet():
        try:
            # The operators of the fast path have no form in ONNX.
            torch.backends.mha.set_fastpath_enabled(False)
            program = torch.export.export(module, args, dynamic_shapes=dynamic,
                                          strict=False)
            # In its first form a program has operators that change tensors.
            check_exported(program.run_decompositions({}))
            exported = torch.onnx.export(program, dynamo=True, verbose=False)
        except Error:
            raise
        except Exception as reason:  # of any type
            cause: BaseException = reason
            while cause.__cause__ is not None:
                cause = cause.__cause__
            first = str(cause).strip().partition("\n")[0]
            raise Unsupported("the exporter of PyTorch refuses it: "
                              f"{type(cause).__name__}: {first}") from reason
        finally:
            torch.backends.mha.set_fastpath_enabled(fast)
    assert exported is not None
    for node in exported.model.graph:
        if node.op_type in _RANDOM:
            raise Unsupported(f"its random numbers ({node.op_type}) would be "
                              "other ones than PyTorch's")
    given = {}
    for number, value in enumerate(exported.model.graph.inputs):
        for axis, size in enumerate(value.shape or ()):
            if not isinstance(size, int) and (number, axis) in names:
                given[str(size.value)] = names[number, axis]
    exported.rename_axes(given)
    folder = tempfile.mkdtemp(prefix="glow-")
    try:
        path = f"{folder}/{name}.onnx"
        exported.save(path, external_data=True)
        model = load(path, shapes=shapes, **options)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    # The model reads its weights in the file.
    weakref.finalize(model, shutil.rmtree, folder, ignore_errors=True)
    return model


def from_torch(module: torch.nn.Module, example: Any, *,
               dynamic: Optional[Dynamic] = None,
               shapes: Optional[Shapes] = None, **options: Any) -> Model:
    """A model that computes what a module does, with the weights of now.

    `example` is a tensor, or a tuple of the module's arguments. `dynamic` names
    axes of arguments that stay open: in ``{"x": {0: "n"}, "mask": {0: "n"}}``
    both have one size, which is that of each run. The example has at least two
    elements along them. ``shapes={"n": range(1, 17)}`` makes one program for
    all of these sizes. `options` are those of `load`.

    Raises what `load` raises; Unsupported for a module that the exporter of
    PyTorch refuses, that changes a tensor in place or takes random numbers, as
    without ``module.eval()``; and InvalidArgument for an axis that is none.
    """
    args = example if isinstance(example, tuple) else (example,)
    for number, value in enumerate(args):
        if not isinstance(value, torch.Tensor):
            raise InvalidArgument(f"argument {number} of the example is "
                                  f"{type(value).__name__}, it should be a tensor")
    arguments = list(inspect.signature(module.forward).parameters)[:len(args)]
    axes: List[Dict[int, Any]] = [{} for _ in args]
    names: Dict[Tuple[int, int], str] = {}
    for argument, of in (dynamic or {}).items():
        if argument not in arguments:
            raise NotFound(f"no argument is named '{argument}', which is to have "
                           f"open axes; there are: {', '.join(arguments)}")
        number = arguments.index(argument)
        for axis, name in of.items():
            rank = args[number].dim()
            if not 0 <= axis < rank or not str(name).isidentifier():
                raise InvalidArgument(
                    f"axis {axis} of '{argument}' is named {name!r}, it should "
                    f"be from 0 to {rank - 1} and have a word as its name")
            axes[number][axis] = torch.export.Dim.DYNAMIC
            names[number, axis] = name
    return _model_of(module, args, tuple(axes), names, type(module).__name__,
                     shapes, options)


def _most(size: int) -> int:
    """The end of a range that is compiled for a size."""
    return max(64, 4 << (size - 1).bit_length()) if size > 1 else 64


class _Compiled:
    """A graph that Glow runs, or PyTorch where Glow cannot."""

    def __init__(self, module: torch.fx.GraphModule, examples: Sequence[Any],
                 options: Mapping[str, Any]) -> None:
        self._eager = module.forward
        self._graph = Graph(module, examples)
        self._options, self._lock = options, threading.Lock()
        self._is_refused = False
        self._model: Optional[Model] = None
        self._weights: List[Tuple[Any, int]] = []  # and their versions
        self._times = 0
        # The axes whose sizes have ranges, and the greatest of each.
        self._ends: List[Tuple[int, int, int]] = []
        # The exporter would disturb dynamo here: the first run compiles.
        if self._graph.reason_against:
            self._refuse(self._graph.reason_against)

    def _refuse(self, reason: object) -> None:
        self._is_refused, self._model = True, None
        warnings.warn(f"{self._graph.place()}: PyTorch runs this graph, not "
                      f"Glow: {reason}", stacklevel=2)

    def _compile(self, arguments: Sequence[Any]) -> None:
        """A model for the weights and the sizes of now."""
        weights = [arguments[number] for number in self._graph.weights]
        held = [(weight, weight._version) for weight in weights]
        if self._weights and any(
                now is not before or version != earlier for (now, version),
                (before, earlier) in zip(held, self._weights)):
            self._times += 1
        if self._times > _MOST_WEIGHTS:
            self._refuse(f"its weights changed {self._times} times")
            return
        graph, names = self._graph, {}
        ranges: Dict[str, range] = {}
        ends = []
        for size in graph.sizes:
            names[graph.inputs.index(size.argument), size.axis] = size.symbol
            now = arguments[size.argument].shape[size.axis]
            most = min(_most(now), size.most or 2**62)
            ranges[size.symbol] = range(size.least, most + 1)
            ends.append((size.argument, size.axis, most))
        try:
            self._model = self._loaded(graph, weights, tuple(
                arguments[number] for number in graph.inputs), names, ranges)
        except Error as reason:
            self._refuse(reason)
            return
        self._weights = held
        self._ends = ends if self._model._ranges else []
        self._names = [info.name for info in self._model.inputs]

    def _loaded(self, graph: Graph, weights: Sequence[torch.Tensor],
                inputs: Tuple[torch.Tensor, ...],
                names: Mapping[Tuple[int, int], str],
                ranges: Mapping[str, range]) -> Model:
        """One program for all sizes, or if Glow has none one for each."""
        def made(shapes: Optional[Shapes]) -> Model:
            return _model_of(graph.for_export(weights), inputs,
                             graph.dynamic_shapes(), names, "graph", shapes,
                             self._options)

        if not ranges:
            return made(None)
        try:
            return made(ranges)
        except Error:
            return made(None)

    def _is_current(self, arguments: Sequence[Any]) -> bool:
        if self._model is None:
            return False
        for number, (weight, version) in zip(self._graph.weights, self._weights):
            now = arguments[number]
            if now is not weight or now._version != version:
                return False
        for number, axis, most in self._ends:
            if arguments[number].shape[axis] > most:
                return False
        return True

    def __call__(self, *arguments: Any) -> Any:
        if self._is_refused:
            return self._eager(*arguments)
        if not self._is_current(arguments):
            with self._lock:
                if not self._is_refused and not self._is_current(arguments):
                    self._compile(arguments)
        model = self._model
        if model is None:
            return self._eager(*arguments)
        feed = {name: array_of(arguments[number]) for name, number
                in zip(self._names, self._graph.inputs)}
        try:
            found = model.run(feed)
        except Error as reason:
            self._refuse(reason)
            return self._eager(*arguments)
        return self._graph.results(
            [tensor_of(found[info.name], info.kind) for info in model.outputs],
            arguments)


def backend(module: torch.fx.GraphModule, example_inputs: Sequence[Any], *,
            options: Optional[Mapping[str, Any]] = None,
            **others: Any) -> Any:
    """The backend ``"glow"`` of torch.compile.

    `options` of torch.compile are those of `load`. Sizes that dynamo leaves
    open are one program with ranges. A graph that Glow does not take, or whose
    gradient is needed, is run by PyTorch; a warning has the reason. Results are
    new tensors, also where PyTorch gives views of arguments. Weights may
    change between runs: the graph is compiled again, four times at most.

    Raises NotFound for an option that is none.
    """
    known = {option.name.replace("-", "_") for option in known_options()}
    for name in {**(options or {}), **others}:
        if name not in known:
            raise NotFound(f"no option is named '{name}'; there are: "
                           + ", ".join(sorted(known)))
    return _Compiled(module, example_inputs, {**(options or {}), **others})


# The wheel has an entry point of this name; a build folder has none.
if "glow" not in torch._dynamo.list_backends(()):
    torch._dynamo.register_backend(compiler_fn=backend, name="glow")
