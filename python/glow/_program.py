# SPDX-License-Identifier: MIT
"""A model compiled for its sizes, and its runs.

A run takes a call from those that rest, or makes one: as many threads as like
run one program, each on a call of its own. The library runs without the lock
of the interpreter.
"""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import itertools
import json
import os
import struct
import sys
import weakref
from typing import (Any, Callable, Dict, List, Mapping, NamedTuple,
                    Optional, Sequence, Tuple)

import numpy

from . import _interface
from ._errors import Cancelled, NotFound, ShapeMismatch
from ._library import (Handle, OfProcess, bytes_of, check, integer_of,
                       last_error, library)
from ._tensors import (TensorInfo, address_of, array_of, check_names,
                       check_outputs, infos_of, output_of, sizes_of, written_to)


# A module of the stable interface, which has buffers since Python 3.11. Without
# it calls take longer.
_fast_run: Optional[Callable[..., Any]] = None
if sys.version_info >= (3, 11):
    try:
        from ._fast import run as _fast_run
    except ImportError:
        pass


def _plan_of(call: int, takes: Sequence[TensorInfo],
             gives: Sequence[TensorInfo]) -> Tuple[Any, ...]:
    """The plan of `_fast.run` for a call, whose sizes are known."""
    run_on = ctypes.cast(library().glow_run_on, ctypes.c_void_p).value
    return (run_on, call,
            tuple((info.name,
                   numpy.empty(0, info.dtype).data.format.encode(),
                   struct.pack(f"{len(info.shape)}n", *info.shape))
                  for info in takes),
            tuple((info.name, (info.shape, info.dtype)) for info in gives),
            numpy.ndarray, numpy.empty)


class Step(NamedTuple):
    """A step of a program, and the milliseconds that it took."""
    node: str
    instruction: str
    milliseconds: float


class Profile(NamedTuple):
    """What the steps of the median run took, in their order."""
    runs: int
    milliseconds: float
    steps: List[Step]

    def __str__(self) -> str:
        lines = [f"{self.milliseconds:.3f} ms, the median of {self.runs} runs"]
        for step in sorted(self.steps, key=lambda step: -step.milliseconds):
            share = step.milliseconds / (self.milliseconds or 1)
            lines.append(f"{step.milliseconds:9.3f} ms {share:5.0%}  "
                         f"{step.node}  ({step.instruction})")
        return "\n".join(lines)


def refuse(inputs: Sequence[TensorInfo], feed: Mapping[str, Any]) -> None:
    """Says which input is missing, or is none."""
    takes = ", ".join(map(str, inputs)) or "none"
    for info in inputs:
        is_given = (info.name in feed if info.kind == "optional"
                    else feed.get(info.name) is not None)
        if not is_given:
            raise NotFound(f"input '{info.name}' is not given; the inputs are "
                           f"{takes}")
    check_names(feed, inputs, "input")


class CallHandle(Handle):
    """A call is freed when the thread of the library that was in its `_ran` is
    back: a thread that comes out of Python after its end would end the process."""

    def __init__(self, value: Optional[int], free: Callable[[int], Any],
                 needs: Handle) -> None:
        super().__init__(value, free, needs)
        self._wait = library().glow_call_wait
        self.waits = True

    def __del__(self) -> None:
        if self.value is not None and self.waits:
            self._wait(self.value)
        super().__del__()


class Call(OfProcess):
    """What one thread at a time runs a program on."""

    def __init__(self, takes: Sequence[TensorInfo],
                 gives: Sequence[TensorInfo], handle: Handle,
                 of: Optional["Program"] = None,
                 computes: bool = False) -> None:
        """A session's call is `of` a program, and takes and gives less. A program
        that `computes` sizes writes the beginnings of its outputs."""
        self.takes, self.gives, self.handle = takes, gives, handle
        self._of = of
        self._checks = [(info, info.name, info.dtype, info.shape)
                        for info in self.takes]
        self.inputs = (ctypes.c_void_p * len(self.takes))()
        self.outputs = (ctypes.c_void_p * len(self.gives))()
        # For the sizes of the last run, if the program has ranges.
        self._is_open = any(not isinstance(size, int)
                            for info in self.takes for size in info.shape)
        self._shapes: List[Tuple[int, ...]] = []
        self._gives_now = self.gives
        every = of.outputs if of else gives
        self._numbers = [every.index(info) for info in gives]
        if computes and not self._is_open:
            self._gives_now = self._shaped(library().glow_call_output)
        self._computes = computes
        self._plan: Optional[Tuple[Any, ...]] = None
        if _fast_run and handle.value and not (of or computes or self._is_open):
            self._plan = _plan_of(handle.value, takes, gives)
        # Places, with names and bytes for glow_bind.
        self._named: List[Tuple[Any, int, bytes, int]] = []
        self._run_on = library().glow_run_on
        self._arguments = (self.handle.value, ctypes.addressof(self.inputs),
                           ctypes.addressof(self.outputs))

    def bind(self, feed: Mapping[str, Any], out: Optional[Dict[str, Any]],
             keep: List[Any]) -> Dict[str, numpy.ndarray]:
        """Points at tensors, which `keep` holds; the outputs."""
        if len(feed) != len(self._checks):
            refuse(self.takes, feed)
        index, shapes = 0, []
        for info, name, dtype, shape in self._checks:
            array = feed.get(name)
            if array is None:
                refuse(self.takes, feed)
            if (type(array) is not numpy.ndarray or array.dtype != dtype
                    or not array.flags.carray):
                array = array_of(array, dtype, info)
            if self._is_open:
                if len(array.shape) != len(shape):
                    raise ShapeMismatch(f"'{name}' is {list(array.shape)}, it "
                                        f"should be {info}")
                shapes.append(array.shape)
            elif array.shape != shape:
                raise ShapeMismatch(f"'{name}' is {list(array.shape)}, it "
                                    f"should be {list(shape)}")
            self.inputs[index] = address_of(array, keep)
            index += 1
        # The lengths of a session's states are others in each run.
        if shapes != self._shapes or (shapes and self._of):
            self._set_shapes(shapes)
        if out:
            check_names(out, self.gives, "output")
        # The arrays of computed sizes have the shapes that a run finds.
        given = out
        if out and self._computes:
            check_outputs(self.gives, out)
            given = None
        results, index = {}, 0
        for info in self._gives_now:
            array = output_of(given, info)
            self.outputs[index] = address_of(array, keep)
            results[info.name] = array
            index += 1
        return results

    def _set_shapes(self, shapes: List[Tuple[int, ...]]) -> None:
        """Sets the sizes of the next runs of a program with ranges."""
        if shapes != self._shapes:
            self._lists = [(ctypes.c_int64 * len(shape))(*shape)
                           for shape in shapes]
            places: List[Optional[int]] = list(map(ctypes.addressof,
                                                   self._lists))
            if self._of:
                given = dict(zip((info.name for info in self.takes), places))
                places = [given.get(info.name) for info in self._of.inputs]
            self._pointers = ctypes.cast(
                (ctypes.c_void_p * len(places))(*places),
                ctypes.POINTER(ctypes.POINTER(ctypes.c_int64)))
        check(library().glow_call_set_shapes(self.handle.value,
                                             self._pointers))
        gives = self._shaped(library().glow_call_output)
        if shapes != self._shapes or gives != self._gives_now:
            self._shapes, self._gives_now, self._named = shapes, gives, []

    def _shaped(self, describe: Callable[..., int]) -> Tuple[TensorInfo, ...]:
        """The outputs, of the shapes of `describe`."""
        infos = []
        for info, number in zip(self._gives_now, self._numbers):
            now = _interface.glow_tensor_info()
            check(describe(self.handle.value, number, ctypes.byref(now)))
            shape = tuple(now.shape[:now.rank])
            infos.append(info if info.shape == shape
                         else info._replace(shape=shape))
        return tuple(infos)

    def written(self, results: Dict[str, numpy.ndarray],
                out: Optional[Dict[str, Any]]) -> Dict[str, numpy.ndarray]:
        """Of outputs with a computed size the part that the last run wrote."""
        if not self._computes:
            return results
        for info in self._shaped(library().glow_call_written):
            size = int(numpy.prod(sizes_of(info)))
            results[info.name] = results[info.name].reshape(-1)[:size].reshape(
                sizes_of(info))
        return written_to(results, out or {})

    def run(self, feed: Mapping[str, Any],
            out: Optional[Dict[str, Any]]) -> Dict[str, numpy.ndarray]:
        if self._plan and _fast_run and not out:
            found = _fast_run(self._plan, feed)
            if isinstance(found, dict):
                return found
            if found is not None:
                raise last_error(found)
        keep: List[Any] = []
        results = self.bind(feed, out, keep)
        status = self._run_on(*self._arguments)
        if status:
            raise last_error(status)
        return self.written(results, out)

    def bind_by_name(self) -> None:
        """For functions that run on what is bound."""
        if not self._named:
            shapes = self._shapes or [sizes_of(info) for info in self.takes]
            takes = [info._replace(shape=shape)
                     for info, shape in zip(self.takes, shapes)]
            for infos, places in ((takes, self.inputs),
                                  (self._gives_now, self.outputs)):
                for index, info in enumerate(infos):
                    size = int(numpy.prod(sizes_of(info))) * info.dtype.itemsize
                    self._named.append((places, index,
                                        bytes_of(info.name, "a name"), size))
        bind = library().glow_bind
        for places, index, name, size in self._named:
            check(bind(self.handle.value, name, places[index], size))


class Program(OfProcess):
    """A program of the library."""

    def __init__(self, handle: Handle) -> None:
        lib = library()
        self.handle = handle
        self.inputs = infos_of(handle.value, lib.glow_program_inputs,
                               lib.glow_program_input)
        self.outputs = infos_of(handle.value, lib.glow_program_outputs,
                                lib.glow_program_output)
        self._calls: List[Call] = [self._new_call()]

    def _new_call(self) -> Call:
        value = ctypes.c_void_p()
        check(library().glow_call_new(self.handle.value, ctypes.byref(value)))
        return Call(self.inputs, self.outputs, CallHandle(
            value.value, library().glow_call_free, needs=self.handle),
                    computes=bool(library().glow_program_computes_sizes(
                        self.handle.value)))

    def take_call(self) -> Call:
        try:
            return self._calls.pop()  # which no two threads do at once
        except IndexError:
            return self._new_call()

    def give_back(self, call: Call) -> None:
        self._calls.append(call)

    def run(self, feed: Mapping[str, Any],
            out: Optional[Dict[str, Any]] = None) -> Dict[str, numpy.ndarray]:
        call = self.take_call()
        try:
            return call.run(feed, out)
        finally:
            self._calls.append(call)

    async def run_async(self, feed: Mapping[str, Any],
                        out: Optional[Dict[str, Any]]) -> Dict[str, numpy.ndarray]:
        run = _Run(self, asyncio.get_running_loop())
        try:
            run.begin(feed, out)
        except BaseException:
            run.give_back()
            raise
        try:
            return await run.over
        except asyncio.CancelledError:
            run.cancel()
            raise

    def profile(self, feed: Mapping[str, Any], runs: int) -> Profile:
        runs = integer_of(runs, "runs", least=1)
        call, text = self.take_call(), ctypes.c_char_p()
        keep: List[Any] = []
        try:
            call.bind(feed, None, keep)
            call.bind_by_name()
            check(library().glow_profile(call.handle.value, runs,
                                         ctypes.byref(text)))
        finally:
            self.give_back(call)
        found = json.loads(text.value or b"")
        return Profile(found["runs"], found["milliseconds"],
                       [Step(**step) for step in found["steps"]])


class _Run:
    """A run that a coroutine waits for. All of it but `_ran` is on the thread
    of the loop: a call is not another run's while this one cancels it."""

    def __init__(self, program: Program,
                 loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.over: "asyncio.Future[Dict[str, numpy.ndarray]]" = (
            loop.create_future())
        self.program: Optional[Program] = program
        self.call: Optional[Call] = program.take_call()
        self.keep: List[Any] = []
        self.results: Dict[str, numpy.ndarray] = {}
        self.out: Optional[Dict[str, Any]] = None

    def begin(self, feed: Mapping[str, Any],
              out: Optional[Dict[str, Any]]) -> None:
        assert self.call is not None
        if _is_ending:
            raise Cancelled("Python is ending, no run begins any more")
        self.out = out
        self.results = self.call.bind(feed, out, self.keep)
        self.call.bind_by_name()
        _waited_for.add(self.call)
        ticket = next(_tickets)
        # Until it is over: also if nothing waits for it any more.
        _on_their_way[ticket] = self
        status = library().glow_run_async(self.call.handle.value, _ran, ticket)
        if status:
            del _on_their_way[ticket]
            raise last_error(status)

    def give_back(self) -> None:
        """The run is over: what waits finds that nothing is held any more."""
        if self.program and self.call:
            self.program.give_back(self.call)
        self.program = self.call = None
        self.keep.clear()

    def finish(self, error: Optional[BaseException]) -> None:
        if self.call and not error:
            try:
                self.results = self.call.written(self.results, self.out)
            except Exception as reason:  # an array of another shape
                error = reason
        self.give_back()
        if self.over.done():  # by a cancellation
            return
        if error:
            self.over.set_exception(error)
        else:
            self.over.set_result(self.results)

    def cancel(self) -> None:
        """Ends the run, unless it is over."""
        if self.call:
            library().glow_call_cancel(self.call.handle.value)


# Runs that have begun and are not over, by the ticket of their completion.
_on_their_way: Dict[int, _Run] = {}
_tickets = itertools.count(1)


@_interface.glow_ran  # type: ignore[untyped-decorator]
def _ran(ticket: int, status: int) -> None:
    """On a thread of the library's."""
    run = _on_their_way.pop(ticket)
    error = last_error(status) if status else None
    try:
        run.loop.call_soon_threadsafe(run.finish, error)
    except RuntimeError:
        run.give_back()  # the loop is closed: nothing waits, or cancels


# Calls whose completion is reported to `_ran`.
_waited_for: "weakref.WeakSet[Call]" = weakref.WeakSet()
_is_ending = False


@atexit.register
def _end_all() -> None:
    """A thread of the library cannot enter a Python that has ended."""
    global _is_ending
    _is_ending = True
    calls = list(_waited_for)
    for call in calls:
        library().glow_call_cancel(call.handle.value)
    for call in calls:
        library().glow_call_wait(call.handle.value)


def _forget_all() -> None:
    """A child of fork has none of the threads that would end its runs: their
    calls are neither waited for nor freed."""
    for call in _waited_for:
        if isinstance(call.handle, CallHandle):
            call.handle.waits = False
    for run in _on_their_way.values():
        if run.call:
            run.call.handle.value = None
            run.call = None
    _on_their_way.clear()
    _waited_for.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
