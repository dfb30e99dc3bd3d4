# SPDX-License-Identifier: MIT
"""caches.py FOLDER writes operators of attention whose past has an open size."""

import sys

import numpy
import onnx
from onnx import TensorProto, helper
from onnx.numpy_helper import from_array

FLOAT, INT, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
PACKED = {name: (FLOAT, ["N", "S", 32]) for name in "qkv"}
PAST = {name: (FLOAT, ["N", 2, "P", 16]) for name in ("past_key", "past_value")}
PRESENT = ["y", "present_key", "present_value"]


def save(name, nodes, inputs, outputs=PRESENT, constants={}, opset=24):
    """`nodes` are (operator, inputs, outputs, attributes); an input "_" is absent."""
    graph = helper.make_graph(
        [helper.make_node(operator, [name.strip("_") for name in takes.split()], gives.split(),
                          domain="com.microsoft" if "num_heads" in attributes else "",
                          **attributes)
         for operator, takes, gives, attributes in nodes], name,
        [helper.make_tensor_value_info(input, kind, shape)
         for input, (kind, shape) in inputs.items()],
        [helper.make_tensor_value_info(output, FLOAT, None) for output in outputs],
        [from_array(numpy.asarray(value), key) for key, value in constants.items()])
    onnx.save(helper.make_model(graph, ir_version=11, opset_imports=[
        helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]),
        f"{sys.argv[1]}/{name}.onnx")


CACHE = "past_key past_value"
save("multi", [("MultiHeadAttention", f"q k v _ _ _ {CACHE}", " ".join(PRESENT),
                {"num_heads": 2})], {**PACKED, **PAST})
save("causal", [("Cast", "keys", "mask", {"to": TensorProto.INT32}),
                ("MultiHeadAttention", f"q k v bias mask added {CACHE}", " ".join(PRESENT),
                 {"num_heads": 2, "unidirectional": 1})],
     {**PACKED, "keys": (INT, ["N", "T"]), "added": (FLOAT, [1, 2, "S", "T"]), **PAST},
     constants={"bias": numpy.linspace(-1, 1, 96, dtype=numpy.float32)})
save("onnx", [("Attention", f"q k v _ {CACHE}", " ".join(PRESENT),
               {"q_num_heads": 2, "kv_num_heads": 2, "is_causal": 1})], {**PACKED, **PAST})
save("masked", [("Cast", "keys", "mask", {"to": BOOL}),
                ("Attention", f"q k v mask {CACHE}", " ".join(PRESENT),
                 {"q_num_heads": 2, "kv_num_heads": 2, "softcap": 3.0})],
     {**PACKED, "keys": (INT, ["S", "T"]), **PAST})

# The whole length is that of the past and of the new rows.
save("grouped", [
    ("Shape", "past_key", "held", {"start": 2, "end": 3}),
    ("Shape", "k", "rows", {"start": 1, "end": 2}),
    ("Add", "held rows", "total", {}), ("Sub", "total one", "last", {}),
    ("Cast", "total", "total32", {"to": TensorProto.INT32}),
    ("Cast", "last", "last32", {"to": TensorProto.INT32}),
    ("GroupQueryAttention", f"q k v {CACHE} last32 total32", " ".join(PRESENT),
     {"num_heads": 4, "kv_num_heads": 2})],
    {"q": (FLOAT, [1, "S", 64]), "k": (FLOAT, [1, "S", 32]), "v": (FLOAT, [1, "S", 32]),
     **{name: (FLOAT, [1, 2, "P", 16]) for name in PAST}}, constants={"one": [1]})

# Rows in a cache of one size.
save("scattered", [
    ("TensorScatter", "past_key k at", "present_key", {}),
    ("TensorScatter", "past_value v at", "present_value", {"mode": "circular"}),
    ("Attention", "q present_key present_value _ _ _ count", "y", {"is_causal": 1})],
    {"q": (FLOAT, ["N", 4, "S", 16]), "k": (FLOAT, ["N", 2, "S", 16]),
     "v": (FLOAT, ["N", 2, "S", 16]), "past_key": (FLOAT, ["N", 2, 24, 16]),
     "past_value": (FLOAT, ["N", 2, 24, 16]), "at": (INT, ["N"]), "count": (INT, ["N"])})
