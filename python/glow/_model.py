# SPDX-License-Identifier: MIT
"""Models: read, compiled for their sizes when these are known, and run."""

from __future__ import annotations

import asyncio
import collections
import ctypes
import json
import os
import threading
from typing import (Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union,
                    overload)

import numpy

from ._display import html_of
from ._errors import InvalidArgument, ShapeMismatch, Unsupported
from ._library import (Handle, OfProcess, bytes_of, check, integer_of, library,
                       options, text_of)
from ._program import Call, Profile, Program, refuse
from ._runner import Runner
from ._shapes import bounds_of, is_range, is_size, with_shapes
from ._states import Session
from ._tensors import VALUES, TensorInfo, infos_of

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]
Shapes = Mapping[str, Union[int, range, "ellipsis", Sequence[int]]]
Feed = Mapping[str, Any]
Results = Dict[str, Any]

# Each holds all weights, if only as pages of a file.
_MOST_PROGRAMS = 8


def _make_options(shapes: Optional[Shapes], given: Mapping[str, Any]) -> Handle:
    lib = library()
    handle = Handle(lib.glow_options_new(), lib.glow_options_free)
    if handle.value is None:
        raise MemoryError("there is no memory for options")
    for name, value in given.items():
        if value is None:
            continue
        if isinstance(value, bool):
            value = str(value).lower()
        elif isinstance(value, Mapping):
            value = ",".join(f"{key}={one}" for key, one in value.items())
        elif not isinstance(value, (os.PathLike, bytes)):
            value = str(value)
        check(lib.glow_options_set(
            handle.value, bytes_of(name.replace("_", "-"), "an option"),
            bytes_of(value, f"option '{name}'")))
    size: Any
    for name, size in (shapes or {}).items():
        encoded = bytes_of(name, "a name in shapes")
        if is_range(size):
            least, most, step = bounds_of(name, size)
            check(lib.glow_options_set_range(handle.value, encoded, least, most,
                                             step))
        elif is_size(size):
            check(lib.glow_options_set_size(
                handle.value, encoded, integer_of(size, f"dimension '{name}'")))
        else:
            sizes = (ctypes.c_int64 * len(size))(
                *(integer_of(one, f"a size of '{name}'") for one in size))
            check(lib.glow_options_set_shape(handle.value, encoded, len(size),
                                             sizes))
    return handle


def _read(source: Source, name: Optional[str]) -> Handle:
    lib, value = library(), ctypes.c_void_p()
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        check(lib.glow_model_load_memory(
            data, len(data), None if name is None else bytes_of(name, "name"),
            ctypes.byref(value)))
    else:
        check(lib.glow_model_load(bytes_of(source, "the path"),
                                  ctypes.byref(value)))
    return Handle(value.value, lib.glow_model_free)


class Model(OfProcess):
    """A model that runs on whatever it is given.

    `load` and `compile` make one. Any thread may use it, and runs of several
    threads go on side by side, but for models that only a run knows the sizes
    of: their runs follow each other.
    """

    def __init__(self, source: Source, name: Optional[str],
                 shapes: Optional[Shapes], options: Mapping[str, Any],
                 function: Optional[str] = None,
                 handle: Optional[Handle] = None) -> None:
        lib = library()
        self.name: str = (os.path.basename(os.fspath(source))
                          if isinstance(source, (str, os.PathLike))
                          else name or "the model in memory")
        self._options = _make_options(shapes, options)
        self._given: Dict[str, Any] = dict(options)
        self._shapes: Dict[str, Any] = dict(shapes or {})
        self._source = source
        self._handle = handle or _read(source, name)
        #: The functions of a module, which are programs over the same
        #: constants and states; empty for a model of ONNX.
        self.functions: Tuple[str, ...] = tuple(
            text_of(lib.glow_model_function_name(self._handle.value, index))
            for index in range(lib.glow_model_functions(self._handle.value)))
        #: The name of the function that a run calls, or None.
        self.chosen: Optional[str] = function
        if function is not None:
            self._handle = self._function_of(function)
        #: What a run takes, in the model's order.
        self.inputs: Tuple[TensorInfo, ...] = infos_of(
            self._handle.value, lib.glow_model_inputs, lib.glow_model_input)
        #: What a run gives, in the model's order.
        self.outputs: Tuple[TensorInfo, ...] = infos_of(
            self._handle.value, lib.glow_model_outputs, lib.glow_model_output)
        #: Initializers that a run may be given other values of.
        self.overridable: Tuple[TensorInfo, ...] = infos_of(
            self._handle.value, lib.glow_model_overridables,
            lib.glow_model_overridable)
        # As far as the model and `shapes` say.
        self._known = with_shapes(self.inputs, shapes or {})
        self._lock = threading.Lock()  # of what follows
        self._only: Optional[Program] = None  # for all sizes there are
        self._growing: Optional[Program] = None  # of sessions
        self._programs: "collections.OrderedDict[Any, Program]" = (
            collections.OrderedDict())
        self._runner: Optional[Runner] = None
        self._of_functions: Dict[str, Model] = {}
        self._ranges = {name for name, size in self._shapes.items()
                        if is_range(size)}

    def __repr__(self) -> str:
        sides = (", ".join(f"{info.name} {info.kind}{self.sizes_text(info)}"
                           for info in infos) or "nothing"
                 for infos in (self._known, self.outputs))
        return f"<glow.Model {self.name}: {' -> '.join(sides)} on {self.backend}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    def sizes_text(self, info: TensorInfo) -> str:
        """The sizes of an input or output, with ranges: "[n = 1..16,3]"."""
        if info.kind in VALUES[1:]:
            return ""
        sizes = []
        for axis, size in enumerate(info.shape):
            name = size or f"{info.name}.{axis}"
            text = "?" if size is None else str(size)
            if name in self._ranges:
                least, most, step = bounds_of(str(name), self._shapes[str(name)])
                text += f" = {least}.." + ("" if most < 0 else str(most)) + (
                    f" by {step}" if step > 1 else "")
            sizes.append(text)
        return f"[{','.join(sizes)}]"

    @property
    def backend(self) -> str:
        """The backend that runs the model."""
        given = self._given.get("backend")
        return str(given) if given else next(
            (option.initially for option in options() if option.name == "backend"),
            "")

    # Functions

    def _function_of(self, name: str) -> Handle:
        lib, value = library(), ctypes.c_void_p()
        check(lib.glow_model_function(self._handle.value,
                                      bytes_of(name, "a function"),
                                      ctypes.byref(value)))
        return Handle(value.value, lib.glow_model_free)

    def function(self, name: str) -> Model:
        """A model of one function of a module. Raises NotFound, naming the
        functions. The functions of a module share its constants."""
        if name not in self._of_functions:
            self._of_functions[name] = Model(self._source, self.name,
                                             self._shapes, self._given, name,
                                             self._handle)
        return self._of_functions[name]

    def _has_choice(self) -> bool:
        """Whether there is a function to run."""
        return self.chosen is not None or len(self.functions) < 2

    # Programs

    def _compile(self, options: Handle) -> Program:
        lib, value = library(), ctypes.c_void_p()
        check(lib.glow_compile(self._handle.value, options.value,
                               ctypes.byref(value)))
        return Program(Handle(value.value, lib.glow_program_free))

    def _is_open(self) -> bool:
        """Whether a size is neither a number nor has a range."""
        return any(not isinstance(size, int)
                   and (size or f"{info.name}.{axis}") not in self._ranges
                   for info in self._known
                   for axis, size in enumerate(info.shape)
                   if info.kind not in VALUES)

    def compile(self) -> None:
        """Compiles the model for the sizes that it and `shapes` say.

        Raises what keeps it from being one program.
        """
        with self._lock:
            if self._runner:
                raise self._refused
            if self._only is None:
                self._only = self._compile(self._options)

    def _takes(self, feed: Feed) -> Tuple[TensorInfo, ...]:
        """The inputs of a run, and initializers that it gives."""
        return self.inputs + tuple(info for info in self.overridable
                                   if info.name in feed)

    def _check_sizes(self, infos: Sequence[TensorInfo],
                     shapes: Mapping[str, Tuple[int, ...]]) -> None:
        for info in infos:
            shape = shapes.get(info.name, info.shape)
            if info.shape and (len(shape) != len(info.shape) or any(
                    isinstance(known, int) and known != size
                    for known, size in zip(info.shape, shape))):
                sizes = ", ".join("?" if size is None else str(size)
                                  for size in info.shape)
                raise ShapeMismatch(f"'{info.name}' is {list(shape)}, it "
                                    f"should be [{sizes}]")

    def _program_for(self, feed: Feed) -> Optional[Program]:
        """The program for some sizes; None where a runner takes them."""
        takes = self._takes(feed)
        is_changed = len(takes) > len(self.inputs)
        if not is_changed and not self._is_open():
            return self._prepare()
        refuse(takes, feed)
        shapes = {info.name: tuple(numpy.shape(feed[info.name]))
                  for info in takes if info.kind not in VALUES}
        # A program does not check sizes that only the model declares: see below.
        self._check_sizes([info for info, as_read
                           in zip(self._known, self.inputs)
                           if info.shape != as_read.shape], shapes)
        sizes: Shapes = shapes
        if self._ranges:
            sizes = self._sizes_without_range(shapes)
        with self._lock:
            if self._runner or (self._only and not is_changed):
                return None if self._runner else self._only
            key = tuple(sizes.items())
            program = self._programs.get(key)
            if program is None:
                try:
                    program = self._make(_make_options(
                        {**self._shapes, **sizes} if self._ranges else sizes,
                        self._given))
                except InvalidArgument:
                    self._check_sizes(takes, shapes)
                    raise
                if program is None:
                    return None
                self._programs[key] = program
                if len(self._programs) > _MOST_PROGRAMS:
                    self._programs.popitem(last=False)
            self._programs.move_to_end(key)
            return program

    def _sizes_without_range(
            self, shapes: Mapping[str, Tuple[int, ...]]) -> Dict[str, int]:
        """The sizes of a run that are neither a number nor have a range."""
        sizes: Dict[str, int] = {}
        for info in self._known:
            for axis, size in enumerate(shapes.get(info.name, ())):
                known = info.shape[axis]
                if isinstance(known, int):
                    continue
                name = known or f"{info.name}.{axis}"
                if name in self._ranges:
                    continue
                if sizes.setdefault(name, size) != size:
                    raise ShapeMismatch(
                        f"dimension {axis} of '{info.name}' is {size}, but "
                        f"'{name}' is {sizes[name]} in another input")
        return sizes

    def _prepare(self) -> Optional[Program]:
        """The program of a model whose sizes are known."""
        with self._lock:
            if self._only is None and self._runner is None:
                self._only = self._make(self._options)
            return self._only

    def _make(self, options: Handle) -> Optional[Program]:
        if self._ranges and self._given.get("specialize", "none") != "none":
            # A runner changes programs between runs.
            self._runner = Runner(self._handle, self._options)
            self._refused = Unsupported(
                f"{self.name} has a program for each size that comes often")
            return None
        try:
            return self._compile(options)
        except Unsupported as reason:
            # It is no single program: the library walks through it.
            self._runner = Runner(self._handle, self._options)
            self._refused = reason
            return None

    # Sessions

    def session(self) -> Session:
        """A session, which keeps the states of the model between its runs.

        Its states are pairs of an input and an output. `load` takes them as
        ``state={"h0": "hn"}``; others are recognised by their names and types,
        but not after ``state="none"``. Raises InvalidArgument if there is none,
        or if a size is open. If sizes have ranges, states that grow are
        recognised as well; the first session compiles the model for them. A
        session of a module has the states of all functions, unless `load`
        names one.
        """
        if not self._has_choice():
            return Session({name: self.function(name)._program_of_session()
                            for name in self.functions})
        return Session({self.chosen or "": self._program_of_session()})

    def _program_of_session(self) -> Program:
        if self._only is None and self._is_open():
            raise InvalidArgument(
                f"{self.name} takes {', '.join(map(str, self._known))}: a "
                "session needs a model of known sizes, by the argument shapes")
        program = self._prepare_growing() if self._ranges else self._prepare()
        if program is None:
            raise self._refused
        return program

    def _prepare_growing(self) -> Program:
        """The program whose states grow, which has other inputs."""
        state = self._given.get("state") or ""
        if isinstance(state, Mapping):
            state = ",".join(f"{key}={one}" for key, one in state.items())
        state = ",".join(word for word in (state, "append") if word)
        with self._lock:
            if self._growing is None:
                self._growing = self._compile(_make_options(
                    self._shapes, {**self._given, "state": state}))
            return self._growing

    # Runs

    def run(self, inputs: Feed, out: Optional[Results] = None) -> Results:
        """Runs the model, and waits.

        `inputs` has a value for each input by its name: an array of numpy,
        anything with ``__dlpack__``, or numbers; for strings an array or list
        of str, for a sequence a list, for a map a dict. Arrays that are dense
        are read where they are. It may have values for `overridable` too.
        `out` may have arrays to write outputs to, also those of inputs.

        Returns for each output by its name an array, a list or a dict. Raises
        NotFound for an input that is missing or is none, and ShapeMismatch for
        one of other sizes or elements.
        """
        program = None if self.overridable else self._only
        if program is None:
            program = self._program_of(inputs) or self._program_for(inputs)
        if program is None:
            return self._run_in_stages(inputs, out)
        return program.run(inputs, out)

    def run_watched(self, inputs: Feed, out: Optional[Results],
                    begin: Callable[[Optional[Call]], None],
                    end: Callable[[Call], None]) -> Results:
        """`run` between ``begin(call)`` and ``end(call)``, so that another
        thread can end the call. A model in stages has none; it ends not before
        it is over."""
        program = self._program_of(inputs) or self._program_for(inputs)
        if program is None:
            begin(None)
            return self._run_in_stages(inputs, out)
        call = program.take_call()
        try:
            begin(call)
            try:
                return call.run(inputs, out)
            finally:
                end(call)
        finally:
            program.give_back(call)

    def _program_of(self, inputs: Feed) -> Optional[Program]:
        """The program for all sizes, unless the run changes an initializer."""
        if self.overridable and len(inputs) > len(self.inputs):
            return None
        return self._only

    def _run_in_stages(self, inputs: Feed, out: Optional[Results]) -> Results:
        assert self._runner is not None
        return self._runner.run(self._takes(inputs), self.outputs, inputs, out)

    def _feed(self, values: Sequence[Any]) -> Feed:
        if len(values) != len(self.inputs):
            raise InvalidArgument(
                f"{len(values)} inputs are given, {self.name} takes "
                f"{len(self.inputs)}: {', '.join(map(str, self.inputs))}")
        return {info.name: value for info, value in zip(self.inputs, values)}

    def __call__(self, *inputs: Any) -> Any:
        """Runs the model on its inputs in their order.

        Returns the only output, or a tuple of all.
        """
        results = tuple(self.run(self._feed(inputs)).values())
        return results[0] if len(results) == 1 else results

    async def run_async(self, inputs: Feed,
                        out: Optional[Results] = None) -> Results:
        """`run` for asyncio: the loop goes on meanwhile.

        To cancel the task ends the run before its next step. Inputs are not to
        be changed until it is over.
        """
        loop = asyncio.get_running_loop()
        program = self._program_of(inputs)
        if program is None:  # to compile takes time
            program = await loop.run_in_executor(None, self._program_for,
                                                 inputs)
        if program is None:
            return await loop.run_in_executor(None, self._run_in_stages, inputs,
                                              out)
        return await program.run_async(inputs, out)

    # Looking

    @overload
    def explain(self) -> str: ...
    @overload
    def explain(self, *, as_json: bool) -> Any: ...

    def explain(self, *, as_json: bool = False) -> Any:
        """What runs where and why, and the plan of memory: text for people, or
        the object that ``glow explain --json`` writes. An open first dimension of several is 1."""
        text = ctypes.c_char_p()
        check(library().glow_explain(self._handle.value, self._options.value,
                                     int(as_json), ctypes.byref(text)))
        told = (text.value or b"").decode("utf-8", "replace")
        return json.loads(told) if as_json else told

    def profile(self, *inputs: Any, runs: int = 10) -> Profile:
        """What each step takes: the median of some runs, alone on a device.

        `inputs` are as of a call, or one mapping as of `run`. ``print`` shows
        the steps, the longest first. Raises Unsupported for a model that is no
        single program.
        """
        if len(inputs) == 1 and isinstance(inputs[0], Mapping):
            feed: Feed = inputs[0]
        else:
            feed = self._feed(inputs)
        program = self._program_for(feed)
        if program is None:
            raise self._refused
        return program.profile(feed, runs)


def load(source: Source, *, name: Optional[str] = None,
         shapes: Optional[Shapes] = None, threads: Optional[int] = None,
         backend: Optional[str] = None, math: Optional[str] = None,
         function: Optional[str] = None, **options: Any) -> Model:
    """Reads a model, and compiles it if all of its sizes are known or have
    ranges.

    `source` is a path, or the bytes of a file; `name` is for messages then.
    `shapes` has sizes that the model leaves open: a list for an input, or a
    number for a dimension by the model's name of it. A range, as range(1, 17)
    or range(8, 513, 8), makes one program for all of these sizes; of ``...`` the
    compiler chooses the greatest that memory allows, and logs it. Sizes that
    stay open are taken from the inputs of each run; a program is compiled when
    they are new, and those used last are kept.

    `function` names one function of a module of several, each of which is a
    program; `Model.function` gives the others.

    `threads` is how many a run is shared out to, `backend` what runs the model,
    `math` how exact it is (strict, default or fast); `options()` has all others,
    whose names may be written with underscores.

    Raises what Error says, with all reasons.
    """
    model = Model(source, name, shapes, {"threads": threads, "math": math,
                                         "backend": backend, **options},
                  function)
    if model._has_choice() and not model._is_open():
        model._prepare()
    return model


def compile(source: Source, *, shapes: Optional[Shapes] = None,
            name: Optional[str] = None, function: Optional[str] = None,
            **options: Any) -> Model:
    """Reads a model and compiles it into one program, for the sizes that it and
    `shapes` say. Takes and raises what `load` does, and refuses what is no
    single program."""
    model = Model(source, name, shapes, options, function)
    model.compile()
    return model
