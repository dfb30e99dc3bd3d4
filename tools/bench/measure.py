# SPDX-License-Identifier: MIT
"""Programs that run a model when they are told to, and measuring two of them
in turns."""

import json
import shlex
import statistics
import subprocess
import time


class BenchError(Exception):
    """What the user reads on one line."""


class Program:
    """A process that obeys lines of stdin, as `glow bench --slices` does."""

    def __init__(self, title, command, cores, environment=None, quiet=False):
        self.title = title
        pinned = ["taskset", "-c", ",".join(map(str, cores)), *command]
        self.command = shlex.join(command)
        self.process = subprocess.Popen(
            pinned, env=environment, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None)
        try:
            self.ready = self.answer()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            status = self.process.wait()
            raise BenchError(f"{self.title} ended with status {status}: "
                             f"{self.command}")
        return json.loads(line)

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
        except BrokenPipeError:
            pass  # the answer says why
        return self.answer()

    def run(self, milliseconds):
        """Times of single runs, in milliseconds; at least one."""
        return self.ask(f"run {milliseconds}")["times_ms"]

    def write(self, folder):
        """The outputs, as NAME.npy."""
        self.ask(f"write {folder}")

    def peak_bytes(self):
        """The most memory the process has had."""
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        raise BenchError(f"{self.title}: the system does not tell its memory")

    def close(self):
        self.process.kill()
        self.process.communicate()


def first_results(starters, count):
    """Starts each program `count` times, in turns: the medians of the times to
    its first outputs, in milliseconds. What one leaves in memory, files and
    free pages, all of them find."""
    times = [[] for _ in starters]
    for _ in range(count):
        for start, measured in zip(starters, times):
            with start() as program:
                measured.append(program.ready["first_result_ms"])
    return [statistics.median(measured) for measured in times]


def percentile(values, percent):
    """The smallest value that `percent` of the values do not exceed."""
    ordered = sorted(values)
    rank = -(-percent * len(ordered) // 100)
    return ordered[max(rank, 1) - 1]


def spread(values):
    return {"median": statistics.median(values),
            "p10": percentile(values, 10), "p90": percentile(values, 90)}


def summarize(rounds):
    """`rounds` has the times of two programs, a slice each. The ratio is
    second / first of the medians of a round: what slows the machine for some
    seconds slows both slices of a round."""
    ratios = [statistics.median(second) / statistics.median(first)
              for first, second in rounds]
    first, second = ([value for times in slices for value in times]
                     for slices in zip(*rounds))
    return spread(first), spread(second), spread(ratios)


def in_turns(programs, duration, slice_ms, rest=0.0):
    """Rounds of a slice each, for about `duration` seconds a program; the one
    that begins changes, so that a steady drift favours none. `rest` is the
    pause after a slice, in seconds, in which threads of a pool go to sleep."""
    rounds = []
    end = time.monotonic() + len(programs) * duration
    while time.monotonic() < end or len(rounds) < 5:
        begin = len(rounds) % len(programs)
        times = {}
        for program in programs[begin:] + programs[:begin]:
            times[program] = program.run(slice_ms)
            time.sleep(rest)
        rounds.append(tuple(times[program] for program in programs))
    return rounds
