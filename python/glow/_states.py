# SPDX-License-Identifier: MIT
"""Sessions: states of a program that stay between its runs."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from typing import (Any, Dict, Iterator, List, Mapping, NamedTuple, Optional,
                    Tuple)

import numpy

from . import _interface
from ._errors import InvalidArgument, NotFound
from ._library import (Handle, OfProcess, bytes_of, check, integer_of, library,
                       text_of)
from ._program import Call, Program
from ._tensors import KINDS, TensorInfo, address_of, array_of


class StateInfo(NamedTuple):
    """A state: an output whose value the next run reads as an input.

    ``axis`` is the axis that grows, the first one; ``capacity`` and ``length``
    are the entries along it that fit and that are in use. A state of a fixed
    size has the axis None and is one entry.
    """
    input: str
    output: str
    kind: str
    shape: Tuple[int, ...]
    dtype: numpy.dtype
    given: bool  #: by the option ``state``; else names and types suggest it
    axis: Optional[int]
    capacity: int
    length: int


def _state_of(info: _interface.glow_state_info) -> StateInfo:
    kind, dtype = KINDS[info.kind]
    return StateInfo(text_of(info.input), text_of(info.output), kind,
                     tuple(info.shape[i] for i in range(info.rank)), dtype,
                     bool(info.given), None if info.axis < 0 else info.axis,
                     info.capacity, info.length)


def _states_of(programs: Mapping[str, Program]) -> Tuple[StateInfo, ...]:
    """The states that any of the programs declares, each once."""
    lib = library()
    infos: Dict[Tuple[str, str], StateInfo] = {}
    for program in programs.values():
        for index in range(lib.glow_program_states(program.handle.value)):
            info = _interface.glow_state_info()
            check(lib.glow_program_state(program.handle.value, index,
                                         ctypes.byref(info)))
            state = _state_of(info)
            infos.setdefault((state.input, state.output), state)
    return tuple(infos.values())


class SessionFunction:
    """A function of a module, as a session runs it."""

    def __init__(self, program: Program, states: Tuple[StateInfo, ...],
                 handle: Handle, number: int) -> None:
        lib = library()
        names = {name for info in states for name in (info.input, info.output)}
        #: What a run takes and gives besides the states.
        self.inputs: Tuple[TensorInfo, ...] = tuple(
            info for info in program.inputs if info.name not in names)
        self.outputs: Tuple[TensorInfo, ...] = tuple(
            info for info in program.outputs if info.name not in names)
        # The session frees its calls. Nothing is done here, since the end of the
        # process may free a session first.
        self._call = Call(self.inputs, self.outputs, Handle(
            lib.glow_session_call_of(handle.value, number), lambda call: None,
            needs=handle), program,
            bool(lib.glow_program_computes_sizes(program.handle.value)))


class Session(OfProcess):
    """The states of a model between its runs, zeros at first.

    `Model.session` makes one. A run takes and gives what is no state; no state
    is copied between runs. A state that grows, as the cache of a language
    model, is empty at first, and each run appends entries to it.
    ``session["h0"]`` is a copy of a state by the name of its input or output,
    and ``session["h0"] = array`` sets it. One thread at
    a time may use a session: a second one gets InvalidArgument. Sessions of one
    model share its weights, and run side by side.

    A session of a module has the states of all of its functions, in
    ``functions``; a run names one of them.
    """

    def __init__(self, programs: Mapping[str, Program],
                 handle: Optional[Handle] = None) -> None:
        lib = library()
        if handle is None:
            value = ctypes.c_void_p()
            handles = (ctypes.c_void_p * len(programs))(
                *(program.handle.value for program in programs.values()))
            check(lib.glow_session_new_of(handles, len(programs),
                                          ctypes.byref(value)))
            handle = self._handle_of(value, list(programs.values()))
        self._programs, self._handle = dict(programs), handle
        #: The states, in the order of the programs.
        self.states: Tuple[StateInfo, ...] = _states_of(programs)
        #: The functions of a module by their names. A model that is one program
        #: has one of the name "".
        self.functions: Dict[str, SessionFunction] = {
            name: SessionFunction(program, self.states, handle, number)
            for number, (name, program) in enumerate(programs.items())}
        self._lock = threading.Lock()

    @staticmethod
    def _handle_of(value: ctypes.c_void_p, programs: List[Program]) -> Handle:
        return Handle(value.value, library().glow_session_free,
                      needs=[program.handle for program in programs])

    def _function(self, name: Optional[str]) -> SessionFunction:
        if name is None and len(self.functions) == 1:
            return next(iter(self.functions.values()))
        if name not in self.functions:
            names = ", ".join(f"'{one}'" for one in self.functions)
            wrong = "" if name is None else f"there is no function '{name}'; "
            raise NotFound(f"{wrong}the session has the functions {names}")
        return self.functions[name]

    @property
    def inputs(self) -> Tuple[TensorInfo, ...]:
        """What a run of the only function takes besides the states."""
        return self._function(None).inputs

    @property
    def outputs(self) -> Tuple[TensorInfo, ...]:
        """What a run of the only function gives besides the states."""
        return self._function(None).outputs

    @contextlib.contextmanager
    def _used(self) -> Iterator[int]:
        """Binding and running are two steps, between which no other thread may
        bind."""
        if not self._lock.acquire(blocking=False):
            raise InvalidArgument("the session is in use already; a fork of it "
                                  "can run beside it")
        try:
            assert self._handle.value is not None
            yield self._handle.value
        finally:
            self._lock.release()

    def run(self, inputs: Mapping[str, Any], out: Optional[Dict[str, Any]] = None, *,
            function: Optional[str] = None) -> Dict[str, numpy.ndarray]:
        """Runs the model, or a function of a module, and waits. Takes, returns
        and raises what `Model.run` does, without the states. After a failure
        they are as before."""
        call = self._function(function)._call
        with self._used():
            keep: List[Any] = []
            results = call.bind(inputs, out, keep)
            call.bind_by_name()
            check(library().glow_run(call.handle.value))
            return results

    def _find(self, name: str) -> StateInfo:
        for key in ("input", "output"):
            for info in self.states:
                if getattr(info, key) == name:
                    return info
        names = ", ".join(f"'{info.input}'" for info in self.states)
        raise NotFound(f"the session has no state named '{name}'; its states "
                       f"are {names}")

    def _now(self, session: int, name: str) -> StateInfo:
        info = _interface.glow_state_info()
        check(library().glow_session_state(session, bytes_of(name, "a name"),
                                           ctypes.byref(info)))
        return _state_of(info)

    def state(self, name: str) -> StateInfo:
        """A state by the name of its input or output, with its length now."""
        self._find(name)
        with self._used() as session:
            return self._now(session, name)

    def __getitem__(self, name: str) -> numpy.ndarray:
        self._find(name)
        with self._used() as session:
            info = self._now(session, name)
            array = numpy.empty(info.shape, info.dtype)
            check(library().glow_session_get(session, bytes_of(name, "a name"),
                                             address_of(array, []),
                                             array.nbytes))
        return array

    def _array_of(self, info: StateInfo, value: Any) -> numpy.ndarray:
        array = array_of(value, info.dtype, TensorInfo(
            info.input, info.kind, info.shape, info.dtype))
        if info.axis is not None and array.shape[1:] != info.shape[1:]:
            entry = ", ".join(map(str, info.shape[1:]))
            raise InvalidArgument(f"state '{info.input}' has entries of "
                                  f"[{entry}], not {list(array.shape[1:])}")
        return array

    def __setitem__(self, name: str, value: Any) -> None:
        info = self._find(name)
        array = self._array_of(info, value)
        if info.axis is None and array.shape != info.shape:
            raise InvalidArgument(f"state '{info.input}' is {list(info.shape)}, "
                                  f"not {list(array.shape)}")
        with self._used() as session:
            check(library().glow_session_set(session, bytes_of(name, "a name"),
                                             address_of(array, []),
                                             array.nbytes))

    def append(self, name: str, value: Any) -> None:
        """Appends entries to a state along its first axis, which grows. Raises
        InvalidArgument if its capacity is exceeded, and Unsupported for a state
        of a fixed size."""
        info = self._find(name)
        array = self._array_of(info, value)
        entries = 0 if info.axis is None else array.shape[info.axis]
        with self._used() as session:
            check(library().glow_session_append(
                session, bytes_of(name, "a name"), address_of(array, []),
                entries))

    def rollback(self, entries: int) -> None:
        """Removes the last entries of all states. Raises InvalidArgument if one
        has fewer, and Unsupported if one has a fixed size."""
        entries = integer_of(entries, "entries")
        with self._used() as session:
            check(library().glow_session_rollback(session, entries))

    def reset(self) -> None:
        """Sets all states to zeros, and states that grow to no entries."""
        with self._used() as session:
            check(library().glow_session_reset(session))

    def fork(self) -> Session:
        """A session with the same values, for which nothing is copied. Either
        may go first. The first run of one of them copies the entries in use of
        states that grow."""
        value = ctypes.c_void_p()
        with self._used() as session:
            check(library().glow_session_fork(session, ctypes.byref(value)))
        return Session(self._programs, self._handle_of(
            value, list(self._programs.values())))

    def save(self, path: Any) -> None:
        """Writes all states to a file, whole or not at all."""
        with self._used() as session:
            check(library().glow_session_save(session,
                                              bytes_of(path, "the path")))

    def restore(self, path: Any) -> None:
        """Reads all states from a file of `save`. Raises InvalidArgument for a
        file of another model, or that is incomplete or was changed; the states
        are then as before."""
        with self._used() as session:
            check(library().glow_session_restore(session,
                                                 bytes_of(path, "the path")))
