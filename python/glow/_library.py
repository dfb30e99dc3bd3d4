# SPDX-License-Identifier: MIT
"""The library behind the C interface: found, opened, and told its types.

It is looked for in the file that the environment variable GLOW_LIBRARY names,
then beside this file, then where the system's loader looks: first the one that
compiles, then the one that only runs what is compiled.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import glob
import os
import operator
import sys
from typing import Any, Callable, List, NamedTuple, NoReturn, Optional

from . import _interface
from ._errors import Error, InvalidArgument, error_of

LEVELS = ("off", "error", "warning", "info", "debug")


def _candidates() -> list[str]:
    if "GLOW_LIBRARY" in os.environ:
        return [os.environ["GLOW_LIBRARY"]]
    folder = os.path.dirname(os.path.abspath(__file__))
    beside = [path for name in _interface.LIBRARIES
              for path in sorted(glob.glob(os.path.join(folder, name + "*")))]
    return beside + _interface.LIBRARIES


def _of_other_processor(path: str) -> str:
    """Why a library is not loaded if that is its processor: the loader says that
    there is no such file."""
    machines = []
    for program in (path, sys.executable):
        try:
            with open(program, "rb") as file:
                header = file.read(20)
        except OSError:
            return ""
        if not header.startswith(b"\x7fELF"):
            return ""
        machines.append(header[18:])  # e_machine
    return ("" if machines[0] == machines[1] else
            "it is for another kind of processor than this Python")


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The opened library. Raises Error, naming each place, if there is none."""
    tried = []
    for candidate in _candidates():
        try:
            opened = ctypes.CDLL(candidate)
        except OSError as reason:
            tried.append(f"  {candidate}: {_of_other_processor(candidate) or reason}")
            continue
        for name, (result, arguments) in _interface.FUNCTIONS.items():
            try:
                function = getattr(opened, name)
            except AttributeError:
                raise Error(f"{candidate} has no function {name}: it is of "
                            "another version than this module") from None
            function.restype, function.argtypes = result, arguments
        return opened
    raise Error("there is no libglow; set GLOW_LIBRARY to its file:\n"
                + "\n".join(tried))


def bytes_of(text: Any, what: str) -> bytes:
    """A name, a path or a value of an option as C takes it.

    Raises InvalidArgument for one with a zero, which would end there in C.
    """
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise InvalidArgument(f"{what} is {os.fsdecode(encoded)!r}, it should "
                              "have no zero")
    return encoded


def integer_of(value: Any, what: str, least: int = 0,
               most: int = 2**63 - 1) -> int:
    """An integer that C can have: ctypes would cut off its upper bits.

    Raises InvalidArgument for any other, and TypeError for what is none.
    """
    number = operator.index(value)
    if not -2**63 <= number < 2**63:
        raise InvalidArgument(f"{what}: {number} does not fit into 64 bits")
    if not least <= number <= most:
        raise InvalidArgument(f"{what} is {number}, it should be from {least} "
                              f"to {most}")
    return number


def text_of(text: Optional[bytes]) -> str:
    """Names in models are any bytes."""
    return (text or b"").decode("utf-8", "replace")


def last_error(status: int) -> Error:
    """What this thread's last call failed with."""
    return error_of(status, text_of(library().glow_message()))


def check(status: int) -> None:
    if status:
        raise last_error(status)


class OfProcess:
    """Something that is no data: it is neither copied nor pickled."""

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__!r}; load "
                        "the model again")


class Handle(OfProcess):
    """An object of the library, freed with this, and before what it needs."""

    value: Optional[int] = None

    def __init__(self, value: Optional[int], free: Callable[[int], Any],
                 needs: Any = None) -> None:
        self.value, self._free, self._needs = value, free, needs

    def __del__(self) -> None:
        if self.value is not None:
            self._free(self.value)


def version() -> str:
    """The version of the library, as "1.2.3"."""
    return text_of(library().glow_version())


# The last one is kept as long as the process: threads may be telling.
_logs: List[Any] = []


def log_to(level: str,
           tell: Optional[Callable[[str, str], None]] = None) -> None:
    """Has messages up to a level told to ``tell(level, text)``, on any thread,
    or printed to stderr without one.

    ``level`` is "off", "error", "warning", "info" or "debug". At first nothing
    is told but what the environment variable GLOW_LOG asks for.
    """
    if level not in LEVELS:
        raise ValueError(f"level is '{level}', it should be one of "
                         + ", ".join(LEVELS))
    if tell is not None and not callable(tell):
        raise TypeError(f"tell is {tell!r}, it should be a function")
    if tell is None:
        function = _interface.glow_log()
    else:
        function = _interface.glow_log(
            lambda _, number, text: tell(LEVELS[number], text_of(text)))
        if not _logs:
            # A thread of the library cannot enter a Python that has ended.
            atexit.register(log_to, "off")
        _logs.append(function)
    check(library().glow_log_to(LEVELS.index(level), function, None))


class Option(NamedTuple):
    """An option of `load` and `compile`."""
    name: str
    type: str       #: text, int, bool, size, or words: a|b|c
    initially: str  #: the value where none is given
    help: str
    backend: str    #: whose option it is; "" for all


def options() -> list[Option]:
    """All options there are, of the backends too."""
    known = []
    for index in range(library().glow_option_count()):
        info = _interface.glow_option_info()
        check(library().glow_option(index, ctypes.byref(info)))
        known.append(Option(*(text_of(getattr(info, field))
                              for field in Option._fields)))
    return known
