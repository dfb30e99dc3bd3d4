"""Operators on f16 and bf16 compute as those on f32 do: halves.py FOLDER.

Each model runs on numbers of 60 to 300, whose squares and sums f16 does not
hold, or with constants whose products it does not hold. The same model of f32
on the same numbers gives what must come out, rounded once.
"""

import pathlib
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

KIND = {numpy.float16: TensorProto.FLOAT16, numpy.float32: TensorProto.FLOAT,
        numpy.int64: TensorProto.INT64, numpy.uint8: TensorProto.UINT8, numpy.int8: TensorProto.INT8}
random = numpy.random.RandomState(3)


def large(*shape):
    signs = random.choice([-1, 1], shape)
    return (random.uniform(60, 300, shape) * signs).astype(numpy.float16)


def positive(*shape):
    return numpy.abs(large(*shape))


def around(value, *shape):
    return (random.uniform(0.5, 1, shape) * value).astype(numpy.float16)


def node(operator, *operands, opset=17, domain="", **attributes):
    """A model of one node: its inputs are arrays."""
    names = [f"x{i}" for i in range(len(operands))]
    return {"nodes": [helper.make_node(operator, names, ["y"], domain=domain, **attributes)],
            "inputs": dict(zip(names, operands)), "constants": {}, "opset": opset}


def behind(operator, x, w, c, *bias, **attributes):
    """A layer of constant weights, and a factor of each channel behind it."""
    names = ["x", "w"] + ["b"] * len(bias)
    nodes = [helper.make_node(operator, names, ["layer"], **attributes),
             helper.make_node("Mul", ["layer", "c"], ["y"])]
    return {"nodes": nodes, "inputs": {"x": x}, "constants": dict(w=w, c=c, **({"b": bias[0]} if bias else {})), "opset": 17}


def normed(operator, x, w, channels, weight, scale, **attributes):
    nodes = [helper.make_node(operator, ["x", "w"], ["layer"], **attributes),
             helper.make_node("BatchNormalization", ["layer", "s", "b", "m", "v"], ["y"])]
    ones = numpy.ones(channels, numpy.float16)
    return {"nodes": nodes, "inputs": {"x": x}, "opset": 17, "constants": {
        "w": around(weight, *w), "s": around(scale, channels), "b": ones * 0, "m": ones * 0, "v": ones}}


def quantised(operator, x, w, scale, **attributes):
    """A layer between dequantised integers, of scales in f16."""
    zero = {"zx": numpy.array(3, numpy.uint8), "zw": numpy.array(0, numpy.int8)}
    nodes = [helper.make_node("DequantizeLinear", ["x", "s", "zx"], ["rx"])]
    names = ["rx"]
    if w is not None:
        nodes.append(helper.make_node("DequantizeLinear", ["w", "s", "zw"], ["rw"]))
        names.append("rw")
    nodes.append(helper.make_node(operator, names, ["y"], **attributes))
    constants = {"s": numpy.array(scale, numpy.float16), **zero}
    if w is not None:
        constants["w"] = w
    return {"nodes": nodes, "inputs": {"x": x}, "constants": constants, "opset": 19}


def cases():
    image, rows = large(2, 6, 4, 4), large(4, 30)
    scales = [around(2, 6), around(9, 6), large(6), positive(6)]
    yield "batch_norm", node("BatchNormalization", image, *scales)
    yield "instance_norm", node("InstanceNormalization", image, *scales[:2])
    yield "group_norm", node("GroupNormalization", image, *scales[:2], opset=21, num_groups=3)
    yield "layer_norm", node("LayerNormalization", rows, around(2, 30), around(9, 30))
    yield "rms_norm", node("RMSNormalization", rows, around(2, 30), opset=23)
    yield "mean_variance", node("MeanVarianceNormalization", image)
    yield "lrn", node("LRN", image, size=3, alpha=0.5)
    for p in (1, 2):
        yield f"lp_norm_{p}", node("LpNormalization", rows, p=p)
    for operator in ("ReduceL2", "ReduceLogSumExp", "ReduceMean"):
        yield operator, node(operator, rows, axes=[1])
    yield "ReduceLogSum", node("ReduceLogSum", positive(4, 300), axes=[1])
    yield "small_squares", node("ReduceSumSquare", around(2e-4, 2, 3000), axes=[1])
    yield "softmax", node("Softmax", rows)
    yield "log_softmax", node("LogSoftmax", rows)
    yield "gemm", node("Gemm", large(3, 20), large(20, 5), around(9, 5), alpha=1e-3, beta=0.5)
    target = numpy.array([1, 0, 4, 2] * 200, numpy.int64)
    yield "loss", node("NegativeLogLikelihoodLoss", large(800, 5), target)
    yield "attention", node("Attention", large(1, 2, 3, 16), large(1, 2, 5, 16), large(1, 2, 5, 16), opset=23)
    x, y = around(1000, 1, 4, 20, 20), around(1000, 100, 16)
    for name, weight, factor in (("small", 5e-4, 2e-4), ("fitting", 0.5, 0.25), ("great", 300, 1000)):
        of = around(1e-3, 1, 4, 20, 20) if name == "great" else x
        row = around(1e-3, 100, 16) if name == "great" else y
        c, w = around(factor, 8, 1, 1), around(weight, 8, 4, 3, 3)
        yield f"conv_{name}", behind("Conv", of, w, c)
        yield f"biased_{name}", behind("Conv", of, w, c, around(weight * 1e-3, 8))
        yield f"matmul_{name}", behind("MatMul", row, around(weight, 16, 10), around(factor, 10))
        yield f"conv_norm_{name}", normed("Conv", of, (8, 4, 3, 3), 8, weight, factor)
        yield f"transposed_norm_{name}", normed("ConvTranspose", of, (4, 8, 3, 3), 8, weight, factor)
        yield f"matmul_norm_{name}", normed("MatMul", row, (16, 10), 10, weight, factor)
    image, w = random.randint(0, 256, (1, 4, 9, 9)), random.randint(-127, 128, (8, 4, 3, 3))
    image, w = image.astype(numpy.uint8), w.astype(numpy.int8)
    for scale in (0.01, 1e-3, 1e-4):
        yield f"steps_conv_{scale}", quantised("Conv", image, w, scale)
        yield f"steps_matmul_{scale}", quantised("MatMul", image.reshape(4, 81), w[:1].reshape(36, 1).repeat(3, 0)[:81], scale)
        yield f"steps_pool_{scale}", quantised("AveragePool", image, None, scale, kernel_shape=[3, 3], pads=[1] * 4)
        yield f"steps_mean_{scale}", quantised("GlobalAveragePool", image, None, scale)


def write(path, case, kind):
    """The model with all its floats of a kind."""
    to = lambda array: array.astype(kind) if array.dtype == numpy.float16 else array
    inputs = [helper.make_tensor_value_info(name, KIND[to(array).dtype.type], array.shape)
              for name, array in case["inputs"].items()]
    output = helper.make_tensor_value_info("y", KIND[kind], None)
    constants = [numpy_helper.from_array(to(array), name) for name, array in case["constants"].items()]
    graph = helper.make_graph(case["nodes"], "case", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", case["opset"])])
    path.write_bytes(model.SerializeToString())
    arguments = []
    for name, array in case["inputs"].items():
        numpy.save(path.with_suffix(f".{name}.npy"), to(array))
        arguments.append(f"--input={name}={path.with_suffix(f'.{name}.npy')}")
    return arguments


def run(path, arguments, backend):
    subprocess.run(["glow", "run", path, f"--backend={backend}", "--output-dir", path.parent] + arguments,
                   check=True, stdout=subprocess.DEVNULL)
    return numpy.load(path.parent / "y.npy")


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for name, case in cases():
        exact = run(folder / "f32.onnx", write(folder / "f32.onnx", case, numpy.float32), "interpreter")
        with numpy.errstate(over="ignore"):
            expected = exact.astype(numpy.float16)
        arguments = write(folder / "f16.onnx", case, numpy.float16)
        for backend in ("interpreter", "cpu"):
            found = run(folder / "f16.onnx", arguments, backend)
            # A layer has weights that were rounded once more.
            unit = numpy.spacing(numpy.abs(expected).max()) * 2
            with numpy.errstate(invalid="ignore"):
                off = numpy.abs(found.astype(numpy.float64) - expected.astype(numpy.float64))
            if not (numpy.isfinite(expected).all() and (off <= unit).all()):
                print(f"{name} on {backend}: off by {off.max() / unit:.3g} of 2 units of the largest")
                wrong += 1
    print(f"{wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
