# SPDX-License-Identifier: MIT
"""A model of which all texts are known."""

import onnx
import pytest
from onnx import TensorProto, helper


@pytest.fixture
def zipped(tmp_path):
    """Maps from the words no and yes to the two columns of x."""
    node = helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml",
                            classlabels_strings=["no", "yes"])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 2])
    y = onnx.ValueInfoProto(name="y")
    element = y.type.sequence_type.elem_type.map_type
    element.key_type = TensorProto.STRING
    element.value_type.tensor_type.elem_type = TensorProto.FLOAT
    model = helper.make_model(
        helper.make_graph([node], "g", [x], [y], doc_string="Of a graph."),
        opset_imports=[helper.make_opsetid("", 17),
                       helper.make_opsetid("ai.onnx.ml", 3)],
        producer_name="tests", domain="org.example", model_version=7,
        doc_string="A map.", ir_version=8)
    helper.set_model_props(model, {"author": "Ada", "licence": "MIT"})
    path = tmp_path / "zipped.onnx"
    onnx.save(model, path)
    return path
