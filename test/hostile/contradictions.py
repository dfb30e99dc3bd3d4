#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Imports models that contradict themselves or ONNX: contradictions.py FOLDER.

A case is a model and what the error must say (a regular expression), None where the
model is right. A crash, another error or none is told; the last line counts.
"""

import os
import re
import subprocess
import sys

from onnx import TensorProto, helper

from cases import BOOL, F32, I64, array, graph, model, node, value

LEAST = -2 ** 63
CASES = {}


def case(name, says, nodes, inputs, outputs=None, weights=(), opset=18, **changes):
    made = model(nodes, inputs, outputs or [value("y")], weights, opset)
    for field, what in changes.items():
        if field == "imports":
            made.opset_import.extend(helper.make_opsetid(*each) for each in what)
        else:
            setattr(made, field, what)
    CASES[name] = (made, says)


def relu(name, says, shape=(2, 3), output=None, weights=(), inputs=None, **changes):
    case(name, says, [node("Relu", "x", "y")], inputs or [value("x", shape)],
         [output or value("y", shape)], weights, **changes)


def versions():
    for version in (-1, 0, 1 << 40, 99):
        relu(f"ir_{version}", f"ir_version {version} does not exist: it should be 1 to 16",
             ir_version=version)
    relu("ir_3", None, ir_version=3)
    for domain, version, newest in (("ai.onnx.ml", 11, 5), ("com.microsoft", 7, 1),
                                    ("ai.onnx.preview.training", 2, 1), ("", 99, 28)):
        relu(f"opset_{domain}", rf"opset {version} of '{domain or 'ai.onnx'}', but {newest} "
             "is the newest that is supported", imports=[(domain, version)])
    relu("opset_of_others", None, imports=[("org.example", 1000)])


def words():
    for op, inputs in (("Conv", "x w"), ("ConvTranspose", "x w"), ("MaxPool", "x"),
                       ("AveragePool", "x"), ("LpPool", "x")):
        more = {} if "w" in inputs else {"kernel_shape": [3, 3]}
        for word in ("SAME", "same_upper", "", "NOTSET "):
            case(f"{op}_auto_pad_{word}",
                 f"attribute 'auto_pad' is '{word}', but should be NOTSET, SAME_UPPER, "
                 f"SAME_LOWER or VALID: node 'the_{op.lower()}'",
                 [node(op, inputs, "y", auto_pad=word, **more)], [value("x", [1, 2, 8, 8])],
                 weights=[array("w", [[[[1] * 3] * 3] * 2] * 2)])


def attributes():
    """Of operators that records import, that run on the host, and that do both."""
    image = [value("x", [1, 2, 8, 8])]
    for op, inputs, given in (
            ("Relu", "x", image), ("Conv", "x x", image), ("NonZero", "x", image),
            ("Unique", "x", image), ("SequenceConstruct", "x x", image),
            ("StringNormalizer", "s", [value("s", [2], TensorProto.STRING)]),
            ("Compress", "x c", image + [value("c", [2], BOOL)]),
            ("NonMaxSuppression", "b s", [value("b", [1, 2, 4]), value("s", [1, 1, 2])])):
        case(f"{op}_attribute", f"attribute 'mispelt' is not known.*node 'the_{op.lower()}'",
             [node(op, inputs, "y", mispelt=1)], given)
    case("NonZero_inputs", "it has 2 inputs, more than 1", [node("NonZero", "x x", "y")], image)
    then = graph([node("Relu", "x", "a", mispelt=2)], [], [value("a")])
    case("inside", "attribute 'mispelt' is not known.*2 nodes 'the_relu'",
         [node("If", "on", "y", then_branch=then, else_branch=then)],
         image + [value("on", [], BOOL)])


def windows():
    image, filters = [value("x", [1, 2, 8, 8])], [array("w", [[[[1] * 3] * 3] * 2] * 2)]
    says = r"kernel_shape \[{}\] contradicts the filter, whose sizes are \[3, 3\]: node 'the_{}'"
    for op in ("Conv", "ConvTranspose"):
        for sizes in ([5, 5], [3], [3, 3, 3], [3, -3]):
            text = ", ".join(map(str, sizes))
            case(f"{op}_{text}", says.format(text, op.lower()),
                 [node(op, "x w", "y", kernel_shape=sizes)], image, weights=filters)
        case(f"{op}_right", None, [node(op, "x w", "y", kernel_shape=[3, 3])], image,
             weights=filters)
    case("ConvInteger_5", says.format("5, 5", "convinteger"),
         [node("ConvInteger", "x w", "y", kernel_shape=[5, 5])],
         [value("x", [1, 2, 8, 8], TensorProto.UINT8)],
         weights=[array("w", [[[[1] * 3] * 3] * 2] * 2, "uint8")])


def axes():
    """The same axis twice, written differently or not, and axes that are none."""
    shape = (2, 1, 1, 3)
    for wrong in ([1, 1], [1, -3], [0, 4], [-5], [LEAST], [2 ** 63 - 1]):
        text = "axes " + re.escape(str(wrong)) + " must be different ones of the 4"
        n = len(wrong)
        weights = [array("a", wrong, "int64"), array("zero", [0] * n, "int64"),
                   array("one", [1] * n, "int64"), array("none", [0] * 2 * n, "int64"),
                   array("scales", [1] * n), array("grown", [1] * n, "int64")]
        def try_one(op, inputs, **more):
            opset = more.pop("opset", 18)
            says = text
            if op == "Unsqueeze": # axes of the result
                says = None if wrong in ([1, -3], [0, 4], [-5]) else text.replace("the 4", f"the {4 + n}")
            if op == "Slice" and opset >= 10: # the host slices as well
                says = "node 'the_slice'.*axis .*(is there twice|but there are 4 axes)"
            if says == text:
                says += f".*node 'the_{op.lower()}'"
            case(f"{op}_{opset}_{wrong}", says,
                 [node(op, inputs, "y", **more)], [value("x", shape)], weights=weights,
                 opset=opset)
        try_one("Slice", "x zero one a")
        try_one("Slice", "x", starts=[0] * n, ends=[1] * n, axes=wrong, opset=9)
        try_one("Squeeze", "x a")
        try_one("Squeeze", "x", axes=wrong, opset=11)
        try_one("Unsqueeze", "x a")
        try_one("Unsqueeze", "x", axes=wrong, opset=11)
        try_one("Pad", "x none - a")
        try_one("Resize", "x - scales", axes=wrong)
        try_one("CenterCropPad", "x grown", axes=wrong)
        try_one("MeanVarianceNormalization", "x", axes=wrong)
        for reduction in ("Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSum",
                          "LogSumExp"):
            try_one(f"Reduce{reduction}", "x a")
            try_one(f"Reduce{reduction}", "x", axes=wrong, opset=11)
    case("Slice_lengths", "there are 2 starts, 1 ends",
         [node("Slice", "x b e", "y")], [value("x", shape)],
         weights=[array("b", [0, 0], "int64"), array("e", [1], "int64")])
    case("Pad_lengths", r"pads \[0, 0, 0\] must be 8 numbers", [node("Pad", "x p", "y")],
         [value("x", shape)], weights=[array("p", [0, 0, 0], "int64")])


def single_axes():
    """Operators that take one axis, as an attribute or as an input."""
    for at in (LEAST, -5, 4, 2 ** 63 - 1):
        def try_one(op, inputs, kind=F32, outputs="y", opset=18, **more):
            case(f"{op}_{at}", f"node 'the_{op.lower()}'",
                 [node(op, inputs, outputs, **more)],
                 [value("x", [2, 1, 1, 3]), value("i", [2, 1, 1, 3], I64)],
                 weights=[array("at", at, "int64"), array("one", [1], "int64"),
                          array("s", [0.5, 0.5]), array("zero", [0, 0], "int8")], opset=opset)
        for op in ("Softmax", "LogSoftmax", "Hardmax", "ArgMax", "ArgMin", "LpNormalization"):
            try_one(op, "x", axis=at)
        try_one("Concat", "x x", axis=at)
        try_one("Split", "x", axis=at, outputs="y z", num_outputs=2)
        try_one("Gather", "x i", axis=at)
        try_one("GatherElements", "x i", axis=at)
        try_one("ScatterElements", "x i x", axis=at)
        try_one("TopK", "x one", axis=at, outputs="y z")
        try_one("CumSum", "x at")
        try_one("QuantizeLinear", "x s zero", axis=at)
        try_one("LayerNormalization", "x s", axis=at)
        try_one("Unique", "x", axis=at)
        if at != 4:
            try_one("Flatten", "x", axis=at)


def recurrent():
    for op, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
        for size in (-4, 0, 5, LEAST):
            case(f"{op}_{size}", f"hidden_size {size} contradicts R, which has 4 columns: "
                 f"node 'the_{op.lower()}'", [node(op, "x w r", "y", hidden_size=size)],
                 [value("x", [2, 1, 3])],
                 weights=[array("w", [[[0] * 3] * 4 * gates]), array("r", [[[0] * 4] * 4 * gates])])


def declarations():
    # The graph decides shapes.
    relu("output_rank", None, output=value("y", [2, 3, 1]))
    relu("output_size", None, output=value("y", [2, 4]))
    relu("output_kind", r"output 'y' is f32\[2,3\], but the model declares i64\[2,3\]",
         output=value("y", [2, 3], I64))
    relu("output_any", None, output=value("y", ["N", None]))
    # Of another size of the input it would be true.
    relu("output_of_other_sizes", None, ["N", 3], output=value("y", [7, 3]))
    relu("output_kind_of_any_size", r"but the model declares i64\[\?,3\]", ["N", 3],
         output=value("y", ["N", 3], I64))
    for name, shape, kind, right in (("rank", [3], F32, False), ("size", [2, 4], F32, False),
                                     ("kind", [2, 3], I64, False), ("same", ["N", 3], F32, True)):
        case(f"weight_{name}", None if right else "initializer 'w' is f32.2,3., but the model "
             "declares the input", [node("Add", "x w", "y")],
             [value("x", [2, 3]), value("w", shape, kind)],
             weights=[array("w", [[1] * 3] * 2)])


def main():
    folder, = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for cases in (versions, words, attributes, windows, axes, single_axes, recurrent, declarations):
        cases()
    wrong = 0
    for i, (name, (made, says)) in enumerate(CASES.items()):
        path = os.path.join(folder, f"{i}.onnx")
        with open(path, "wb") as file:
            file.write(made.SerializeToString())
        run = subprocess.run(
            ["glow", "run", path, "--random", "--backend=interpreter",
             *(["--shape", "N=2"] if name in ("output_of_other_sizes", "output_kind_of_any_size") else [])],
            capture_output=True, text=True)
        told = [line for line in run.stderr.splitlines() if "error: " in line]
        right = (run.returncode == 0 and not told if says is None else
                 run.returncode == 1 and len(told) == 1 and
                 re.search(says, run.stderr.replace("\n", " ")))
        if not right:
            wrong += 1
            print(f"{name}: status {run.returncode}: {run.stderr.strip()[:300]}")
    print(f"{len(CASES)} cases, {wrong} wrong")


main()
