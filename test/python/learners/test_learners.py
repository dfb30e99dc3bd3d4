# SPDX-License-Identifier: MIT
"""Estimators of scikit-learn, LightGBM and XGBoost: Glow gives what they give."""

import lightgbm
import numpy
import onnxmltools
import pytest
import xgboost
from onnxmltools.convert.common.data_types import FloatTensorType
from skl2onnx import to_onnx
from sklearn.base import is_classifier
from sklearn.datasets import load_diabetes, load_iris
from sklearn.svm import LinearSVC

import estimators
import glow

OPSETS = {"": 18, "ai.onnx.ml": 3}


def rows():
    """Measured flowers, more than once in an order that mixes their classes."""
    x, y = load_iris(return_X_y=True)
    order = numpy.random.default_rng(0).permutation(len(x))
    return x[order].astype("f"), y[order]


def numbers():
    x, y = load_diabetes(return_X_y=True)
    return (x[:200, :5] * 10).astype("f"), y[:200] / 50


def converted(estimator, x):
    """The model, with scores as a tensor where it has a choice."""
    every = [{}]
    if is_classifier(estimator):
        every = [{"zipmap": False}]
        if not hasattr(estimator, "predict_proba"):
            every.insert(0, {"zipmap": False, "raw_scores": True})
        if isinstance(estimator, LinearSVC):
            every = [{"raw_scores": True}]  # it has no zipmap
    for options in every:
        try:
            return to_onnx(estimator, x[:1], target_opset=OPSETS,
                           options={id(estimator): options}
                           if options else None).SerializeToString()
        except NameError as reason:  # there is no such option
            last = reason
    raise last


def run(model, x, parts=(None, 1, 7)):
    """The outputs for all rows, which are those for each part of them."""
    opened = glow.load(model, threads=1)
    (taken,) = opened.inputs
    found = opened.run({taken.name: x})
    for size in parts[1:]:
        part = opened.run({taken.name: x[:size]})
        for name, value in part.items():
            numpy.testing.assert_allclose(value, found[name][:size], rtol=1e-3,
                                          atol=1e-5)
    return list(found.values())


def check_classifier(estimator, model, x):
    label, scores = run(model, x)
    if hasattr(estimator, "predict_proba"):
        wanted = estimator.predict_proba(x)
    else:
        wanted = estimator.decision_function(x)
    numpy.testing.assert_allclose(scores.reshape(wanted.shape), wanted,
                                  rtol=1e-3, atol=2e-5)
    assert (label == estimator.predict(x)).all()


@pytest.mark.parametrize("name", estimators.CLASSIFIERS)
def test_classifier(name):
    x, y = rows()
    estimator = estimators.CLASSIFIERS[name]().fit(x, y)
    check_classifier(estimator, converted(estimator, x), x)


@pytest.mark.parametrize("name", estimators.REGRESSORS)
def test_regressor(name):
    x, y = numbers()
    estimator = estimators.REGRESSORS[name]().fit(x, y)
    (found,) = run(converted(estimator, x), x)
    numpy.testing.assert_allclose(found.reshape(-1), estimator.predict(x).reshape(-1),
                                  rtol=2e-3, atol=2e-4)


@pytest.mark.parametrize("name", estimators.TRANSFORMERS)
def test_transformer(name):
    x, y = rows()
    estimator = estimators.TRANSFORMERS[name]().fit(x, y)
    found, wanted = run(converted(estimator, x), x), estimator.transform(x)
    found = next(one for one in found if one.shape == wanted.shape)
    numpy.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-4)


def test_isolation_forest():
    x, _ = rows()
    estimator = estimators.anomalies().fit(x)
    label, scores = run(converted(estimator, x), x)
    numpy.testing.assert_allclose(scores.reshape(-1), estimator.decision_function(x),
                                  rtol=1e-3, atol=1e-4)
    assert (label.reshape(-1) == estimator.predict(x)).all()


def test_several_outputs():
    x, y = numbers()
    estimator = estimators.chained().fit(x, numpy.stack([y, -y], 1))
    (found,) = run(converted(estimator, x), x)
    numpy.testing.assert_allclose(found, estimator.predict(x), rtol=1e-3, atol=1e-4)


def test_missing_values():
    x, y = rows()
    x = numpy.where(numpy.random.default_rng(1).random(x.shape) < 0.1, numpy.nan,
                    x).astype("f")
    estimator = estimators.TRANSFORMERS["SimpleImputer"]().fit(x, y)
    (found,) = run(converted(estimator, x), x)
    numpy.testing.assert_allclose(found, estimator.transform(x), rtol=1e-5)
    trees = lightgbm.LGBMClassifier(n_estimators=5, verbose=-1).fit(x, y)
    check_classifier(trees, of_trees(
        onnxmltools.convert_lightgbm, trees, 4, zipmap=False), x)


def of_trees(convert, estimator, columns, **options):
    return convert(estimator, initial_types=[
        ("x", FloatTensorType([None, columns]))], target_opset=15,
        **options).SerializeToString()


def test_words_and_labels_that_are_words():
    from skl2onnx.common.data_types import StringTensorType
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    words = numpy.array([["a", "x"], ["b", "y"], ["c", "x"], ["a", "y"]] * 9,
                        dtype=object)
    kinds = numpy.array(["no", "yes", "no", "yes"] * 9, dtype=object)
    estimator = make_pipeline(OneHotEncoder(handle_unknown="ignore"),
                              LogisticRegression()).fit(words, kinds)
    model = to_onnx(estimator, initial_types=[("w", StringTensorType([None, 2]))],
                    options={id(estimator): {"zipmap": True}}, target_opset=OPSETS)
    session = glow.InferenceSession(model.SerializeToString())
    unseen = numpy.array([["z", "x"], ["b", "x"]], dtype=object)
    for x in (words, unseen):
        label, maps = session.run(None, {"w": x})
        assert (label == estimator.predict(x)).all()
        wanted = estimator.predict_proba(x)
        for one, chances in zip(maps, wanted):
            numpy.testing.assert_allclose([one["no"], one["yes"]], chances,
                                          rtol=1e-3)
    assert session.get_outputs()[1].type == "seq(map(string,tensor(float)))"


LIGHTGBM = {
    "classes": lambda: lightgbm.LGBMClassifier(n_estimators=8, verbose=-1),
    "dart": lambda: lightgbm.LGBMClassifier(n_estimators=8, boosting_type="dart",
                                            verbose=-1),
    "numbers": lambda: lightgbm.LGBMRegressor(n_estimators=8, verbose=-1),
    "poisson": lambda: lightgbm.LGBMRegressor(n_estimators=8, verbose=-1,
                                              objective="poisson"),
}

XGBOOST = {
    "classes": lambda: xgboost.XGBClassifier(n_estimators=8),
    "numbers": lambda: xgboost.XGBRegressor(n_estimators=8),
    "random_numbers": lambda: xgboost.XGBRFRegressor(n_estimators=8),
    "logistic": lambda: xgboost.XGBRegressor(n_estimators=8,
                                             objective="reg:squarederror",
                                             max_depth=3),
}


@pytest.mark.parametrize("library,name", [
    *(("lightgbm", name) for name in LIGHTGBM),
    *(("xgboost", name) for name in XGBOOST)])
def test_boosted_trees(library, name):
    makers, convert = ((LIGHTGBM, onnxmltools.convert_lightgbm)
                       if library == "lightgbm" else
                       (XGBOOST, onnxmltools.convert_xgboost))
    estimator = makers[name]()
    x, y = rows() if is_classifier(estimator) else numbers()
    estimator.fit(x, y)
    options = {"zipmap": False} if (library == "lightgbm"
                                    and is_classifier(estimator)) else {}
    model = of_trees(convert, estimator, x.shape[1], **options)
    if is_classifier(estimator):
        check_classifier(estimator, model, x)
    else:
        (found,) = run(model, x)
        numpy.testing.assert_allclose(found.reshape(-1), estimator.predict(x),
                                      rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("library", ["lightgbm", "xgboost"])
def test_two_classes(library):
    x, y = rows()
    estimator = (LIGHTGBM if library == "lightgbm" else XGBOOST)["classes"]()
    estimator.fit(x, (y == 1).astype(int))
    convert = getattr(onnxmltools, f"convert_{library}")
    options = {"zipmap": False} if library == "lightgbm" else {}
    label, scores = run(of_trees(convert, estimator, 4, **options), x)
    numpy.testing.assert_allclose(scores, estimator.predict_proba(x), rtol=1e-3,
                                  atol=1e-5)
    assert (label == estimator.predict(x)).all()


def test_there_are_sixty():
    assert sum(map(len, (estimators.CLASSIFIERS, estimators.REGRESSORS,
                         estimators.TRANSFORMERS))) >= 60
