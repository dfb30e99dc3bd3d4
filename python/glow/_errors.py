# SPDX-License-Identifier: MIT
"""What is raised where a function of the C interface fails.

Each class is also the built-in one that a caller would expect. The text is the
whole message: of a model that is refused all reasons, a line each.
"""

from __future__ import annotations


class Error(RuntimeError):
    """Anything that Glow refuses or that went wrong in it."""


class InvalidArgument(Error, ValueError):
    """What the caller or a file said makes no sense."""


class ShapeMismatch(Error, ValueError):
    """A tensor has not the size or the elements that are wanted."""


class NotFound(Error, LookupError):
    """No file, input, backend or option has that name."""


class OutOfMemory(Error, MemoryError):
    """There is not as much memory, or not as many threads."""


class Unsupported(Error, NotImplementedError):
    """It makes sense, but this build does not do it."""


class InternalError(Error):
    """A mistake of Glow's own."""


class Overloaded(Error):
    """A request was refused: no room, or too little time."""


class DeadlineExceeded(Error, TimeoutError):
    """A request was not done at its deadline."""


class Cancelled(Error):
    """A run is not wanted any more."""


class DeviceLost(Error):
    """No device is left."""


class PoisonedRequest(Error):
    """Two devices were lost while they ran a request."""


# By glow_status, from 1 on.
_BY_STATUS = (InvalidArgument, ShapeMismatch, NotFound, OutOfMemory,
              Unsupported, InternalError, Overloaded, DeadlineExceeded,
              Cancelled, DeviceLost, PoisonedRequest)


def error_of(status: int, message: str) -> Error:
    """The exception of a status that is not GLOW_OK."""
    known = 0 < status <= len(_BY_STATUS)
    return (_BY_STATUS[status - 1] if known else Error)(message)
