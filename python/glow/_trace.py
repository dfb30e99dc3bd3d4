# SPDX-License-Identifier: MIT
"""The profile of a session: events that chrome://tracing and Perfetto show."""

from __future__ import annotations

import json
import os
import threading
import time
from typing import Any, Dict, List, Mapping, Optional

from ._errors import Unsupported
from ._model import Model


class Trace:
    """Runs of a session and their steps. Several threads may add runs."""

    def __init__(self, prefix: str) -> None:
        #: As time.monotonic_ns() has it.
        self.start = time.monotonic_ns()
        self.path = prefix + time.strftime("%Y-%m-%d_%H-%M-%S.json")
        self._events: List[Dict[str, Any]] = []
        self._lock = threading.Lock()

    def _event(self, category: str, name: str, begin: float, duration: float,
               args: Optional[Mapping[str, str]] = None) -> Dict[str, Any]:
        return {"cat": category, "pid": os.getpid(),
                "tid": threading.get_native_id(), "ph": "X", "name": name,
                "ts": int(begin), "dur": int(duration), "args": dict(args or {})}

    def add_run(self, model: Model, feed: Mapping[str, Any], begin: int,
                end: int) -> None:
        """Adds a run from `begin` to `end`, in nanoseconds, and its steps. A
        second run measures the steps. A model that is no single program has
        none."""
        events = [self._event("Session", "model_run", (begin - self.start) / 1e3,
                              (end - begin) / 1e3)]
        try:
            profile = model.profile(feed, runs=1)
        except Unsupported:
            profile = None
        at = (begin - self.start) / 1e3
        for step in profile.steps if profile else ():
            duration = step.milliseconds * 1e3
            events.append(self._event("Node", step.node, at, duration,
                                      {"op_name": step.instruction,
                                       "provider": "Glow"}))
            at += duration
        with self._lock:
            self._events += events

    def write(self) -> str:
        """Writes the file, and returns its path."""
        with self._lock, open(self.path, "w", encoding="utf-8") as file:
            json.dump(self._events, file)
        return self.path
