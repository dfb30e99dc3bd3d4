# SPDX-License-Identifier: MIT
"""Writes the models of the tests: models.py FOLDER."""

import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def write(path, nodes, inputs, outputs, constants=(), **facts):
    graph = helper.make_graph(nodes, path.stem, inputs, outputs, [
        numpy_helper.from_array(array, name) for name, array in constants],
        doc_string=facts.pop("graph_text", ""))
    properties = facts.pop("properties", {})
    model = helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)], **facts)
    helper.set_model_props(model, properties)
    model.ir_version = 8
    onnx.save(model, path)


def main(folder):
    scale = helper.make_node("Mul", ["x", "two"], ["y"])
    two = ("two", numpy.array([2], "f"))
    write(folder / "scale.onnx",
          [helper.make_node("Neg", ["x"], ["z"]), scale],
          [value("x", ["n", 3])], [value("y", ["n", 3]), value("z", ["n", 3])], [two],
          producer_name="tests", domain="org.tests", model_version=7, doc_string="twice",
          graph_text="two outputs", properties={"author": "a person", "empty": ""})
    write(folder / "override.onnx", [scale], [value("x", [2, 3]), value("two", [1])],
          [value("y", [2, 3])], [two])
    words = value("words", [3], TensorProto.STRING)
    write(folder / "words.onnx",
          [helper.make_node("Identity", ["words"], ["same"]),
           helper.make_node("LabelEncoder", ["words"], ["ids"], domain="ai.onnx.ml",
                            keys_strings=["a", "bc"], values_int64s=[10, 20], default_int64=-1)],
          [words], [value("same", [3], TensorProto.STRING), value("ids", [3], TensorProto.INT64)])
    floats = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    maps = helper.make_sequence_type_proto(
        helper.make_map_type_proto(TensorProto.STRING, floats)
        if hasattr(helper, "make_map_type_proto") else map_type(floats))
    write(folder / "maps.onnx",
          [helper.make_node("ZipMap", ["x"], ["m"], domain="ai.onnx.ml",
                            classlabels_strings=["no", "yes"])],
          [value("x", ["n", 2])], [helper.make_value_info("m", maps)])
    size, layers = 768, 30
    weights = numpy.eye(size, dtype="f")
    write(folder / "slow.onnx",
          [helper.make_node("MatMul", [f"v{i}" if i else "x", "w"],
                            [f"v{i + 1}" if i + 1 < layers else "y"]) for i in range(layers)],
          [value("x", [size, size])], [value("y", [size, size])], [("w", weights)])
    write(folder / "computed.onnx",
          [helper.make_node("NonZero", ["x"], ["places"])],
          [value("x", [4])], [value("places", [1, "count"], TensorProto.INT64)])
    (folder / "broken.onnx").write_bytes(b"no model\xff\xff")


def map_type(values):
    made = onnx.TypeProto()
    made.map_type.key_type = TensorProto.STRING
    made.map_type.value_type.CopyFrom(values)
    return made


main(pathlib.Path(sys.argv[1]))
