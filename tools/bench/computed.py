#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures models whose nodes compute sizes: one program that computes them, in
turns with the same model in stages and with ONNX Runtime, on one thread. Times
are those of the process's threads, medians of rounds. Run it by a Python that
has onnx, NumPy and onnxruntime, with Glow's module on its path."""

import argparse
import statistics
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

import glow

FLOAT, INT, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def found(share, *shape):
    """The places and the elements that are not 0."""
    x = numpy.random.rand(*shape).astype("f")
    return ([helper.make_node("NonZero", ["x"], ["places"]),
             helper.make_node("Transpose", ["places"], ["rows"]),
             helper.make_node("GatherND", ["x", "rows"], ["y"])],
            {"x": numpy.where(x < share, x, 0)}, {}, ["places", "y"])


def kept(share, rows, width):
    """The rows whose mark is large enough, twice."""
    return ([helper.make_node("Less", ["marks", "share"], ["mask"]),
             helper.make_node("Compress", ["x", "mask"], ["few"], axis=0),
             helper.make_node("Add", ["few", "few"], ["y"])],
            {"x": numpy.random.rand(rows, width).astype("f"),
             "marks": numpy.random.rand(rows).astype("f")},
            {"share": numpy.float32(share)}, ["y"])


def boxes(count, classes, score):
    """The boxes of a detector, of which 1 of 20 is likely."""
    corners = numpy.random.rand(1, count, 2) * 600
    size = 10 + 80 * numpy.random.rand(1, count, 2)
    scores = numpy.random.rand(1, classes, count) ** 8
    return ([helper.make_node("NonMaxSuppression", ["b", "s", "most", "overlap", "least"],
                              ["selected"]),
             helper.make_node("Gather", ["selected", "last"], ["which"], axis=1),
             helper.make_node("Gather", ["b", "which"], ["y"], axis=1)],
            {"b": numpy.concatenate([corners, corners + size], 2).astype("f"),
             "s": scores.astype("f")},
            {"most": numpy.array([100]), "overlap": numpy.array([0.5], "f"),
             "least": numpy.array([score], "f"), "last": numpy.array(2)}, ["y", "selected"])


CASES = {
    "NonZero, 1 % of 640x640": lambda: found(0.01, 640, 640),
    "NonZero, half of 640x640": lambda: found(0.5, 640, 640),
    "NonZero, 1 % of 1,000,000": lambda: found(0.01, 1000000),
    "Compress, 10 % of 100,000 rows of 4": lambda: kept(0.1, 100000, 4),
    "Compress, half of 8,400 rows of 85": lambda: kept(0.5, 8400, 85),
    "Compress, 1 % of 1,000,000 rows of 1": lambda: kept(0.01, 1000000, 1),
    "NonMaxSuppression, 8,400 boxes": lambda: boxes(8400, 1, 0.25),
    "NonMaxSuppression, 25,200 boxes": lambda: boxes(25200, 1, 0.25),
    "NonMaxSuppression, 80 classes of 8,400 boxes": lambda: boxes(8400, 80, 0.4)}


def write(path, case, is_staged):
    nodes, feeds, constants, outputs = case
    if is_staged:  # an optional is for the host
        name = next(iter(feeds))
        nodes = [*nodes, helper.make_node("Optional", [name], ["optional"]),
                 helper.make_node("OptionalHasElement", ["optional"], ["present"])]
        outputs = [*outputs, "present"]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
            for name, array in feeds.items()],
        [helper.make_tensor_value_info(
            name, {"y": FLOAT, "present": BOOL}.get(name, INT), None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in constants.items()])
    onnx.save(helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", 17)]), path)
    return path


def peer(path, names):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda feeds: dict(zip(names, session.run(names, feeds)))


def measure(case, rounds, folder, tolerance):
    """Medians in us of a program, stages and the peer, whose results are within a tolerance."""
    feeds, names = case[1], case[3]
    path, staged = (write(f"{folder}/{is_staged}.onnx", case, is_staged) for is_staged in (0, 1))
    models = [glow.load(path, threads=1), glow.load(staged, threads=1)]
    runs = [models[0].run, models[1].run, peer(path, names)]
    expected = runs[2](feeds)
    times = [[] for _ in runs]
    for run in runs:
        results = run(feeds)
        for name in names:
            assert numpy.allclose(results[name], expected[name], tolerance, tolerance), name
    for _ in range(rounds):
        for run, mine in [*zip(runs, times), *reversed([*zip(runs, times)])]:
            begin = time.process_time()
            run(feeds)
            mine.append(time.process_time() - begin)
    return [statistics.median(mine) * 1e6 for mine in times]


def main(description, cases, tolerance=0.0):
    """Prints a table of the cases that the command chooses: functions, by their names."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--only", default="", help="a part of the names of cases")
    options = parser.parse_args()
    print("| case | ours, us | in stages, us | peer, us | ratio |\n| --- " + "| ---: " * 4 + "|")
    for name, case in cases.items():
        if options.only in name:
            numpy.random.seed(1)
            with tempfile.TemporaryDirectory() as folder:
                ours, staged, theirs = measure(case(), options.rounds, folder, tolerance)
            print(f"| {name} | {ours:.0f} | {staged:.0f} | {theirs:.0f} | {theirs / ours:.2f} |",
                  flush=True)


if __name__ == "__main__":
    main(__doc__, CASES)
