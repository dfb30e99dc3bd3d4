"""Models of TopK, and lines with equal elements, NaN, infinities and both zeros:
order.py FOLDER writes them, order.py FOLDER NAME judges the results of one."""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

# By name: kind, shape, axis, k, largest. Short and long lines, few and many of
# their elements, along the last and another axis.
CASES = {
    "few": ("f", [2, 5000], 1, 20, 1),
    "least": ("f", [2, 5000], 1, 20, 0),
    "many": ("f", [2, 5000], 1, 4000, 1),
    "all": ("f", [2, 1000], 1, 1000, 0),
    "short": ("f", [3, 100], 1, 60, 1),
    "one": ("f", [3, 999], 1, 1, 1),
    "vector": ("f", [3, 101], 1, 8, 1),
    "vector_least": ("f", [2, 5000], 1, 16, 0),
    "vector_four": ("f", [3, 70], 1, 4, 1),
    "vector_middle": ("f", [2, 700, 3], 1, 12, 1),
    "sampled": ("f", [2, 20000], 1, 100, 1),
    "sampled_least": ("f", [2, 20000], 1, 1200, 0),
    "sampled_few": ("f", [3, 4096], 1, 30, 1),
    "sampled_middle": ("f", [1, 5000, 2], 1, 300, 0),
    "sampled_wrong": ("f", [2, 20000], 1, 1000, 1),
    "middle": ("f", [2, 700, 3], 1, 500, 1),
    "middle_few": ("f", [2, 700, 3], 1, 9, 0),
    "integers": ("i", [2, 3000], 1, 7, 1),
    "integers_many": ("i", [2, 3000], 1, 2000, 0),
    "longs": ("q", [2, 3000], 1, 30, 0),
    "longs_many": ("q", [2, 3000], 1, 2999, 1),
    "doubles": ("d", [2, 3000], 1, 100, 1),
    "doubles_least": ("d", [2, 300, 2], 1, 300, 0),
    "bytes": ("b", [2, 3000], 1, 1500, 1),
    "unsigned": ("B", [2, 3000], 1, 1500, 0),
    "halves": ("e", [2, 3000], 1, 3000, 1),
}


def elements(kind, shape):
    random = np.random.RandomState(len(shape))
    values = random.randint(-90, 90, shape)
    if kind == "B":
        return (values + 90).astype(kind)
    if kind == "q":
        return values.astype(kind) << random.randint(0, 55, shape)
    if kind not in "fde":
        return values.astype(kind)
    values = (values / 7).astype(kind)
    special = random.randint(0, 40, shape)
    for place, value in enumerate([np.nan, np.inf, -np.inf, -0.0, 0.0]):
        values[special == place] = value
    return values


def expected(values, axis, k, largest):
    """By a stable sort, of keys in which NaN is the least."""
    keys = values.astype(np.longdouble)
    order = np.where(np.isnan(keys), -np.inf, -keys if largest else keys)
    # NaN stands before the infinities that it is replaced by.
    rank = np.lexsort((~np.isnan(keys), order), axis=axis)
    return np.take(rank, range(k), axis=axis)


if len(sys.argv) > 2:
    path = os.path.join(sys.argv[1], sys.argv[2])
    values, places = (np.load(os.path.join(path, name + ".npy"))
                      for name in ("values", "places"))
    _, _, axis, k, largest = CASES[sys.argv[2]]
    given = np.load(path + ".npy")
    right = expected(given, axis, k, largest)
    assert np.array_equal(places, right), (sys.argv[2], places, right)
    assert np.array_equal(values, np.take_along_axis(given, right, axis),
                          equal_nan=given.dtype.kind == "f"), sys.argv[2]
    sys.exit()

os.makedirs(sys.argv[1])
for name, (kind, shape, axis, k, largest) in CASES.items():
    values = elements(kind, shape)
    if name == "sampled_wrong":
        # Every 16th element is of no use as a sample.
        values[:, ::16] += 1000
    number = numpy_helper.from_array(values).data_type
    out = list(shape)
    out[axis] = k
    node = helper.make_node("TopK", ["x", "k"], ["values", "places"],
                            axis=axis, largest=largest)
    graph = helper.make_graph(
        [node], "g", [helper.make_tensor_value_info("x", number, shape)],
        [helper.make_tensor_value_info("values", number, out),
         helper.make_tensor_value_info("places", TensorProto.INT64, out)],
        [helper.make_tensor("k", TensorProto.INT64, [1], [k])])
    model = helper.make_model(graph,
                              opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    path = os.path.join(sys.argv[1], name)
    save(model, path + ".onnx")
    np.save(path + ".npy", values)
print(*CASES)
