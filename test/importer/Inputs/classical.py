#!/usr/bin/env python3
"""Writes cases of operators of ai.onnx.ml: classical.py FOLDER.

What they must give is computed here from ONNX's definitions, with numpy.
"""

import os
import statistics
import sys

import numpy
from onnx import numpy_helper
from quantization import F, write

random = numpy.random.RandomState(5)
L = numpy.int64
ML = "ai.onnx.ml."


def real(*shape):
    return random.uniform(-2, 2, shape).astype(F)


def listed(array):
    return [float(x) for x in numpy.ravel(array)]


def softmax(x):
    power = numpy.exp(x - x.max(1, keepdims=True))
    return power / power.sum(1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def features():
    x = real(3, 4)
    picked = numpy.array([2, 0], L)
    yield "extractor", ML + "ArrayFeatureExtractor", [x, picked], [x[:, picked]], {}
    yield "binarizer", ML + "Binarizer", [x], [(x > 0.25).astype(F)], {"threshold": 0.25}
    y = real(3, 2)
    yield "vectorizer", ML + "FeatureVectorizer", [x, y], [numpy.concatenate([x, y], 1)], {"inputdimensions": [4, 2]}
    flat = [real(4), real(2)]
    yield "vectorizer_flat", ML + "FeatureVectorizer", flat, [numpy.concatenate(flat)[None]], {"inputdimensions": [4, 2]}
    deep = [real(2, 3, 2), real(2, 1, 2)]
    yield "vectorizer_deep", ML + "FeatureVectorizer", deep, [numpy.concatenate([d.reshape(2, -1) for d in deep], 1)], {
        "inputdimensions": [6, 2]}
    offset, scale = real(4), real(4)
    yield "scaler", ML + "Scaler", [x], [(x - offset) * scale], {"offset": listed(offset), "scale": listed(scale)}
    yield "scaler_one", ML + "Scaler", [x.astype(L)], [(x.astype(L) - F(0.5)) * F(2)], {"offset": [0.5], "scale": [2.0]}
    norms = {"MAX": x.max(1), "L1": abs(x).sum(1), "L2": numpy.sqrt((x * x).sum(1))}
    for norm, size in norms.items():
        yield "normalizer_" + norm, ML + "Normalizer", [x], [x / size[:, None]], {"norm": norm}
    holes = numpy.where(random.rand(3, 4) < 0.4, numpy.nan, x).astype(F)
    means = real(4)
    yield "imputer", ML + "Imputer", [holes], [numpy.where(numpy.isnan(holes), means, holes)], {
        "imputed_value_floats": listed(means), "replaced_value_float": float("nan")}
    whole = random.randint(0, 3, (3, 4)).astype(L)
    yield "imputer_integers", ML + "Imputer", [whole], [numpy.where(whole == 1, 9, whole)], {
        "imputed_value_int64s": [9], "replaced_value_int64": 1}
    yield "one_hot", ML + "OneHotEncoder", [whole], [(whole[..., None] == [0, 2, 7]).astype(F)], {
        "cats_int64s": [0, 2, 7], "zeros": 1}


def quantile(p):
    """Of the normal distribution, by Winitzki's formula."""
    sides = 2 * p.astype(numpy.float64) - 1
    tails = numpy.log(1 - sides ** 2)
    middle = 2 / (numpy.pi * 0.147) + tails / 2
    result = numpy.sign(sides) * numpy.sqrt(2 * (numpy.sqrt(middle ** 2 - tails / 0.147) - middle))
    assert all(abs(r - statistics.NormalDist().inv_cdf(float(s))) < 0.01 for r, s in zip(result.ravel(), p.ravel())), result
    return result.astype(F)


def sums():
    x, w, b = real(5, 3), real(2, 3), real(2)
    yield "linear", ML + "LinearRegressor", [x], [x @ w.T + b], {
        "coefficients": listed(w), "intercepts": listed(b), "targets": 2}
    yield "linear_softmax", ML + "LinearRegressor", [x], [softmax(x @ w.T)], {
        "coefficients": listed(w), "targets": 2, "post_transform": "SOFTMAX"}
    shares = numpy.array([[0.001], [0.2], [0.5], [0.77], [0.999]], F)
    yield "linear_probit", ML + "LinearRegressor", [shares], [quantile(shares)], {"coefficients": [1.0], "post_transform": "PROBIT"}
    w, b = real(3, 3), real(3)
    scores, labels = x @ w.T + b, numpy.array([4, 7, 5], L)
    given = {"coefficients": listed(w), "intercepts": listed(b), "classlabels_ints": labels.tolist()}
    for post, after in (("NONE", scores), ("SOFTMAX", softmax(scores)), ("LOGISTIC", sigmoid(scores))):
        yield "classifier_" + post, ML + "LinearClassifier", [x], [labels[scores.argmax(1)], after], {
            **given, "post_transform": post}
    texts = numpy.array(["x", "", "größer"], object)
    named = {key: value for key, value in given.items() if key != "classlabels_ints"}
    yield "classifier_texts", ML + "LinearClassifier", [x], [texts[scores.argmax(1)], scores], {
        **named, "classlabels_strings": [text.encode() for text in texts]}
    w, labels = real(1, 3), numpy.array([4, 7], L)
    s = x @ w.T + F(0.1)
    p = numpy.array([[0.2], [0.75]], F)
    yield "classifier_two_PROBIT", ML + "LinearClassifier", [p], [labels[[1, 1]], quantile(numpy.concatenate([1 - p, p], 1))], {
        "coefficients": [1.0], "classlabels_ints": [4, 7], "post_transform": "PROBIT"}
    for post, after in (("NONE", numpy.concatenate([1 - s, s], 1)), ("LOGISTIC", sigmoid(numpy.concatenate([-s, s], 1)))):
        yield "classifier_two_" + post, ML + "LinearClassifier", [x], [labels[(s[:, 0] > 0).astype(int)], after], {
            "coefficients": listed(w), "intercepts": [0.1], "classlabels_ints": [4, 7], "post_transform": post}
    v = real(4, 3)
    a, rho = real(4), F(0.3)
    distance = ((x[:, None] - v[None]) ** 2).sum(2)
    kernels = {"LINEAR": x @ v.T, "RBF": numpy.exp(-0.5 * distance), "POLY": (0.5 * (x @ v.T) + 0.25) ** 3,
               "SIGMOID": numpy.tanh(0.5 * (x @ v.T) + 0.25)}
    for kernel, near in kernels.items():
        yield "svm_" + kernel, ML + "SVMRegressor", [x], [(near @ a + rho)[:, None]], {
            "kernel_type": kernel, "kernel_params": [0.5, 0.25, 3.0], "coefficients": listed(a), "rho": [float(rho)],
            "support_vectors": listed(v), "n_supports": 4}


MODES = {"BRANCH_LEQ": numpy.less_equal, "BRANCH_LT": numpy.less, "BRANCH_GTE": numpy.greater_equal,
         "BRANCH_GT": numpy.greater, "BRANCH_EQ": numpy.equal, "BRANCH_NEQ": numpy.not_equal}


def grow(trees, features, targets):
    """Columns of random trees of two levels, and what a row gives: [trees, targets]."""
    columns = {key: [] for key in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")}
    leaves = []
    for tree in range(trees):
        for node in range(7):
            inner = node < 3
            line = (tree, node, random.randint(features) if inner else 0,
                    float(numpy.round(random.uniform(-1, 1) * 4) / 4) if inner else 0.0,
                    list(MODES)[random.randint(6)] if inner else "LEAF",
                    2 * node + 1 if inner else 0, 2 * node + 2 if inner else 0)
            for column, value in zip(columns.values(), line):
                column.append(value)
            if not inner:
                for target in range(targets):
                    leaves.append((tree, node, target, float(F(random.uniform(-1, 1)))))

    def walk(row):
        result = numpy.zeros((trees, targets), F)
        for tree in range(trees):
            node = 0
            while node < 3:
                i = 7 * tree + node
                holds = MODES[columns["modes"][i]](row[columns["featureids"][i]], F(columns["values"][i]))
                node = columns["truenodeids" if holds else "falsenodeids"][i]
            for t, n, target, weight in leaves:
                if (t, n) == (tree, node):
                    result[tree, target] += F(weight)
        return result

    return {"nodes_" + key: column for key, column in columns.items()}, leaves, walk


def trees():
    x = (real(6, 3) * 2).round() / 4
    nodes, leaves, walk = grow(3, 3, 2)
    each = numpy.stack([walk(row) for row in x])
    column = lambda k: [leaf[k] for leaf in leaves]
    given = {**nodes, "n_targets": 2, "target_treeids": column(0), "target_nodeids": column(1),
             "target_ids": column(2), "target_weights": column(3)}
    name = ML + "TreeEnsembleRegressor"
    yield "trees", name, [x], [each.sum(1)], given
    yield "trees_mean", name, [x], [each.mean(1) + numpy.array([0.5, -1], F)], {
        **given, "aggregate_function": "AVERAGE", "base_values": [0.5, -1.0]}
    yield "trees_double", name, [x.astype(numpy.float64)], [each.sum(1)], given
    # Elements that f32 does not distinguish.
    tensor = lambda values, kind=numpy.float64: numpy_helper.from_array(numpy.array(values, kind))
    stump = {"nodes_treeids": [0] * 3, "nodes_nodeids": [0, 1, 2], "nodes_featureids": [0] * 3,
             "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0]}
    bounds, fine = tensor([0.1, 0, 0]), numpy.array([[0.1], [0.1 + 1e-12]])
    yield "trees_tensors", name, [fine], [numpy.array([[1.5], [2.5]], F)], {
        **stump, "n_targets": 1, "nodes_values_as_tensor": bounds, "nodes_hitrates_as_tensor": tensor([1] * 3),
        "target_treeids": [0, 0], "target_nodeids": [1, 2], "target_ids": [0, 0], "target_weights_as_tensor": tensor([1, 2]),
        "base_values_as_tensor": tensor([0.5])}
    yield "trees_classes_tensors", ML + "TreeEnsembleClassifier", [fine], [
        numpy.array([4, 6], L), numpy.array([[1.5, 0, 0], [0.5, 0, 2]], F)], {
        **stump, "classlabels_int64s": [4, 5, 6], "nodes_values_as_tensor": bounds, "class_treeids": [0, 0],
        "class_nodeids": [1, 2], "class_ids": [0, 2], "class_weights_as_tensor": tensor([1, 2]),
        "base_values_as_tensor": tensor([0.5, 0, 0])}
    # With bases for two classes, the base of the second class counts.
    yield "trees_two_bases", ML + "TreeEnsembleClassifier", [fine.astype(F) * 2], [
        numpy.array([4, 4], L), numpy.array([[0.5, -0.5]] * 2, F)], {
        **stump, "classlabels_int64s": [4, 5], "nodes_values": [0.1, 0.0, 0.0], "class_treeids": [0, 0],
        "class_nodeids": [1, 2], "class_ids": [1, 1], "class_weights": [-1.0, -1.0], "base_values": [7.0, 0.5]}
    nodes, leaves, walk = grow(3, 3, 1)
    each = numpy.stack([walk(row) for row in x])
    given = {**nodes, "n_targets": 1, "target_treeids": column(0), "target_nodeids": column(1),
             "target_ids": column(2), "target_weights": column(3)}
    yield "trees_most", name, [x], [each.max(1)], {**given, "aggregate_function": "MAX"}
    yield "trees_least", name, [x], [each.min(1)], {**given, "aggregate_function": "MIN"}

    name, labels = ML + "TreeEnsembleClassifier", numpy.array([3, 8], L)
    given = {**nodes, "class_treeids": column(0), "class_nodeids": column(1), "class_ids": column(2),
             "class_weights": column(3), "classlabels_int64s": labels.tolist()}
    s = each.sum(1)
    yield "trees_two", name, [x], [labels[(s[:, 0] > 0).astype(int)], numpy.concatenate([-s, s], 1)], given
    texts = numpy.array(["few", "many"], object)
    named = {key: value for key, value in given.items() if key != "classlabels_int64s"}
    yield "trees_texts", name, [x], [texts[(s[:, 0] > 0).astype(int)], numpy.concatenate([-s, s], 1)], {
        **named, "classlabels_strings": texts.tolist()}
    yield "trees_two_logistic", name, [x], [
        labels[(s[:, 0] > 0).astype(int)], sigmoid(numpy.concatenate([-s, s], 1))], {**given, "post_transform": "LOGISTIC"}
    shares = [abs(w) / 3 for w in column(3)]
    given["class_weights"] = shares
    weights = dict(zip(map(tuple, zip(column(0), column(1))), shares))
    signs = dict(zip(map(tuple, zip(column(0), column(1))), column(3)))
    back = {F(v): k for k, v in signs.items()}
    s = numpy.array([[sum(F(weights[back[w]]) for w in row[:, 0])] for row in each], F)
    yield "trees_shares", name, [x], [labels[(s[:, 0] > 0.5).astype(int)], numpy.concatenate([1 - s, s], 1)], given
    nodes, leaves, walk = grow(4, 3, 3)
    s = numpy.stack([walk(row).sum(0) for row in x])
    labels = numpy.array([5, 1, 9], L)
    given = {**nodes, "class_treeids": column(0), "class_nodeids": column(1), "class_ids": column(2),
             "class_weights": column(3), "classlabels_int64s": labels.tolist(), "post_transform": "SOFTMAX"}
    yield "trees_three", name, [x], [labels[s.argmax(1)], softmax(s)], given


def split_trees():
    """TreeEnsemble: leaves in lists of their own."""
    x = (real(6, 3) * 2).round() / 4
    sets = {0: [0.25, -0.5, 1.0], 1: [0.0, 0.75]}
    tensor = lambda values, kind=F: numpy_helper.from_array(numpy.array(values, kind))
    # The second tree is a node with a bound; each has the leaves 2 i and 2 i + 1.
    hits = numpy.stack([numpy.isin(x[:, 0], sets[0]), x[:, 1] <= 0.25, numpy.isin(x[:, 2], sets[1])], 1)
    leaves = numpy.arange(6, dtype=F) + 1
    yield "split_trees_sets", ML + "TreeEnsemble", [x], [
        numpy.where(hits, leaves[::2], leaves[1::2]).sum(1, keepdims=True).astype(F)], {
            "aggregate_function": 1, "n_targets": 1, "leaf_targetids": [0] * 6, "leaf_weights": tensor(leaves),
            "membership_values": tensor([*sets[0], numpy.nan, *sets[1], numpy.nan]), "nodes_featureids": [0, 1, 2],
            "nodes_modes": tensor([6, 0, 6], numpy.uint8), "nodes_splits": tensor([9, 0.25, 9]), "tree_roots": [0, 1, 2],
            "nodes_truenodeids": [0, 2, 4], "nodes_falsenodeids": [1, 3, 5], "nodes_trueleafs": [1] * 3, "nodes_falseleafs": [1] * 3}
    for name, words, targets in (("sum", 1, 2), ("mean", 0, 1), ("least", 2, 1), ("most", 3, 1), ("softmax", 1, 3)):
        columns, leaves, _ = grow(3, 3, targets)
        inner = [i for i, mode in enumerate(columns["nodes_modes"]) if mode != "LEAF"]
        places = {(columns["nodes_treeids"][i], columns["nodes_nodeids"][i]): j for j, i in enumerate(inner)}
        # A leaf has one weight here: of several targets, the one that its node names.
        weights = [leaf for leaf in leaves if leaf[2] == leaf[1] % targets]
        ends = {leaf[:2]: j for j, leaf in enumerate(weights)}
        branches = {}
        for side in ("true", "false"):
            goals = [(columns["nodes_treeids"][i], columns[f"nodes_{side}nodeids"][i]) for i in inner]
            branches[f"nodes_{side}nodeids"] = [ends[g] if g in ends else places[g] for g in goals]
            branches[f"nodes_{side}leafs"] = [int(g in ends) for g in goals]
        each = numpy.zeros((len(x), 3, targets), F)
        for r, row in enumerate(x):
            for tree in range(3):
                node = 0
                while node < 3:
                    i = 7 * tree + node
                    holds = MODES[columns["nodes_modes"][i]](row[columns["nodes_featureids"][i]], F(columns["nodes_values"][i]))
                    node = columns[f"nodes_{'true' if holds else 'false'}nodeids"][i]
                leaf = weights[ends[tree, node]]
                each[r, tree, leaf[2]] += F(leaf[3])
        result = {0: each.mean(1), 1: each.sum(1), 2: each.min(1), 3: each.max(1)}[words]
        tensor = lambda values, kind=F: numpy_helper.from_array(numpy.array(values, kind))
        yield "split_trees_" + name, ML + "TreeEnsemble", [x], [softmax(result) if name == "softmax" else result], {
            "aggregate_function": words, "post_transform": int(name == "softmax"), "n_targets": targets, **branches,
            "leaf_targetids": [leaf[2] for leaf in weights], "leaf_weights": tensor([leaf[3] for leaf in weights]),
            "nodes_featureids": [columns["nodes_featureids"][i] for i in inner],
            "nodes_modes": tensor([list(MODES).index(columns["nodes_modes"][i]) for i in inner], numpy.uint8),
            "nodes_splits": tensor([columns["nodes_values"][i] for i in inner]), "tree_roots": [places[t, 0] for t in range(3)]}


def coupled(share):
    """The probabilities that agree best with those of pairs, as far as LIBSVM goes for them."""
    k = len(share)
    q = numpy.array([[(share[:, t] ** 2).sum() if t == j else -share[j, t] * share[t, j] for j in range(k)] for t in range(k)])
    p = numpy.full(k, 1 / k)
    for _ in range(100):
        if abs(q @ p - p @ q @ p).max() < 0.005 / k:
            break
        for t in range(k):
            p[t] += (p @ q @ p - q[t] @ p) / q[t, t]
            p /= p.sum()
    return p


def votes():
    name, counts = ML + "SVMClassifier", [2, 1, 3]
    x, v, a, rho = real(5, 3), real(6, 3), real(2, 6), real(3)
    near = numpy.exp(-0.5 * ((x[:, None] - v[None]) ** 2).sum(2))
    of = [slice(0, 2), slice(2, 3), slice(3, 6)]
    pairs = [(0, 1), (0, 2), (1, 2)]
    scores = numpy.stack([rho[p] + near[:, of[i]] @ a[j - 1, of[i]] + near[:, of[j]] @ a[i, of[j]]
                          for p, (i, j) in enumerate(pairs)], 1)
    won = numpy.zeros((5, 3))
    for p, (i, j) in enumerate(pairs):
        won[:, i] += scores[:, p] > 0
        won[:, j] += scores[:, p] <= 0
    labels = numpy.array([4, 7, 5], L)
    given = {"classlabels_ints": labels.tolist(), "kernel_type": "RBF", "kernel_params": [0.5, 0.0, 3.0],
             "coefficients": listed(a), "rho": listed(rho), "support_vectors": listed(v), "vectors_per_class": counts}
    yield "votes", name, [x], [labels[won.argmax(1)], scores], given
    yield "votes_logistic", name, [x], [labels[won.argmax(1)], sigmoid(scores)], {**given, "post_transform": "LOGISTIC"}
    pa, pb = -abs(real(3)) - F(0.5), real(3) * F(0.2)
    chances = []
    for row in scores:
        share = numpy.zeros((3, 3))
        for p, (i, j) in enumerate(pairs):
            share[i, j] = 1 / (1 + numpy.exp(row[p] * pa[p] + pb[p]))
            share[j, i] = 1 - share[i, j]
        chances.append(coupled(share))
    yield "votes_chances", name, [x], [labels[won.argmax(1)], numpy.array(chances, F)], {
        **given, "prob_a": listed(pa), "prob_b": listed(pb)}
    texts = numpy.array(["d", "g", "e"], object)
    named = {key: value for key, value in given.items() if key != "classlabels_ints"}
    yield "votes_texts", name, [x], [texts[won.argmax(1)], scores], {**named, "classlabels_strings": texts.tolist()}
    w = real(3, 3)
    yield "votes_linear", name, [x], [labels[(x @ w.T + 0.25).argmax(1)], x @ w.T + F(0.25)], {
        "classlabels_ints": labels.tolist(), "coefficients": listed(w), "rho": [0.25, 0.0]}
    a = real(1, 3)
    s = (x @ v[:3].T) @ a[0] + F(0.1)
    yield "votes_two", name, [x], [numpy.where(s > 0, 4, 7).astype(L), numpy.stack([-s, s], 1)], {
        "classlabels_ints": [4, 7], "kernel_type": "LINEAR", "coefficients": listed(a), "rho": [0.1],
        "support_vectors": listed(v[:3]), "vectors_per_class": [1, 2]}


def texts():
    """In both directions; the first LabelEncoder counts the places in its list."""
    words, some = numpy.array(["b", "x", "a"], object), {"default_int64": -7, "default_string": "other"}
    first = {"classes_strings": ["a", "b", "c"], **some}
    yield "labels_of_texts", ML + "LabelEncoder", [words], [numpy.array([1, -7, 0], L)], first
    yield "labels_of_numbers", ML + "LabelEncoder", [numpy.array([2, 9, 0], L)], [numpy.array(["c", "other", "a"], object)], first
    pairs = {"cats_strings": ["a", "b"], "cats_int64s": [30, 10], **some}
    yield "categories_of_texts", ML + "CategoryMapper", [words], [numpy.array([10, -7, 30], L)], pairs
    yield "categories_of_numbers", ML + "CategoryMapper", [numpy.array([10, 0, 30], L)], [
        numpy.array(["b", "other", "a"], object)], pairs


if __name__ == "__main__":
    for cases in (features, sums, trees, split_trees, votes, texts):
        for name, operator, inputs, outputs, attributes in cases():
            outputs = [y if y.dtype != numpy.float64 else y.astype(F) for y in outputs]
            opset = 5 if operator.endswith("Ensemble") else 3 if "Tree" in operator else 1
            write(os.path.join(sys.argv[1], "test_" + name), operator, inputs, outputs, attributes, opset)
