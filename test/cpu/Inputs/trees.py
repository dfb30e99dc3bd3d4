"""Ensembles of uneven trees and rows for them, with NaN and elements equal to
bounds: trees.py FOLDER. Weights are whole numbers, so that sums are exact."""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, save

random = np.random.RandomState(0)
FEATURES = 11


def grown(tree, levels, modes, missing):
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
                          random.randint(FEATURES), random.randint(-4, 5) / 2,
                          yes, no, int(missing and random.rand() < 0.5))
        return place

    add(0)
    return columns


def ensemble(name, rows, levels, modes, missing=False, trees=13):
    columns = [column for tree in range(trees)
               for column in grown(tree, levels, modes, missing)]
    ids, nodes, kinds, features, bounds, yes, no, tracks = zip(*columns)
    leaves = [i for i, kind in enumerate(kinds) if kind == "LEAF"]
    node = helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml",
        n_targets=1, nodes_treeids=ids, nodes_nodeids=nodes,
        nodes_modes=kinds, nodes_featureids=features, nodes_values=bounds,
        nodes_truenodeids=yes, nodes_falsenodeids=no,
        nodes_missing_value_tracks_true=tracks,
        target_treeids=[ids[i] for i in leaves],
        target_nodeids=[nodes[i] for i in leaves],
        target_ids=[0] * len(leaves),
        target_weights=[float(i + 1) for i in range(len(leaves))])
    graph = helper.make_graph(
        [node], "g", [helper.make_tensor_value_info(
            "x", TensorProto.FLOAT, [rows, FEATURES])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [rows, 1])])
    model = helper.make_model(graph, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)])
    model.ir_version = 8
    path = os.path.join(sys.argv[1], name)
    save(model, path + ".onnx")
    values = (random.randint(-8, 9, [rows, FEATURES]) / 4).astype(np.float32)
    values[random.rand(rows, FEATURES) < 0.1] = np.nan
    np.save(path + ".npy", values)
    print(name)


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
