#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs models on numbers that lead out of a tensor, or to one that no memory has:
refused.py FOLDER [BACKEND]. Without a backend they are written only.

A case is a function below: a model, its inputs, and what the one line must say of
them (a regular expression), None where there is a right answer. A crash, another
line or another status is told; the last line counts.
"""

import os
import re
import subprocess
import sys

import numpy
from onnx import TensorProto

from cases import F32, I64, TEXT, array, graph, kind_of, model, node, value, write

I32 = TensorProto.INT32
LARGE, SMALL = 2 ** 63 - 1, -2 ** 63
CASES = {}


def floats(*shape):
    return numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape)


def ints(values, kind=numpy.int64):
    return numpy.array(values, kind)


def case(name, says, nodes, inputs, outputs="y", weights=(), kind=F32, **more):
    ports = [value(n, a.shape, kind_of(a)) for n, a in inputs.items()]
    results = [value(n, None, kind) for n in outputs.split()]
    CASES[name] = (model(nodes, ports, results, weights, **more), inputs, says)


RANGE = r"node 'the_{}(\.\w+)?'.*(out of (the )?range|out of range)"


def out_of(name, op, inputs, **attributes):
    """An operator of one output, whose node must be named."""
    more = {key: attributes.pop(key) for key in ("domain", "opset", "weights", "says")
            if key in attributes}
    domain = {"domain": more.pop("domain")} if "domain" in more else {}
    says = more.pop("says", RANGE.format(op.lower()))
    case(name, says, [node(op, " ".join(inputs), "y", **attributes, **domain)],
         inputs, **more)


def indices():
    for at in (5, -6, 2 ** 31, LARGE, SMALL):
        x = floats(5, 20)
        out_of(f"gather_{at}", "Gather", {"x": x, "i": ints([0, at])})
        out_of(f"gather_columns_{at}", "Gather", {"x": x.T.copy(), "i": ints([[0], [at]])},
               axis=1)
        out_of(f"elements_{at}", "GatherElements", {"x": x, "i": ints([[0, at]])})
        out_of(f"nd_{at}", "GatherND", {"x": x, "i": ints([[1], [at]])})
        out_of(f"places_{at}", "ScatterElements",
               {"x": x, "i": ints([[0, at]]), "u": floats(1, 2)})
        out_of(f"sums_{at}", "ScatterElements",
               {"x": x, "i": ints([[0, at]]), "u": floats(1, 2)}, reduction="add")
        out_of(f"scatter_nd_{at}", "ScatterND",
               {"x": x, "i": ints([[1], [at]]), "u": floats(2, 20)})
        out_of(f"scatter_{at}", "Scatter",
               {"x": x, "i": ints([[0, at]]), "u": floats(1, 2)}, opset=10)
        case(f"hot_{at}", None, [node("OneHot", "i depth values", "y")],
             {"i": ints([0, at]), "values": floats(2)}, weights=[array("depth", [5], numpy.int64)])
    out_of("gather_i32", "Gather",
           {"x": floats(5, 2), "i": ints([0, -2 ** 31], numpy.int32)})
    out_of("gather_nd_batch", "GatherND",
           {"x": floats(2, 3, 4), "i": ints([[2], [3]])}, batch_dims=1)
    out_of("gather_empty", "Gather", {"x": floats(0, 4), "i": ints([0])})
    out_of("features", "ArrayFeatureExtractor", {"x": floats(5), "i": ints([9])},
           domain="ai.onnx.ml")


def losses():
    for at in (3, LARGE, SMALL):
        inputs = {"x": floats(2, 3), "t": ints([0, at])}
        out_of(f"nll_{at}", "NegativeLogLikelihoodLoss", inputs)
        out_of(f"cross_entropy_{at}", "SoftmaxCrossEntropyLoss", inputs)
    x = {"x": floats(4, 2), "n": ints([3, 5])}
    out_of("reverse", "ReverseSequence", x, batch_axis=1, time_axis=0)
    x = {"x": floats(4, 2), "n": ints([3, SMALL])}
    out_of("reverse_smallest", "ReverseSequence", x, batch_axis=1, time_axis=0, says="")


def embeddings():
    words = {"ids": ints([[0, 7]], numpy.int32), "segments": ints([[0, 0]], numpy.int32),
             "words": floats(4, 8), "places": floats(4, 8), "parts": floats(2, 8),
             "gamma": floats(8), "beta": floats(8)}
    case("embed", RANGE.format("embed"),
         [node("EmbedLayerNormalization", " ".join(words), "y m", name="the_embed",
               domain="com.microsoft")], words)
    x = {"x": floats(1, 2, 3, 8), "ids": ints([[0, 1, 9]]), "cos": floats(4, 4),
         "sin": floats(4, 4)}
    out_of("rotary", "RotaryEmbedding", x, domain="com.microsoft")
    # A cache of five rows, of which the new one is the last, or none.
    query = {"q": floats(1, 1, 16), "k": floats(1, 1, 8), "v": floats(1, 1, 8),
             "keys": floats(1, 2, 5, 4), "values": floats(1, 2, 5, 4)}
    prompt = {"q": floats(1, 2, 16), "k": floats(1, 2, 8), "v": floats(1, 2, 8)}
    for at in (4, 5, -1, 2 ** 31 - 1, -2 ** 31):
        for name, given, total, last in (("row", query, 5, 4), ("rows", prompt, 2, 1)):
            absent = "" if name == "row" else " - -"
            case(f"lengths_{name}_{at}", None if 0 <= at <= last else RANGE.format("groups"),
                 [node("GroupQueryAttention", " ".join(given) + absent + " n total", "y k2 v2", num_heads=4,
                       kv_num_heads=2, name="the_groups", domain="com.microsoft")],
                 {**given, "n": ints([at], numpy.int32)}, weights=[array("total", [total], numpy.int32)])
    boxes = {"x": floats(1, 1, 4, 4), "rois": floats(1, 4), "batch": ints([3])}
    out_of("roi", "RoiAlign", boxes, sampling_ratio=2)
    # The host finds out the number of samples.
    out_of("roi_of_host", "RoiAlign", boxes, says="the_roialign.*image 3, but there are 1")
    out_of("roi_endless", "RoiAlign", {**boxes, "rois": 1e30 * floats(1, 4), "batch": ints([0])},
           says="the_roialign.*samples for a bin")
    for at in (3, -1):
        out_of(f"cache_{at}", "TensorScatter",
               {"x": floats(1, 4, 2), "u": floats(1, 2, 2), "i": ints([at])}, opset=24)
    x = {"x": floats(1, 1, 2, 2), "i": ints([[[[0, 3], [9, 99]]]])}
    out_of("unpool", "MaxUnpool", x, kernel_shape=[2, 2], strides=[2, 2])


def sizes():
    """Sizes that only a run knows."""
    def computed(name, says, nodes, inputs, **more):
        # A sum of inputs is not known when the model is compiled.
        case(name, says, [node("Add", "s s", "n", name="twice")] + nodes, inputs, **more)
    for half in (2 ** 40, 2 ** 61):
        computed(f"expand_{half}", "(limit|63 bits|more bytes than).*the_expand",
                 [node("Expand", "x n", "y")], {"x": floats(1), "s": ints([half])})
        computed(f"fill_{half}", "the_constantofshape",
                 [node("ConstantOfShape", "n", "y")], {"s": ints([half])})
        computed(f"tile_{half}", "the_tile",
                 [node("Tile", "x n", "y")], {"x": floats(2), "s": ints([half])})
        computed(f"pad_{half}", "the_pad",
                 [node("Pad", "x n", "y")], {"x": floats(2), "s": ints([half, half])})
        computed(f"window_{half}", "the_hannwindow",
                 [node("HannWindow", "n", "y")], {"s": ints(half)})
        computed(f"resize_{half}", "the_resize",
                 [node("Resize", "x - - n", "y")], {"x": floats(2), "s": ints([half])})
    # A product that wraps around to nothing.
    computed("tile_quarters", "the_tile",
             [node("Tile", "x n", "y")], {"x": floats(4), "s": ints([2 ** 61])})
    case("depth", "the_depthtospace", [node("DepthToSpace", "x", "y", blocksize=2 ** 32)],
         {"x": floats(1, 4, 2, 2)})
    image = {"x": floats(1, 1, 5, 5), "w": floats(1, 1, 3, 3)}
    out_of("strides", "Conv", image, strides=[LARGE] * 2, says=None)
    out_of("strides_back", "ConvTranspose", image, strides=[2 ** 62] * 2, says="the_convtranspose")
    out_of("axis_of_two", "Flatten", {"x": floats(2, 3)}, axis=2 ** 62, says="the_flatten")
    computed("range_endless", "inf elements are not possible.*the_range",
             [node("Range", "z n o", "y")],
             {"s": ints(numpy.inf, numpy.float32), "z": ints(0, numpy.float32),
              "o": ints(1, numpy.float32)})
    computed("fill_negative", "would be -6: .*the_constantofshape",
             [node("ConstantOfShape", "n", "y")], {"s": ints([-3])})
    computed("fill_overflow", "more bytes than .*the_constantofshape",
             [node("ConstantOfShape", "n", "y")], {"s": ints([2 ** 31] * 4)})
    computed("range", "the_range", [node("Range", "z n o", "y")],
             {"s": ints(2 ** 60), "z": ints(0), "o": ints(1)}, kind=I64)
    computed("range_nowhere", "the_range", [node("Range", "z n o", "y")],
             {"s": ints(3), "z": ints(0), "o": ints(0)}, kind=I64)
    computed("axis", "the_cumsum", [node("CumSum", "x n", "y")],
             {"x": floats(3), "s": ints(LARGE // 2)})
    computed("top", "the_topk", [node("TopK", "x n", "y i")],
             {"x": floats(3), "s": ints([2])})
    computed("slice", None, [node("Slice", "x n n", "y")],
             {"x": floats(3), "s": ints([SMALL // 2])})
    computed("slice_step", None, [node("Slice", "x n e - p", "y")],
             {"x": floats(3), "s": ints([LARGE // 2]), "e": ints([SMALL]), "p": ints([SMALL])})
    computed("slice_still", "the_slice.*step", [node("Slice", "x n e - p", "y")],
             {"x": floats(3), "s": ints([0]), "e": ints([3]), "p": ints([0])})
    computed("reshape", "the_reshape", [node("Reshape", "x n", "y")],
             {"x": floats(3), "s": ints([2 ** 32, 2 ** 31])})


def nothing():
    """No elements, but sizes around them that loops would go through."""
    says = "no elements, but too many places for them.*the_expand"
    for op, inputs, attributes in (
            ("Relu", "z", {}), ("Softmax", "z", {"axis": 0}), ("MatMul", "z w", {}),
            ("CumSum", "z one", {}), ("EyeLike", "z", {})):
        case(f"nothing_{op.lower()}", says,
             [node("Expand", "x sizes", "z"), node(op, inputs, "y", **attributes)],
             {"x": floats(1, 0)},
             weights=[array("sizes", [2 ** 40, 0], numpy.int64),
                      array("w", numpy.zeros((0, 0))), array("one", 1, numpy.int64)])
    words = dict(mode="TF", min_gram_length=1, max_gram_length=2 ** 62,
                 max_skip_count=LARGE, ngram_counts=[0], ngram_indexes=[0],
                 pool_int64s=[3])
    case("grams", None, [node("TfIdfVectorizer", "x", "y", **words)], {"x": ints([3, 4])})


def sequences():
    two = [node("SequenceConstruct", "x x", "q")]
    for op, says in (("SequenceAt", "position is 9"), ("SequenceErase", "position is 9")):
        tail = [] if op == "SequenceAt" else [node("SequenceLength", "r", "y")]
        case(op.lower(), f"the_{op.lower()}.*{says}",
             two + [node(op, "q n", "r" if tail else "y")] + tail,
             {"x": floats(2), "n": ints(9)}, kind=I64 if tail else F32)
    case("nested", "the_outer.*sequence",
         two + [node("SequenceConstruct", "q q", "r", name="the_outer"),
                node("SequenceLength", "r", "y")], {"x": floats(2)}, kind=I64)


def main():
    folder, backend = sys.argv[1], sys.argv[2:]
    for group in (indices, losses, embeddings, sizes, nothing, sequences):
        group()
    bad = 0
    for name, (made, inputs, says) in CASES.items():
        place = os.path.join(folder, name)
        write(place, made, inputs)
        if not backend:
            continue
        command = ["glow", "run", os.path.join(place, "model.onnx"),
                   f"--backend={backend[0]}", "--threads=1"]
        for i, key in enumerate(inputs):
            command += ["--input", f"{key}={place}/test_data_set_0/input_{i}.pb"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        text = done.stderr
        right = (done.returncode == 0 if says is None
                 else done.returncode == 1 and re.search(says, text))
        if says == "":
            right = done.returncode in (0, 1)
        if not right:
            bad += 1
            print(f"{name}: status {done.returncode}, should say {says}: {text}{done.stdout}")
    print(f"{len(CASES)} cases, {bad} wrong")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
