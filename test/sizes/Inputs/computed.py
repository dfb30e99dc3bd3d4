# SPDX-License-Identifier: MIT
"""Models whose nodes compute sizes, on inputs with none, some and all of their elements.

computed.py FOLDER write        writes the models
computed.py FOLDER run BACKEND  compares runs in one process, of a model and of its shared
                                library, with numpy
computed.py FOLDER bundle FLAG... -- COMPILER...
                                the same of bundles, made with these flags of glow compile
"""

import asyncio
import pathlib
import shutil
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save


def whole(name, numbers):
    return numpy_helper.from_array(numpy.array(numbers, numpy.int64), name)


def real(name, numbers):
    return numpy_helper.from_array(numpy.array(numbers, numpy.float32), name)


FOUND = [helper.make_node("NonZero", ["x"], ["places"], "find"),
         helper.make_node("Transpose", ["places"], ["rows"], "turn", perm=[1, 0]),
         helper.make_node("GatherND", ["x", "rows"], ["found"], "read")]


def find(x):
    places = numpy.stack(numpy.nonzero(x))
    return {"places": places, "y": numpy.maximum(x[tuple(places)], 0)}


def pick(x):
    kept = x.ravel()[x.ravel() > 0]
    return {"kept": kept, "count": numpy.array([kept.size]), "ones": numpy.ones(kept.size, numpy.float32)}


def narrow(x):
    found = x[x != 0]
    kept = found[found > 0]
    return {"kept": kept, "y": found * 2}


def select(x):
    return {"y": x[:, [True, False, True, False, False]]}


def boxes(x):
    """Of each kept box its row of numbers."""
    rows = x.reshape(-1, 5)
    kept = []
    for i in numpy.argsort(-rows[:, 4], kind="stable"):
        if rows[i, 4] > 0 and not any(overlap(rows[i], rows[j]) > 0.5 for j in kept):
            kept.append(i)
    return {"kept": numpy.array([[0, 0, i] for i in kept], numpy.int64).reshape(-1, 3),
            "y": rows[kept, :4]}


def overlap(a, b):
    low, high = numpy.maximum(corner(a, 0), corner(b, 0)), numpy.minimum(corner(a, 2), corner(b, 2))
    shared = numpy.prod(numpy.maximum(high - low, 0).astype(float))
    return shared / (area(a) + area(b) - shared) if shared else 0


def corner(box, at):
    pair = numpy.stack([box[:2], box[2:4]])
    return (pair.max(0) if at else pair.min(0)).astype(float)


def area(box):
    return numpy.prod(corner(box, 2) - corner(box, 0))


def top(x, times=1):
    order = numpy.argsort(-x.ravel(), kind="stable")[:(x > 0).sum() * times]
    return {"values": x.ravel()[order], "places": order}


def many(x):
    return top(x, times=2)


def cut(x):
    begin = (x > 0).sum() % 5 - 2
    end = begin + 3
    return {"part": x[:, begin:end], "back": x[:, end:begin:-2],
            "corner": numpy.maximum(x[end::2, begin:], 0)}


def span(x):
    count = (x > 0).sum()
    return {"whole": numpy.arange(2, count, 3), "down": numpy.arange(count, 1, -2),
            "halves": numpy.arange(0.5, count, 0.75, dtype=numpy.float32)}


def frame(x):
    part = (x > 0).sum() % 3
    sides = [(part, 2 * part), (0, -part)]
    kept = x[:, :x.shape[1] - part]
    around = [(before, max(behind, 0)) for before, behind in sides]
    return {"padded": numpy.pad(kept, around, constant_values=7),
            "edges": numpy.pad(kept, around, mode="edge")}


def distinct(x, axis, ascending):
    kept, index, inverse, counts = numpy.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    order = numpy.arange(index.size) if ascending else numpy.argsort(index)
    place = numpy.argsort(order)
    return [numpy.take(kept, order, axis or 0), index[order], place[inverse.ravel()],
            counts[order]]


def kinds(x):
    found = {}
    for name, (values, axis, ascending) in KINDS.items():
        values = values(x)
        found.update(zip([name + part for part in PARTS], distinct(values, axis, ascending)))
    return found


TYPES = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64, "bool": TensorProto.BOOL}
PARTS = ["", "_first", "_group", "_count"]
KINDS = {"low": (numpy.round, None, 1), "new": (numpy.round, None, 0),
         "rows": (numpy.sign, 0, 1), "columns": (lambda x: numpy.sign(x[:2]), 1, 0),
         "marks": (lambda x: x > 0, None, 1)}

# The number of positive elements.
COUNT = [helper.make_node("Reshape", ["x", "flat"], ["list"]),
         helper.make_node("Greater", ["list", "zero"], ["mask"]),
         helper.make_node("Cast", ["mask"], ["ones"], to=TensorProto.INT64),
         helper.make_node("ReduceSum", ["ones"], ["count"], keepdims=1)]
COUNTED = [whole("flat", [-1]), real("zero", 0)]


def numbers(**lists):
    return COUNTED + [whole(name, list) for name, list in lists.items()]


MODELS = {
    "top": (top, ["N", 5], [
        *COUNT, helper.make_node("TopK", ["list", "count"], ["values", "places"], "top")],
        COUNTED),
    # Half of its runs ask for more elements than there are.
    "many": (many, [3, 5], [
        *COUNT, helper.make_node("Add", ["count", "count"], ["twice"]),
        helper.make_node("TopK", ["list", "twice"], ["values", "places"], "top")], COUNTED),
    "cut": (cut, ["N", 5], [
        *COUNT, helper.make_node("Mod", ["count", "five"], ["rest"]),
        helper.make_node("Sub", ["rest", "two"], ["begin"]),
        helper.make_node("Add", ["begin", "three"], ["end"]),
        helper.make_node("Slice", ["x", "begin", "end", "one"], ["part"], "part"),
        helper.make_node("Slice", ["x", "end", "begin", "one", "back_by"], ["back"], "back"),
        helper.make_node("Concat", ["end", "begin"], ["begins"], axis=0),
        helper.make_node("Slice", ["x", "begins", "far", "axes", "by"], ["some"], "corner"),
        helper.make_node("Relu", ["some"], ["corner"])],
        numbers(one=[1], two=[2], three=[3], five=[5], back_by=[-2], far=[99, 99], axes=[0, 1],
                by=[2, 1])),
    "span": (span, [3, 5], [
        *COUNT, helper.make_node("Squeeze", ["count"], ["limit"]),
        helper.make_node("Cast", ["limit"], ["end"], to=TensorProto.FLOAT),
        helper.make_node("Range", ["two", "limit", "three"], ["whole"], "whole"),
        helper.make_node("Range", ["limit", "one", "down_by"], ["down"], "down"),
        helper.make_node("Range", ["half", "end", "step"], ["halves"], "halves")],
        numbers(one=1, two=2, three=3, down_by=-2) + [real("half", 0.5), real("step", 0.75)]),
    "frame": (frame, [3, 5], [
        *COUNT, helper.make_node("Mod", ["count", "three"], ["rest"]),
        helper.make_node("Mul", ["rest", "sides"], ["pads"]),
        helper.make_node("Pad", ["x", "pads", "seven"], ["padded"], "padded"),
        helper.make_node("Pad", ["x", "pads"], ["edges"], "edges", mode="edge")],
        numbers(three=[3], sides=[1, 0, 2, -1]) + [real("seven", 7)]),
    "kinds": (kinds, [4, 5], [
        helper.make_node("Round", ["x"], ["round"]), helper.make_node("Sign", ["x"], ["sign"]),
        helper.make_node("Slice", ["sign", "none", "two"], ["half"]),
        helper.make_node("Greater", ["x", "zero"], ["mask"]),
        *(helper.make_node("Unique", [values], [name + part for part in PARTS], name, **given)
          for name, values, given in (
              ("low", "round", {}), ("new", "round", {"sorted": 0}), ("rows", "sign", {"axis": 0}),
              ("columns", "half", {"axis": 1, "sorted": 0}), ("marks", "mask", {})))],
        numbers(none=[0], two=[2])),
    "find": (find, [3, 5], [*FOUND, helper.make_node("Relu", ["found"], ["y"], "last")], []),
    "open": (find, ["N", 5], [*FOUND, helper.make_node("Relu", ["found"], ["y"], "last")], []),
    "pick": (pick, [3, 5], [
        helper.make_node("Reshape", ["x", "flat"], ["list"]),
        helper.make_node("Greater", ["list", "zero"], ["mask"]),
        helper.make_node("Compress", ["x", "mask"], ["kept"], "pick"),
        helper.make_node("Shape", ["kept"], ["count"]),
        helper.make_node("ConstantOfShape", ["count"], ["ones"], value=real("one", [1]))],
        [whole("flat", [-1]), real("zero", 0)]),
    "narrow": (narrow, ["N", 5], [
        *FOUND, helper.make_node("Greater", ["found", "zero"], ["mask"]),
        helper.make_node("Compress", ["found", "mask"], ["kept"], "pick", axis=0),
        helper.make_node("Add", ["found", "found"], ["y"])], [real("zero", 0)]),
    "select": (select, ["N", 5], [helper.make_node("Compress", ["x", "mask"], ["y"], "pick", axis=-1)],
               [numpy_helper.from_array(numpy.array([True, False, True]), "mask")]),
    "boxes": (boxes, [4, 5], [
        helper.make_node("Slice", ["x", "four", "five", "one"], ["scores"]),
        helper.make_node("Reshape", ["scores", "line"], ["s"]),
        helper.make_node("Slice", ["x", "zero", "four", "one"], ["corners"]),
        helper.make_node("Unsqueeze", ["corners", "zero"], ["b"]),
        helper.make_node("NonMaxSuppression", ["b", "s", "most", "overlap", "score"], ["kept"], "keep"),
        helper.make_node("Gather", ["kept", "two"], ["column"], axis=1),
        helper.make_node("Gather", ["corners", "column"], ["y"])],
        [whole("zero", [0]), whole("one", [1]), whole("two", 2), whole("four", [4]), whole("five", [5]),
         whole("line", [1, 1, -1]), whole("most", [9]), real("overlap", [0.5]), real("score", [0])]),
}


# The memory of a node's greatest size is more than 1 GiB, or less; these do not run.
SIZES = {"large": 300_000_000, "less": 20_000_000}

# The greatest sizes of results that have no bound.
GREATEST = {
    "span": {"whole.0": range(0, 6), "down.0": range(0, 9), "halves.0": range(0, 21)},
    "frame": {"padded.0": range(0, 10), "padded.1": range(0, 6), "edges.0": range(0, 10),
              "edges.1": range(0, 6)}}


def write(folder):
    for name, (result, shape, nodes, initializers) in MODELS.items():
        outputs = result(numpy.ones((4, 5), numpy.float32))
        graph = helper.make_graph(
            nodes, name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info(
                output, TYPES[array.dtype.name], [None] * array.ndim) for output, array in outputs.items()], initializers)
        save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
             f"{folder}/{name}.onnx")


def write_large(folder):
    for name, size in SIZES.items():
        graph = helper.make_graph(
            [helper.make_node("NonZero", ["x"], ["y"], "find")], name,
            [helper.make_tensor_value_info("x", TensorProto.BOOL, [size])],
            [helper.make_tensor_value_info("y", TensorProto.INT64, [1, None])])
        save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
             f"{folder}/{name}.onnx")


def check(name, result, found, x):
    wanted = result(x)
    assert wanted.keys() == found.keys(), (name, found.keys())
    for output, array in wanted.items():
        assert array.shape == found[output].shape, (name, output, array.shape, found[output].shape)
        assert numpy.array_equal(array, found[output]), (name, output, x, array, found[output])


def run(folder, backend):
    import glow
    count = 0
    for name, (result, shape, _, _) in MODELS.items():
        if name == "many":
            continue
        shapes = {"N": range(1, 10)} if shape[0] == "N" else GREATEST.get(name)
        models = [glow.load(f"{folder}/{name}.onnx", backend=backend, shapes=shapes)]
        if backend == "cpu":
            models.append(glow.load(f"{folder}/{name}.so"))
        for model in models:
            for x in shares(shape):
                check(name, result, model.run({"x": x}), x)
                check(name, result, asyncio.run(model.run_async({"x": x})), x)
                count += 1
    print(count, "inputs, all right")


def shares(shape):
    """Inputs with a share of their elements."""
    random = numpy.random.default_rng(1)
    for share in (0.5, 0, 1, 0.2, 0.8, 0.5):
        rows = int(random.integers(1, 10)) if shape[0] == "N" else shape[0]
        x = random.standard_normal((rows, 5)) * (random.random((rows, 5)) < share)
        yield x.astype(numpy.float32)


def done(*arguments):
    return subprocess.run([str(argument) for argument in arguments], check=False).returncode


class Bundle:
    def __init__(self, folder, name, flags, compiler):
        self.folder = pathlib.Path(folder) / "bundles" / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        shape = MODELS[name][1]
        ranges = {"N": range(1, 10)} if shape[0] == "N" else GREATEST.get(name, {})
        for size, values in ranges.items():
            flags = flags + ["--shape", f"{size}={values[0]}..{values[-1]}"]
        assert not done("glow", "compile", f"{folder}/{name}.onnx", "-q", "--name=found",
                        "--bundle-api=dynamic", "--bundle-weights=embedded", *flags, "-o",
                        self.folder)
        code = next(path for path in self.folder.iterdir() if path.suffix in (".o", ".c"))
        assert not done(*compiler, "-I", self.folder, pathlib.Path(__file__).parent / "computed.c",
                        code, "-lm", "-o", self.folder / "run")
        self.isOpen = shape[0] == "N"

    def run(self, x, outputs):
        """The outputs, or the status of a run that fails."""
        x.tofile(self.folder / "x.raw")
        given = [len(x)] if self.isOpen else []
        kinds = {name: array.dtype for name, array in outputs.items()}
        status = done(self.folder / "run", self.folder, *given, "--", "x", "--",
                      *(f"{name}={kind.itemsize}" for name, kind in kinds.items()))
        if status:
            return status
        return {name: numpy.fromfile(self.folder / f"{name}.raw", kind).reshape(
            [int(size) for size in (self.folder / f"{name}.shape").read_text().split()])
            for name, kind in kinds.items()}


def bundles(folder, flags, compiler):
    count = 0
    for name, (result, shape, _, _) in MODELS.items():
        if name == "select":  # it computes no size
            continue
        bundle = Bundle(folder, name, flags, compiler)
        for x in shares(shape):
            outputs = result(x)
            found = bundle.run(x, outputs)
            # More are asked for than there are: a wrong value.
            if name == "many" and 2 * (x > 0).sum() > x.size:
                assert found == 1, found
            else:
                check(name, result, found, x)
            count += 1
    print(count, "inputs, all right")


if __name__ == "__main__":
    if sys.argv[2] == "write":
        write(sys.argv[1])
        write_large(sys.argv[1])
    elif sys.argv[2] == "run":
        run(sys.argv[1], sys.argv[3])
    else:
        end = sys.argv.index("--")
        bundles(sys.argv[1], sys.argv[3:end], sys.argv[end + 1:])
