#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes models of graphs inside of nodes: bodies.py CASES WRONG.

CASES have a right answer; what is in WRONG is refused.
"""

import os
import sys

import numpy
from onnx import SequenceProto, TensorProto, helper, numpy_helper
from make import BOOL, F32, I64, TEXT, array, graph, node, numbers, save, value

KINDS = {"f": F32, "l": I64, "?": BOOL, "O": TEXT}
ON = numpy.array(True)


def model(nodes, inputs, outputs, weights=(), opset=17):
    """Outputs are arrays, or names whose kind is f32."""
    def port(name, content):
        return value(name, content.shape, KINDS[content.dtype.char])
    ports = [port(*pair) for pair in inputs.items()]
    results = [value(name, None, KINDS[content.dtype.char]) for name, content in outputs.items()]
    return helper.make_model(graph(nodes, ports, results, weights), opset_imports=[helper.make_opsetid("", opset)])


def count(number):
    return array("count", number, numpy.int64)


#===----------------------------------------------------------------------===#
# Right
#===----------------------------------------------------------------------===#


def none(shape, outer=(2, 3), trips=0):
    """A loop that gathers twice x in each iteration; the body declares its results as `shape`."""
    body = graph([node("Identity", "go", "going", "body_go"), node("Mul", "x two", "all", "body_mul"),
                  node("Identity", "s", "t", "body_state")],
                 [value("i", [], I64), value("go", [], BOOL), value("s", None)],
                 [value("going", [], BOOL), value("t", None), value("all", shape)])
    x = numbers(*outer)
    y = numpy.stack([2 * x] * trips) if trips else numpy.zeros((0, *outer), numpy.float32)
    return model([node("Loop", "count - x", "last y", body=body)], {"x": x}, {"last": x, "y": y},
                 [count(trips), array("two", 2)]), {"x": x}, {"last": x, "y": y}


def scan(outputs, length, **attributes):
    """Sums and doubles of the slices along the second axis."""
    body = graph([node("Add", "s c", "t", "body_add"), node("Mul", "c two", "d", "body_mul")],
                 [value("s", None), value("c", None)], [value("t", None), value("d", None)])
    x, start = numbers(2, length, 3), numpy.zeros((2, 3), numpy.float32)
    given = {"start": start, "x": x}
    return model([node("Scan", "start x", "last all", body=body, num_scan_inputs=1, scan_input_axes=[1], **attributes)],
                 given, outputs(x), [array("two", 2)]), given, outputs(x)


def forwards(x):
    return {"last": x.sum(1), "all": numpy.ascontiguousarray((2 * x).transpose(1, 0, 2))}


def backwards(x):
    return {"last": x.sum(1), "all": numpy.ascontiguousarray(2 * x[:, ::-1])}


def nested(depth, op):
    """A body in a body in a body, each of which adds 1 to x, then the next."""
    inner = graph([node("Add", "v one", "w0", "innermost")], [], [value("w0", [2])])
    if op == "If":
        other = graph([node("Neg", "v", "never", "else_neg")], [], [value("never", [2])])
        for level in range(depth):
            inner = graph([node("If", "on", f"w{level + 1}", f"if_{level}", then_branch=inner, else_branch=other)],
                          [], [value(f"w{level + 1}", [2])])
        nodes, added = [node("Identity", "x", "v"), *inner.node, node("Identity", f"w{depth}", "y", "last")], 1
    else:
        inner = graph([node("Identity", "on", "going", "go"), node("Add", "v0 one", "w", "innermost")],
                      [value("i0", [], I64), value("c0", [], BOOL), value("v0", [2])],
                      [value("going", [], BOOL), value("w", [2])])
        for level in range(1, depth):
            inner = graph([node("Loop", f"once - v{level}", f"w{level}", f"loop_{level}", body=inner),
                           node("Identity", "on", f"going{level}", f"go_{level}")],
                          [value(f"i{level}", [], I64), value(f"c{level}", [], BOOL), value(f"v{level}", [2])],
                          [value(f"going{level}", [], BOOL), value(f"w{level}", [2])])
        nodes, added = [node("Loop", "once - x", "y", body=inner)], 1
    x = numbers(2)
    return model(nodes, {"x": x, "on": ON}, {"y": x}, [array("one", 1), array("once", 1, numpy.int64)]), {
        "x": x, "on": ON}, {"y": x + numpy.float32(added)}


def cases():
    yield "none_declared", *none([2, 3])
    yield "none_in_part", *none(["n", 3])
    yield "none_unsaid", *none(None)
    yield "three", *none(None, trips=3)
    yield "scan", *scan(forwards, 4)
    yield "scan_back", *scan(backwards, 4, scan_input_directions=[1], scan_output_axes=[1])
    yield "scan_none", *scan(forwards, 0)
    for depth in (30, 100):
        for op in ("If", "Loop"):
            yield f"nested_{op}_{depth}", *nested(depth, op)
    yield "optional", *optional()
    yield "typed_sequences", *typed_sequences()
    yield "texts", *strings()
    yield "texts_of_the_file", *strings_of_file()


def typed_sequences():
    """Sequences that are empty, or become so, of the kind that is put into them."""
    x = numbers(2)
    n = numpy.arange(2)
    nodes = [node("SequenceEmpty", "", "e", dtype=I64), node("SequenceInsert", "e n", "f"), node("SequenceErase", "f", "g"),
             node("SequenceInsert", "g n", "h"), node("SequenceAt", "h zero", "m"),
             node("SequenceEmpty", "", "a", "plain"), node("SequenceInsert", "a x", "b", "put"), node("SequenceAt", "b zero", "y", "take")]
    return model(nodes, {"x": x, "n": n}, {"y": x, "m": n}, [array("zero", 0, numpy.int64)]), {"x": x, "n": n}, {"y": x, "m": n}


def optional():
    """An optional that has a value is that value, whichever of the two a branch declares."""
    tensor = helper.make_tensor_type_proto(F32, [2])
    kinds = {"t": tensor, "e": helper.make_optional_type_proto(tensor)}
    then, other = (graph([node("Identity", "x", name, name + "_copy")], [], [helper.make_value_info(name, kind)])
                   for name, kind in kinds.items())
    given = {"x": numbers(2), "on": ON}
    return model([node("If", "on", "y", then_branch=then, else_branch=other)], given, {"y": given["x"]}), given, {
        "y": given["x"]}


def strings():
    """Constants of strings, alone and as a list, among nodes that are programs elsewhere."""
    x = numpy.array(["a", "b"], object)
    nodes = [node("Constant", "", "one", value_string="b"), node("Constant", "", "two", value_strings=["b", "b"]),
             node("Equal", "x one", "same"), node("Equal", "x two", "also"), node("And", "same also", "y")]
    return model(nodes, {"x": x}, {"y": ON, "one": x}, opset=19), {"x": x}, {
        "y": numpy.array([False, True]), "one": numpy.array("b", object)}


def strings_of_file():
    """No input is a string; all come from the file."""
    x = numbers(2)
    words = helper.make_tensor("words", TEXT, [2], [b"1.5", b"-2"])
    nodes = [node("Cast", "words", "n", to=F32), node("Add", "x n", "y"), node("Identity", "words", "copy"),
             node("Equal", "words copy", "same"), node("Cast", "whole", "text", "to_text", to=TEXT)]
    return model(nodes, {"x": x}, {"y": x, "copy": numpy.array([""], object), "same": ON, "text": numpy.array([""], object)},
                 [words, array("whole", [7, 8], numpy.int64)], opset=19), {"x": x}, {
        "y": x + numpy.array([1.5, -2], numpy.float32), "copy": numpy.array(["1.5", "-2"], object),
        "same": numpy.array([True, True]), "text": numpy.array(["7", "8"], object)}


#===----------------------------------------------------------------------===#
# Refused
#===----------------------------------------------------------------------===#


def branch(*kinds, name="t"):
    outputs = [value(f"{name}{i}", [2], kind) for i, kind in enumerate(kinds)]
    nodes = [node("Cast", "x", f"{name}{i}", f"cast_{name}{i}", to=kind) for i, kind in enumerate(kinds)]
    return graph(nodes, [], outputs)


def unsaid(dtype, name):
    """A branch whose output is of a kind that only the graph inside tells."""
    made, output = f"{name}0", [helper.make_empty_tensor_value_info(f"{name}0")]
    kind = KINDS[numpy.dtype(dtype).char]
    if name == "weight":
        return graph([], [], output, [array(made, [1, 2], dtype)])
    if name == "literal":
        return graph([node("Constant", "", made, "make_" + name, value=array("", [1, 2], dtype))], [], output)
    cast = node("Cast", "x", "told" if name == "copy" else made, "make_" + name, to=kind)
    inner = graph([cast] if name == "declared" else [cast, node("Identity", "told", made, "copy_" + name)], [], output)
    inner.value_info.append(value(cast.output[0], [2], kind))
    return inner


def choice(then, other, known=False):
    attributes = {key: body for key, body in (("then_branch", then), ("else_branch", other)) if body}
    x, on = numbers(2), [array("on", True, bool)] if known else []
    given = {"x": x} if known else {"x": x, "on": ON}
    return model([node("If", "on", "y", **attributes)], given, {"y": x}, on), given, None


def repeated(condition=BOOL, carried=F32, says=True, trips=3, start=F32):
    """A loop whose body gives a condition and a carried value of these kinds."""
    def port(name, kind):
        return value(name, [] if name == "going" else [2], kind) if says else helper.make_empty_tensor_value_info(name)
    body = graph([node("Cast", "go", "going", "body_go", to=condition), node("Cast", "s", "t", "body_state", to=carried)],
                 [value("i", [], I64), value("go", [], BOOL), port("s", start)],
                 [port("going", condition), port("t", carried)])
    x = numbers(2)
    return model([node("Loop", "count - x", "y", body=body)], {"x": x}, {"y": x}, [count(trips)]), {"x": x}, None


def condition_given(kind):
    body = graph([node("Identity", "go", "going", "body_go"), node("Neg", "s", "t", "body_state")],
                 [value("i", [], I64), value("go", [], BOOL), value("s", [2])],
                 [value("going", [], BOOL), value("t", [2])])
    given = {"x": numbers(2), "on": numpy.array(1, kind)}
    return model([node("Loop", "count on x", "y", body=body)], given, {"y": given["x"]}, [count(3)]), given, None


def endless(condition):
    """What it gathers fits nowhere; the condition is told by a name of the body."""
    body = graph([node("Identity", "go", "going", "body_go"), node("Constant", "", "truth", "body_truth", value=array("", True, bool)),
                  node("Neg", "x", "all", "body_neg")],
                 [value("i", [], I64), value("go", [], BOOL)],
                 [value(condition, [], BOOL), value("all", [2])])
    x = numbers(2)
    return model([node("Loop", "count on", "y", body=body)], {"x": x}, {"y": x},
                 [count(2 ** 62), array("on", True, bool)]), {"x": x}, None


def elements(op):
    given = {"x": numbers(2), "n": numpy.arange(2)}
    nodes = {"SequenceConstruct": [node(op, "x n", "q")],
             "SequenceInsert": [node("SequenceConstruct", "x", "p"), node(op, "p n", "q")],
             "SequenceEmpty": [node(op, "", "p"), node("SequenceInsert", "p n", "q")],
             "SequenceErase": [node("SequenceConstruct", "n", "o"), node(op, "o", "p"), node("SequenceInsert", "p x", "q")]}[op]
    return model(nodes + [node("SequenceLength", "q", "y")], given, {"y": given["n"]}), given, None


def of_file():
    """A file that holds a sequence of two kinds."""
    parts = [numpy_helper.from_array(part) for part in (numbers(2), numpy.arange(2))]
    held = SequenceProto(name="q", elem_type=SequenceProto.TENSOR, tensor_values=parts)
    made = graph([node("SequenceLength", "q", "y")], [helper.make_tensor_sequence_value_info("q", F32, None)],
                 [value("y", [], I64)])
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)]), {"q": held}, None


def wrong():
    f, l = branch(F32), branch(I64, name="e")
    yield "outputs", choice(f, branch(F32, F32, name="e"))
    yield "outputs_known", choice(f, branch(F32, F32, name="e"), known=True)
    yield "kinds", choice(f, l)
    yield "kinds_known", choice(f, l, known=True)
    for name in ("weight", "literal", "declared", "copy"):
        yield f"{name}_known", choice(f, unsaid(numpy.int64, name), known=True)
        yield f"{name}_unsaid", choice(unsaid(numpy.float32, name), unsaid(numpy.int64, "weight"))
    yield "lacks", choice(f, None)
    yield "lacks_known", choice(None, f, known=True)
    yield "condition", repeated(condition=F32)
    yield "condition_unsaid", repeated(condition=F32, says=False)
    yield "condition_given", condition_given(numpy.int64)
    yield "carried", repeated(carried=I64)
    yield "carried_unsaid", repeated(carried=I64, says=False)
    yield "directions", scan(forwards, 4, scan_input_directions=[2])
    yield "directions_out", scan(forwards, 4, scan_output_directions=[-1])
    yield "axes", scan(forwards, 4, scan_output_axes=[0, 0])
    yield "construct", elements("SequenceConstruct")
    yield "insert", elements("SequenceInsert")
    yield "empty", elements("SequenceEmpty")
    yield "emptied", elements("SequenceErase")
    yield "of_a_file", of_file()
    yield "endless", endless("going")
    yield "endless_constant", endless("truth")
    yield "too_deep", nested(140, "If")


def main(right, refused):
    for name, *parts in cases():
        save(os.path.join(right, name), *parts)
    for name, (made, inputs, _) in wrong():
        save(os.path.join(refused, name), made, inputs, {"y": numbers(2)})


if __name__ == "__main__":
    main(*sys.argv[1:])
