# SPDX-License-Identifier: MIT
"""Devices in other processes, on this machine."""

import contextlib
import re
import signal
import subprocess


class Device:
    """A `glow device`, of which `start` may be called again after it ended."""

    def __init__(self, name, backend):
        self.name, self.backend = name, backend
        self.place = "127.0.0.1:0"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            ["glow", "device", f"--backend={self.backend}", "--threads=1",
             f"--listen={self.place}"], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"device of backend '\w+' at grpc:(.*)\n", line)
        if not found:
            raise RuntimeError(f"{self.name} says '{line}'")
        self.place = found[1]  # the same after a new start

    def described(self):
        return {"name": self.name, "backend": self.backend,
                "address": f"grpc:{self.place}"}

    def end(self, number):
        """Its status after a signal."""
        self.process.send_signal(number)
        status = self.process.wait()
        self.process.stdout.close()
        return status


@contextlib.contextmanager
def serve(backend, count):
    served = [Device(f"far{i}", backend) for i in range(count)]
    try:
        for device in served:
            device.start()
        yield served
    finally:
        for device in served:
            if device.process and device.process.poll() is None:
                device.end(signal.SIGKILL)
