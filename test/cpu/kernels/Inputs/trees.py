"""Ensembles of uneven trees and rows for them, with NaN and elements equal to
bounds: trees.py FOLDER. Weights are whole numbers, so that sums are exact; the
names of these models are printed. Weights of rounded7 and rounded20 are not."""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, save

random = np.random.RandomState(0)
FEATURES = 11
# Bounds and elements at the ends of what floats are.
ODD = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -1e-45, 3.4028235e38]


def bound(odd):
    if odd and random.rand() < 0.4:
        return ODD[random.randint(len(ODD))]
    return random.randint(-4, 5) / 2


def grown(tree, levels, modes, missing, odd=False, features=FEATURES):
    """Columns of a tree that ends at any level, the last one at the latest."""
    columns = []

    def add(level):
        place = len(columns)
        columns.append(None)
        if level == levels or (level > 0 and random.rand() < 0.15):
            columns[place] = (tree, place, "LEAF", 0, 0.0, 0, 0, 0)
            return place
        yes, no = add(level + 1), add(level + 1)
        columns[place] = (tree, place, modes[random.randint(len(modes))],
                          random.randint(features), bound(odd),
                          yes, no, int(missing and random.rand() < 0.5))
        return place

    add(0)
    return columns


def rows_of(rows, odd=False, features=FEATURES, kind=np.float32):
    values = random.randint(-8, 9, [rows, features]) / 4
    values[random.rand(rows, features) < 0.1] = np.nan
    if odd:
        there = random.rand(rows, features) < 0.3
        values[there] = random.choice(ODD, there.sum())
    return values.astype(kind)


def save_model(name, node, values, kind=TensorProto.FLOAT, exact=True):
    graph = helper.make_graph(
        [node], "g", [helper.make_tensor_value_info("x", kind, values.shape)],
        [helper.make_tensor_value_info("y", kind, [len(values), 1])])
    model = helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", 17),
        helper.make_opsetid("ai.onnx.ml",
                            5 if node.op_type == "TreeEnsemble" else 3)])
    model.ir_version = 8
    path = os.path.join(sys.argv[1], name)
    save(model, path + ".onnx")
    np.save(path + ".npy", values)
    if exact:
        print(name)


def ensemble(name, rows, levels, modes, missing=False, trees=13, odd=False,
             features=FEATURES, exact=True):
    columns = [column for tree in range(trees) for column in
               grown(tree, levels, modes, missing, odd, features)]
    ids, nodes, kinds, places, bounds, yes, no, tracks = zip(*columns)
    leaves = [i for i, kind in enumerate(kinds) if kind == "LEAF"]
    save_model(name, helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml",
        n_targets=1, nodes_treeids=ids, nodes_nodeids=nodes,
        nodes_modes=kinds, nodes_featureids=places, nodes_values=bounds,
        nodes_truenodeids=yes, nodes_falsenodeids=no,
        nodes_missing_value_tracks_true=tracks,
        target_treeids=[ids[i] for i in leaves],
        target_nodeids=[nodes[i] for i in leaves],
        target_ids=[0] * len(leaves),
        target_weights=[float(i + 1) if exact else random.rand()
                        for i in range(len(leaves))]),
        rows_of(rows if exact else 20, odd, features)[:rows], exact=exact)


def perfect(name, rows, levels, kind, trees=11, sets=True):
    """A TreeEnsemble of perfect trees with sets, in f32 or f64."""
    inner, ends = 2 ** levels - 1, 2 ** levels
    place = np.tile(np.arange(inner), trees)
    tree = np.repeat(np.arange(trees), inner)
    last = 2 * place + 1 >= inner
    modes = random.randint(0, 7 if sets else 1, place.size)
    members = []
    for _ in range((modes == 6).sum()):
        members += [*(random.randint(-8, 9, random.randint(1, 6)) / 4), np.nan]
    numbers = [np.float32, np.float64][kind == TensorProto.DOUBLE]

    def tensor(values, of=kind):
        return helper.make_tensor("", of, [len(values)], list(values))

    def child(step):
        below = 2 * place + step
        return np.where(last, below - inner + tree * ends,
                        below + tree * inner).tolist()

    attributes = {"membership_values": tensor(members)} if members else {}
    save_model(name, helper.make_node(
        "TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", n_targets=1,
        aggregate_function=1,
        tree_roots=(np.arange(trees) * inner).tolist(),
        nodes_featureids=random.randint(0, FEATURES, place.size).tolist(),
        nodes_modes=tensor(modes, TensorProto.UINT8),
        nodes_splits=tensor(random.randint(-4, 5, place.size) / 2),
        nodes_missing_value_tracks_true=random.randint(
            0, 2, place.size).tolist(),
        nodes_truenodeids=child(1), nodes_falsenodeids=child(2),
        nodes_trueleafs=last.astype(int).tolist(),
        nodes_falseleafs=last.astype(int).tolist(),
        leaf_targetids=[0] * (trees * ends),
        leaf_weights=tensor(np.arange(trees * ends)), **attributes),
        rows_of(rows, kind=numbers), kind)


os.makedirs(sys.argv[1])
LESS = ["BRANCH_LEQ", "BRANCH_LT"]
EVERY = LESS + ["BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
for rows in (1, 7, 20, 300):
    for name, modes in (("leq", LESS[:1]), ("lt", LESS[1:]), ("both", LESS),
                        ("every", EVERY)):
        ensemble(f"{name}{rows}", rows, 5, modes)
    ensemble(f"missing{rows}", rows, 5, LESS, missing=True)
    ensemble(f"large{rows}", rows, 10, LESS[:1], trees=3)
    ensemble(f"leaves{rows}", rows, 0, LESS)
    ensemble(f"everymissing{rows}", rows, 5, EVERY, missing=True)
    ensemble(f"odd{rows}", rows, 6, EVERY, missing=True, odd=True)
    perfect(f"sets{rows}", rows, 4, TensorProto.FLOAT)
    perfect(f"doubles{rows}", rows, 4, TensorProto.DOUBLE)
# The same trees and rows: seven rows walk alone, and 16 of 20 in eights.
for rows in (7, 20):
    random.seed(1)
    ensemble(f"rounded{rows}", rows, 5, LESS, trees=100, exact=False)
# Values too large for the fields of a node of one word.
ensemble("wide9", 9, 4, EVERY, missing=True, features=40000)
perfect("deep9", 9, 16, TensorProto.FLOAT, trees=1, sets=False)
