#!/usr/bin/env python3
"""Writes models of classifiers and trees whose tables are large to LARGE, and runs
those whose tables do not fit, in WRONG, printing what is said of each: tables.py LARGE
WRONG.
"""

import os
import subprocess
import sys

import numpy
from onnx import numpy_helper
from quantization import F, write

ML = "ai.onnx.ml."
STUMPS = 30000


def columns(count):
    """Trees of one branch each, at 0 of feature 0."""
    return {"nodes_treeids": numpy.repeat(numpy.arange(count), 3).tolist(), "nodes_nodeids": [0, 1, 2] * count,
            "nodes_featureids": [0] * (3 * count), "nodes_values": [0.0] * (3 * count),
            "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"] * count,
            "nodes_truenodeids": [1, 0, 0] * count, "nodes_falsenodeids": [2, 0, 0] * count}


def ends(word, count, weights):
    return {f"{word}_treeids": numpy.repeat(numpy.arange(count), 2).tolist(), f"{word}_nodeids": [1, 2] * count,
            f"{word}_ids": [0] * (2 * count), f"{word}_weights": weights.ravel().tolist()}


def large():
    """More nodes than 16 bits count."""
    x = numpy.array([[-1], [1]], F)
    weights = numpy.random.default_rng(2).integers(-4, 5, (STUMPS, 2)).astype(F)
    sums = weights.sum(0)[:, None]
    yield "regressor", ML + "TreeEnsembleRegressor", [x], [sums], {
        **columns(STUMPS), **ends("target", STUMPS, weights), "n_targets": 1}, 3
    weights = abs(weights) / F(8 * STUMPS)
    sums = weights.sum(0, dtype=numpy.float64)[:, None].astype(F)
    yield "classifier", ML + "TreeEnsembleClassifier", [x], [
        numpy.where(sums[:, 0] > 0.5, 7, 3), numpy.concatenate([1 - sums, sums], 1)], {
        **columns(STUMPS), **ends("class", STUMPS, weights), "classlabels_int64s": [3, 7]}, 3
    tensor = lambda values, kind=F: numpy_helper.from_array(numpy.array(values, kind))
    count, places = 70000, numpy.arange(70000)
    leaves = numpy.random.default_rng(3).integers(-4, 5, (count, 2)).astype(F)
    yield "ensemble", ML + "TreeEnsemble", [x], [leaves.sum(0)[:, None]], {
        "n_targets": 1, "tree_roots": places.tolist(), "nodes_featureids": [0] * count,
        "nodes_modes": tensor([0] * count, numpy.uint8), "nodes_splits": tensor([0] * count),
        "nodes_truenodeids": (2 * places).tolist(), "nodes_falsenodeids": (2 * places + 1).tolist(),
        "nodes_trueleafs": [1] * count, "nodes_falseleafs": [1] * count,
        "leaf_targetids": [0] * (2 * count), "leaf_weights": tensor(leaves.ravel())}, 5


def trees():
    name = ML + "TreeEnsembleRegressor"
    good = {**columns(1), **ends("target", 1, numpy.ones((1, 2))), "n_targets": 1}
    yield "itself", name, {**good, "nodes_truenodeids": [0, 0, 0]}
    # Down to 1, and up again.
    yield "above", name, {**good, "nodes_modes": ["BRANCH_LEQ", "BRANCH_LT", "LEAF"], "nodes_truenodeids": [1, 2, 0],
                          "nodes_falsenodeids": [2, 0, 0]}
    yield "nowhere", name, {**good, "nodes_falsenodeids": [9, 0, 0]}
    yield "feature", name, {**good, "nodes_featureids": [4, 0, 0]}
    yield "columns", name, {**good, "nodes_values": [0.0]}
    yield "weights", name, {**good, "target_ids": [0]}
    yield "targets", name, {**good, "target_ids": [0, 1]}
    yield "bases", name, {**good, "base_values": [1.0, 2.0]}
    name = ML + "TreeEnsembleClassifier"
    good = {**columns(1), **ends("class", 1, numpy.ones((1, 2))), "classlabels_int64s": [3, 7, 5]}
    yield "class_ids", name, {**good, "class_ids": [0, 3]}
    yield "class_bases", name, {**good, "base_values": [1.0]}
    name, tensor = ML + "TreeEnsemble", lambda values, kind=F: numpy_helper.from_array(numpy.array(values, kind))
    yield "ensemble", name, {
        "n_targets": 1, "tree_roots": [0], "nodes_featureids": [0, 0], "nodes_modes": tensor([0, 0], numpy.uint8),
        "nodes_splits": tensor([0, 0]), "nodes_truenodeids": [1, 0], "nodes_falsenodeids": [0, 0],
        "nodes_trueleafs": [0, 0], "nodes_falseleafs": [1, 1], "leaf_targetids": [0], "leaf_weights": tensor([1])}


def machines():
    linear = {"coefficients": [1.0] * 4, "intercepts": [0.0, 0.0], "classlabels_ints": [1, 2]}
    name = ML + "LinearClassifier"
    yield "linear_coefficients", name, {**linear, "coefficients": [1.0] * 3}
    yield "linear_labels", name, {**linear, "classlabels_ints": [1, 2, 3]}
    yield "linear_intercepts", name, {**linear, "intercepts": [0.0]}
    yield "regressor_intercepts", ML + "LinearRegressor", {"coefficients": [1.0] * 2, "intercepts": [0.0, 0.0], "targets": 1}
    yield "regressor_coefficients", ML + "LinearRegressor", {"coefficients": [1.0] * 3, "targets": 1}
    name = ML + "SVMRegressor"
    yield "support_coefficients", name, {"coefficients": [1.0], "n_supports": 2, "rho": [0.0], "support_vectors": [1.0] * 4}
    yield "support_vectors", name, {"coefficients": [1.0] * 2, "n_supports": 2, "rho": [0.0], "support_vectors": [1.0] * 3}
    machine = {"classlabels_ints": [1, 2], "coefficients": [1.0] * 2, "rho": [0.0], "support_vectors": [1.0] * 4,
               "vectors_per_class": [1, 1]}
    name = ML + "SVMClassifier"
    yield "votes", name, {**machine, "vectors_per_class": [1, 2]}
    yield "votes_coefficients", name, {**machine, "coefficients": [1.0]}
    yield "votes_chances", name, {**machine, "prob_a": [1.0], "prob_b": []}
    yield "votes_rho", name, {**machine, "rho": []}
    yield "vectorizer", ML + "FeatureVectorizer", {"inputdimensions": [2 ** 62]}


def main(right, wrong):
    for name, operator, inputs, outputs, attributes, opset in large():
        write(os.path.join(right, name), operator, inputs, outputs, attributes, opset)
    x = numpy.zeros((2, 2), F)
    for cases in (trees, machines):
        for name, operator, attributes in cases():
            attributes = {**{key: value for key, value in attributes.items() if value != []}, "name": "the_node"}
            folder = os.path.join(wrong, name)
            write(folder, operator, [x], [x], attributes, 5 if operator.endswith("Ensemble") else 3)
            done = subprocess.run(["glow", "run", folder + "/model.onnx", "--data-set", folder, "--backend=interpreter"],
                                  capture_output=True, text=True)
            print(f"{name}: {done.returncode}: {done.stderr}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
