# SPDX-License-Identifier: MIT
"""Models that Python builds node by node."""

import numpy
import onnx
import pytest

import glow

X = numpy.random.default_rng(1).standard_normal((4, 3)).astype("f")
W = numpy.random.default_rng(2).standard_normal((3, 2)).astype("f")


@pytest.fixture
def graph():
    return glow.Graph()


def test_runs_as_numpy(graph):
    x = graph.input("x", [4, 3])
    y = graph.matmul(x, graph.weight("w", W), name="layer")
    assert (y.shape, y.kind) == ((4, 2), "f32")
    assert repr(y) == "<glow.Value 3: f32[4, 2]>"
    graph.output("y", graph.relu(y))
    model = graph.model(threads=1)
    numpy.testing.assert_allclose(model(X), numpy.maximum(X @ W, 0), rtol=1e-5)
    assert [str(info) for info in model.inputs] == ["x f32[4,3]"]


def test_attributes_and_absent_operands(graph):
    image = graph.input("image", (1, 2, 8, 8))
    filters = graph.weight("filter", shape=[4, 2, 3, 3], initially="kaiming",
                           seed=3, fan_in=18)
    y = graph.conv(image, filters, strides=(1, 1), pads=numpy.ones(4, int),
                   dilations=[1, 1], group=1)
    y = graph.max_pool(y, window=[2, 2], strides=[2, 2], pads=[0] * 4,
                       dilations=[1, 1])
    assert y.shape == (1, 4, 4, 4)
    assert graph.and_(graph.less(y, y), graph.equal(y, y)).kind == "bool"
    assert graph.reduce_sum(y, axes=[1]).shape == (1, 4, 4)
    assert graph.reduce_sum(y, axes=[1], keepDims=True).shape == (1, 1, 4, 4)


def test_several_operands_and_results(graph):
    a, b = graph.input("a", [2, 3]), graph.input("b", [2, 5])
    whole = graph.concat([a, b], axis=1)
    assert whole.shape == (2, 8)
    values, places = graph.top_k(whole, axis=1, k=2)
    assert (values.shape, places.shape) == ((2, 2), (2, 2))


@pytest.mark.parametrize("kind", ["f64", numpy.float64, numpy.dtype("f8")])
def test_kinds(graph, kind):
    x = graph.input("x", [3], kind)
    assert x.kind == "f64"
    assert graph.cast(x, kind="i32").kind == "i32"
    assert graph.cast(x, kind=numpy.int8).kind == "i8"


def test_equal_seeds_give_equal_weights():
    def drawn(seed):
        graph = glow.Graph()
        x = graph.input("x", [3, 3])
        w = graph.weight("w", shape=[3, 3], initially="normal 0 1", seed=seed)
        graph.output("y", graph.matmul(x, w))
        return graph.model()(numpy.eye(3, dtype="f"))

    assert (drawn(1) == drawn(1)).all() and (drawn(1) != drawn(2)).any()


def test_the_file_is_of_onnx(graph, tmp_path):
    x = graph.input("x", [4, 3])
    graph.output("y", graph.softmax(graph.matmul(x, graph.weight("w", W)), axis=1))
    graph.save(tmp_path / "model.onnx")
    onnx.checker.check_model(str(tmp_path / "model.onnx"), full_check=True)
    assert (glow.load(tmp_path / "model.onnx")(X) == graph.model()(X)).all()


def test_nodes_by_name(graph):
    x = graph.input("x", [4, 3])
    (y,) = graph.node("transpose", {"in": x}, {"permutation": [1, 0]}, name="turned")
    assert y.shape == (3, 4)
    with pytest.raises(glow.NotFound, match="nothing"):
        graph.node("nothing", {"in": x})


def test_a_refused_node_changes_nothing(graph):
    x = graph.input("x", [4, 3])
    with pytest.raises(glow.InvalidArgument, match="'layer'.*'rhs' dimension 0 is 4, but k is 3"):
        graph.matmul(x, x, name="layer")
    graph.output("y", graph.relu(x))
    assert (graph.model()(X) == numpy.maximum(X, 0)).all()


def test_misuse(graph, tmp_path):
    x = graph.input("x", [4, 3])
    with pytest.raises(glow.InvalidArgument, match="'x'"):
        graph.input("x", [1])
    with pytest.raises(TypeError, match="is no value of a graph; `weight` makes"):
        graph.relu(X)
    with pytest.raises(glow.InvalidArgument, match="of another graph"):
        glow.Graph().relu(x)
    with pytest.raises(TypeError, match="axis"):
        graph.softmax(x)
    with pytest.raises(glow.InvalidArgument, match="takes an array, or a shape"):
        graph.weight("w")
    with pytest.raises(glow.InvalidArgument, match="takes an array, or a shape"):
        graph.weight("w", W, initially="zero")
    with pytest.raises(glow.InvalidArgument, match="complex64"):
        graph.weight("w", numpy.zeros(2, "complex64"))
    with pytest.raises(glow.InvalidArgument, match="'f31' is no kind"):
        graph.input("z", [1], "f31")
    with pytest.raises(glow.InvalidArgument, match="a size"):
        graph.input("z", [2**64])
    with pytest.raises(glow.InvalidArgument, match="drawn"):
        graph.weight("w", shape=[2], initially="drawn")
    with pytest.raises(glow.Error, match="output"):
        graph.model()
    with pytest.raises(TypeError, match="cannot copy or pickle"):
        __import__("copy").copy(graph)
