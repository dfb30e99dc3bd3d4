# SPDX-License-Identifier: MIT
"""Large cases of operators whose sizes stand in an attribute or in a tensor, so
that a recorded case cannot grow, or whose usual sizes are known."""

import functools

import numpy as np
from onnx import TensorProto, helper

from cases import Case, is_setting

F32, I64, I32, U8 = (TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32,
                     TensorProto.UINT8)
ML, MICROSOFT = "ai.onnx.ml", "com.microsoft"
OPSETS = {"": 21, ML: 3, MICROSOFT: 1}


def floats(*shape, low=-1.0, high=1.0):
    return np.random.RandomState(sum(shape)).uniform(
        low, high, shape).astype(np.float32)


def whole(below, *shape, kind=np.int64, low=0):
    return np.random.RandomState(sum(shape)).randint(
        low, below, shape).astype(kind)


def ints(*values):
    return np.array(values, np.int64)


def one(name, *inputs, domain="", weights=(), outputs=(F32,), opset=None,
        **attributes):
    """A node on inputs in their order; None leaves one out. `weights` are the
    places of constants; settings are constants as well."""
    names = ["" if array is None else f"x{i}"
             for i, array in enumerate(inputs)]
    results = [f"y{i}" for i in range(len(outputs))]
    node = helper.make_node(name, names, results, domain=domain, **attributes)
    given = {key: array for key, array in zip(names, inputs) if key}
    constants = {key for i, key in enumerate(names) if key
                 and (i in weights or i and is_setting(given[key]))}
    opsets = [("", OPSETS[""] if opset is None or domain else opset)]
    if domain:
        opsets.append((domain, opset or OPSETS[domain]))
    return Case(node, opsets, given, list(zip(results, outputs)), constants)


def trees(rows, count=300, depth=6, features=32, targets=1):
    """Perfect trees, as gradient boosting makes them."""
    random = np.random.RandomState(0)
    inner, every = 2 ** depth - 1, 2 ** (depth + 1) - 1
    place = np.tile(np.arange(every), count)
    tree = np.repeat(np.arange(count), every)
    leaf = place >= inner
    modes = ["LEAF" if end else "BRANCH_LEQ" for end in leaf]
    leaves = np.flatnonzero(leaf)
    return one(
        "TreeEnsembleRegressor", floats(rows, features), domain=ML,
        n_targets=targets, nodes_treeids=tree.tolist(),
        nodes_nodeids=place.tolist(), nodes_modes=modes,
        nodes_featureids=np.where(
            leaf, 0, random.randint(0, features, place.size)).tolist(),
        nodes_values=np.where(
            leaf, 0, random.uniform(-1, 1, place.size)).tolist(),
        nodes_truenodeids=np.where(leaf, 0, 2 * place + 1).tolist(),
        nodes_falsenodeids=np.where(leaf, 0, 2 * place + 2).tolist(),
        target_treeids=tree[leaves].tolist(),
        target_nodeids=place[leaves].tolist(),
        target_ids=(leaves % targets).tolist(),
        target_weights=random.uniform(-1, 1, leaves.size).tolist())


def convolution(name, **sizes):
    return functools.partial(convolve, name, **sizes)


def convolve(name, channels=64, size=56, window=3, group=1):
    return one(name, floats(1, channels, size, size),
               floats(channels, channels // group, window, window),
               floats(channels), weights=(1, 2), group=group,
               kernel_shape=[window] * 2, pads=[window // 2] * 4)


def recurrent(name, gates):
    return lambda: one(name, floats(64, 4, 128),
                       floats(1, gates * 128, 128, low=-0.1, high=0.1),
                       floats(1, gates * 128, 128, low=-0.1, high=0.1),
                       weights=(1, 2), hidden_size=128)


def reduction(name):
    """Over the last, a middle and the first axis."""
    return [lambda axis=axis: one(name, floats(64, 128, 128), ints(axis),
                                  opset=18, keepdims=0)
            for axis in (2, 1, 0)]


def pool(name, **attributes):
    return [lambda: one(name, floats(1, 64, 112, 112), kernel_shape=[3, 3],
                        strides=[2, 2], pads=[1, 1, 1, 1], **attributes)]


def scattered(reduction_):
    return lambda: one("ScatterND", floats(100000),
                       whole(100000, 100000, 1), floats(100000),
                       reduction=reduction_)


def rows_scattered():
    return one("ScatterND", floats(4096, 64), whole(4096, 4096, 1),
               floats(4096, 64), reduction="add")


def elements_scattered(reduction_):
    return lambda: one("ScatterElements", floats(1024, 128),
                       whole(1024, 1024, 128), floats(1024, 128), axis=0,
                       reduction=reduction_, opset=18)


def top(k, *shape, axis=-1):
    return lambda: one("TopK", floats(*shape), ints(k), axis=axis,
                       outputs=(F32, I64))


def moved(name, *others, **attributes):
    return [lambda: one(name, floats(64, 128, 128), *others, **attributes)]


LARGE_CASES = {
    ("", "TopK"): [top(100, 100000), top(10000, 100000), top(8, 4096, 128),
                   top(5, 64, 128, 64, axis=1)],
    ("", "ScatterND"): [scattered("add"), scattered("none"),
                        scattered("max"), rows_scattered],
    ("", "ScatterElements"): [elements_scattered("add"),
                              elements_scattered("none")],
    ("", "GatherND"): [lambda: one("GatherND", floats(1024, 256),
                                   whole(256, 100000, 2))],
    ("", "GatherElements"): [lambda: one(
        "GatherElements", floats(1024, 256), whole(1024, 1024, 256),
        axis=0)],
    ("", "Gather"): [lambda: one("Gather", floats(10000, 128),
                                 whole(10000, 4096))],
    ("", "Conv"): [convolution("Conv"), convolution("Conv", window=1),
                   convolution("Conv", group=64)],
    ("", "ConvTranspose"): [convolution("ConvTranspose", size=28)],
    ("", "ConvInteger"): [lambda: one(
        "ConvInteger", whole(255, 1, 64, 28, 28, kind=np.uint8),
        whole(255, 64, 64, 3, 3, kind=np.uint8), weights=(1,),
        outputs=(I32,), pads=[1, 1, 1, 1])],
    ("", "MatMul"): [lambda: one("MatMul", floats(256, 256),
                                 floats(256, 256), weights=(1,)),
                     lambda: one("MatMul", floats(12, 128, 64),
                                 floats(12, 64, 128))],
    ("", "Gemm"): [lambda: one("Gemm", floats(128, 512), floats(512, 512),
                               floats(512), weights=(1, 2))],
    ("", "MatMulInteger"): [lambda: one(
        "MatMulInteger", whole(255, 128, 512, kind=np.uint8),
        whole(127, 512, 512, kind=np.int8, low=-127), weights=(1,),
        outputs=(I32,))],
    ("", "LSTM"): [recurrent("LSTM", 4)],
    ("", "GRU"): [recurrent("GRU", 3)],
    ("", "RNN"): [recurrent("RNN", 1)],
    ("", "MaxPool"): pool("MaxPool"),
    ("", "AveragePool"): pool("AveragePool"),
    ("", "LpPool"): pool("LpPool", opset=18),
    ("", "Reshape"): moved("Reshape", ints(128, 64, 128)),
    ("", "Expand"): [lambda: one("Expand", floats(64, 1, 128),
                                 ints(64, 128, 128))],
    ("", "Tile"): [lambda: one("Tile", floats(64, 128), ints(16, 8))],
    ("", "Slice"): moved("Slice", ints(8, 16), ints(56, 120), ints(0, 1),
                         ints(1, 2)),
    ("", "Pad"): [lambda: one("Pad", floats(16, 64, 128),
                              ints(0, 1, 2, 0, 1, 2), mode=mode)
                  for mode in ("constant", "reflect", "edge")],
    ("", "Split"): moved("Split", ints(32, 96), axis=1, outputs=(F32, F32)),
    ("", "Unsqueeze"): moved("Unsqueeze", ints(0)),
    ("", "Squeeze"): [lambda: one("Squeeze", floats(1, 64, 128, 128),
                                  ints(0))],
    ("", "Resize"): [lambda: one(
        "Resize", floats(1, 32, 64, 64), None,
        np.array([1, 1, 2, 2], np.float32), mode=mode)
        for mode in ("nearest", "linear", "cubic")],
    ("", "Upsample"): [lambda: one(
        "Upsample", floats(1, 32, 64, 64), np.array([1, 1, 2, 2], np.float32),
        weights=(1,), mode="nearest", opset=9)],
    ("", "GridSample"): [lambda: one("GridSample", floats(1, 32, 64, 64),
                                     floats(1, 64, 64, 2), opset=20)],
    ("", "OneHot"): [lambda: one("OneHot", whole(128, 4096), ints(128),
                                 np.array([0, 1], np.float32))],
    ("", "NonMaxSuppression"): [lambda: one(
        "NonMaxSuppression", np.sort(floats(1, 1000, 4, low=0), axis=-1),
        floats(1, 1, 1000, low=0), ints(100),
        np.array([0.5], np.float32), outputs=(I64,))],
    ("", "LayerNormalization"): [lambda: one(
        "LayerNormalization", floats(512, 768), floats(768), floats(768),
        weights=(1, 2))],
    ("", "BatchNormalization"): [lambda: one(
        "BatchNormalization", floats(1, 64, 56, 56), floats(64), floats(64),
        floats(64), floats(64, low=0.5, high=1.5), weights=(1, 2, 3, 4))],
    ("", "InstanceNormalization"): [lambda: one(
        "InstanceNormalization", floats(1, 64, 56, 56), floats(64),
        floats(64), weights=(1, 2))],
    ("", "GroupNormalization"): [lambda: one(
        "GroupNormalization", floats(1, 64, 56, 56), floats(64), floats(64),
        weights=(1, 2), num_groups=8)],
    ("", "Softmax"): [lambda: one("Softmax", floats(1024, 512)),
                      lambda: one("Softmax", floats(64, 128, 128), axis=1)],
    ("", "LogSoftmax"): [lambda: one("LogSoftmax", floats(1024, 512))],
    ("", "CumSum"): [lambda axis=axis: one("CumSum", floats(512, 512),
                                           np.array(axis, np.int64))
                     for axis in (0, 1)],
    ("", "ArgMax"): [lambda axis=axis: one(
        "ArgMax", floats(512, 512), axis=axis, outputs=(I64,))
        for axis in (0, 1)],
    ("", "ArgMin"): [lambda: one("ArgMin", floats(512, 512), axis=0,
                                 outputs=(I64,))],
    ("", "LRN"): [lambda: one("LRN", floats(1, 64, 56, 56), size=5)],
    ("", "Gelu"): [lambda: one("Gelu", floats(1024, 1024), opset=20)],
    ("", "LpNormalization"): [lambda: one("LpNormalization",
                                          floats(1024, 512))],
    ("", "GlobalLpPool"): [lambda: one("GlobalLpPool", floats(1, 64, 56, 56))],
    ("", "BitwiseAnd"): [lambda: one(
        "BitwiseAnd", whole(1 << 30, 1024, 512, kind=np.int32),
        whole(1 << 30, 1024, 512, kind=np.int32), outputs=(I32,))],
    ("", "BitwiseNot"): [lambda: one(
        "BitwiseNot", whole(1 << 30, 1024, 512, kind=np.int32),
        outputs=(I32,))],
    ("", "Col2Im"): [lambda: one("Col2Im", floats(1, 576, 3136),
                                 ints(56, 56), ints(3, 3),
                                 pads=[1, 1, 1, 1])],
    ("", "AffineGrid"): [lambda: one("AffineGrid", floats(4, 2, 3),
                                     ints(4, 3, 128, 128), opset=20)],
    (ML, "TreeEnsembleRegressor"): [lambda: trees(256), lambda: trees(1),
                                    lambda: trees(256, targets=4)],
    (ML, "LinearRegressor"): [lambda: one(
        "LinearRegressor", floats(1024, 128), domain=ML,
        coefficients=floats(128).tolist(), intercepts=[0.5])],
    (ML, "LinearClassifier"): [lambda: one(
        "LinearClassifier", floats(1024, 128), domain=ML,
        coefficients=floats(10, 128).ravel().tolist(),
        intercepts=floats(10).tolist(), classlabels_ints=list(range(10)),
        outputs=(I64, F32))],
    (ML, "SVMRegressor"): [lambda: one(
        "SVMRegressor", floats(256, 32), domain=ML, kernel_type="RBF",
        kernel_params=[0.1, 0.0, 3.0], n_supports=200, rho=[0.1],
        coefficients=floats(200).tolist(),
        support_vectors=floats(200, 32).ravel().tolist())],
    (ML, "Normalizer"): [lambda: one("Normalizer", floats(1024, 512),
                                     domain=ML, norm="L2")],
    (ML, "Scaler"): [lambda: one("Scaler", floats(1024, 512), domain=ML,
                                 offset=floats(512).tolist(),
                                 scale=floats(512).tolist())],
    (ML, "Imputer"): [lambda: one("Imputer", floats(1024, 512), domain=ML,
                                  imputed_value_floats=[0.0],
                                  replaced_value_float=float("nan"))],
    (ML, "Binarizer"): [lambda: one("Binarizer", floats(1024, 512),
                                    domain=ML, threshold=0.5)],
    (ML, "OneHotEncoder"): [lambda: one(
        "OneHotEncoder", whole(16, 4096), domain=ML,
        cats_int64s=list(range(16)))],
    (ML, "ArrayFeatureExtractor"): [lambda: one(
        "ArrayFeatureExtractor", floats(1024, 512), ints(*range(0, 512, 8)),
        domain=ML, weights=(1,))],
    (MICROSOFT, "Gelu"): [lambda: one("Gelu", floats(1024, 1024),
                                      domain=MICROSOFT)],
    (MICROSOFT, "FastGelu"): [lambda: one("FastGelu", floats(1024, 1024),
                                          domain=MICROSOFT)],
    (MICROSOFT, "QuickGelu"): [lambda: one("QuickGelu", floats(1024, 1024),
                                           domain=MICROSOFT)],
    (MICROSOFT, "BiasGelu"): [lambda: one(
        "BiasGelu", floats(1024, 1024), floats(1024), domain=MICROSOFT,
        weights=(1,))],
    (MICROSOFT, "FusedMatMul"): [lambda: one(
        "FusedMatMul", floats(256, 256), floats(256, 256), domain=MICROSOFT,
        transB=1, alpha=0.5)],
    (MICROSOFT, "Inverse"): [lambda: one("Inverse", floats(64, 32, 32),
                                         domain=MICROSOFT)],
    (MICROSOFT, "SkipLayerNormalization"): [lambda: one(
        "SkipLayerNormalization", floats(1, 512, 768), floats(1, 512, 768),
        floats(768), floats(768), domain=MICROSOFT, weights=(2, 3))],
    (MICROSOFT, "SkipSimplifiedLayerNormalization"): [lambda: one(
        "SkipSimplifiedLayerNormalization", floats(1, 512, 768),
        floats(1, 512, 768), floats(768), domain=MICROSOFT, weights=(2,))],
    (MICROSOFT, "MultiHeadAttention"): [lambda: one(
        "MultiHeadAttention", floats(1, 128, 256), floats(1, 128, 256),
        floats(1, 128, 256), domain=MICROSOFT, num_heads=4)],
    (MICROSOFT, "QLinearAdd"): [lambda: quantized_pair("QLinearAdd")],
    (MICROSOFT, "QLinearMul"): [lambda: quantized_pair("QLinearMul")],
    (MICROSOFT, "QLinearSigmoid"): [lambda: quantized_unary(
        "QLinearSigmoid")],
    (MICROSOFT, "QLinearLeakyRelu"): [lambda: quantized_unary(
        "QLinearLeakyRelu", alpha=0.1)],
    (MICROSOFT, "DynamicQuantizeMatMul"): [lambda: one(
        "DynamicQuantizeMatMul", floats(128, 512),
        whole(127, 512, 512, kind=np.int8, low=-127),
        np.array(0.01, np.float32), domain=MICROSOFT, weights=(1,))],
}


def scales():
    return np.array(0.02, np.float32), np.array(128, np.uint8)


def quantized_pair(name):
    bytes_ = whole(255, 1024, 512, kind=np.uint8)
    return one(name, bytes_, *scales(), bytes_, *scales(), *scales(),
               domain=MICROSOFT, outputs=(U8,))


def quantized_unary(name, **attributes):
    return one(name, whole(255, 1024, 512, kind=np.uint8), *scales(),
               *scales(), domain=MICROSOFT, outputs=(U8,), **attributes)


for _name in ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin",
              "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
              "ReduceLogSumExp", "ReduceSumSquare"):
    LARGE_CASES["", _name] = reduction(_name)
