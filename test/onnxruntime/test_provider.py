# SPDX-License-Identifier: MIT
"""Sessions of ONNX Runtime whose nodes Glow runs."""

import gc
import subprocess
import sys
import threading

import numpy
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from conftest import LIBRARY, NAME, claimed, model_of, value


def test_whole_graph(digits, open_session):
    session = open_session(digits)
    assert session.get_providers()[0] == "GlowExecutionProvider"
    (part,) = claimed(session)
    assert part.count("Conv") == 2
    image = numpy.random.default_rng(0).random((1, 1, 28, 28), "f")
    (found,) = session.run(None, {"image": image})
    (wanted,) = onnxruntime.InferenceSession(str(digits)).run(
        None, {"image": image})
    numpy.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6)


def test_open_sizes(scale, open_session):
    session = open_session(scale)
    assert claimed(session) == [["Mul"]]
    for n in (3, 1, 0, 70, 3, *range(20)):
        x = numpy.random.default_rng(n).random((n, 3), "f")
        (y,) = session.run(None, {"x": x})
        assert y.shape == x.shape and (y == 2 * x).all()


def test_ranges(scale, open_session, capfd, tmp_path):
    """One program serves a range, other sizes have programs of their own."""
    session = open_session(scale, ranges="n=0..64", cache_dir=str(tmp_path))
    session.disable_fallback()
    assert claimed(session) == [["Mul"]]

    def programs():
        return len(list(tmp_path.rglob("*.program")))

    before = programs()
    for n, more in ((3, 0), (64, 0), (1, 0), (0, 0), (17, 0), (65, 1), (2, 1)):
        x = numpy.random.default_rng(n).random((n, 3), "f")
        (y,) = session.run(None, {"x": x})
        assert y.shape == x.shape and (y == 2 * x).all()
        assert programs() == before + more
    capfd.readouterr()
    assert claimed(open_session(scale, ranges="m=1..64")) == []
    assert "'m'" in capfd.readouterr().err


def test_sizes_that_the_model_does_not_take(open_session):
    """An odd n is an error of its run alone."""
    session = open_session(model_of(
        [helper.make_node("Reshape", ["x", "shape"], ["y"])], [value("x", ["n", 2])],
        [value("y", [None, 4])], [("shape", numpy.array([-1, 4]))]))
    assert claimed(session) == [["Reshape"]]
    session.disable_fallback()
    with pytest.raises(Exception, match="EP_FAIL.*(?s:.*)glow.reshape"):
        session.run(None, {"x": numpy.zeros((3, 2), "f")})
    assert session.run(None, {"x": numpy.zeros((6, 2), "f")})[0].shape == (3, 4)


def test_sizes_that_a_run_computes(open_session):
    session = open_session(model_of(
        [helper.make_node("NonZero", ["x"], ["y"])], [value("x", ["n", 2])],
        [value("y", [2, None], TensorProto.INT64)]))
    assert claimed(session) == [["NonZero"]]
    for n in (1, 5, 2):
        x = numpy.random.default_rng(n).integers(0, 2, (n, 2)).astype("f")
        (y,) = session.run(None, {"x": x})
        assert (y == numpy.array(numpy.nonzero(x))).all()


def test_branches(open_session):
    """A body reads values of the graph around it."""
    def body(operator):
        return helper.make_graph([helper.make_node(operator, ["x", "two"], ["r"])],
                                 operator, [], [value("r", [3])])

    model = model_of(
        [helper.make_node("If", ["c"], ["y"], then_branch=body("Add"),
                          else_branch=body("Mul"))],
        [value("c", [], TensorProto.BOOL), value("x", [3])], [value("y", [3])],
        [("two", numpy.array(2, "f"))])
    session = open_session(model)
    assert claimed(session) == [["If"]]
    x = numpy.arange(3, dtype="f")
    for flag in (True, False):
        (y,) = session.run(None, {"c": numpy.array(flag), "x": x})
        assert (y == (x + 2 if flag else x * 2)).all()


def test_initializer_that_is_an_input(open_session):
    model = model_of([helper.make_node("Add", ["x", "b"], ["y"])],
                     [value("x", [2]), value("b", [2])], [value("y", [2])],
                     [("b", numpy.array([1, 2], "f"))])
    session = open_session(model)
    assert claimed(session) == [["Add"]]
    x = numpy.array([5, 5], "f")
    assert session.run(None, {"x": x})[0].tolist() == [6, 7]
    assert session.run(None, {"x": x, "b": x})[0].tolist() == [10, 10]


def test_attributes_of_all_kinds(open_session):
    constant = numpy_helper.from_array(numpy.array([[1, -1]], "f"), "c")
    model = model_of(
        [helper.make_node("Constant", [], ["c"], value=constant),
         helper.make_node("Pad", ["x", "pads"], ["p"], mode="edge"),
         helper.make_node("LeakyRelu", ["p"], ["q"], alpha=0.5),
         helper.make_node("Mul", ["q", "c"], ["r"]),
         helper.make_node("Transpose", ["r"], ["y"], perm=[1, 0])],
        [value("x", [2, 1])], [value("y", [2, 4])],
        [("pads", numpy.array([1, 0, 1, 1]))])
    session = open_session(model)
    assert len(claimed(session)) == 1
    (y,) = session.run(None, {"x": numpy.array([[2], [-4]], "f")})
    assert y.tolist() == [[2, 2, -2, -2], [-2, -2, 2, 2]]


def test_unknown_operator_stays_with_the_runtime(open_session, capfd):
    """ONNX Runtime has operators of its own that Glow does not have."""
    model = model_of([helper.make_node("Hardmax", ["x"], ["h"]),
                      helper.make_node("RandomUniformLike", ["h"], ["r"]),
                      helper.make_node("CDist", ["h", "r"], ["y"],
                                       domain="com.microsoft", metric="euclidean")],
                     [value("x", [2, 3])], [value("y", [2, 2])])
    session = open_session(model)
    assert claimed(session) == []
    assert session.run(None, {"x": numpy.eye(2, 3, dtype="f")})[0].shape == (2, 2)
    assert "Glow takes 0 of 3 nodes, in 0 parts. It refuses:" in capfd.readouterr().err


def test_several_sessions_and_threads(digits, open_session):
    sessions = [open_session(digits), open_session(digits, backend="interpreter")]
    images = numpy.random.default_rng(1).random((8, 1, 1, 28, 28), "f")
    wanted = [sessions[0].run(None, {"image": image})[0] for image in images]
    wrong = []

    def run(number):
        for turn in range(20):
            k = (number + turn) % len(images)
            (found,) = sessions[turn % 4 == 3].run(None, {"image": images[k]})
            if not numpy.allclose(found, wanted[k], atol=1e-5):
                wrong.append((number, turn))

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_threads_that_open_sessions(digits, open_session):
    found = []
    image = numpy.zeros((1, 1, 28, 28), "f")

    def run():
        found.append(open_session(digits).run(None, {"image": image})[0])

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all((array == found[0]).all() for array in found)


UNREGISTERED = """
import sys, gc, numpy, onnxruntime
library, name, model = sys.argv[1:]
for turn in range(3):
    onnxruntime.register_execution_provider_library("glow", library)
    options = onnxruntime.SessionOptions()
    options.add_provider_for_devices(
        [device for device in onnxruntime.get_ep_devices() if device.ep_name == name], {})
    session = onnxruntime.InferenceSession(model, options)
    onnxruntime.unregister_execution_provider_library("glow")
    assert name not in [device.ep_name for device in onnxruntime.get_ep_devices()]
    print(session.run(None, {"image": numpy.zeros((1, 1, 28, 28), "f")})[0].shape)
    del session, options
    gc.collect()
"""


def test_session_outlives_the_registration(digits):
    done = subprocess.run([sys.executable, "-c", UNREGISTERED, LIBRARY, NAME, str(digits)],
                          text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, "(1, 10)\n" * 3), done.stderr


def test_one_reason_of_all_nodes(digits, open_session, capfd):
    """An option that only a compilation refuses leaves the graph with the runtime."""
    session = open_session(digits, devices="none.json")
    assert claimed(session) == []
    err = capfd.readouterr().err
    assert "' and 11 more: option 'devices' is given without partition" in err
    assert err.count("option 'devices'") == 1


def test_threads_with_open_sizes(scale, open_session):
    session = open_session(scale)
    wrong = []

    def run(number):
        for n in range(1, 12):
            x = numpy.full((n + number, 3), number, "f")
            if not (session.run(None, {"x": x})[0] == 2 * number).all():
                wrong.append((number, n))

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_values_outlive_their_session(scale, open_session):
    session = open_session(scale)
    binding = session.io_binding()
    binding.bind_cpu_input("x", numpy.ones((4, 3), "f"))
    binding.bind_output("y")
    session.run_with_iobinding(binding)
    (result,) = binding.get_outputs()
    del session, binding
    gc.collect()
    assert (result.numpy() == 2).all()


def test_bound_memory(scale, open_session):
    session = open_session(scale)
    x = numpy.ones((2, 3), "f")
    y = numpy.zeros((2, 3), "f")
    binding = session.io_binding()
    binding.bind_cpu_input("x", x)
    output = onnxruntime.OrtValue.ortvalue_from_numpy(y)
    binding.bind_ortvalue_output("y", output)
    session.run_with_iobinding(binding)
    assert (output.numpy() == 2).all()


def test_ended_run(scale, open_session):
    session = open_session(scale)
    options = onnxruntime.RunOptions()
    options.terminate = True
    with pytest.raises(Exception, match="terminate"):
        session.run(None, {"x": numpy.ones((2, 3), "f")}, options)
    options.terminate = False
    (y,) = session.run(None, {"x": numpy.ones((2, 3), "f")}, options)
    assert (y == 2).all()


@pytest.mark.parametrize("options, text", [
    ({"treads": "1"}, "no option is named 'treads'; there are: .*threads"),
    ({"threads": "some"}, "option 'threads' is 'some', it should be a number"),
    ({"backend": "abacus"}, "no backend is named 'abacus'"),
    ({"ranges": "n=1-4"}, "option 'ranges' is 'n=1-4', it should be as N=1..16,S=8..512:8"),
    ({"ranges": "n=1..4,"}, "option 'ranges' is 'n=1..4,', it should be as"),
    ({"ranges": "n=4..1"}, "dimension 'n' has the range 4 to 1 by 1"),
    ({"math": "exact"}, "option 'math' is 'exact', it should be strict, default or fast"),
])
def test_wrong_options(digits, open_session, options, text):
    with pytest.raises(onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument,
                       match="GlowExecutionProvider: " + text):
        open_session(digits, **options)


def test_wrong_inputs(digits, open_session):
    session = open_session(digits)
    for wrong in (numpy.zeros((1, 1, 28, 28), "d"),
                  numpy.zeros((1, 1, 27, 28), "f")):
        with pytest.raises(Exception, match="INVALID_ARGUMENT"):
            session.run(None, {"image": wrong})


def test_cache_of_programs(digits, open_session, tmp_path):
    """A file that is written again is another one."""
    def kept():
        return {path: path.stat().st_ino for path in tmp_path.rglob("*.program")}

    open_session(digits, cache_dir=str(tmp_path))
    first = kept()
    assert first
    session = open_session(digits, cache_dir=str(tmp_path))
    assert kept() == first
    image = numpy.zeros((1, 1, 28, 28), "f")
    assert abs(session.run(None, {"image": image})[0].sum() - 1) < 1e-5


def test_stage_that_fails(open_session, capfd):
    """A node behind sizes that only a run knows is tried before it is claimed."""
    model = model_of(
        [helper.make_node("NonZero", ["x"], ["n"]),
         helper.make_node("Cast", ["n"], ["c"], to=TensorProto.FLOAT),
         helper.make_node("CDist", ["c", "c"], ["y"], domain="com.microsoft",
                          metric="euclidean")],
        [value("x", ["n", 2])], [value("y", None)])
    session = open_session(model)
    assert claimed(session) == []
    assert "CDist" in capfd.readouterr().err
    assert session.run(None, {"x": numpy.ones((2, 2), "f")})[0].shape == (2, 2)


def test_unknown_rank(open_session, capfd):
    model = model_of([helper.make_node("Add", ["x", "x"], ["y"])],
                     [value("x", None)], [value("y", None)])
    session = open_session(model)
    assert claimed(session) == []
    assert "'x' is f32 of unknown rank, an input should have a rank" in capfd.readouterr().err
    assert (session.run(None, {"x": numpy.ones((2, 3), "f")})[0] == 2).all()


def chain(names, operator="Sigmoid"):
    """Nodes one behind the other, from the first value to the last."""
    return [helper.make_node(operator, [a], [b]) for a, b in zip(names, names[1:])]


def far(left, right, result):
    """A node that ONNX Runtime has and Glow does not."""
    return helper.make_node("CDist", [left, right], [result], domain="com.microsoft",
                            metric="euclidean")


def test_parts(open_session, capfd):
    """Parts before and behind a node that Glow refuses, one of which reads constants."""
    nodes = (chain("xabcd") + [far("d", "d", "e"), helper.make_node("Add", ["e", "b2"], ["f"])]
             + chain("fghi") + chain("dpqrs")
             + [helper.make_node("MatMul", ["i", "s"], ["y"])])
    model = model_of(nodes, [value("x", [3, 3])], [value("y", [3, 3])],
                     [("b2", numpy.arange(9, dtype="f").reshape(3, 3))],
                     between=[value("e", [3, 3])])
    session = open_session(model)
    parts = claimed(session)
    assert sorted(map(len, parts)) == [5, 8] and "CDist" not in sum(parts, [])
    err = capfd.readouterr().err
    assert "Glow takes 13 of 14 nodes, in 2 parts. It refuses:" in err and "CDist" in err
    x = numpy.random.default_rng(3).random((3, 3), "f")
    (wanted,) = onnxruntime.InferenceSession(model).run(None, {"x": x})
    numpy.testing.assert_allclose(session.run(None, {"x": x})[0], wanted, rtol=1e-5)


def test_parts_have_no_cycle(open_session):
    """A path leaves the first nodes and returns: the refused node is between."""
    nodes = (chain("xabcd") + [far("b", "b", "e")]
             + [helper.make_node("Add", ["d", "e"], ["f"])] + chain("fghy"))
    model = model_of(nodes, [value("x", ["n", "n"])], [value("y", ["n", "n"])],
                     between=[value("e", ["n", "n"])])
    session = open_session(model)
    assert sorted(map(len, claimed(session))) == [4, 4]
    for n in (1, 4, 2):
        x = numpy.random.default_rng(n).random((n, n), "f")
        (wanted,) = onnxruntime.InferenceSession(model).run(None, {"x": x})
        numpy.testing.assert_allclose(session.run(None, {"x": x})[0], wanted, rtol=1e-5)


def test_constants_are_in_the_part_of_their_reader(open_session):
    """Weights of bytes are no part of their own behind a node that Glow refuses."""
    weights = numpy.random.default_rng(5).integers(-127, 128, (2, 3, 3)).astype("int8")
    products = [node for i, (a, b) in enumerate(("em", "mn")) for node in (
        helper.make_node("DequantizeLinear", [f"w{i}", "scale"], [f"r{i}"]),
        helper.make_node("MatMul", [a, f"r{i}"], [b]))]
    model = model_of(chain("xabcd") + [far("d", "d", "e")] + products + chain("nopy"),
                     [value("x", [3, 3])], [value("y", [3, 3])],
                     [("w0", weights[0]), ("w1", weights[1]), ("scale", numpy.array(0.01, "f"))],
                     between=[value("e", [3, 3])])
    session = open_session(model)
    parts = sorted(claimed(session), key=len)
    assert list(map(len, parts)) == [4, 7] and parts[1].count("DequantizeLinear") == 2
    x = numpy.random.default_rng(3).random((3, 3), "f")
    (wanted,) = onnxruntime.InferenceSession(model).run(None, {"x": x})
    numpy.testing.assert_allclose(session.run(None, {"x": x})[0], wanted, rtol=1e-4)


def test_small_parts_stay_with_the_runtime(open_session):
    nodes = chain("xabc") + [far("c", "c", "d")] + chain("defy")
    session = open_session(model_of(nodes, [value("x", [2, 2])], [value("y", [2, 2])],
                                    between=[value("d", [2, 2])]))
    assert claimed(session) == []
