# SPDX-License-Identifier: MIT
"""Cases of operators on single elements, and of sums along axes."""

import math

import numpy

from nets.net import Operator, case

F, L, W = numpy.float32, numpy.int64, numpy.int32
random = numpy.random.RandomState(51)
erf = numpy.vectorize(math.erf)


def real(*shape, low=-2, high=2):
    return random.uniform(low, high, shape).astype(F)


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


UNARY = {
    "Abs": numpy.abs, "Acos": numpy.arccos, "Asin": numpy.arcsin, "Atan": numpy.arctan, "Ceil": numpy.ceil,
    "Cos": numpy.cos, "Cosh": numpy.cosh, "Erf": erf, "Exp": numpy.exp, "Floor": numpy.floor, "Log": numpy.log,
    "Log1p": numpy.log1p, "Neg": numpy.negative, "Negative": numpy.negative, "Reciprocal": numpy.reciprocal,
    "Relu": lambda x: numpy.maximum(x, 0), "Round": numpy.rint, "Sigmoid": sigmoid, "Sign": numpy.sign,
    "Sin": numpy.sin, "Sinh": numpy.sinh, "Softplus": lambda x: numpy.log1p(numpy.exp(x)),
    "Softsign": lambda x: x / (1 + abs(x)), "Sqrt": numpy.sqrt, "Tan": numpy.tan, "Tanh": numpy.tanh,
    "Cube": lambda x: x ** 3, "Rsqrt": lambda x: 1 / numpy.sqrt(x), "Sqr": numpy.square,
    "Swish": lambda x: x * sigmoid(x), "Alias": lambda x: x, "Copy": lambda x: x, "CopyCPUToGPU": lambda x: x,
    "CopyCPUToMKL": lambda x: x, "CopyGPUToCPU": lambda x: x, "CopyMKLToCPU": lambda x: x,
    "EnsureCPUOutput": lambda x: x, "EnsureDense": lambda x: x, "Identity": lambda x: x,
    "StopGradient": lambda x: x, "ScaleGradient": lambda x: x,
    "IsNaN": lambda x: numpy.isnan(x).astype(numpy.uint8),
    "Gelu": lambda x: x * 0.5 * (1 + erf(x / math.sqrt(2))),
}
POSITIVE = {"Log", "Log1p", "Rsqrt", "Sqrt", "Reciprocal"}
LIMITED = {"Acos", "Asin"}


def unary(out):
    for kind, function in UNARY.items():
        x = real(2, 5, low=0.1) if kind in POSITIVE else real(2, 5, low=-0.9, high=0.9) if kind in LIMITED else (
            real(2, 5))
        if kind == "IsNaN":
            x[0, 1] = x[1, 3] = numpy.nan
        y = function(x)
        case(out, kind.lower(), [Operator(kind, "x", "y")], {"x": x}, {"y": y if kind == "IsNaN" else y.astype(F)})


def with_arguments(out):
    x = real(3, 4)
    nan = x.copy()
    nan[0, 2] = numpy.nan
    unit = real(3, 4, low=-0.2, high=1.2)
    inside = unit.clip(0.01, 0.99)
    whole = numpy.array([[7, -7, 6], [-5, 0, 3]], L)
    remainder = numpy.fmod(whole, 3)
    for name, kind, arguments, source, result in [
            ("clip", "Clip", {"min": -0.5, "max": 1}, x, x.clip(-0.5, 1)),
            ("clip_below", "Clip", {"min": 0.25}, x, numpy.maximum(x, F(0.25))),
            ("elu", "Elu", {"alpha": 1.5}, x, numpy.where(x < 0, 1.5 * numpy.expm1(x), x)),
            ("gelu_fast", "Gelu", {"fast_gelu": 1}, x,
             0.5 * x * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))),
            ("hardsigmoid", "HardSigmoid", {}, x, (0.2 * x + 0.5).clip(0, 1)),
            ("leakyrelu", "LeakyRelu", {"alpha": 0.1}, x, numpy.where(x < 0, 0.1 * x, x)),
            ("relun", "ReluN", {"n": 1.25}, x, x.clip(0, 1.25)),
            ("replacenan", "ReplaceNaN", {"value": 3}, nan, numpy.where(numpy.isnan(nan), 3, nan)),
            ("scale", "Scale", {"scale": 2}, x, 2 * x),
            ("selu", "Selu", {}, x,
             1.0507010221481323 * numpy.where(x > 0, x, 1.6732631921768188 * numpy.expm1(x))),
            ("thresholdedrelu", "ThresholdedRelu", {"alpha": 0.5}, x, numpy.where(x > 0.5, x, 0)),
            ("logit", "Logit", {"eps": 0.01}, unit, numpy.log(inside / (1 - inside))),
            ("floattohalf", "FloatToHalf", {}, x, x.astype(numpy.float16)),
            ("halftofloat", "HalfToFloat", {}, x.astype(numpy.float16), x.astype(numpy.float16)),
            ("mod", "Mod", {"divisor": 3}, whole, remainder),
            ("mod_divisor", "Mod", {"divisor": 3, "sign_follow_divisor": 1}, whole, whole % 3),
            ("cast", "Cast", {"to": 10}, x, numpy.trunc(x).astype(L)),
            ("cast_bool", "Cast", {"to": 5, "from_type": 1}, numpy.trunc(x), numpy.trunc(x) != 0),
            ("bucketize", "Bucketize", {"boundaries": [-1.0, 0.0, 1.5]}, x,
             numpy.searchsorted([-1.0, 0.0, 1.5], x).astype(W)),
            ("not", "Not", {}, x > 0, x <= 0),
            ("lpnorm", "LpNorm", {}, x, numpy.square(x).sum().reshape(1)),
            ("lpnorm_1", "LpNorm", {"p": 1, "average": 1}, x, abs(x).mean().reshape(1)),
            ("sumelements", "SumElements", {}, x, x.sum()),
            ("sumelements_mean", "SumElements", {"average": 1}, x, x.mean()),
            ("sumsqrelements", "SumSqrElements", {}, x, (x * x).sum()),
            ("averagedloss", "AveragedLoss", {}, x, x.mean()),
    ]:
        kinds = (numpy.float16, L, W, numpy.bool_)
        result = numpy.asarray(result)
        result = result if result.dtype in kinds and kind != "HalfToFloat" else result.astype(F)
        case(out, name, [Operator(kind, "x", "y", **arguments)], {"x": source}, {"y": result},
             ports=source.dtype in (numpy.float16, numpy.bool_))


BINARY = {
    "Add": numpy.add, "Sub": numpy.subtract, "Mul": numpy.multiply, "Div": numpy.divide, "EQ": numpy.equal,
    "NE": numpy.not_equal, "LT": numpy.less, "LE": numpy.less_equal, "GT": numpy.greater, "GE": numpy.greater_equal,
    "Less": numpy.less, "And": numpy.logical_and, "Or": numpy.logical_or, "Xor": numpy.logical_xor,
    "BitwiseAnd": numpy.bitwise_and, "BitwiseOr": numpy.bitwise_or, "BitwiseXor": numpy.bitwise_xor,
}


def binary(out):
    for kind, function in BINARY.items():
        a, b = real(2, 3, 4), real(3)
        if kind in ("And", "Or", "Xor"):
            a, b = a > 0, b > 0
        elif kind.startswith("Bitwise"):
            a, b = random.randint(0, 99, (2, 3, 4)).astype(W), random.randint(0, 99, 3).astype(W)
        elif kind in ("EQ", "NE", "LE", "GE"):
            a, b = numpy.rint(a), numpy.rint(b)
        case(out, kind.lower(), [Operator(kind, "a b", "c", broadcast=1, axis=1)], {"a": a, "b": b},
             {"c": function(a, b[:, None])}, ports=True)
    a, b, one = real(2, 3, 4), real(4), real(1)
    case(out, "add_last", [Operator("Add", "a b", "c", broadcast=1)], {"a": a, "b": b}, {"c": a + b})
    case(out, "add_one", [Operator("Add", "a b", "c", broadcast=1)], {"a": a, "b": one}, {"c": a + one})
    case(out, "add_numpy", [Operator("Add", "b a", "c")], {"b": b, "a": a}, {"c": a + b})
    base, power = abs(a) + F(0.1), real(3)
    case(out, "pow", [Operator("Pow", "a b", "c", broadcast=1, axis=1)], {"a": base, "b": power},
         {"c": base ** power[:, None]})
    case(out, "pow_argument", [Operator("Pow", "a", "c", exponent=1.5)], {"a": base}, {"c": base ** F(1.5)})
    slopes = real(3)
    turned = a.reshape(2, 4, 3)
    case(out, "prelu", [Operator("PRelu", "a s", "c")], {"a": a, "s": slopes},
         {"c": numpy.where(a < 0, a * slopes[:, None], a)})
    case(out, "prelu_last", [Operator("PRelu", "a s", "c", order="NHWC")], {"a": turned, "s": slopes},
         {"c": numpy.where(turned < 0, turned * slopes, turned)})
    which, rows = real(2, 3) > 0, numpy.array([True, False])
    x, y = real(2, 3), real(2, 3)
    case(out, "where", [Operator("Where", "w x y", "z")], {"w": which, "x": x, "y": y},
         {"z": numpy.where(which, x, y)})
    case(out, "where_rows", [Operator("Where", "w x y", "z", broadcast_on_rows=1)], {"w": rows, "x": x, "y": y},
         {"z": numpy.where(rows[:, None], x, y)})
    w, bias = real(12), real(12)
    case(out, "elementwiselinear", [Operator("ElementwiseLinear", "a w b", "c")], {"a": a, "w": w, "b": bias},
         {"c": (a.reshape(2, 12) * w + bias).reshape(a.shape)})
    lambdas, shifts = numpy.array([0, 0.5, 2, 0], F), numpy.array([1, 0.5, 3, -5], F)
    moved = numpy.maximum(base[0] + shifts, F(1e-6))
    case(out, "batchboxcox", [Operator("BatchBoxCox", "a l m", "c")], {"a": base[0], "l": lambdas, "m": shifts},
         {"c": numpy.where(lambdas == 0, numpy.log(moved),
                           (moved ** lambdas - 1) / numpy.where(lambdas == 0, 1, lambdas)).astype(F)})
    factors = real(2, 1)
    case(out, "weightedsum", [Operator("WeightedSum", "x v y w", "z")],
         {"x": x, "v": factors[0], "y": y, "w": factors[1]}, {"z": x * factors[0] + y * factors[1]})
    for kind, function in ("Max", numpy.max), ("Min", numpy.min), ("Sum", numpy.sum), ("Mean", numpy.mean):
        many = {"a": x, "b": y, "c": real(2, 3)}
        case(out, kind.lower(), [Operator(kind, "a b c", "d")], many,
             {"d": function(numpy.stack(list(many.values())), 0)})


def sums(out):
    x = real(2, 3, 4)
    for kind, function in {
            "ReduceMax": numpy.max, "ReduceMean": numpy.mean, "ReduceMin": numpy.min, "ReduceProd": numpy.prod,
            "ReduceSum": numpy.sum, "ReduceSumSquare": lambda x, *more, **names: numpy.sum(x * x, *more, **names),
            "ReduceL1": lambda x, *more, **names: numpy.sum(abs(x), *more, **names),
            "ReduceL2": lambda x, *more, **names: numpy.sqrt(numpy.sum(x * x, *more, **names))}.items():
        case(out, kind.lower(), [Operator(kind, "x", "y", axes=[0, -1], keepdims=0),
                                 Operator(kind, "x", "z")], {"x": x},
             {"y": function(x, axis=(0, 2)).astype(F), "z": function(x, axis=(0, 1, 2), keepdims=True).astype(F)})
    for kind, function in ("Max", numpy.max), ("Mean", numpy.mean), ("Sum", numpy.sum):
        case(out, "reduceback" + kind.lower(), [Operator("ReduceBack" + kind, "x", "y", num_reduce_dim=2)],
             {"x": x}, {"y": function(x, axis=(1, 2))})
        case(out, "reducefront" + kind.lower(), [Operator("ReduceFront" + kind, "x", "y")], {"x": x},
             {"y": function(x, axis=0)})
    a, b = real(3, 5), real(3, 5)
    for kind, result in {
            "DotProduct": (a * b).sum(1), "L1Distance": abs(a - b).sum(1),
            "SquaredL2Distance": numpy.square(a - b).sum(1) / 2,
            "CosineSimilarity": (a * b).sum(1) / numpy.sqrt((a * a).sum(1) * (b * b).sum(1))}.items():
        case(out, kind.lower(), [Operator(kind, "a b", "c")], {"a": a, "b": b}, {"c": result})
    case(out, "argmax", [Operator("ArgMax", "x", "y", axis=1)], {"x": x}, {"y": x.argmax(1)[:, None]})
    case(out, "argmin", [Operator("ArgMin", "x", "y", keepdims=0)], {"x": x}, {"y": x.argmin(-1)})
    order = numpy.argsort(-x, -1, "stable")[..., :2]
    case(out, "topk", [Operator("TopK", "x", "y z", k=2)], {"x": x},
         {"y": numpy.take_along_axis(x, order, -1), "z": order})


def write(out):
    unary(out)
    with_arguments(out)
    binary(out)
    sums(out)
