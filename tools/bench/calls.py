#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures what a call costs in Python: a model that does next to nothing, on
one thread, in turns with the peer, each time in the same process. Also what it
costs to import the module. All is time of the processor, which other programs
on the machine change less than that of a clock.

The peer's own module for Python is measured where the Python that runs this has
it. Else its C interface is called, with tensors that are made once: its module
does all of that, and makes tensors and arrays for each call besides, so that
what stands here is less than its calls take."""

import argparse
import ctypes
import glob
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from resource import RUSAGE_CHILDREN, getrusage

import numpy
import onnx
from onnx import TensorProto, helper

import install
from bench import cache_option, note_load, say
from host import described, processor

CALLS = 5000  # of a round


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    option = parser.add_argument
    option("--build", metavar="DIR", help="a build of this tree; default: the "
           "release build, which is built first")
    option("--rounds", type=int, default=20, metavar="N",
           help="of 5000 calls of each; default 20")
    option("--without-peer", action="store_true", help="measure Glow alone")
    cache_option(option, "where the peer is installed")
    return parser.parse_args(arguments)


def write_model(path):
    """y = x + x, of four numbers."""
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4])
             for name in "xy"]
    graph = helper.make_graph([helper.make_node("Add", ["x", "x"], ["y"])],
                              "g", value[:1], value[1:])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, path)


class Peer:
    """ONNX Runtime by its C interface: a table of functions, of which these are
    the places since its first version."""

    VERSION = 1
    CREATE_ENV, CREATE_SESSION, RUN, CREATE_OPTIONS = 3, 7, 9, 10
    SET_THREADS, CREATE_TENSOR, CREATE_MEMORY = 24, 49, 69

    def __init__(self, library, model):
        self.library = ctypes.CDLL(library)
        base = self.library.OrtGetApiBase
        base.restype = ctypes.POINTER(ctypes.c_void_p)
        get = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)(base()[0])
        self.table = ctypes.cast(get(self.VERSION),
                                 ctypes.POINTER(ctypes.c_void_p))
        env = self.make(self.CREATE_ENV, 3, b"calls")
        options = self.make(self.CREATE_OPTIONS)
        self.function(self.SET_THREADS, 2)(options, 1)
        self.session = self.make(self.CREATE_SESSION, env, model.encode(),
                                 options)
        self.memory = self.make(self.CREATE_MEMORY, 1, 0)
        self.x, self.y = numpy.ones((1, 4), "f"), numpy.zeros((1, 4), "f")
        self.values = [(ctypes.c_void_p * 1)(self.tensor(array).value)
                       for array in (self.x, self.y)]
        self.names = [(ctypes.c_char_p * 1)(name) for name in (b"x", b"y")]
        self.run = self.function(self.RUN, 8)

    def function(self, place, arguments):
        """Each returns null or a failure."""
        kind = ctypes.CFUNCTYPE(ctypes.c_void_p,
                                *[ctypes.c_void_p] * arguments)
        return kind(self.table[place])

    def make(self, place, *arguments):
        result = ctypes.c_void_p()
        if self.function(place, len(arguments) + 1)(*arguments,
                                                    ctypes.byref(result)):
            sys.exit(f"calls.py: error: function {place} of the peer failed")
        return result

    def tensor(self, array):
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        return self.make(self.CREATE_TENSOR, self.memory, array.ctypes.data,
                         array.nbytes, ctypes.addressof(shape), array.ndim, 1)

    def calls(self):
        """The time of one in microseconds."""
        run, session = self.run, self.session.value
        names, values = (list(map(ctypes.addressof, both))
                         for both in (self.names, self.values))
        start = time.process_time()
        for _ in range(CALLS):
            run(session, None, names[0], values[0], 1, names[1], 1, values[1])
        return (time.process_time() - start) / CALLS * 1e6


class Ours:
    def __init__(self, model):
        import glow
        self.model = glow.load(model, threads=1)
        self.x = numpy.ones((1, 4), "f")

    def calls(self):
        model, feed = self.model, {"x": self.x}
        start = time.process_time()
        for _ in range(CALLS):
            model.run(feed)["y"]
        return (time.process_time() - start) / CALLS * 1e6


class Session:
    """`InferenceSession.run` of the peer's module, or of Glow's."""

    def __init__(self, module, model):
        options = module.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = module.InferenceSession(
            model, options, providers=["CPUExecutionProvider"])
        self.x = numpy.ones((1, 4), "f")

    def calls(self):
        session, feed = self.session, {"x": self.x}
        start = time.process_time()
        for _ in range(CALLS):
            session.run(None, feed)[0]
        return (time.process_time() - start) / CALLS * 1e6


def sessions(model):
    """Both modules' sessions, where the peer's module is there."""
    if importlib.util.find_spec("onnxruntime") is None:
        return []
    import glow
    import onnxruntime
    return [Session(glow, model), Session(onnxruntime, model)]


def import_time(rounds):
    """Milliseconds, without those of the interpreter."""
    def seconds(code):
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = getrusage(RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime
                - before.ru_utime - before.ru_stime)
    return statistics.median(seconds("import glow") - seconds("")
                             for _ in range(rounds)) * 1e3


def peer_library(cache):
    found = glob.glob(os.path.join(
        install.Peer(cache).folder, "node_modules", "onnxruntime-node", "bin",
        "*", "linux", "x64", "libonnxruntime.so.1"))
    if not found:
        sys.exit("calls.py: error: the peer's package has no library for "
                 "this processor; say --without-peer")
    return found[0]


def main(arguments):
    options = parse(arguments)
    build = options.build or os.path.dirname(os.path.dirname(os.path.dirname(
        os.path.abspath(install.build_glow(install.ROOT)))))
    os.environ["GLOW_LIBRARY"] = os.path.join(build, "tools", "libglow",
                                              "libglow.so")
    os.environ["PYTHONPATH"] = os.path.join(build, "python")
    sys.path.insert(0, os.environ["PYTHONPATH"])
    note_load()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "add.onnx")
        write_model(path)
        sides = [Ours(path)]
        if not options.without_peer:
            sides.append(Peer(peer_library(options.cache), path))
        both = sessions(path)
        sides += both
        for side in sides:
            side.calls()
        times = [[] for _ in sides]
        for _ in range(options.rounds):
            for side, of in zip(sides, times):
                of.append(side.calls())
    say(processor(described()))
    print(f"a call in Python: {statistics.median(times[0]):.2f} us, at most 10")
    if not options.without_peer:
        ratio = statistics.median(map(lambda a, b: a / b, *times[:2]))
        print("what the peer's takes at least, by its C interface: "
              f"{statistics.median(times[1]):.2f} us; ours takes {ratio:.2f} "
              "times that")
    if both:
        ours, peers = map(statistics.median, times[-2:])
        ratio = statistics.median(map(lambda a, b: a / b, *times[-2:]))
        print(f"InferenceSession.run: {ours:.2f} us; of the peer's module: "
              f"{peers:.2f} us; ours takes {ratio:.2f} of it, at most 0.5")
    print(f"import glow: {import_time(options.rounds):.1f} ms, at most 100")


if __name__ == "__main__":
    main(sys.argv[1:])
