"""Writes a model that draws numbers, and looks at what it drew: drawn.py
write MODEL, drawn.py look FOLDER FOLDER.
"""

import sys

import numpy
from onnx import TensorProto, helper

F32, BOOL, I32 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT32
SHAPE = (100, 50)


def write(path):
    node = helper.make_node
    nodes = [
        node("RandomUniform", [], ["uniform"], low=-1.0, high=3.0, seed=1.0, shape=SHAPE),
        node("RandomUniform", [], ["other"], low=-1.0, high=3.0, seed=2.0, shape=SHAPE),
        node("RandomUniform", [], ["named"], shape=SHAPE, name="a"),
        node("RandomUniform", [], ["renamed"], shape=SHAPE, name="b"),
        node("RandomNormal", [], ["normal"], mean=1.0, scale=2.0, seed=1.0, shape=SHAPE),
        node("RandomUniformLike", ["x"], ["like"], dtype=TensorProto.FLOAT16),
        node("RandomNormalLike", ["x"], ["normal_like"]),
        node("Bernoulli", ["p"], ["tossed"], dtype=BOOL),
        node("Multinomial", ["odds"], ["classes"], sample_size=1000),
        node("Dropout", ["x", "ratio", "training"], ["kept", "mask"], seed=3)]
    kinds = {"tossed": BOOL, "mask": BOOL, "classes": I32, "like": TensorProto.FLOAT16}
    outputs = [helper.make_tensor_value_info(name, kinds.get(name, F32), None)
               for each in nodes for name in each.output]
    weights = [helper.make_tensor("ratio", F32, [], [0.25]), helper.make_tensor("training", BOOL, [], [True]),
               helper.make_tensor("p", F32, SHAPE, numpy.full(SHAPE, 0.3).ravel()),
               helper.make_tensor("odds", F32, [2, 3], numpy.log([0.2, 0.3, 0.5, 0.6, 0.4, 1e-9]))]
    graph = helper.make_graph(nodes, "random", [helper.make_tensor_value_info("x", F32, SHAPE)], outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)])
    open(path, "wb").write(model.SerializeToString())


def near(value, wanted, tolerance):
    assert abs(value - wanted) < tolerance, (value, wanted)


def look(folder, again):
    x = {}
    for name in ("uniform", "other", "named", "renamed", "normal", "like", "normal_like", "tossed", "classes", "kept",
                 "mask"):
        x[name] = numpy.load(f"{folder}/{name}.npy")
        # The same on another backend, up to rounding; where they are compared, exactly.
        assert numpy.allclose(x[name], numpy.load(f"{again}/{name}.npy"), atol=1e-5), name
    assert x["uniform"].min() >= -1 and x["uniform"].max() <= 3
    near(x["uniform"].mean(), 1, 0.1)
    near(x["uniform"].var(), 16 / 12, 0.1)
    near(numpy.corrcoef(x["uniform"].ravel(), x["other"].ravel())[0, 1], 0, 0.05)
    near(numpy.corrcoef(x["named"].ravel(), x["renamed"].ravel())[0, 1], 0, 0.05)
    near(numpy.corrcoef(x["named"].ravel()[1:], x["named"].ravel()[:-1])[0, 1], 0, 0.05)
    near(x["normal"].mean(), 1, 0.12)
    near(x["normal"].std(), 2, 0.12)
    near((abs(x["normal"] - 1) < 2).mean(), 0.683, 0.03)
    near(x["normal_like"].std(), 1, 0.06)
    assert x["like"].dtype == numpy.float16
    near(x["tossed"].mean(), 0.3, 0.03)
    counts = numpy.stack([numpy.bincount(row, minlength=3) for row in x["classes"]]) / 1000
    assert numpy.allclose(counts, [[0.2, 0.3, 0.5], [0.6, 0.4, 0]], atol=0.06), counts
    near(x["mask"].mean(), 0.75, 0.03)
    assert numpy.array_equal(x["kept"] != 0, x["mask"])


if __name__ == "__main__":
    {"write": write, "look": look}[sys.argv[1]](*sys.argv[2:])
