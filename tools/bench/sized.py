# SPDX-License-Identifier: MIT
"""A small and a large case of operators without a recorded one: each is
made by a function of whether it is large."""

import numpy as np
from onnx import helper

from large import (F32, I32, I64, MICROSOFT, ML, U8, floats, ints, one,
                   scales, trees, whole)

GRAPHS = "ai.onnx"  # operators whose branches are graphs


def shaped(large, small, big):
    return big if large else small


def image(large, channels=64, size=56):
    """Of few or many pixels."""
    return floats(*shaped(large, (1, 2, 5, 5), (1, channels, size, size)))


def rows(large):
    return floats(*shaped(large, (3, 8), (1024, 512)))


def bytes_of(*shape, low=0, kind=np.uint8):
    return whole(127, *shape, kind=kind, low=low)


def unary(name, opset, **attributes):
    return lambda large: one(name, rows(large), opset=opset, **attributes)


def bitwise(name):
    def make(large):
        array = whole(1 << 30, *shaped(large, (3, 8), (1024, 512)),
                      kind=np.int32)
        return one(name, array, array[::-1].copy(), outputs=(I32,))
    return make


def without_inputs(name, **attributes):
    return lambda large: one(
        name, shape=shaped(large, [2, 5], [1024, 1024]), **attributes)


def like(name):
    return lambda large: one(name, rows(large))


def constant(large):
    array = rows(large)
    return one("Constant", value=helper.make_tensor(
        "value", F32, array.shape, array.ravel()))


def attention(large):
    array = floats(*shaped(large, (1, 2, 4, 8), (1, 12, 128, 64)))
    return one("Attention", array, array + 0.1, array - 0.1, opset=23)


def linear_attention(large):
    tokens, heads, width = shaped(large, (4, 2, 8), (128, 8, 64))
    array = floats(1, tokens, heads * width, low=-0.1, high=0.1)
    return one("LinearAttention", array, array + 0.01, array - 0.01, None,
               floats(1, tokens, heads, low=-1, high=-0.1),
               floats(1, tokens, heads, low=0, high=1), opset=27,
               outputs=(F32, F32), q_num_heads=heads, kv_num_heads=heads)


def causal_convolution(large):
    channels, length = shaped(large, (4, 8), (512, 256))
    return one("CausalConvWithState", floats(1, channels, length),
               floats(channels, 1, 4), floats(channels),
               floats(1, channels, 3), weights=(1, 2), opset=27,
               outputs=(F32, F32))


def deformed(large):
    channels, size = shaped(large, (2, 5), (32, 28))
    return one("DeformConv", floats(1, channels, size, size),
               floats(channels, channels, 3, 3),
               floats(1, 18, size, size), weights=(1,), opset=19,
               kernel_shape=[3, 3], pads=[1, 1, 1, 1])


def pooled_regions(large):
    regions = shaped(large, 2, 64)
    corners = np.sort(floats(regions, 2, 2, low=0, high=50), axis=1)
    return one("MaxRoiPool", image(True), np.concatenate(
        [np.zeros([regions, 1], np.float32),
         corners.reshape(regions, 4)], 1), pooled_shape=[7, 7])


def rotated(large):
    heads, tokens, width = shaped(large, (2, 4, 8), (12, 128, 64))
    angles = floats(1, tokens, width // 2)
    return one("RotaryEmbedding", floats(1, heads, tokens, width), angles,
               angles + 0.1, weights=(1, 2), opset=23)


def rotated_by_places(large):
    heads, tokens, width = shaped(large, (2, 4, 8), (12, 128, 64))
    angles = floats(tokens, width // 2)
    return one("RotaryEmbedding", floats(1, heads, tokens, width),
               np.arange(tokens, dtype=np.int64)[None], angles, angles + 0.1,
               weights=(1, 2, 3), domain=MICROSOFT)


def scattered(large):
    length, width = shaped(large, (8, 4), (1024, 64))
    return one("TensorScatter", floats(2, 8, length, width),
               floats(2, 8, length // 8, width), ints(1, 2), opset=24)


def branch(large):
    """Of a condition that a run alone knows."""
    array = rows(large)

    def body(name):
        return helper.make_graph(
            [helper.make_node(name, ["x1"], ["z"])], name, [],
            [helper.make_tensor_value_info("z", F32, array.shape)])
    case = one("If", np.array(True), array, outputs=(F32,),
               then_branch=body("Abs"), else_branch=body("Neg"))
    del case.node.input[1:]  # the branches see it
    return case


def vectorized(large):
    """Two inputs side by side."""
    array = rows(large)
    return one("FeatureVectorizer", array, array + 1, domain=ML,
               inputdimensions=[array.shape[1]] * 2)


def listed_trees(large):
    """Perfect trees as the newer operator lists them."""
    count, depth, features = shaped(large, (2, 2, 4), (300, 6, 32))
    random = np.random.RandomState(0)
    inner, ends = 2 ** depth - 1, 2 ** depth
    place, tree = np.tile(np.arange(inner), count), np.repeat(
        np.arange(count), inner)
    last = 2 * place + 1 >= inner

    def child(step):
        below = 2 * place + step
        return np.where(last, below - inner + tree * ends,
                        below + tree * inner).tolist()

    def tensor(kind, values):
        return helper.make_tensor("", kind, [len(values)], list(values))
    return one(
        "TreeEnsemble", floats(shaped(large, 2, 256), features), domain=ML,
        opset=5, n_targets=1, aggregate_function=1,
        tree_roots=(np.arange(count) * inner).tolist(),
        nodes_featureids=random.randint(0, features, place.size).tolist(),
        nodes_modes=tensor(U8, np.zeros(place.size, np.uint8)),
        nodes_splits=tensor(F32, random.uniform(-1, 1, place.size)),
        nodes_truenodeids=child(1), nodes_falsenodeids=child(2),
        nodes_trueleafs=last.astype(int).tolist(),
        nodes_falseleafs=last.astype(int).tolist(),
        leaf_targetids=[0] * (count * ends),
        leaf_weights=tensor(F32, random.uniform(-1, 1, count * ends)))


def classified(large):
    """The trees of a regressor, whose targets are classes."""
    sizes = shaped(large, (2, 2, 2, 4), (256, 300, 6, 32))
    regressor = trees(*sizes, targets=3)
    names = {"n_targets": None, "target_treeids": "class_treeids",
             "target_nodeids": "class_nodeids", "target_ids": "class_ids",
             "target_weights": "class_weights"}
    attributes = {names.get(a.name, a.name): helper.get_attribute_value(a)
                  for a in regressor.node.attribute}
    del attributes[None]
    return one("TreeEnsembleClassifier", regressor.inputs["x0"], domain=ML,
               classlabels_int64s=[0, 1, 2], outputs=(I64, F32), **attributes)


def projected_attention(large):
    tokens, width = shaped(large, (4, 8), (128, 256))
    return one("Attention", floats(1, tokens, width), floats(
        width, 3 * width), floats(3 * width), weights=(1, 2),
        domain=MICROSOFT, num_heads=shaped(large, 2, 4))


def quantized_attention(large):
    tokens, width = shaped(large, (4, 8), (128, 256))
    return one("QAttention", bytes_of(1, tokens, width),
               bytes_of(width, 3 * width, low=-127, kind=np.int8),
               floats(3 * width), scales()[0], scales()[0], None, scales()[1],
               np.array(0, np.int8), weights=(1, 2), domain=MICROSOFT,
               num_heads=shaped(large, 2, 4))


def grouped_attention(large):
    tokens, width = shaped(large, (4, 8), (128, 64))
    heads, groups = shaped(large, (2, 1), (8, 2))
    keys = floats(1, tokens, groups * width)
    return one("GroupQueryAttention", floats(1, tokens, heads * width), keys,
               keys + 0.1, None, None, np.array([tokens - 1], np.int32),
               np.array(tokens, np.int32), domain=MICROSOFT,
               outputs=(F32, F32, F32), num_heads=heads, kv_num_heads=groups)


def embedded(large):
    tokens, width, words = shaped(large, (4, 8, 20), (256, 768, 5000))
    return one("EmbedLayerNormalization",
               whole(words, 1, tokens, kind=np.int32),
               whole(2, 1, tokens, kind=np.int32), floats(words, width),
               floats(512, width), floats(2, width), floats(width),
               floats(width), weights=(2, 3, 4, 5, 6), domain=MICROSOFT,
               outputs=(F32, I32))


def fused_convolution(large):
    channels = shaped(large, 2, 64)
    return one("FusedConv", image(large), floats(channels, channels, 3, 3),
               floats(channels), weights=(1, 2), domain=MICROSOFT,
               activation="Relu", kernel_shape=[3, 3], pads=[1, 1, 1, 1])


def fused_product(large):
    n, k = shaped(large, (4, 8), (128, 512))
    return one("FusedGemm", floats(n, k), floats(k, k), floats(k),
               weights=(1, 2), domain=MICROSOFT, activation="Relu")


def gathered_blocks(large):
    count, width = shaped(large, (8, 64), (5000, 512))
    return one("GatherBlockQuantized", bytes_of(count, width // 2),
               whole(count, *shaped(large, (4, 5), (4, 256))),
               floats(count, width // 32), weights=(0, 2), domain=MICROSOFT,
               gather_axis=0, quantize_axis=1, block_size=32, bits=4)


def product_of_integers(large, name="MatMulInteger16", kind=np.int16):
    n, k = shaped(large, (4, 8), (128, 512))
    return one(name, bytes_of(n, k, kind=kind), bytes_of(k, k, kind=kind),
               weights=(1,), domain=MICROSOFT, outputs=(I32,))


def product_as_floats(large):
    n, k = shaped(large, (4, 8), (128, 512))
    return one("MatMulIntegerToFloat", bytes_of(n, k),
               bytes_of(k, k, low=-127, kind=np.int8), scales()[0],
               scales()[0], scales()[1], np.array(0, np.int8), weights=(1,),
               domain=MICROSOFT)


def product_of_blocks(large):
    n, k = shaped(large, (4, 64), (128, 512))
    return one("MatMulNBits", floats(n, k), bytes_of(k, k // 32, 16),
               floats(k * k // 32), weights=(1, 2), domain=MICROSOFT, K=k, N=k,
               bits=4, block_size=32)


def quantized_product(large):
    n, k = shaped(large, (4, 8), (128, 512))
    return one("QGemm", bytes_of(n, k), *scales(), bytes_of(
        k, k, low=-127, kind=np.int8), scales()[0], np.array(0, np.int8),
        bytes_of(k, kind=np.int32), *scales(), weights=(3, 6),
        domain=MICROSOFT, outputs=(U8,))


def quantized_image(name, **attributes):
    return lambda large: one(
        name, bytes_of(*image(large).shape), *scales(), *scales(),
        domain=MICROSOFT, outputs=(U8,), **attributes)


def quantized_parts(large):
    array = bytes_of(*rows(large).shape)
    scale, zero = scales()
    return one("QLinearConcat", scale, zero, array, scale, zero, array,
               np.array(0.04, np.float32), zero, weights=(0,),
               domain=MICROSOFT, axis=1, outputs=(U8,))


def quantized_softmax(large):
    case = one("QLinearSoftmax", bytes_of(*rows(large).shape), *scales(),
               np.array(1 / 256, np.float32), np.array(0, np.uint8),
               domain=MICROSOFT, outputs=(U8,), axis=-1)
    case.node.attribute.append(helper.make_attribute("opset", 13))
    return case


def normalized(name, opset):
    return lambda large: one(
        name, rows(large), floats(rows(large).shape[1]), weights=(1,),
        opset=opset)


SIZED_CASES = {
    ("", "Affine"): unary("Affine", 9, alpha=2.0, beta=0.5),
    ("", "Attention"): attention,
    ("", "BitCast"): lambda large: one("BitCast", rows(large), opset=26,
                                       outputs=(I32,), to=I32),
    ("", "BitwiseOr"): bitwise("BitwiseOr"),
    ("", "BitwiseXor"): bitwise("BitwiseXor"),
    ("", "CausalConvWithState"): causal_convolution,
    ("", "CenterCropPad"): lambda large: one(
        "CenterCropPad", image(large), ints(*shaped(large, (4, 7), (50, 60))),
        axes=[2, 3]),
    ("", "Constant"): constant,
    ("", "Crop"): lambda large: one("Crop", image(large), opset=9,
                                    border=[1, 1, 1, 1]),
    ("", "CumProd"): lambda large: one(
        "CumProd", 1 + rows(large) / 1024, np.array(1, np.int64), opset=26),
    ("", "DeformConv"): deformed,
    ("", "ImageScaler"): lambda large: one(
        "ImageScaler", image(large, 3, 224)[:, :3], opset=9, scale=0.5,
        bias=[0.1] * shaped(large, 2, 3)),
    ("", "LinearAttention"): linear_attention,
    ("", "MaxRoiPool"): pooled_regions,
    ("", "Mish"): unary("Mish", 18),
    ("", "Multinomial"): lambda large: one(
        "Multinomial", rows(large), sample_size=shaped(large, 4, 64),
        outputs=(I32,)),
    ("", "ParametricSoftplus"): unary("ParametricSoftplus", 9, alpha=2.0,
                                      beta=0.5),
    ("", "RMSNormalization"): normalized("RMSNormalization", 23),
    ("", "RandomNormal"): without_inputs("RandomNormal"),
    ("", "RandomNormalLike"): like("RandomNormalLike"),
    ("", "RandomUniform"): without_inputs("RandomUniform"),
    ("", "RandomUniformLike"): like("RandomUniformLike"),
    ("", "RotaryEmbedding"): rotated,
    ("", "ScaledTanh"): unary("ScaledTanh", 9, alpha=2.0, beta=0.5),
    ("", "SimplifiedLayerNormalization"): normalized(
        "SimplifiedLayerNormalization", 21),
    ("", "SwiGLU"): lambda large: one("SwiGLU", rows(large), rows(large) + 1,
                                      opset=28),
    ("", "Swish"): unary("Swish", 24),
    ("", "TensorScatter"): scattered,
    (GRAPHS, "If"): branch,
    (ML, "FeatureVectorizer"): vectorized,
    (ML, "TreeEnsemble"): listed_trees,
    (ML, "TreeEnsembleClassifier"): classified,
    (MICROSOFT, "Attention"): projected_attention,
    (MICROSOFT, "DequantizeLinear"): lambda large: one(
        "DequantizeLinear", bytes_of(*rows(large).shape), *scales(),
        domain=MICROSOFT),
    (MICROSOFT, "EmbedLayerNormalization"): embedded,
    (MICROSOFT, "FusedConv"): fused_convolution,
    (MICROSOFT, "FusedGemm"): fused_product,
    (MICROSOFT, "GatherBlockQuantized"): gathered_blocks,
    (MICROSOFT, "GroupQueryAttention"): grouped_attention,
    (MICROSOFT, "MatMulInteger16"): product_of_integers,
    (MICROSOFT, "MatMulIntegerToFloat"): product_as_floats,
    (MICROSOFT, "MatMulNBits"): product_of_blocks,
    (MICROSOFT, "QAttention"): quantized_attention,
    (MICROSOFT, "QGemm"): quantized_product,
    (MICROSOFT, "QLinearAveragePool"): quantized_image(
        "QLinearAveragePool", kernel_shape=[3, 3], strides=[2, 2],
        pads=[1, 1, 1, 1]),
    (MICROSOFT, "QLinearConcat"): quantized_parts,
    (MICROSOFT, "QLinearGlobalAveragePool"): quantized_image(
        "QLinearGlobalAveragePool"),
    (MICROSOFT, "QLinearSoftmax"): quantized_softmax,
    (MICROSOFT, "QuantizeLinear"): lambda large: one(
        "QuantizeLinear", rows(large), *scales(), domain=MICROSOFT,
        outputs=(U8,)),
    (MICROSOFT, "RotaryEmbedding"): rotated_by_places,
}
